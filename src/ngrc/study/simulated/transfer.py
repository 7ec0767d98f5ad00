"""The temporal-transfer simulation: windows ever further apart against independent ones of the same law."""

from functools import lru_cache, partial

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Settings
from ngrc.study.simulated.distance import distance_between, distance_error
from ngrc.study.simulated.trial import MEASURES, quadratic_truths, trial
from ngrc.study.simulated.windows import (
    ar1_windows,
    independent_windows,
    quadratic_coordinates,
    quadratic_covariance,
    window_correlation,
)

# Settings of appendix "Experiment 3: Supplementary Temporal-Transfer Stress Test".
DIMENSION, RHO, SEPARATIONS, REPS = 20, 0.8, (1, 4, 16, 64), 150
CASES = (*(str(separation) for separation in SEPARATIONS), "independent")
NAME = "transfer"


@lru_cache(maxsize=1)
def _population() -> tuple[FloatArray, FloatArray]:
    correlation = window_correlation(DIMENSION, RHO)
    return correlation, quadratic_covariance(correlation)


def transfer_replication(rng: np.random.Generator) -> FloatArray:
    """The diffuse signal at every separation and for independent windows, shape (cases, 7)."""
    correlation, covariance = _population()
    # The diffuse signal alone, not rescaled for the correlation of the coordinates: the paper leaves this open, and
    # without rescaling the widths come out as printed.
    truths = quadratic_truths(DIMENSION)[:, 1:]

    def features(separation: int | None, rows: int) -> FloatArray:
        if separation is None:
            windows = independent_windows(rows, correlation, rng=rng)
        else:
            windows = ar1_windows(rows, DIMENSION, separation, RHO, rng=rng)
        return quadratic_coordinates(windows, correlation)

    cases = (partial(features, separation) for separation in (*SEPARATIONS, None))
    return np.array([trial(case, truths, covariance, rng=rng).measures[0] for case in cases])


def simulate_transfer(settings: Settings) -> FloatArray:
    """All replications, shape (replications, cases, 7); the same for every target that asks."""
    reps = settings.replications(REPS)
    return np.array(replicate(transfer_replication, reps, name=NAME, seed=settings.seed, jobs=settings.jobs))


def width_distances(samples: FloatArray, seed: int) -> list[Estimate]:
    """Distance of each separation's conformal-width distribution from the independent windows'."""
    widths = samples[:, :, MEASURES.index("W_C")]
    # Both targets that show these distances resample alike.
    rng = np.random.default_rng([seed, len(widths)])
    return [
        Estimate(
            distance_between(widths[:, case], widths[:, -1]),
            distance_error(widths[:, case], widths[:, -1], rng=rng),
            len(widths),
        )
        for case in range(len(SEPARATIONS))
    ]
