"""Chronological splits in which nothing is used before it can be observed.

A row belongs to the block in which its *target* lies. With horizon H the first H - 1 calibration targets are
guards (their forecasts were issued before the fit block closed) and the last H - 1 are pending when the first
test interval is issued.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ngrc._types import FloatArray
from ngrc.intervals.base import Stream
from ngrc.validation import check_count

LEAST_ROWS = 4
"""Rows that the fit block needs, and usable residuals that the calibration block needs, to be worth the name."""


def share(fraction: float, rows: int) -> int:
    """floor(fraction * rows), not fooled by 0.3 * 10 = 2.9999999999999996.

    Examples
    --------
    >>> share(0.29, 100)
    29
    """
    return int(np.floor(fraction * rows + 1e-9))


@dataclass(frozen=True, slots=True)
class Split:
    """Fit, calibration and test blocks as half-open ranges of target times.

    Parameters
    ----------
    fit, calibration, test
        Consecutive ranges of target times.
    horizon
        Forecast horizon H.
    scale_end
        The series' mean and standard deviation are taken from its first `scale_end` observations; zero leaves
        the series in its own units.
    """

    fit: range
    calibration: range
    test: range
    horizon: int
    scale_end: int

    @property
    def history(self) -> range:
        """Calibration targets whose residuals are usable when the first test interval is issued."""
        guard = self.horizon - 1
        return range(self.calibration.start + guard, self.calibration.stop - guard)

    @property
    def pending(self) -> range:
        """Calibration targets that are not observed yet when the first test interval is issued."""
        return range(self.calibration.stop - (self.horizon - 1), self.calibration.stop)

    def stream(
        self, residuals: FloatArray, leverage: FloatArray | None = None, fit_scale: float | None = None
    ) -> Stream:
        """What an interval method may see, from residuals indexed by target time."""
        begin = self.history.start
        window = slice(begin, self.test.stop)
        return Stream(
            residuals[window],
            self.test.start - begin,
            self.horizon,
            None if leverage is None else leverage[window],
            fit_scale,
        )


class Splitter(Protocol):
    """Cuts a series of n observations into one or several splits."""

    def splits(self, n: int, first_target: int, horizon: int) -> tuple[Split, ...]:
        """Splits of a series whose first possible target is `first_target`."""


@dataclass(frozen=True, slots=True)
class FixedOrigin:
    """One split: fit, calibration, and all the rest as test (40/40/20 by default).

    Examples
    --------
    >>> FixedOrigin().splits(7587, first_target=14, horizon=1)[0].test
    range(6072, 7587)
    """

    fit: float = 0.4
    calibration: float = 0.4

    def splits(self, n: int, first_target: int, horizon: int) -> tuple[Split, ...]:
        """The one split; the series' scale comes from the first floor(fit * n) observations."""
        _check_fractions(self.fit, self.calibration, 1.0 - self.fit - self.calibration)
        rows = n - first_target
        fit, calibration = share(self.fit, max(rows, 0)), share(self.calibration, max(rows, 0))
        _check_rows(self, n, first_target, horizon, fit, calibration, rows - fit - calibration)
        start = first_target
        blocks = _blocks(start, fit, calibration, rows - fit - calibration)
        return (Split(*blocks, horizon, share(self.fit, n)),)


@dataclass(frozen=True, slots=True)
class FixedSizes:
    """One split of given block sizes from the first row on, the series in its own units (the simulations)."""

    fit: int
    calibration: int
    test: int

    def splits(self, n: int, first_target: int, horizon: int) -> tuple[Split, ...]:
        """The one split; what lies beyond the test block is not used."""
        needed = first_target + self.fit + self.calibration + self.test
        if n < needed or not _enough(self.fit, self.calibration, self.test, horizon):
            raise ValueError(
                f"blocks of {self.fit}, {self.calibration} and {self.test} rows need {needed} "
                f"observations, got {n}; use shorter blocks or fewer lags"
            )
        return (Split(*_blocks(first_target, self.fit, self.calibration, self.test), horizon, 0),)


@dataclass(frozen=True, slots=True)
class ShiftedWindows:
    """Several overlapping splits of the same sizes, each starting at a share of the rows."""

    starts: tuple[float, ...] = (0.0, 0.1, 0.2)
    fit: float = 0.4
    calibration: float = 0.2
    test: float = 0.2

    def splits(self, n: int, first_target: int, horizon: int) -> tuple[Split, ...]:
        """One split a start; the series' scale comes from all observations up to the last fit target."""
        _check_fractions(self.fit, self.calibration, self.test)
        if not self.starts or max(self.starts) + self.fit + self.calibration + self.test > 1.0 + 1e-9:
            raise ValueError(
                f"windows must end inside the series, got starts {self.starts}; shorten the blocks"
            )
        rows = n - first_target
        fit, calibration, test = (share(f, max(rows, 0)) for f in (self.fit, self.calibration, self.test))
        _check_rows(self, n, first_target, horizon, fit, calibration, test)
        splits = []
        for start in self.starts:
            blocks = _blocks(first_target + share(start, rows), fit, calibration, test)
            splits.append(Split(*blocks, horizon, blocks[0].stop))
        return tuple(splits)


def _blocks(start: int, fit: int, calibration: int, test: int) -> tuple[range, range, range]:
    ends = np.cumsum([start, fit, calibration, test]).tolist()
    return range(ends[0], ends[1]), range(ends[1], ends[2]), range(ends[2], ends[3])


def _check_fractions(*fractions: float) -> None:
    if min(fractions) < 1e-6 or sum(fractions) > 1.0 + 1e-9:
        raise ValueError(
            f"block shares must be positive and leave room for the test block, got {fractions[:2]}; try 0.4 and 0.4"
        )


def _enough(fit: int, calibration: int, test: int, horizon: int) -> bool:
    usable = calibration - 2 * (horizon - 1)
    return fit >= max(LEAST_ROWS, 5 * horizon) and usable >= LEAST_ROWS + 2 * horizon and test >= 1


def _check_rows(
    splitter: FixedOrigin | ShiftedWindows,
    n: int,
    first_target: int,
    horizon: int,
    fit: int,
    calibration: int,
    test: int,
) -> None:
    check_count(horizon, "horizon")
    if _enough(fit, calibration, test, horizon):
        return
    needed = _needed(splitter, first_target, horizon)
    raise ValueError(
        f"the series is too short: {needed} observations are needed for {first_target - horizon + 1} observations "
        f"of memory, horizon {horizon} and three blocks, got {n}; use fewer lags or a shorter horizon"
    )


def _needed(splitter: FixedOrigin | ShiftedWindows, first_target: int, horizon: int) -> int:
    last = getattr(splitter, "test", 1.0 - splitter.fit - splitter.calibration)
    rows = 1
    while not _enough(
        share(splitter.fit, rows), share(splitter.calibration, rows), max(share(last, rows), 0), horizon
    ):
        rows += 1
    return first_target + rows
