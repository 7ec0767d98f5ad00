"""Forecasters that look ahead, each in a way that has been seen in earnest, and honest twins of them."""

from typing import Any, Self

import numpy as np

from ngrc._types import FloatArray


def drawn(size: int = 150, seed: int = 0) -> FloatArray:
    """A season with noise, above zero."""
    time = np.arange(size)
    return 40.0 + 8.0 * np.sin(time / 4.0) + np.random.default_rng(seed).normal(0.0, 1.5, size)


def delayed(y: FloatArray, horizon: int) -> FloatArray:
    """The newest value that is known H steps before."""
    result = np.full(y.shape, np.nan)
    result[horizon:] = y[:-horizon]
    return result


class Persistence:
    """The contract of a point forecaster, honestly: the last value, moved by the mean change of the fit block."""

    def __init__(self, horizon: int = 1) -> None:
        self.horizon = horizon

    @property
    def first_target(self) -> int:
        return self.horizon

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {"horizon": self.horizon}

    def fit(self, y: Any, *, first: int = 0, scale: Any = None) -> Self:
        self.slope_ = float(y[-1] - y[0]) / (len(y) - 1)
        return self

    def predict(self, y: Any) -> FloatArray:
        return delayed(np.asarray(y), self.horizon) + self.horizon * self.slope_


class OneStepTooMany(Persistence):
    """Reads y[t - H + 1] where it may read y[t - H]."""

    def predict(self, y: Any) -> FloatArray:
        return delayed(np.append(y[1:], y[-1]), self.horizon) + self.horizon * self.slope_


class ScaledByAll(Persistence):
    """Puts the series into units of the whole of it, and back into those of the fit block."""

    def fit(self, y: Any, *, first: int = 0, scale: Any = None) -> Self:
        self.mean_, self.std_ = float(np.mean(y)), float(np.std(y))
        return super().fit(y)

    def predict(self, y: Any) -> FloatArray:
        standard = (np.asarray(y) - np.mean(y)) / np.std(y)
        return delayed(standard, self.horizon) * self.std_ + self.mean_


class Centred(Persistence):
    """Smooths by a centred window before it looks back."""

    def predict(self, y: Any) -> FloatArray:
        return delayed(np.convolve(y, np.ones(5) / 5, mode="same"), self.horizon)


class CutTail(Persistence):
    """Honest about every value, and yet it knows how many there are: forecasts shrink towards the end."""

    def predict(self, y: Any) -> FloatArray:
        return super().predict(y) * np.linspace(1.0, 0.5, len(y))


class Learning(Persistence):
    """Keeps the largest value that it was ever asked about."""

    def fit(self, y: Any, *, first: int = 0, scale: Any = None) -> Self:
        self.largest_ = float(np.max(y))
        return super().fit(y)

    def predict(self, y: Any) -> FloatArray:
        self.largest_ = max(self.largest_, float(np.max(y)))
        return np.minimum(super().predict(y), 0.5 * self.largest_)


class FitBeyond(Persistence):
    """Reaches behind the part of the series that `fit` is handed."""

    def fit(self, y: Any, *, first: int = 0, scale: Any = None) -> Self:
        whole = y if y.base is None else y.base
        return super().fit(whole)


class RefitBeyond(Persistence):
    """Fits honestly once, and walks with the mean change of all that `fits` is handed."""

    def fits(self, y: Any, ends: Any, **more: Any) -> Any:
        for _ in ends:
            yield type(self)(self.horizon).fit(y)


class PathBeyond(Persistence):
    """Forecasts of all horizons, of which those for two steps know one value too many."""

    def __init__(self, horizon: int = 3, path: bool = True) -> None:
        self.horizon, self.path = horizon, path

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {"horizon": self.horizon, "path": self.path}

    def predict_path(self, y: Any) -> FloatArray:
        steps = [1 if steps == 2 else steps for steps in range(1, self.horizon + 1)]
        return np.stack([delayed(np.asarray(y), step) for step in steps], axis=1)


class LeverageBeyond(Persistence):
    """Honest forecasts, and a leverage that the outcome tells."""

    def leverage(self, y: Any) -> FloatArray:
        return np.asarray(y) ** 2


def best_window(y: FloatArray) -> FloatArray:
    """Moving averages, their length chosen on the very block that is forecast."""
    forecasts = [_moving(y, length) for length in (1, 2, 5, 9, 14)]
    return min(forecasts, key=lambda one: float(np.nanmean((one - y)[-40:] ** 2)))


def honest_window(y: FloatArray) -> FloatArray:
    """The same, chosen on the first rows alone."""
    forecasts = [_moving(y, length) for length in (1, 2, 5, 9, 14)]
    return min(forecasts, key=lambda one: float(np.nanmean((one - y)[14:40] ** 2)))


def _moving(y: FloatArray, length: int) -> FloatArray:
    result = np.full(y.size, np.nan)
    for t in range(length, y.size):
        result[t] = y[t - length : t].mean()
    return result


def filled_backward(y: FloatArray) -> FloatArray:
    """Gaps take the next value that is observed."""
    filled = y.copy()
    for place in range(y.size - 2, -1, -1):
        if np.isnan(filled[place]):
            filled[place] = filled[place + 1]
    return delayed(filled, 1)


def filled_forward(y: FloatArray) -> FloatArray:
    """Gaps keep the last value that was observed."""
    filled = y.copy()
    for place in range(1, y.size):
        if np.isnan(filled[place]):
            filled[place] = filled[place - 1]
    return delayed(filled, 1)


def scaled_by_all(y: FloatArray) -> FloatArray:
    """A column of the present, in units of the whole series."""
    return np.asarray((y - y.mean()) / y.std())


def scaled_so_far(y: FloatArray) -> FloatArray:
    """The same in units of the past."""
    return np.array([(y[t] - y[: t + 1].mean()) / max(y[: t + 1].std(), 1e-9) for t in range(y.size)])


class Remembering:
    """A forecast from what is known, and from whatever it was asked before."""

    def __init__(self) -> None:
        self.largest = -np.inf

    def __call__(self, past: FloatArray) -> FloatArray:
        self.largest = max(self.largest, float(past.max()))
        return np.array([past[-1], self.largest])


def reaching(past: FloatArray) -> float:
    """Looks behind the part that it is handed."""
    whole = past if past.base is None else past.base
    return float(whole[min(past.size, whole.size - 1)])


class Service:
    """start, next, observe: the last value, and the range of what was observed around it."""

    def __init__(self, rewrites: bool = False, reaches: bool = False) -> None:
        self.rewrites, self.reaches = rewrites, reaches

    def start(self, history: FloatArray) -> Self:
        self.seen = list(history)
        if self.reaches and history.base is not None:
            self.seen = [*self.seen[:-1], float(history.base[len(history)])]
        self.said: dict[str, Any] = {}
        return self

    def next(self) -> dict[str, Any]:
        said = {"mean": np.array([self.seen[-1]]), "lower": {0.9: np.array([min(self.seen)])}}
        if self.rewrites and self.said:
            self.said["mean"][:] = self.seen[-1]
        self.said = said
        return said

    def observe(self, value: float) -> None:
        self.seen.append(value)
