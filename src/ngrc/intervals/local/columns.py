"""Columns of the next target, from what is known at its origin, moved by one observation at a time.

Columns of the error's size: how large errors were of late at three memories, the forecast and its square, how far it
lies from the last value, the last change, the clock, and how large errors were at this place on the clock. Columns of
its sign, in the units of the residuals: the last errors, their mean at two memories, the forecast less the last value,
the error at this place on the clock, and the room between the forecast and the least and largest outcome there.
"""

from typing import NamedTuple

import numpy as np

from ngrc._kernels.local import (
    COLUMNS_CROSSED,
    COLUMNS_LAGS,
    COLUMNS_MEANS,
    COLUMNS_MEMORIES,
    COLUMNS_PLACES,
)
from ngrc._types import FloatArray, IntArray
from ngrc.archive import check_shape, check_that
from ngrc.intervals.context import Context
from ngrc.order.deviation import deviation

HARMONICS = 2
"""Waves per period of the clock; one where a period is longer than a table."""
TABLE = 400
"""Longest period that has a table of errors by place: a day of five-minute steps; a year has too few cycles."""


class Columns(NamedTuple):
    """State and constants.

    Parameters
    ----------
    memory
        Recent |e| and their weights, mean errors, last errors, the last two values, the level of |e|, and how many
        residuals there were; in units.
    tables
        |e|, e, least and largest outcome by place on the clock, shape (4, periods with a table, longest of them); an
        |e| below zero stands where there is none yet.
    lengths
        Periods with a table, in whole steps.
    waves
        Cycles per step of every wave.
    constants
        Unit of the residuals, mean and standard deviation of the outcomes.
    """

    memory: FloatArray
    tables: FloatArray
    lengths: IntArray
    waves: FloatArray
    constants: FloatArray

    def check_kept(self) -> None:
        """Refuse tables of other lengths, and units that are none."""
        check_shape(self.memory, (COLUMNS_PLACES,), "memory")
        check_shape(self.tables, (4, self.lengths.size, TABLE), "tables")
        check_shape(self.lengths, (self.lengths.size,), "lengths")
        check_shape(self.waves, (self.waves.size,), "waves")
        check_shape(self.constants, (3,), "constants")
        check_that(bool(np.all((self.lengths > 0) & (self.lengths <= TABLE))), "periods fit their tables")
        check_that(bool(np.all(np.isfinite(self.constants))), "units are finite")
        check_that(self.constants[0] > 0.0 and self.constants[2] > 0.0, "units are above zero")


def start_columns(residuals: FloatArray, context: Context | None) -> Columns:
    """The state before the first residual; units are those of the known history."""
    forecasts = np.zeros(residuals.size) if context is None else context.forecasts[: residuals.size]
    periods = () if context is None else context.periods
    tabled = [int(period) for period in periods if period == int(period) and 2 < period <= TABLE]
    waves = [
        wave / period
        for period in periods
        for wave in range(1, (HARMONICS if period <= TABLE else 1) + 1)
        # A wave of less than 2.5 steps is a column of alternating signs at best.
        if period / wave >= 2.5
    ]
    sizes = np.abs(residuals)
    spread = sizes[sizes > 0.0]
    unit = float(np.median(spread)) if spread.size else 1.0
    outcomes = forecasts + residuals
    spread_out = deviation(outcomes)
    return Columns(
        memory=np.zeros(COLUMNS_PLACES),
        tables=np.stack([np.full((len(tabled), TABLE), start) for start in (-1.0, 0.0, 0.0, 0.0)]),
        lengths=np.array(tabled, dtype=np.int64),
        waves=np.array(waves, dtype=np.float64),
        # Outcomes without spread give columns of zeros.
        constants=np.array(
            [unit, float(np.mean(outcomes)), spread_out if spread_out > 1e-12 * unit else unit]
        ),
    )


def counts(columns: Columns) -> tuple[int, int]:
    """How many columns of the size and of the sign there are."""
    waves, tables = 2 * columns.waves.size, columns.lengths.size
    sizes = len(COLUMNS_MEMORIES) + 7 + waves + min(waves, COLUMNS_CROSSED) + 2 * tables
    return sizes, COLUMNS_LAGS + len(COLUMNS_MEANS) + 1 + 3 * tables
