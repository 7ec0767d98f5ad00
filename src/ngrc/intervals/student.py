"""Student's interval: the root mean square of all known residuals, times a t factor that knows how few they are."""

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import numpy as np

from ngrc._kernels.distributions import student_quantiles
from ngrc._types import FloatArray
from ngrc.archive import check_that
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.gaussian import LARGEST, squared, too_large
from ngrc.intervals.symmetric import SymmetricTracker
from ngrc.validation import check_level

LEAST_FREEDOM = 3.0
"""Degrees of freedom of overlapping errors, where there are as many of them: the factor of one degree, 13 times the
scale at 95 %, says nothing that anybody could use, and m / H is the least that m errors can be worth."""
AHEAD = 256
"""Factors that are found at once: together they cost what a handful of single ones do."""


@dataclass(frozen=True, slots=True)
class Student(IntervalMethod):
    """Forecast plus and minus t sqrt(1 + 1/m) tau, tau^2 the mean square of all m known residuals.

    t is the quantile of Student's law with m / H degrees of freedom, three at least where m is: forecasts H steps ahead
    share H - 1 of the shocks with the next one, so that m of their errors are worth about m / H. The root leaves room
    for a mean error that m residuals cannot tell from zero, whose variance is an m-th of theirs. Residuals join as they
    become known.

    Made for a handful of residuals, where a quantile of them is little more than the largest; with many it is a normal
    interval of one scale, and methods that ask less of the residuals serve better.

    Examples
    --------
    >>> stream = Stream(np.array([3.0, 4.0, 1.0, 5.0]), start=2)
    >>> Student().run(stream, 0.9).upper.round(3).tolist()
    [12.644, 8.0]
    """

    name: ClassVar[str] = "student"
    guarantee: ClassVar[str] = (
        "At H = 1 at least the level, however few the residuals, when they are independent and Gaussian with mean zero "
        "and equal scale (without the root of 1 + 1/m the level exactly); at H > 1, where errors overlap, about the "
        "level; no distribution-free guarantee."
    )

    def assumes_normal(self, history: History) -> bool:
        """From any history."""
        return True

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block."""
        counts = stream.known + np.arange(stream.steps, dtype=float)
        totals = np.cumsum(squared(stream.visible))[stream.known - 1 :][: stream.steps]
        width = radius(totals, counts, stream.horizon, check_level(level))
        return Offsets(-width, width)

    def begin(self, history: History, level: float) -> Tracker:
        """The sum of squares and how many there are."""
        total = float(np.cumsum(squared(history.residuals))[-1])
        return StudentTracker(total, history.residuals.size, history.horizon, check_level(level))


@dataclass
class StudentTracker(SymmetricTracker):
    """Sum of all known squared residuals, and their number."""

    total: float
    count: int
    horizon: int
    level: float

    def __post_init__(self) -> None:
        check_that(self.count >= 1 and self.horizon >= 1, "residuals and steps ahead are counted")
        # Found at the first residual: an interval that is issued once needs none of them.
        self._factors: list[float] = []
        self.width = float(
            radius(np.array([self.total]), np.array([float(self.count)]), self.horizon, self.level)[0]
        )

    def observe(self, residual: float, missed: bool | None) -> None:
        """One more square."""
        if not -LARGEST <= residual <= LARGEST:
            raise too_large(residual)
        total, count = self.total + float(residual) ** 2, self.count + 1
        place = count % AHEAD
        if place == 0 or not self._factors:
            self._factors = self._coming(count)
        # As `radius`, without numpy, which takes ten times as long for one number.
        self.width = self._factors[place] * sqrt((1.0 + 1.0 / count) * total / count)
        self.total, self.count = total, count

    def _coming(self, count: int) -> list[float]:
        """Factors of as many residuals and more, each at the remainder of its number."""
        first = count - count % AHEAD
        numbers = np.maximum(np.arange(first, first + AHEAD, dtype=np.float64), 1.0)
        coming: list[float] = factors(numbers, self.horizon, self.level).tolist()
        return coming


def radius(totals: FloatArray, counts: FloatArray, horizon: int, level: float) -> FloatArray:
    """Half-widths from sums of squares and the numbers of residuals in them.

    Examples
    --------
    >>> radius(np.array([25.0]), np.array([1.0]), 1, 0.5).round(4).tolist()
    [7.0711]
    """
    return np.asarray(factors(counts, horizon, level) * np.sqrt((1.0 + 1.0 / counts) * totals / counts))


def factors(counts: FloatArray, horizon: int, level: float) -> FloatArray:
    """Student's factors by the numbers of residuals."""
    freedom = np.maximum(counts / horizon, np.minimum(counts, LEAST_FREEDOM))
    # The lower tail, negated: at levels near one 1 - alpha/2 rounds to a number whose quantile has lost digits.
    return -student_quantiles(freedom, 0.5 * (1.0 - level))
