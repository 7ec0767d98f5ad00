"""Cells on simulated rows: windows of an AR(1) series, and independent rows of the same covariance beside them."""

from functools import cache
from typing import NamedTuple

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.dependent.trial import (
    CALIBRATION,
    DIRECTIONS,
    TEST,
    Design,
    Noise,
    Trial,
    readouts,
    spans,
)
from ngrc.study.simulated.windows import ar1_windows, independent_windows, window_correlation

# Half the fit rows of Experiment 2, and four of its aspect ratios: five kinds of rows are to fit into a minute.
FIT, RATIOS, REPS = 200, (0.25, 0.5, 1.0, 1.5), 100


class Rows(NamedTuple):
    """A law of rows with covariance rho^|i-j|."""

    kind: str
    rho: float

    @property
    def title(self) -> str:
        """For tables and figures."""
        series = "white noise" if self.rho == 0 else f"AR(1), rho {self.rho:g}"
        return f"{self.kind}, {series}"

    def draw(self, count: int, correlation: FloatArray, rng: np.random.Generator) -> FloatArray:
        """That many rows, of one trajectory of their own where they are windows."""
        if self.kind == "independent":
            return independent_windows(count, correlation, rng=rng)
        return np.ascontiguousarray(ar1_windows(count, len(correlation), 1, self.rho, rng=rng))


ROWS = (
    Rows("independent", 0.0), Rows("lagged", 0.0), Rows("lagged", 0.5), Rows("lagged", 0.9), Rows("independent", 0.9),
)  # fmt: skip


class Case(NamedTuple):
    """What the cells of one phase picture share."""

    rows: Rows
    direction: str


# Where the covariance is the identity no eigenvector is larger than another.
CASES = tuple(Case(rows, name) for rows in ROWS for name in (DIRECTIONS if rows.rho else DIRECTIONS[:1]))


def replication(rng: np.random.Generator) -> FloatArray:
    """All cells of one replication, shape (cases, ratios, ridges, strengths, measures)."""
    found = [[_design(rows, round(ratio * FIT), rng) for ratio in RATIOS] for rows in ROWS]
    # From (rows, ratios, directions, ...) to one entry per case.
    by_rows = [np.moveaxis(np.array(ratios), 1, 0) for ratios in found]
    return np.concatenate(by_rows)


@cache
def _population(columns: int, rho: float) -> tuple[FloatArray, dict[str, FloatArray]]:
    """Covariance and spans of its readouts; a dozen of them in a run."""
    correlation = window_correlation(columns, rho)
    return correlation, spans(correlation)


def _design(rows: Rows, columns: int, rng: np.random.Generator) -> FloatArray:
    """One design of that many columns, shape (directions, ridges, strengths, measures)."""
    correlation, bases = _population(columns, rows.rho)
    R, C, T = (rows.draw(size, correlation, rng) for size in (FIT, CALIBRATION, TEST))
    design = Design(R, C, T, correlation)
    noise, trial = Noise.draw(design, 1, rng), Trial(design)
    names = [case.direction for case in CASES if case.rows == rows]
    return np.array([trial.run(readouts(bases[name], 1, rng), noise)[0] for name in names])
