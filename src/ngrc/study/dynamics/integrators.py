"""What the published errors owe to the integrator: the same windows on an accurate trajectory, at several penalties."""

from dataclasses import replace

import numpy as np
import polars as pl

from ngrc.study.dynamics.settings import LORENZ
from ngrc.study.dynamics.trajectories import accurate_lorenz, published_lorenz
from ngrc.study.dynamics.windows import Runs, over_windows

FACTORS = (1.0, 1e2, 1e4, 1e5, 1e6)
"""Penalties over the published one."""
INTEGRATORS = {"RK23, tolerance 1e-3": published_lorenz, "RK4, 25 steps per sample": accurate_lorenz}
"""The published integrator, and ours; both from the same start."""


def integrator_table(windows: int) -> pl.DataFrame:
    """One row per integrator and penalty: errors and valid times of Lorenz63."""
    records = []
    for name, trajectory in INTEGRATORS.items():
        states = trajectory(LORENZ.length(windows))
        for factor in FACTORS:
            case = replace(LORENZ, alpha=factor * LORENZ.alpha)
            records.append({"integrator": name, "alpha": case.alpha} | _record(over_windows(case, states, windows)))
    return pl.DataFrame(records)


def _record(runs: Runs) -> dict[str, float | int | None]:
    middle = float(np.median(runs.free))
    return {
        "windows": runs.free.size,
        "training": float(runs.training.mean()),
        "diverged": runs.diverged,
        # More than half of the runs diverged where there is no median.
        "free_median": middle if np.isfinite(middle) else None,
        "valid_q10": float(np.quantile(runs.valid, 0.1)),
        "valid_median": float(np.median(runs.valid)),
        "valid_q90": float(np.quantile(runs.valid, 0.9)),
    }
