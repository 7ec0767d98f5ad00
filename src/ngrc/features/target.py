"""What a readout is fitted to: the level, or its increment over the horizon or the season."""

from dataclasses import dataclass
from typing import Literal

from ngrc._types import FloatArray
from ngrc.features.distinct import check_periods
from ngrc.features.seasonal import whole_cycles

Kind = Literal["level", "increment", "seasonal"]
KINDS = ("level", "increment", "seasonal")


@dataclass(frozen=True, slots=True)
class Target:
    """The target x[t'] less its base: nothing, x[t'-H], or x[t'-P'].

    P' is the first whole multiple of the period that is observable, at least H. A forecast is the base plus what the
    readout says: with no weights at all it is the naive or the seasonal naive forecast.

    Parameters
    ----------
    kind
        "level", "increment" or "seasonal".
    period
        Period in observations, for "seasonal".

    Examples
    --------
    >>> Target("increment").step(3), Target("seasonal", 24).step(30)
    (3, 48)
    """

    kind: Kind = "level"
    period: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"target must be one of {', '.join(KINDS)}, got {self.kind!r}")
        if self.kind != "seasonal":
            return
        if self.period is None:
            raise ValueError(
                "a seasonal target needs a period, got none; give periods=(24,), the shortest first"
            )
        object.__setattr__(self, "period", check_periods((self.period,))[0])

    def step(self, horizon: int) -> int:
        """How many steps before the target its base lies; 0 where it has none."""
        if self.kind == "level":
            return 0
        if self.kind == "increment" or self.period is None:
            return horizon
        return round(whole_cycles(self.period, horizon) * self.period)

    def reach(self, horizon: int) -> int:
        """How far behind the origin the base lies."""
        return max(0, self.step(horizon) - horizon)

    def base(self, series: FloatArray, horizon: int, first: int, stop: int) -> FloatArray | None:
        """The base of the targets first..stop-1, shape (stop - first,); None where there is none."""
        step = self.step(horizon)
        return series[first - step : stop - step] if step else None


LEVEL = Target()
