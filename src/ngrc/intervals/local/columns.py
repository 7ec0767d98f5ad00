"""Columns of the next target, from what is known at its origin, moved by one observation at a time.

Columns of the error's size: how large errors were of late at three memories, the forecast and its square, how far it
lies from the last value, the last change, the clock, and how large errors were at this place on the clock. Columns of
its sign, in the units of the residuals: the last errors, their mean at two memories, the forecast less the last value,
the error at this place on the clock, and the room between the forecast and the least and largest outcome there.
"""

from typing import NamedTuple

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray, IntArray
from ngrc.archive import check_shape, check_that
from ngrc.intervals.context import Context
from ngrc.order.deviation import deviation

MEMORIES = (0.5, 0.9, 0.99)
"""Decays of recent |e|: the last two, ten and a hundred errors."""
MEANS = (0.9, 0.99)
"""Decays of recent e: a bias that comes and goes, and one that stays."""
LAGS = 6
"""Last errors that stand as columns of the sign."""
HARMONICS = 2
"""Waves per period of the clock; one where a period is longer than a table."""
TABLE = 400
"""Longest period that has a table of errors by place: a day of five-minute steps; a year has too few cycles."""
SMALL = 0.03
"""Added to changes in units before the logarithm: a change of zero is as good as one of 3 % of the usual error."""
FADE = 0.8, 0.7
"""Decays of |e| and of e in the tables: some five and three cycles."""
DRIFT = 0.02
"""Share by which the least and the largest outcome at a place give way to each new one: some fifty cycles."""
CROSSED = 4
"""Columns of the clock that also stand multiplied by the forecast: sines and cosines of the shortest period."""

FAR = 1e12
"""Units from the mean at which values are cut, so that no difference of two of them is infinite."""

# Places in `memory`.
ABSOLUTE, WEIGHT, MEAN, LAST = 0, 3, 6, 8
VALUE, BEFORE, LEVEL, COUNT = LAST + LAGS, LAST + LAGS + 1, LAST + LAGS + 2, LAST + LAGS + 3
PLACES = COUNT + 1


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
        check_shape(self.memory, (PLACES,), "memory")
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
        memory=np.zeros(PLACES),
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
    return len(MEMORIES) + 7 + waves + min(waves, CROSSED) + 2 * tables, LAGS + len(MEANS) + 1 + 3 * tables


@jit
def learn(columns: Columns, residual: float, forecast: float, index: int) -> None:
    """The residual of the target at `index` on the clock has become known."""
    memory, unit = columns.memory, columns.constants[0]
    error = min(max(residual / unit, -FAR), FAR)
    size = abs(error)
    for place in range(len(MEMORIES)):
        weight = memory[WEIGHT + place] * MEMORIES[place]
        memory[ABSOLUTE + place] = (memory[ABSOLUTE + place] * weight + size) / (weight + 1.0)
        memory[WEIGHT + place] = weight + 1.0
    for place in range(len(MEANS)):
        memory[MEAN + place] += (1.0 - MEANS[place]) * (error - memory[MEAN + place])
    for lag in range(LAGS - 1, 0, -1):
        memory[LAST + lag] = memory[LAST + lag - 1]
    memory[LAST] = error
    value = min(max((forecast + residual - columns.constants[1]) / unit, -FAR), FAR)
    memory[BEFORE] = memory[VALUE] if memory[COUNT] > 0.0 else value
    memory[VALUE] = value
    memory[LEVEL] += (size - memory[LEVEL]) / min(memory[COUNT] + 1.0, 100.0)
    memory[COUNT] += 1.0
    for table in range(columns.lengths.size):
        place = index % columns.lengths[table]
        old = columns.tables[0, table, place]
        columns.tables[0, table, place] = size if old < 0.0 else FADE[0] * old + (1.0 - FADE[0]) * size
        mean = columns.tables[1, table, place]
        columns.tables[1, table, place] = FADE[1] * mean + (1.0 - FADE[1]) * error
        low, high = columns.tables[2, table, place], columns.tables[3, table, place]
        if old < 0.0:
            low = high = value
        columns.tables[2, table, place] = min(value, low + DRIFT * (value - low))
        columns.tables[3, table, place] = max(value, high + DRIFT * (value - high))


@jit
def look(columns: Columns, forecast: float, index: int, sizes: FloatArray, signs: FloatArray) -> None:
    """Columns of the target at `index` on the clock, into `sizes` and `signs` (in units, not yet over the size)."""
    memory, unit, spread = columns.memory, columns.constants[0], columns.constants[2]
    centred = forecast - columns.constants[1]
    level = min(max(centred / spread, -1e6), 1e6)
    # Before the first residual the last value is not known, and the forecast stands in.
    ahead = min(max(centred / unit, -FAR), FAR) - memory[VALUE] if memory[COUNT] > 0.0 else 0.0
    change = memory[VALUE] - memory[BEFORE]
    place = 0
    for memory_place in range(len(MEMORIES)):
        sizes[place] = np.log(memory[ABSOLUTE + memory_place] + 1e-3)
        place += 1
    sizes[place] = level
    sizes[place + 1] = level * level
    sizes[place + 2] = abs(ahead) * unit / spread
    sizes[place + 3] = np.log(abs(change) + SMALL)
    sizes[place + 4] = np.log(abs(ahead) + SMALL)
    sizes[place + 5] = np.tanh(memory[LAST] / 3.0)
    sizes[place + 6] = ahead / (1.0 + abs(ahead))
    place += 7
    waves = place
    for wave in range(columns.waves.size):
        # Whole cycles are taken off first: the sine of a large angle has lost digits.
        turn = 2.0 * np.pi * ((columns.waves[wave] * index) % 1.0)
        sizes[place], sizes[place + 1] = np.sin(turn), np.cos(turn)
        place += 2
    for wave in range(min(2 * columns.waves.size, CROSSED)):
        sizes[place] = sizes[waves + wave] * level
        place += 1
    for lag in range(LAGS):
        signs[lag] = memory[LAST + lag]
    for mean in range(len(MEANS)):
        signs[LAGS + mean] = memory[MEAN + mean]
    signs[LAGS + len(MEANS)] = ahead
    sign = LAGS + len(MEANS) + 1
    for table in range(columns.lengths.size):
        here = index % columns.lengths[table]
        low, high = columns.tables[2, table, here], columns.tables[3, table, here]
        sizes[place] = np.log(_usual(columns, table, index) + 1e-3)
        sizes[place + 1] = np.log(high - low + SMALL)
        signs[sign] = columns.tables[1, table, here]
        # Where no outcome is known at this place, there is as much room above as below: none.
        known = columns.tables[0, table, here] >= 0.0
        signs[sign + 1] = low - centred / unit if known else 0.0
        signs[sign + 2] = high - centred / unit if known else 0.0
        place += 2
        sign += 3


@jit
def _usual(columns: Columns, table: int, index: int) -> float:
    """Mean |e| at a place on the clock and the places beside it; the level of late where none is known."""
    length = columns.lengths[table]
    total, known = 0.0, 0
    for beside in range(-1, 2):
        size = columns.tables[0, table, (index + beside) % length]
        if size >= 0.0:
            total += size
            known += 1
    return total / known if known else columns.memory[LEVEL]
