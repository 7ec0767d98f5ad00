"""Chronological blocks in which nothing is used before it can be observed.

A row belongs to the block in which its *target* lies. With horizon H the first H - 1 calibration targets are
guards (their forecasts were issued before the fit block closed) and the last H - 1 are pending when the first
test interval is issued.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from ngrc._shares import share
from ngrc._types import FloatArray
from ngrc.intervals.base import Stream
from ngrc.validation import check_count

LEAST_ROWS = 4
"""Fewest rows of a fit block, and fewest usable residuals of a calibration block.

Set by hand as a floor against nonsense: of fewer residuals neither a scale nor a quantile says anything.
"""


@dataclass(frozen=True, slots=True)
class Blocks:
    """Fit, calibration and test blocks: consecutive slices of target times.

    Parameters
    ----------
    start
        First fit target.
    fit_rows, calibration_rows, test_rows
        Targets in each block.
    horizon
        Forecast horizon H.
    scale_end
        The series' mean and standard deviation are taken from its first `scale_end` observations; zero leaves
        the series in its own units.

    Examples
    --------
    >>> blocks = Blocks(start=5, fit_rows=20, calibration_rows=10, test_rows=4, horizon=3, scale_end=0)
    >>> blocks.test, blocks.history, blocks.pending
    (slice(35, 39, None), slice(27, 33, None), slice(33, 35, None))
    """

    start: int
    fit_rows: int
    calibration_rows: int
    test_rows: int
    horizon: int
    scale_end: int

    @property
    def fit(self) -> slice:
        """Targets that the model is fitted to."""
        return slice(self.start, self.start + self.fit_rows)

    @property
    def calibration(self) -> slice:
        """Targets between the fit and the test block, guards and pending ones included."""
        return slice(self.fit.stop, self.fit.stop + self.calibration_rows)

    @property
    def test(self) -> slice:
        """Targets that intervals are issued for."""
        return slice(self.calibration.stop, self.calibration.stop + self.test_rows)

    @property
    def history(self) -> slice:
        """Calibration targets whose residuals are usable when the first test interval is issued."""
        guard = self.horizon - 1
        return slice(self.calibration.start + guard, self.calibration.stop - guard)

    @property
    def history_rows(self) -> int:
        """How many residuals are usable when the first test interval is issued."""
        return self.calibration_rows - 2 * (self.horizon - 1)

    @property
    def pending(self) -> slice:
        """Calibration targets that are not observed yet when the first test interval is issued."""
        return slice(self.calibration.stop - (self.horizon - 1), self.calibration.stop)

    def stream(
        self,
        residuals: FloatArray,
        leverage: FloatArray | None = None,
        fit_scale: float | None = None,
        noise_scales: Mapping[str, float] | None = None,
    ) -> Stream:
        """What an interval method may see, from residuals indexed by target time."""
        # From the first residual after the guards on: a guard's forecast was made before the fit block closed, so that
        # the fit has seen outcomes which that forecast could not have been judged by.
        begin = self.history.start
        window = slice(begin, self.test.stop)
        return Stream(
            residuals[window],
            self.test.start - begin,
            self.horizon,
            None if leverage is None else leverage[window],
            fit_scale,
            noise_scales or {},
        )


class Sizes(NamedTuple):
    """Rows of the three blocks."""

    fit: int
    calibration: int
    test: int

    def enough(self, horizon: int) -> bool:
        """Whether every block can do its work at a horizon H.

        5 H fit rows, because the penalty is chosen on the last fifth of them, of which H - 1 are guards; 2 H usable
        residuals beyond the least, because tuning cuts them once more with the same delay.
        """
        usable = self.calibration - 2 * (horizon - 1)
        return (
            self.fit >= max(LEAST_ROWS, 5 * horizon) and usable >= LEAST_ROWS + 2 * horizon and self.test >= 1
        )


class Splitter(Protocol):
    """Cuts a series of n observations into blocks, once or several times."""

    def splits(self, n: int, first_target: int, horizon: int) -> tuple[Blocks, ...]:
        """Blocks of a series whose first possible target is `first_target`."""


@dataclass(frozen=True, slots=True)
class FixedOrigin:
    """One cut: fit, calibration, and all the rest as test (40/40/20 by default).

    Examples
    --------
    >>> FixedOrigin().splits(7587, first_target=14, horizon=1)[0].test
    slice(6072, 7587, None)
    """

    # The paper's primary protocol, appendix "Chronological Splits and Leakage Controls".
    fit: float = 0.4
    calibration: float = 0.4

    def splits(self, n: int, first_target: int, horizon: int) -> tuple[Blocks, ...]:
        """The one cut; the series' scale comes from the first floor(fit * n) observations."""
        _check_fractions(self.fit, self.calibration, 1.0 - self.fit - self.calibration)
        # Blocks are shares of the rows, the scale is a share of the raw observations: so the printed digits come out.
        sizes = _checked_sizes(self._sizes, n, first_target, horizon)
        return (Blocks(first_target, *sizes, horizon, share(self.fit, n)),)

    def _sizes(self, rows: int) -> Sizes:
        fit, calibration = share(self.fit, rows), share(self.calibration, rows)
        return Sizes(fit, calibration, rows - fit - calibration)


@dataclass(frozen=True, slots=True)
class FixedSizes:
    """One cut of given block sizes from the first row on, the series in its own units (the simulations)."""

    fit: int
    calibration: int
    test: int

    def splits(self, n: int, first_target: int, horizon: int) -> tuple[Blocks, ...]:
        """The one cut; what lies beyond the test block is not used."""
        sizes = Sizes(self.fit, self.calibration, self.test)
        needed = first_target + sum(sizes)
        if n < needed or not sizes.enough(horizon):
            raise ValueError(
                f"blocks of {self.fit}, {self.calibration} and {self.test} rows need {needed} "
                f"observations, got {n}; use shorter blocks or fewer lags"
            )
        return (Blocks(first_target, *sizes, horizon, 0),)


@dataclass(frozen=True, slots=True)
class ShiftedWindows:
    """Several overlapping cuts of the same sizes, each starting at a share of the rows."""

    # The paper's three windows, same appendix; they overlap, so their spread is no sampling error.
    starts: tuple[float, ...] = (0.0, 0.1, 0.2)
    fit: float = 0.4
    calibration: float = 0.2
    test: float = 0.2

    def splits(self, n: int, first_target: int, horizon: int) -> tuple[Blocks, ...]:
        """One cut per start; the series' scale comes from all observations up to the last fit target."""
        _check_fractions(self.fit, self.calibration, self.test)
        # 1e-9 forgives the rounding of sums such as 0.2 + 0.4 + 0.2 + 0.2.
        if not self.starts or max(self.starts) + self.fit + self.calibration + self.test > 1.0 + 1e-9:
            raise ValueError(
                f"windows must end inside the series, got starts {self.starts}; shorten the blocks"
            )
        sizes = _checked_sizes(self._sizes, n, first_target, horizon)
        begins = [first_target + share(start, n - first_target) for start in self.starts]
        return tuple(Blocks(begin, *sizes, horizon, begin + sizes.fit) for begin in begins)

    def _sizes(self, rows: int) -> Sizes:
        return Sizes(share(self.fit, rows), share(self.calibration, rows), share(self.test, rows))


def _check_fractions(*fractions: float) -> None:
    # Not zero: the test block's share is a difference, and 1 - 0.7 - 0.3 is 6e-17.
    if min(fractions) < 1e-6 or sum(fractions) > 1.0 + 1e-9:
        raise ValueError(
            f"block shares must be positive and leave room for the test block, got {fractions[:2]}; try 0.4 and 0.4"
        )


def _checked_sizes(sizes: Callable[[int], Sizes], n: int, first_target: int, horizon: int) -> Sizes:
    """Block sizes of a series of n observations, or how many observations would do."""
    check_count(horizon, "horizon")
    cut = sizes(max(n - first_target, 0))
    if cut.enough(horizon):
        return cut
    # Where the horizon itself is the mistake, the number of observations it would take is no advice.
    if horizon >= n:
        raise ValueError(
            f"horizon {horizon} reaches beyond the series of {n} observations; use a shorter one"
        )
    needed = first_target + _least_rows(lambda rows: sizes(rows).enough(horizon))
    raise ValueError(
        f"the series is too short: {needed} observations are needed for {first_target - horizon + 1} observations "
        f"of memory, horizon {horizon} and three blocks, got {n}; "
        "give more observations, fewer lags or a shorter horizon"
    )


def _least_rows(enough: Callable[[int], bool]) -> int:
    """Smallest number of rows that is enough, by doubling and halving: more rows never shrink a block."""
    high = 1
    while not enough(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
