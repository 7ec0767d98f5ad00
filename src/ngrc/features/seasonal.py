"""Seasonal delays: the values around the target's own phase, one cycle ago and more."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from ngrc._types import FloatArray
from ngrc.features.blocks import selection
from ngrc.features.delays import Delays, step_columns
from ngrc.features.distinct import check_periods
from ngrc.features.inputs import SERIES, Inputs
from ngrc.validation import check_count


@dataclass(frozen=True, slots=True)
class Seasonal:
    """Values x[t' - jP + d] of the cycles j = 1, 2, ... and the neighbours d = -w .. w of each period P.

    Only what is observable at the origin t' - H enters. Where H is longer than a period the cycles move back by whole
    periods, so that there are always as many.

    Parameters
    ----------
    periods
        Periods P in observations; jP is rounded where P is no whole number.
    cycles
        How many cycles back.
    width
        Neighbours w on either side of the same phase.
    besides
        Delays that the map holds already: the values they read are not read again.
    channel
        Whose values.
    move
        Whether cycles that are not observable yet are replaced by older ones; an error otherwise.

    Examples
    --------
    >>> Seasonal((24,), cycles=1).names(1)
    ("x[t'-23]", "x[t'-24]", "x[t'-25]")
    >>> Seasonal((24,), cycles=1).names(24), Seasonal((24,), cycles=1).names(30)
    (("x[t'-24]", "x[t'-25]"), ("x[t'-47]", "x[t'-48]", "x[t'-49]"))
    """

    periods: Sequence[float]
    cycles: int = 2
    width: int = 1
    besides: Delays | None = None
    channel: str = SERIES
    move: bool = True

    moving = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "periods", check_periods(self.periods))
        object.__setattr__(self, "cycles", check_count(self.cycles, "cycles"))
        object.__setattr__(self, "width", check_count(self.width, "width", 0))
        if not self.periods:
            raise ValueError(
                "seasonal delays need a period, got none; give periods=(24,) or leave seasonal out"
            )

    def steps(self, horizon: int) -> tuple[int, ...]:
        """How many steps before the target each column reads; never fewer than the horizon."""
        return _steps(self, horizon)

    def names(self, horizon: int) -> tuple[str, ...]:
        """Column names, with t' the target's time."""
        return tuple(f"{self.channel}[t'-{step}]" for step in self.steps(horizon))

    def count(self, horizon: int) -> int:
        """Number of columns."""
        return len(self.steps(horizon))

    def reach(self, horizon: int) -> int:
        """How far behind the origin the oldest value lies."""
        return max(self.steps(horizon), default=horizon) - horizon

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """Seasonal values of the targets first..stop-1."""
        behind = [step - horizon for step in self.steps(horizon)]
        return step_columns(inputs.channel(self.channel), first - horizon, stop - horizon, behind)

    def basis(self, horizons: Sequence[int]) -> Delays:
        """Delays from which the columns of every horizon are picked."""
        # Lag 1 is the newest value, no step behind the origin.
        return Delays(tuple(step + 1 for step in self._behind(horizons)), channel=self.channel)

    def turn(self, horizon: int, horizons: Sequence[int]) -> FloatArray:
        """Which of those delays this horizon picks."""
        return selection([step - horizon for step in self.steps(horizon)], self._behind(horizons))

    def _behind(self, horizons: Sequence[int]) -> tuple[int, ...]:
        """Steps behind the origin that any horizon reads."""
        return _behind(self, tuple(horizons))


# Both are asked for every horizon of a path by every member of an automatic model.
@lru_cache(maxsize=4096)
def _steps(group: Seasonal, horizon: int) -> tuple[int, ...]:
    wanted: dict[int, None] = {}
    for period in group.periods:
        skipped = whole_cycles(period, horizon) - 1
        if skipped and not group.move:
            raise ValueError(
                f"the seasonal delay {period:g} steps before the target is not observable at horizon {horizon}; "
                f"use a period of at least {horizon}, a shorter horizon, or let it move back (move=True)"
            )
        for cycle in range(skipped + 1, skipped + group.cycles + 1):
            middle = round(cycle * period)
            wanted |= dict.fromkeys(range(middle - group.width, middle + group.width + 1))
    held = set() if group.besides is None else {horizon + step for step in group.besides.steps}
    return tuple(step for step in wanted if step >= horizon and step not in held)


@lru_cache(maxsize=1024)
def _behind(group: Seasonal, horizons: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted({step - horizon for horizon in horizons for step in _steps(group, horizon)}))


def whole_cycles(period: float, horizon: int) -> int:
    """Fewest whole periods that reach back to the origin: ceil(H / P), in rounded steps.

    Examples
    --------
    >>> whole_cycles(24, 1), whole_cycles(24, 24), whole_cycles(24, 25)
    (1, 1, 2)
    """
    return max(1, ceil(horizon / period))
