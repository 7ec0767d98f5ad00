"""All periods worth a trial, from times and values together."""

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.auto.periods.found import data_periods
from ngrc.auto.periods.period import Period
from ngrc.auto.periods.spacing import spacing_periods

# A seasonal delay needs one cycle behind it and one to learn from.
_CYCLES = 2.0
# The seasons as a clock are two smooth columns and no delay: they are known before the second year is complete.
_CLOCK_CYCLES = 1.5
# A year of so many steps is used as a clock; one of twelve months as a delay.
_CLOCK_STEPS = 50


def find_periods(values: FloatArray, times: AnyArray | None = None, *, most: int = 3) -> tuple[Period, ...]:
    """Periods proposed for a series, shortest first, at most `most`.

    Those of the time stamps come first, as far as the series has two full cycles of them (a year of 50 steps or more:
    one and a half, as a clock needs no cycle behind it); then those found in the values that are not among them, the
    surest first, until there are `most`: beside a calendar, what else a search finds is seldom more than a trifle.

    Parameters
    ----------
    values
        The fit block, finite, shape (n,).
    times
        Its times, shape (n,), or None.
    most
        Number of periods at most.

    Examples
    --------
    >>> months = np.arange("2000-01", "2010-01", dtype="M8[M]")
    >>> [(p.steps, p.name, p.reason) for p in find_periods(np.arange(120.0) % 12, months)]
    [(12.0, 'year', 'monthly time stamps')]
    """
    values = np.asarray(values, dtype=np.float64)
    told = [period for period in spacing_periods(times) if _long_enough(period, values.size)]
    shown = [
        period
        for period in data_periods(values, known=[period.steps for period in told])
        if not any(other.same(period.steps) for other in told)
    ]
    ranked = (told + shown)[: max(most, 0)]
    return tuple(sorted(ranked, key=lambda period: period.steps))


def _long_enough(period: Period, count: int) -> bool:
    clock = period.name == "year" and period.steps >= _CLOCK_STEPS
    return count >= (_CLOCK_CYCLES if clock else _CYCLES) * period.steps
