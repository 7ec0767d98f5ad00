"""What the next error may be like: columns, size and quantiles, held together and moved one observation at a time."""

from typing import Any, NamedTuple

import numpy as np

from ngrc._kernels.local import READOUT_PENALTIES, READOUT_ROWS, columns_table
from ngrc._types import FloatArray
from ngrc.archive import check_shape, check_that
from ngrc.intervals.context import Context
from ngrc.intervals.local import columns as seen
from ngrc.intervals.local import size as sized
from ngrc.intervals.local.columns import Columns
from ngrc.intervals.local.size import Size

FIRST_SIZE = 20
"""Known residuals at which the size is first fitted, and ..."""
FIRST_QUANTILES = 150
"""... the quantiles: some three rows per column, which the ridge makes do with."""
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
        ring = READOUT_ROWS if kept["probabilities"].size else 0
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
            ("weights", self.weights, (len(READOUT_PENALTIES), quantiles, self.rows.shape[1])),
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
    columns_table(columns, residuals, forecasts, phase, horizon, table, np.empty(signs))
    spread = table.std(axis=0)
    wide = 1 + sizes + signs if probabilities.size else 0
    return Readout(
        columns=seen.start_columns(residuals, context),
        size=sized.start_size(1 + sizes, residuals / columns.constants[0]),
        centre=table.mean(axis=0),
        # A column without spread says nothing: it stays at zero, and far from overflow.
        spread=np.where(spread > 1e-9, spread, np.inf),
        rows=np.zeros((READOUT_ROWS if probabilities.size else 0, wide)),
        scores=np.zeros(READOUT_ROWS if probabilities.size else 0),
        probabilities=probabilities,
        weights=np.zeros((len(READOUT_PENALTIES), probabilities.size, wide)),
        counters=np.array([0.0, FIRST_SIZE, FIRST_QUANTILES, 0.0]),
        scratch=(np.empty(sizes), np.empty(signs)),
    )


def width(readout: Readout) -> int:
    """Columns of a row; without quantiles those of the size alone."""
    return int(readout.rows.shape[1]) if readout.probabilities.size else 1 + readout.scratch[0].size
