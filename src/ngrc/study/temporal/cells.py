"""The cells of the temporal appendix: absolute-regularity penalties at every separation of disjoint windows."""

import polars as pl

from ngrc.study.simulated.transfer import DIMENSION, RHO
from ngrc.study.simulated.trial import LEVEL
from ngrc.theory import beta_mixing_ar1, transfer_bound

REACH = DIMENSION - 1
"""Steps from a window's first observation to its last."""
WIDTH_WINDOWS = 840  # n + m of the paper's appendix "Absolute-Regularity Penalties"
COVERAGE_WINDOWS = WIDTH_WINDOWS + 1
"""Fitting and calibration windows, and one test window more for a coverage statement."""
LARGEST = 80
"""Separations of the figure end here; the simulated ones at 64."""


def penalty_table() -> pl.DataFrame:
    """beta(h), corrections and bounds at every separation of disjoint windows."""
    records = []
    for separation in range(REACH + 1, LARGEST + 1):
        # From a window's last observation to the next one's first: h = separation - (d - 1).
        beta = beta_mixing_ar1(RHO, separation - REACH)
        width, coverage = (
            transfer_bound(WIDTH_WINDOWS, beta),
            transfer_bound(COVERAGE_WINDOWS, beta, 1.0 - LEVEL),
        )
        records.append({
            "separation": separation, "lag": separation - REACH, "beta": beta,
            "width_correction": width.correction, "coverage_correction": coverage.correction,
            "width_bound": width.failure, "miscoverage_bound": coverage.failure,
        })  # fmt: skip
    return pl.DataFrame(records)
