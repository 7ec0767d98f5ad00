"""How many of the newest values forecasts read, and the model fitted anew on what is known."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc._types import AnyArray
from ngrc.ahead.paths import threads
from ngrc.archive import check_that
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
from ngrc.live.inputs import Inputs
from ngrc.live.point import Point
from ngrc.model import NGRC

HALVINGS = 60
"""Half-lives of a memory that are kept: what is older has less than 2^-60 of the weight, below the rounding."""
REACHING = (Delays, Products, Seasonal, Clock, Calendar, ClockProducts, Constant)
"""Groups of columns that read as far back as they say and no farther."""

HOLLOW = 0.25
"""Share of carried values in what a refit uses, above which it is left out: a model that learns that nothing moves is
worse than the one at hand (half as much error again after a gap as long as the window)."""


@dataclass(frozen=True, slots=True)
class Refits:
    """When a model is fitted anew, and on what.

    Parameters
    ----------
    model
        Unfitted, of all steps, with the transform of the first fit: residuals stay in the same units.
    every
        Observations from one fit to the next.
    window
        Observations of a fit, the newest; None: all.
    """

    model: Any
    every: int
    window: int | None

    def hollow(self, inputs: Inputs) -> bool:
        """Whether too many of the values that a fit would use were carried forward, so that it is left out."""
        count = inputs.size if self.window is None else min(inputs.size, self.window)
        return int(np.count_nonzero(inputs.carried[inputs.size - count : inputs.size])) > HOLLOW * count

    def fitted(
        self, inputs: Inputs, times: AnyArray | None, leveraged: bool, *, placed: bool = True
    ) -> Point:
        """The model of the values that are known, with the one that was placed or without."""
        parameters = self.model.get_params(deep=False)
        model = type(self.model)(**parameters)
        values = inputs.values[: inputs.size + placed].copy()
        first = 0 if self.window is None else max(0, values.size - self.window)
        arguments = {} if times is None else {"times": times[: values.size]}
        with threads(model):
            return Point(model.fit(values, first=first, **arguments), inputs.first, leveraged)

    def check_kept(self) -> None:
        """Refuse a model that is fitted to other than all steps."""
        check_that(
            type(self.model) in (NGRC, AutoNGRC) and self.model.path is True, "a refit is of all steps"
        )
        check_that(self.every >= 1 and (self.window is None or self.window >= 1), "refits have a schedule")


def refits_of(model: Any, link: Link, every: int | None, window: int | None) -> Refits | None:
    """The schedule of a model of all steps whose first fit settled a link; None where none is asked for."""
    if every is None:
        return None
    parameters = model.get_params(deep=False)
    if "transform" in parameters:
        parameters["transform"] = _specification(link)
    return Refits(type(model)(**parameters), every, window)


def values_kept(model: Any, refits: Refits | None) -> int | None:
    """How many values must stay: those that forecasts read, and those of the next fit; None: all."""
    read = values_read(model)
    if refits is None or read is None:
        return read
    return None if refits.window is None else read + refits.window


def values_read(model: Any) -> int | None:
    """How many of the newest values a fitted model's forecasts rest on; None where on all of them."""
    if type(model) not in (NGRC, AutoNGRC):
        # Any other forecaster may count from the first observation.
        return None
    counts = [_read(band) for band in _bands(model)]
    known = [count for count in counts if count is not None]
    return max(known) if len(known) == len(counts) else None


def values_reached(model: NGRC | AutoNGRC) -> int:
    """How many of the newest values a fitted model's delays and differences reach: fewer, and it cannot forecast."""
    return 1 + max(_reach(band) for band in _bands(model))


def _bands(model: NGRC | AutoNGRC) -> tuple[Fitted, ...]:
    return (model.fitted_,) if isinstance(model, NGRC) else tuple(model.fitted_)


def _reach(fitted: Fitted) -> int:
    return max(fitted.reach(horizon) for horizon in fitted.horizons)


def _read(fitted: Fitted) -> int | None:
    farthest = _reach(fitted)
    for group in fitted.feature_map.groups:
        if isinstance(group, Memory):
            farthest = max(farthest, *(int(np.ceil(HALVINGS * one)) for one in group.half_lives))
        elif type(group) not in REACHING:
            # A smoothing's gains depend on how long it has run, and a group of the user's own may read anything.
            return None
    return farthest + 1


def _specification(link: Link) -> Any:
    transform = link.transform
    if isinstance(transform, Log):
        return ("log", transform.shift)
    if isinstance(transform, Root):
        return "root"
    if isinstance(transform, Arcsinh):
        return ("asinh", transform.scale)
    return ("boxcox", transform.power) if isinstance(transform, BoxCox) else None
