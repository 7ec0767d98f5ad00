"""Forecasts of all steps from the newest observation."""

from math import isfinite
from typing import Any, Self

import numpy as np

from ngrc._kernels.models import packed_forecast
from ngrc._types import AnyArray, FloatArray
from ngrc.ahead.paths import threads
from ngrc.archive import check_that
from ngrc.automatic import AutoNGRC
from ngrc.live.inputs import Inputs
from ngrc.live.kernel import packed
from ngrc.model import NGRC


class Point:
    """A fitted model of all steps, in service.

    Where its columns are delays and their products, all forecasts are one compiled call; any other model is asked by
    its own `forecast`.

    Parameters
    ----------
    model
        Fitted to the steps 1..H.
    start
        Index of the first observation that it was fitted to, from which its clock counts.
    leveraged
        Whether the interval method reads leverages.
    """

    __slots__ = ("_link", "_numbers", "_plain", "_said", "leveraged", "model", "start")

    def __init__(self, model: Any, start: int, leveraged: bool) -> None:
        self.model, self.start, self.leveraged = model, start, leveraged
        # Not of a class made from NGRC, which may forecast in a way of its own.
        fitted = model.fitted_ if type(model) is NGRC else None
        self._numbers: FloatArray | None = None if fitted is None else packed(fitted)
        if fitted is not None and self._numbers is not None:
            self._link = fitted.preparation.links[0]
            self._plain = self._link.identity
            self._said = np.empty(len(fitted.horizons))

    def ahead(self, inputs: Inputs, times: AnyArray | None) -> list[float]:
        """Forecasts after the value that was placed behind the newest.

        `times` are those of the values and of the coming targets, where the model wants any.
        """
        numbers = self._numbers
        if numbers is not None and self._plain:
            said = self._said
            if not packed_forecast(inputs.values, inputs.size + 1, numbers, said):
                raise _endless(said.tolist())
            return said.tolist()
        forecasts: list[float] = self._asked(inputs, times).tolist()
        if not all(map(isfinite, forecasts)):
            raise _endless(forecasts)
        return forecasts

    def _asked(self, inputs: Inputs, times: AnyArray | None) -> FloatArray:
        if self._numbers is not None:
            linked = self._link.forward(inputs.placed)
            packed_forecast(linked, linked.size, self._numbers, self._said)
            return self._link.forecasts(self._said.copy())
        with threads(self.model):
            return np.asarray(self.model.forecast(inputs.placed, **self._beside(inputs, times)))

    def leverages(self, inputs: Inputs, times: AnyArray | None) -> list[float] | None:
        """Leverages behind the same forecasts; None where the method reads none."""
        if not self.leveraged:
            return None
        with threads(self.model):
            said = self.model.forecast_leverage(inputs.placed, **self._beside(inputs, times))
        leverages = [float(one) for one in said]
        if not all(map(isfinite, leverages)):
            raise _endless(leverages)
        return leverages

    def _beside(self, inputs: Inputs, times: AnyArray | None) -> dict[str, Any]:
        arguments: dict[str, Any] = {} if times is None else {"times": times}
        if isinstance(self.model, NGRC | AutoNGRC):
            arguments["start"] = inputs.first - self.start
        return arguments

    def kept(self) -> dict[str, Any]:
        """The fit; what the kernel reads follows from it."""
        return {"model": self.model, "start": self.start, "leveraged": self.leveraged}

    @classmethod
    def rebuilt(cls, kept: dict[str, Any]) -> Self:
        """The same of what was kept."""
        check_that(
            list(kept) == ["model", "start", "leveraged"], "forecasts are made by a model from a start"
        )
        model, start, leveraged = kept.values()
        check_that(type(model) in (NGRC, AutoNGRC), "the model is an NGRC or AutoNGRC")
        check_that(model.path is True and hasattr(model, "fitted_"), "it is fitted to all steps")
        check_that(type(start) is int and start >= 0 and type(leveraged) is bool, "it has a start")
        return cls(model, start, leveraged)


def _endless(forecasts: list[float]) -> ValueError:
    return ValueError(
        f"the forecasts after this value would not be finite: {forecasts}; check the value, or give None for it to "
        "count as missing"
    )
