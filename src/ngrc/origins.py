"""What an interval method may know at a forecast's origin: the forecasts in its units, and the clock."""

from collections.abc import Iterable

from ngrc._types import AnyArray, FloatArray
from ngrc.auto.periods import find_periods
from ngrc.features.link import IDENTITY, Link
from ngrc.intervals.base import IntervalMethod
from ngrc.intervals.context import Context


def wants_context(methods: Iterable[IntervalMethod]) -> bool:
    """Whether any of the methods reads more than residuals: periods cost a search."""
    return any(set(method.sees) - {"residuals"} for method in methods)


def clock_periods(values: FloatArray, times: AnyArray | None = None) -> tuple[float, ...]:
    """Periods of a series by its times and values, all known when the first interval is issued; shortest first."""
    return tuple(period.steps for period in find_periods(values, times))


def context_of(
    forecasts: FloatArray, periods: tuple[float, ...], first: int, link: Link = IDENTITY
) -> Context:
    """The context of consecutive positions.

    Parameters
    ----------
    forecasts
        One per position, finite, in the series' own units.
    periods
        Of the clock, in steps.
    first
        Target time of position 0: its index on the clock.
    link
        What leads from the series' own units to those of the residuals.

    Examples
    --------
    >>> import numpy as np
    >>> context_of(np.array([1.0, 2.0]), (24.0,), 100).phase
    100
    """
    return Context(forecasts if link.linear else link.forward(forecasts), periods, first)
