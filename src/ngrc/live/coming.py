"""What is said: the forecasts of one origin, and a forecast that met its outcome."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ngrc._types import AnyArray, FloatArray

Time = Any
"""`numpy.datetime64`, or a number; an index counted from the history's first row where it has no times."""


# Not frozen: one is made per observation, and a frozen one takes three times as long to make.
@dataclass(slots=True, eq=False)
class Coming:
    """Forecasts of the steps 1..H from the newest observation, with the ends of every level.

    Parameters
    ----------
    count
        Observations so far, the history's and those that were missing included.
    origin
        Time of the newest observation.
    targets
        Times of the coming values, shape (H,).
    mean
        Forecasts, shape (H,).
    lower, upper
        Ends by level, each of shape (H,).
    """

    count: int
    origin: Time
    targets: AnyArray
    mean: FloatArray
    lower: Mapping[float, FloatArray]
    upper: Mapping[float, FloatArray]


class Matured(NamedTuple):
    """A forecast whose outcome has come.

    Parameters
    ----------
    step
        Steps from its origin to its target.
    origin, target
        When it was made, and of what time.
    mean, value
        The forecast and the outcome.
    lower, upper, covered
        Ends by level, and whether they held the outcome; None of a forecast that was made before the start, which had
        no interval.
    """

    step: int
    origin: Time
    target: Time
    mean: float
    value: float
    lower: Mapping[float, float] | None
    upper: Mapping[float, float] | None
    covered: Mapping[float, bool] | None
