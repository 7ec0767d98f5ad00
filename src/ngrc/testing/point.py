"""Point forecasters as subjects: one fit held while the future changes, and refits on the way."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc.forecasters.base import Forecaster, at_horizon
from ngrc.forecasters.beside import Beside, wants_times
from ngrc.forecasters.walking import walk
from ngrc.series.channels import Channels
from ngrc.testing.given import Given
from ngrc.testing.output import Output


def equipped(model: Forecaster, horizon: int, given: Given) -> Forecaster:
    """An unfitted copy at that horizon, which declares the inputs that are given where it declares none."""
    parameters = model.get_params(deep=False)
    if not given.beside:
        return at_horizon(model, horizon)
    if "exog" not in parameters:
        raise ValueError(
            f"exog is for a model that takes it, such as NGRC, and {type(model).__name__} does not; leave exog out"
        )
    if not (parameters["exog"] or parameters["known"]):
        parameters["exog"] = tuple(name for name in given.beside if name not in given.known)
        parameters["known"] = tuple(name for name in given.beside if name in given.known)
    return type(model)(**{**parameters, "horizon": horizon})


def said(model: Any, given: Given, fitted: int, of: str = "") -> list[Output]:
    """All that a fitted model says by target time; `fitted` observations are behind it."""
    times, arguments, horizon = np.arange(given.size), given.arguments(), int(model.horizon)
    found = [
        Output(f"predict{of}", times, np.asarray(model.predict(given.y, **arguments)), horizon, fitted - 1)
    ]
    if hasattr(model, "leverage"):
        values = np.asarray(model.leverage(given.y, **arguments))
        found.append(Output(f"leverage{of}", times, values, horizon, fitted - 1))
    if getattr(model, "path", False) and hasattr(model, "predict_path"):
        values = np.asarray(model.predict_path(given.y, **arguments))
        found.append(
            Output(f"predict_path{of}", times, values, np.arange(1, values.shape[1] + 1), fitted - 1)
        )
    return found


@dataclass(frozen=True, slots=True)
class Held:
    """A fitted model: it forecasts what it is given, and learns nothing more."""

    model: Any
    name: str
    fitted: int
    shortens: bool = True

    def told(self, given: Given) -> Sequence[Output]:
        """Its forecasts, leverages and paths."""
        return said(self.model, given, self.fitted)


@dataclass(frozen=True, slots=True)
class Walked:
    """A model that is fitted at one end after another, as a backtest fits it."""

    model: Forecaster
    name: str
    ends: tuple[int, ...]
    shortens: bool = False

    def told(self, given: Given) -> Sequence[Output]:
        """What the fit of every end says."""
        fresh = at_horizon(self.model, self.model.horizon)
        beside = _beside(self.model, given)
        fits = walk(fresh, given.y, self.ends, beside=beside)
        return [
            output
            for end, fitted in zip(self.ends, fits, strict=True)
            for output in said(fitted, given, end, f" of the fit to y[..{end - 1}]")
        ]


def _beside(model: Forecaster, given: Given) -> Beside:
    times = given.times if wants_times(model) else None
    if not given.beside:
        return Beside(times=times)
    names = tuple(given.beside)
    channels = Channels(names, np.stack([given.beside[name] for name in names], axis=1))
    known = tuple(name for name in names if name in given.known)
    return Beside(channels, tuple(name for name in names if name not in known), known, times)
