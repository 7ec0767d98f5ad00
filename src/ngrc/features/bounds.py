"""Bounds that a series cannot cross: power is not negative, a share is at most one."""

from dataclasses import dataclass
from numbers import Real

import numpy as np

from ngrc._types import FloatArray


@dataclass(frozen=True, slots=True)
class Bounds:
    """Smallest and largest value that the series can take; None where there is no such bound.

    Examples
    --------
    >>> Bounds(lower=0.0).clip(np.array([-0.2, 3.0, np.nan]))
    array([ 0.,  3., nan])
    """

    lower: float | None = None
    upper: float | None = None

    def __post_init__(self) -> None:
        for name in ("lower", "upper"):
            object.__setattr__(self, name, _bound(getattr(self, name), name))
        if self.lower is not None and self.upper is not None and not self.lower < self.upper:
            raise ValueError(f"lower must be below upper, got lower={self.lower:g} and upper={self.upper:g}")

    @property
    def given(self) -> bool:
        """Whether there is any bound."""
        return self.lower is not None or self.upper is not None

    def clip(self, values: FloatArray) -> FloatArray:
        """The values, those beyond a bound moved to it; NaN stays NaN."""
        return np.asarray(np.clip(values, self.lower, self.upper)) if self.given else values

    def check(self, values: FloatArray, name: str = "y") -> None:
        """Refuse a series that crosses the bounds that were given for it."""
        if not self.given:
            return
        flat = np.ravel(values)
        if self.lower is not None and (below := int(np.count_nonzero(flat < self.lower))):
            worst = int(np.nanargmin(flat))
            raise ValueError(
                f"lower={self.lower:g}, but {below} of the {flat.size} values of {name} {_be(below)} below it, the "
                f"smallest {flat[worst]:g} at position {worst}; mend the series or drop the bound"
            )
        if self.upper is not None and (above := int(np.count_nonzero(flat > self.upper))):
            worst = int(np.nanargmax(flat))
            raise ValueError(
                f"upper={self.upper:g}, but {above} of the {flat.size} values of {name} {_be(above)} above it, the "
                f"largest {flat[worst]:g} at position {worst}; mend the series or drop the bound"
            )


def _bound(value: object, name: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, Real) or not np.isfinite(float(value)):
        raise ValueError(f"{name} must be a finite number or None for no bound, got {value!r}")
    return float(value)


def _be(count: int) -> str:
    return "is" if count == 1 else "are"
