"""Forecasters of one horizon each, set side by side as one model of all steps."""

from typing import Any, Literal, Self

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.link import Link
from ngrc.forecasters.base import Forecaster, at_horizon
from ngrc.forecasters.facts import Leveraged, facts_of, link_of, noise_scales_of, report_of
from ngrc.forecasters.walking import asked


class SingleSteps:
    """Any forecaster as a model of the steps 1..H: one copy per step, each fitted by itself.

    Parameters
    ----------
    model
        An unfitted forecaster, whose horizon is replaced.
    horizon
        The farthest step.
    path
        True; the parameter is there because models of paths have it.

    Examples
    --------
    >>> from ngrc.forecasters import SeasonalNaive
    >>> rising = np.arange(6.0)
    >>> SingleSteps(SeasonalNaive(), horizon=3).fit(rising).forecast(rising)
    array([5., 5., 5.])
    """

    def __init__(self, model: Forecaster, horizon: int = 1, path: bool = True) -> None:
        self.model = model
        self.horizon = horizon
        self.path = path

    @property
    def first_target(self) -> int:
        """First target of the farthest step."""
        return at_horizon(self.model, self.horizon).first_target

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Constructor parameters by name."""
        return {"model": self.model, "horizon": self.horizon, "path": self.path}

    def fit(self, y: Any, *, first: int = 0, scale: Any = None, times: Any = None) -> Self:
        """Fit one copy per step on the same observations."""
        arguments = _placed(times, len(y))
        self.models_ = tuple(
            at_horizon(self.model, step).fit(y, first=first, scale=scale, **arguments)
            for step in range(1, self.horizon + 1)
        )
        self.fit_scale_ = np.array([_fit_scale(model, y, arguments) for model in self.models_])
        ridges = [facts_of(model).ridge for model in self.models_]
        # NaN: a model without a penalty chose none, and `Step.selected` then names none.
        self.ridge_ = np.array([np.nan if ridge is None else ridge for ridge in ridges])
        return self

    def predict_path(self, y: Any, *, since: int = 0, times: Any = None) -> FloatArray:
        """Forecasts by target time and step, shape (n, H)."""
        arguments = _placed(times, len(y))
        columns = [
            model.predict(y, **arguments, **asked(model.predict, since=since)) for model in self.models_
        ]
        return np.stack(columns, axis=1)

    def predict(self, y: Any, *, times: Any = None) -> FloatArray:
        """Forecasts of the farthest step by target time, shape (n,)."""
        return np.asarray(self.models_[-1].predict(y, **_placed(times, len(y))))

    def forecast(self, y: Any, *, times: Any = None) -> FloatArray:
        """Forecasts of the H values that follow `y`, all made at its last observation."""
        return np.array([self._ahead(y, step, model.predict, times) for step, model in self._steps()])

    def forecast_leverage(self, y: Any, *, times: Any = None) -> FloatArray:
        """Leverages behind `forecast`; NaN, which no interval takes, of a forecaster without any."""
        return np.array(
            [
                self._ahead(y, step, model.leverage, times) if isinstance(model, Leveraged) else np.nan
                for step, model in self._steps()
            ]
        )

    def noise_scale(
        self, method: Literal["gcv", "evidence"], horizon: int | None = None, channel: int = 0
    ) -> Any:
        """Noise of the fit rows of one step."""
        model: Any = self.models_[(self.horizon if horizon is None else horizon) - 1]
        noise_scales_of(model, (method,))
        return model.noise_scale(method)

    def link(self, channel: int = 0) -> Link:
        """Transform and bounds of the series, which all steps must share."""
        links = [link_of(model) for model in self.models_]
        if any(link != links[0] for link in links):
            raise ValueError(
                f"{type(self.model).__name__} transforms the series differently at different steps, and intervals of a "
                "path need one transform; fix the transform's parameters"
            )
        return links[0]

    def report(self) -> str:
        """What the farthest step's model chose, for people; empty where it chose nothing."""
        return report_of(self.models_[-1])

    def _steps(self) -> "enumerate[Any]":
        return enumerate(self.models_, start=1)

    def _ahead(self, y: Any, step: int, said: Any, times: Any) -> float:
        # What stands after the last observation is never read: a forecast reads values through its origin.
        longer = np.concatenate([y, np.repeat(y[-1:], step)])
        return float(said(longer, **_placed(times, len(longer)))[-1])


def _placed(times: Any, count: int) -> dict[str, Any]:
    """The times of the first `count` rows as a keyword argument; none where the model wants none."""
    return {} if times is None else {"times": times[:count]}


def _fit_scale(model: Any, y: Any, arguments: dict[str, Any]) -> float:
    """Root mean square of the fit residuals: the model's own, or those of what it says of the rows it was fitted to."""
    told = facts_of(model).fit_scale
    if told is not None:
        return told
    said = np.asarray(model.predict(y, **arguments))
    residuals = link_of(model).residuals(np.asarray(y), said)
    return float(np.sqrt(np.mean(residuals[np.isfinite(said)] ** 2)))
