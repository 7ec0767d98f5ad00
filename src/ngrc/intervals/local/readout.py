"""What the next error may be like: columns, size and quantiles, held together and moved one observation at a time."""

from typing import Any, NamedTuple

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray
from ngrc.archive import check_shape, check_that
from ngrc.intervals.context import Context
from ngrc.intervals.local import columns as seen
from ngrc.intervals.local import pinball
from ngrc.intervals.local import size as sized
from ngrc.intervals.local.columns import Columns
from ngrc.intervals.local.size import Size

CLIP = 6.0
"""Standard deviations at which a column is cut: what was never seen is read as the farthest that was."""
SIGN_CLIP = 8.0
"""The same of a column of the sign, in sizes."""
SCORE_CLIP = 1e6
"""Sizes at which a score is cut before the quantile readout is fitted to it, which asks on which side it lies and no
more: the cut keeps sums finite."""
FIRST_SIZE = 20
"""Known residuals at which the size is first fitted, and ..."""
FIRST_QUANTILES = 150
"""... the quantiles: some three rows per column, which the ridge makes do with."""
GROWTH = 1.25
"""Factor by which the rows grow between two fits."""
ROWS = 8000
"""Newest rows that the quantiles are fitted to: more change no end by as much as its error, and cost in proportion."""
PENALTIES = (10.0, 300.0)
"""Ridges of two quantile readouts on standardised columns: one that follows the columns, and one that hardly does."""
SMOOTH = 0.05
"""Smoothing of its loss in standard deviations of the scores."""


NO_QUANTILES = np.empty(0)
"""For a readout of the size alone."""


class Readout(NamedTuple):
    """State of the readout.

    Parameters
    ----------
    columns, size
        Their states.
    centre, spread
        Mean and standard deviation of the columns of the size over the known history.
    rows, scores
        Newest rows and their scores e / size, as a ring.
    probabilities, weights
        Quantiles, and their coefficients for every penalty: shapes (T,) and (penalties, T, p).
    counters
        Residuals known, the count at which the next fits of size and quantiles are due, and fits of the quantiles.
    scratch
        Columns of the size and of the sign of one target.
    """

    columns: Columns
    size: Size
    centre: FloatArray
    spread: FloatArray
    rows: FloatArray
    scores: FloatArray
    probabilities: FloatArray
    weights: FloatArray
    counters: FloatArray
    scratch: tuple[FloatArray, FloatArray]

    def kept(self) -> dict[str, Any]:
        """The fields, of the ring only what is filled: it has room for thousands of rows."""
        filled = min(int(self.counters[0]), self.scores.size)
        return self._asdict() | {"rows": self.rows[:filled], "scores": self.scores[:filled]}

    @classmethod
    def rebuilt(cls, kept: dict[str, Any]) -> "Readout":
        """The readout of what was kept."""
        ring = ROWS if kept["probabilities"].size else 0
        check_that(kept["scores"].size <= ring and kept["rows"].ndim == 2, f"a ring has {ring} rows at most")
        check_shape(kept["scores"], kept["rows"].shape[:1], "scores")
        rows, scores = np.zeros((ring, kept["rows"].shape[1])), np.zeros(ring)
        rows[: len(kept["rows"])], scores[: kept["scores"].size] = kept["rows"], kept["scores"]
        return cls(**{**kept, "rows": rows, "scores": scores})

    def check_kept(self) -> None:
        """Refuse columns, sizes and quantiles that do not fit each other."""
        sizes, signs = seen.counts(self.columns)
        quantiles = self.probabilities.size
        for name, array, shape in (
            ("moment", self.size.moment, (1 + sizes,)),
            ("centre", self.centre, (sizes,)),
            ("spread", self.spread, (sizes,)),
            ("rows", self.rows, (len(self.scores), 1 + sizes + signs if quantiles else 0)),
            ("probabilities", self.probabilities, (quantiles,)),
            ("weights", self.weights, (len(PENALTIES), quantiles, self.rows.shape[1])),
            ("counters", self.counters, (4,)),
            ("the columns of the size", self.scratch[0], (sizes,)),
            ("the columns of the sign", self.scratch[1], (signs,)),
        ):
            check_shape(array, shape, name)
        check_that(
            bool(np.all((self.probabilities > 0.0) & (self.probabilities < 1.0))), "quantiles are shares"
        )
        check_that(bool(np.all((self.counters >= 0.0) & (self.counters < 2.0**52))), "residuals are counted")


def start_readout(
    residuals: FloatArray, context: Context | None, horizon: int, probabilities: FloatArray
) -> Readout:
    """The state before the first residual; the units of its columns are those of the known history.

    Without probabilities there is no quantile readout, and no row is kept.
    """
    columns = seen.start_columns(residuals, context)
    sizes, signs = seen.counts(columns)
    forecasts = np.zeros(residuals.size) if context is None else context.forecasts
    phase = 0 if context is None else context.phase
    table = np.empty((residuals.size, sizes))
    _columns(columns, residuals, forecasts, phase, horizon, table, np.empty(signs))
    spread = table.std(axis=0)
    wide = 1 + sizes + signs if probabilities.size else 0
    return Readout(
        columns=seen.start_columns(residuals, context),
        size=sized.start_size(1 + sizes, residuals / columns.constants[0]),
        centre=table.mean(axis=0),
        # A column without spread says nothing: it stays at zero, and far from overflow.
        spread=np.where(spread > 1e-9, spread, np.inf),
        rows=np.zeros((ROWS if probabilities.size else 0, wide)),
        scores=np.zeros(ROWS if probabilities.size else 0),
        probabilities=probabilities,
        weights=np.zeros((len(PENALTIES), probabilities.size, wide)),
        counters=np.array([0.0, FIRST_SIZE, FIRST_QUANTILES, 0.0]),
        scratch=(np.empty(sizes), np.empty(signs)),
    )


def width(readout: Readout) -> int:
    """Columns of a row; without quantiles those of the size alone."""
    return int(readout.rows.shape[1]) if readout.probabilities.size else 1 + readout.scratch[0].size


@jit
def sizes(
    readout: Readout,
    residuals: FloatArray,
    forecasts: FloatArray,
    phase: int,
    horizon: int,
    rows: FloatArray,
    expected: FloatArray,
) -> None:
    """Sizes of all positions in turn, each from residuals known at its origin; `rows` has `horizon` of them."""
    for target in range(forecasts.size):
        if target >= horizon:
            known, slot = target - horizon, target % horizon
            learn(readout, rows[slot], expected[known], residuals[known], forecasts[known], phase + known)
        expected[target] = look(readout, forecasts[target], phase + target, rows[target % horizon])


@jit
def _columns(
    columns: Columns,
    residuals: FloatArray,
    forecasts: FloatArray,
    phase: int,
    horizon: int,
    table: FloatArray,
    signs: FloatArray,
) -> None:
    for target in range(residuals.size):
        if target >= horizon:
            known = target - horizon
            seen.learn(columns, residuals[known], forecasts[known], phase + known)
        seen.look(columns, forecasts[target], phase + target, table[target], signs)


@jit
def look(readout: Readout, forecast: float, index: int, row: FloatArray) -> float:
    """Write the row of the next target and return the size of its error, in the units of the residuals.

    A row holds the constant, the columns of the size, standardised, and those of the sign over the size.
    """
    sizes, signs = readout.scratch
    seen.look(readout.columns, forecast, index, sizes, signs)
    row[0] = 1.0
    for column in range(sizes.size):
        standard = (sizes[column] - readout.centre[column]) / readout.spread[column]
        row[1 + column] = min(max(standard, -CLIP), CLIP)
    size = sized.size_of(readout.size, row[: 1 + sizes.size])
    if row.size > 1 + sizes.size:
        for column in range(signs.size):
            row[1 + sizes.size + column] = min(max(signs[column] / size, -SIGN_CLIP), SIGN_CLIP)
    return float(size * readout.columns.constants[0])


@jit
def quantiles(readout: Readout, penalty: int, row: FloatArray, size: float, ends: FloatArray) -> bool:
    """Quantiles of the error into `ends`, shape (T,); False while there are too few rows for any."""
    if readout.counters[3] == 0.0:
        return False
    for place in range(readout.probabilities.size):
        total = 0.0
        for column in range(row.size):
            total += readout.weights[penalty, place, column] * row[column]
        ends[place] = total * size
    return True


@jit
def learn(
    readout: Readout, row: FloatArray, size: float, residual: float, forecast: float, index: int
) -> None:
    """The residual of the target with this row and size has become known; fits that are due are made."""
    counters, unit = readout.counters, readout.columns.constants[0]
    width = readout.scratch[0].size + 1
    sized.learn(readout.size, row[:width], residual / unit)
    if readout.scores.size:
        place = int(counters[0]) % ROWS
        readout.rows[place] = row
        readout.scores[place] = min(max(residual / size, -SCORE_CLIP), SCORE_CLIP)
    seen.learn(readout.columns, residual, forecast, index)
    counters[0] += 1.0
    if counters[0] >= counters[1]:
        sized.refit(readout.size)
        counters[1] = np.ceil(counters[0] * GROWTH)
    if readout.scores.size and counters[0] >= counters[2]:
        refit(readout)
        counters[2] = np.ceil(counters[0] * GROWTH)


@jit
def refit(readout: Readout) -> None:
    """Fit every quantile to the newest rows, each from where it stood, at first from a constant.

    Not from its neighbour's coefficients: the ends of a level must not depend on which others were asked for.
    """
    count = min(int(readout.counters[0]), ROWS)
    rows, scores = readout.rows[:count], readout.scores[:count]
    spread = np.std(np.minimum(np.maximum(scores, -5.0), 5.0))
    smooth = max(SMOOTH * float(spread), 1e-6)
    for penalty in range(len(PENALTIES)):
        for place in range(readout.probabilities.size):
            weights = readout.weights[penalty, place]
            if readout.counters[3] == 0.0:
                # A start and no more; numba takes ten seconds to compile its own quantile.
                weights[0] = np.sort(scores)[int(readout.probabilities[place] * (count - 1))]
            near = readout.counters[3] > 0.0
            pinball.fit(rows, scores, readout.probabilities[place], PENALTIES[penalty], smooth, weights, near)
    readout.counters[3] += 1.0
