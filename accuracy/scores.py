"""Scores of one case, and the row that keeps them."""

from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from ngrc._types import FloatArray

NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Row:
    """How one method did in one case; NaN where a score does not apply.

    `kind` is long or short; `origins` says which: all or spread (long), or the number of observations known (short).
    `seconds` are the processor's, of fits and forecasts. `coverage` and `winkler` are at 90 %.
    """

    kind: str
    group: str
    series: str
    horizon: int
    origins: str
    method: str
    count: int = 0
    rmse: float = NAN
    mae: float = NAN
    mase: float = NAN
    coverage: float = NAN
    winkler: float = NAN
    seconds: float = NAN

    @property
    def case(self) -> tuple[str, int, str]:
        """What is the same for every method."""
        return self.series, self.horizon, self.origins

    def plain(self) -> dict[str, Any]:
        """The row as a mapping, in the order of the columns."""
        return asdict(self)


COLUMNS = tuple(field.name for field in fields(Row))


def seasonal_scale(values: FloatArray, season: int) -> float:
    """Mean absolute seasonal difference of the known part: the unit of MASE (doi:10.1016/j.ijforecast.2006.03.001).

    Examples
    --------
    >>> seasonal_scale(np.array([1.0, 2.0, 4.0, 3.0]), 2)
    2.0
    """
    if values.size <= season:
        raise ValueError(f"a scale needs more than one season of {season}, got {values.size} observations")
    scale = float(np.mean(np.abs(values[season:] - values[:-season])))
    if scale == 0.0:
        raise ValueError("the known part repeats its season exactly, so that MASE has no unit; leave it out")
    return scale


def rmse(errors: FloatArray) -> float:
    """Root mean square; an error that is no number stops the run, for a mean without it would flatter."""
    return float(np.sqrt(np.mean(_finite(errors) ** 2)))


def mae(errors: FloatArray) -> float:
    """Mean absolute error."""
    return float(np.mean(np.abs(_finite(errors))))


def _finite(errors: FloatArray) -> FloatArray:
    bad = np.flatnonzero(~np.isfinite(errors))
    if bad.size:
        raise ValueError(f"{bad.size} of {errors.size} forecasts are no numbers, the first at {bad[0]}")
    return errors


def geometric_mean(ratios: FloatArray) -> float:
    """Exponential of the mean logarithm.

    Examples
    --------
    >>> round(geometric_mean(np.array([0.5, 2.0])), 9)
    1.0
    """
    if not ratios.size or np.any(ratios <= 0) or not np.all(np.isfinite(ratios)):
        raise ValueError("a geometric mean needs ratios above zero, at least one; a case has none")
    return float(np.exp(np.mean(np.log(ratios))))
