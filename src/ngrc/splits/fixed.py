"""Cuts with one fit: the fixed origin, fixed sizes and shifted windows."""

from collections.abc import Callable
from dataclasses import dataclass

from ngrc._shares import share
from ngrc.splits.blocks import Blocks
from ngrc.splits.sizes import Sizes, check_fractions, check_room


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
        check_fractions(self.fit, self.calibration, 1.0 - self.fit - self.calibration)
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
        check_fractions(self.fit, self.calibration, self.test)
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


def _checked_sizes(sizes: Callable[[int], Sizes], n: int, first_target: int, horizon: int) -> Sizes:
    """Block sizes of a series of n observations, or how many observations would do."""
    check_room(lambda rows: sizes(rows).enough(horizon), n, first_target, horizon)
    return sizes(n - first_target)
