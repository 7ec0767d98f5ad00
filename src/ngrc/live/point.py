"""Forecasts of all steps from the newest observation, and how many values they read."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.ahead.paths import threads
from ngrc.automatic import AutoNGRC
from ngrc.features.box_cox import BoxCox
from ngrc.features.calendar import Calendar
from ngrc.features.clock import Clock
from ngrc.features.clock_products import ClockProducts
from ngrc.features.constant import Constant
from ngrc.features.delays import Delays
from ngrc.features.link import Link
from ngrc.features.memory import Memory
from ngrc.features.products import Products
from ngrc.features.seasonal import Seasonal
from ngrc.features.transforms import Arcsinh, Log, Root
from ngrc.fitted import Fitted
from ngrc.model import NGRC

HALVINGS = 60
"""Half-lives of a memory that are kept: what is older has less than 2^-60 of the weight, below the rounding."""
REACHING = (Delays, Products, Seasonal, Clock, Calendar, ClockProducts, Constant)
"""Groups of columns that read as far back as they say and no farther."""


@dataclass(slots=True)
class Point:
    """A fitted model of all steps, in service.

    Parameters
    ----------
    model
        Fitted to the steps 1..H.
    start
        Index of the first observation that it was fitted to, from which its clock counts.
    leveraged
        Whether the method reads leverages.
    """

    model: Any
    start: int
    leveraged: bool

    def ahead(self, values: FloatArray, first: int, times: AnyArray | None) -> list[float]:
        """Forecasts of the values after the last of `values`, the first of which has the index `first`.

        `times` are theirs and those of the coming ones, where the model wants any.
        """
        with threads(self.model):
            said = self.model.forecast(values, **self._beside(first, times))
        return _finite(said)

    def leverages(self, values: FloatArray, first: int, times: AnyArray | None) -> list[float] | None:
        """Leverages behind the same forecasts; None where the method reads none."""
        if not self.leveraged:
            return None
        with threads(self.model):
            said = self.model.forecast_leverage(values, **self._beside(first, times))
        return [float(one) for one in said]

    def _beside(self, first: int, times: AnyArray | None) -> dict[str, Any]:
        arguments: dict[str, Any] = {} if times is None else {"times": times}
        if isinstance(self.model, NGRC | AutoNGRC):
            arguments["start"] = first - self.start
        return arguments


def _finite(said: Any) -> list[float]:
    forecasts = [float(one) for one in said]
    if not np.isfinite(forecasts).all():
        raise ValueError(
            f"the forecasts after this value are not finite numbers, {forecasts}; check the value, or pass None for it "
            "to count as missing"
        )
    return forecasts


def values_read(model: Any) -> int | None:
    """How many of the newest values a fitted model's forecasts rest on; None where on all of them."""
    if not isinstance(model, NGRC | AutoNGRC):
        # Any other forecaster may count from the first observation.
        return None
    bands: tuple[Fitted, ...] = (model.fitted_,) if isinstance(model, NGRC) else tuple(model.fitted_)
    counts = [_read(band) for band in bands]
    known = [count for count in counts if count is not None]
    return max(known) if len(known) == len(counts) else None


def _read(fitted: Fitted) -> int | None:
    farthest = max(fitted.reach(horizon) for horizon in fitted.horizons)
    for group in fitted.feature_map.groups:
        if isinstance(group, Memory):
            farthest = max(farthest, *(int(HALVINGS * one) + 1 for one in group.half_lives))
        elif type(group) not in REACHING:
            # A smoothing's gains depend on how long it runs, and a group of the user's own may read anything.
            return None
    return farthest + 1


def settled(model: Any, link: Link) -> Any:
    """An unfitted copy whose transform is that of a link: residuals of later fits are to be in the same units."""
    parameters = model.get_params(deep=False)
    if "transform" not in parameters:
        return type(model)(**parameters)
    return type(model)(**{**parameters, "transform": _specification(link)})


def _specification(link: Link) -> Any:
    transform = link.transform
    if isinstance(transform, Log):
        return ("log", transform.shift)
    if isinstance(transform, Root):
        return "root"
    if isinstance(transform, Arcsinh):
        return ("asinh", transform.scale)
    return ("boxcox", transform.power) if isinstance(transform, BoxCox) else None
