"""What the published errors owe to the integrator: the same windows on an accurate trajectory, at several penalties."""

from dataclasses import replace

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.datasets import lorenz63
from ngrc.study.dynamics.scores import median, nrmse, pooled_variance
from ngrc.study.dynamics.settings import LORENZ
from ngrc.study.dynamics.trajectories import accurate_lorenz
from ngrc.study.dynamics.windows import Runs, over_windows

FACTORS = (1.0, 1e2, 1e4, 1e5, 1e6)
"""Penalties over the published one."""
PUBLISHED, ACCURATE = "RK23, tolerance 1e-3", "RK4, 25 steps per sample"
"""The published integrator, and ours; both from the same start."""


def integrator_table(published: FloatArray, windows: int) -> pl.DataFrame:
    """One row per integrator and penalty: errors and valid times of Lorenz63."""
    records = []
    for name, states in {PUBLISHED: published, ACCURATE: accurate_lorenz(LORENZ.length(windows))}.items():
        for factor in FACTORS:
            case = replace(LORENZ, alpha=factor * LORENZ.alpha)
            record = {"integrator": name, "alpha": case.alpha}
            records.append(record | _record(over_windows(case, states, windows)))
    return pl.DataFrame(records)


def integration_error(states: FloatArray) -> float:
    """NRMSE of the published trajectory's own steps: those of the first window against accurate ones."""
    begin = slice(LORENZ.warm - 1, LORENZ.warm + LORENZ.train - 1)
    exact = [lorenz63(2, spacing=LORENZ.spacing, burn_in=0, initial=state)[1] for state in states[begin]]
    errors = states[begin.start + 1 : begin.stop + 1] - np.array(exact)
    return nrmse(errors, pooled_variance(states))


def _record(runs: Runs) -> dict[str, float | int | None]:
    middle = median(runs.free)
    return {
        "windows": runs.free.size,
        "training": float(runs.training.mean()),
        "diverged": runs.diverged,
        # More than half of the runs diverged where there is no median.
        "free_median": middle if np.isfinite(middle) else None,
        "valid_q10": float(np.quantile(runs.valid, 0.1)),
        "valid_median": median(runs.valid),
        "valid_q90": float(np.quantile(runs.valid, 0.9)),
    }
