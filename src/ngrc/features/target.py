"""What a readout is fitted to: the level, or its increment over the horizon, the season or both."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from ngrc._types import FloatArray
from ngrc.features.distinct import check_periods
from ngrc.features.seasonal import whole_cycles

Kind = Literal["level", "increment", "seasonal", "both"]
KINDS = ("level", "increment", "seasonal", "both")
Parts = tuple[tuple[float, int], ...]
"""Weights of the values that make a base, each with the steps before the target at which its value lies."""


class Goal(Protocol):
    """What a readout is fitted to: the target's level less a base that is known at the origin."""

    def parts(self, horizon: int) -> Parts:
        """The values that make the base; none where it is the level itself."""

    def reach(self, horizon: int) -> int:
        """How far behind the origin the base lies."""

    def base(self, series: FloatArray, horizon: int, first: int, stop: int) -> FloatArray | None:
        """The base of the targets first..stop-1, shape (stop - first,); None where there is none."""


@dataclass(frozen=True, slots=True)
class Target:
    """The target x[t'] less its base: nothing, x[t'-H], x[t'-P'], or x[t'-H] + x[t'-P'] - x[t'-P'-H].

    P' is the first whole multiple of the period that is observable, at least H. A forecast is the base plus what the
    readout says: with no weights at all it is the naive or the seasonal naive forecast, or with "both" the last value
    and the change of the last cycle over the same steps.

    Parameters
    ----------
    kind
        "level", "increment", "seasonal" or "both".
    period
        Period in observations, for "seasonal" and "both".

    Examples
    --------
    >>> Target("increment").parts(3), Target("seasonal", 24).parts(30)
    (((1.0, 3),), ((1.0, 48),))
    """

    kind: Kind = "level"
    period: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"target must be one of {', '.join(KINDS)}, got {self.kind!r}")
        if self.kind not in ("seasonal", "both"):
            return
        if self.period is None:
            raise ValueError(
                "a seasonal target needs a period, got none; give periods=(24,), the shortest first"
            )
        object.__setattr__(self, "period", check_periods((self.period,))[0])

    def cycle(self, horizon: int) -> int:
        """P' in whole steps."""
        if self.period is None:
            raise ValueError(f"a target of kind {self.kind!r} has no period")
        return round(whole_cycles(self.period, horizon) * self.period)

    def parts(self, horizon: int) -> Parts:
        """The values that make the base."""
        if self.kind == "level":
            return ()
        if self.kind == "increment":
            return ((1.0, horizon),)
        cycle = self.cycle(horizon)
        if self.kind == "seasonal":
            return ((1.0, cycle),)
        return ((1.0, horizon), (1.0, cycle), (-1.0, cycle + horizon))

    def reach(self, horizon: int) -> int:
        """How far behind the origin the base lies."""
        return _reach(self.parts(horizon), horizon)

    def base(self, series: FloatArray, horizon: int, first: int, stop: int) -> FloatArray | None:
        """The base of the targets first..stop-1, shape (stop - first,); None where there is none."""
        return _sum(self.parts(horizon), series, first, stop)


@dataclass(frozen=True, slots=True)
class Mixture:
    """A weighted mean of targets: what a combination of readouts, each with a target of its own, is fitted to.

    Parameters
    ----------
    members
        Weights, which sum to one, each with its target.

    Examples
    --------
    >>> Mixture(((0.5, Target("increment")), (0.25, Target("seasonal", 24)), (0.25, LEVEL))).parts(1)
    ((0.5, 1), (0.25, 24))
    """

    members: Sequence[tuple[float, Target]]

    def parts(self, horizon: int) -> Parts:
        """The values that make the base, each step once."""
        weights: dict[int, float] = {}
        for share, target in self.members:
            for weight, step in target.parts(horizon):
                weights[step] = weights.get(step, 0.0) + share * weight
        return tuple((weight, step) for step, weight in sorted(weights.items()) if weight)

    def reach(self, horizon: int) -> int:
        """How far behind the origin the base lies."""
        return _reach(self.parts(horizon), horizon)

    def base(self, series: FloatArray, horizon: int, first: int, stop: int) -> FloatArray | None:
        """The base of the targets first..stop-1, shape (stop - first,); None where there is none."""
        return _sum(self.parts(horizon), series, first, stop)


def _reach(parts: Parts, horizon: int) -> int:
    return max((step - horizon for _, step in parts), default=0)


def _sum(parts: Parts, series: FloatArray, first: int, stop: int) -> FloatArray | None:
    if not parts:
        return None
    weight, step = parts[0]
    total = series[first - step : stop - step]
    if len(parts) == 1 and weight == 1.0:
        # The very values: no copy, and a naive forecast repeats them to the bit.
        return total
    total = weight * total
    for weight, step in parts[1:]:
        total += weight * series[first - step : stop - step]
    return total


LEVEL = Target()
