"""Slow references: a recipe's columns one number at a time, its fit by least squares, a combination added up by hand.

Nothing of the package's columns, moments or solvers is used; a column is told from its future by its index alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import cos, pi, prod, sin
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.auto.recipe import EXOG_LAGS, NONLINEAR, Recipe
from ngrc.features.smoothings import Gains


@dataclass(frozen=True)
class Data:
    """A standardised series, its clipped double, and standardised inputs beside it."""

    x: FloatArray
    limits: tuple[float, float] = (-np.inf, np.inf)
    beside: Mapping[str, FloatArray] = field(default_factory=dict)
    kept: dict[Any, Any] = field(default_factory=dict)

    @property
    def clipped(self) -> FloatArray:
        if "clipped" not in self.kept:
            self.kept["clipped"] = np.clip(self.x, *self.limits)
        return np.asarray(self.kept["clipped"])

    def memory(self, half_life: float) -> list[float]:
        if half_life not in self.kept:
            keep = 0.5 ** (1.0 / half_life)
            means = [float(self.x[0])]
            for value in self.x[1:]:
                means.append(keep * means[-1] + (1.0 - keep) * float(value))
            self.kept[half_life] = means
        found: list[float] = self.kept[half_life]
        return found

    def smoothed(self, gain: Gains, period: int) -> "HoltWinters":
        key = (gain, period)
        if key not in self.kept:
            self.kept[key] = HoltWinters(self.x, gain, period)
        found: HoltWinters = self.kept[key]
        return found


class HoltWinters:
    """One exponential smoothing of a series, as the docstring of `Gains` has it; all seasonal terms at every time."""

    def __init__(self, x: FloatArray, gain: Gains, period: int) -> None:
        self.gain, self.period = gain, period
        self.first = (2 * period if period > 1 else 3) - 1
        start = [float(value) for value in x[: self.first + 1]]
        seasonal = period > 1 and gain.season is not None
        terms = [0.0] * period
        if period == 1:
            level, slope = start[-1], (start[-1] - start[0]) / 2.0
        else:
            slope = (sum(start[period:]) - sum(start[:period])) / period / period
            middle = sum(start) / len(start)
            line = [middle + slope * (time - (2 * period - 1) / 2.0) for time in range(2 * period)]
            level = start[-1]
            if seasonal:
                level = line[-1]
                terms = [
                    0.5 * (start[k] - line[k] + start[k + period] - line[k + period]) for k in range(period)
                ]
        slope = 0.0 if gain.slope is None else slope
        self.states: dict[int, tuple[float, float, list[float]]] = {self.first: (level, slope, list(terms))}
        for time in range(self.first + 1, x.size):
            drift = gain.damping * slope
            error = float(x[time]) - level - drift - terms[time % period]
            level = level + drift + gain.level * error
            if gain.slope is not None:
                slope = drift + max(gain.slope, 1.0 / (time + 1)) * gain.level * error
            if seasonal:
                assert gain.season is not None
                step = max(gain.season, 1.0 / (time // period + 1)) * (1.0 - 0.5 * gain.level) * error
                terms[time % period] += step
                terms = [term - step / period for term in terms]
            self.states[time] = (level, slope, list(terms))

    def forecast(self, origin: int, horizon: int) -> float:
        level, slope, terms = self.states[origin]
        if self.gain.slope is not None:
            level += self.gain.share * slope * sum(self.gain.damping**step for step in range(1, horizon + 1))
        return level + terms[(origin + horizon) % self.period]


def cycle(period: float, horizon: int) -> int:
    """How many whole periods lie between the target and the newest observed value of its phase."""
    many = 1
    while many * period < horizon:
        many += 1
    return many


def base(recipe: Recipe, x: FloatArray, horizon: int, target: int) -> float:
    """What the target is measured from."""
    if recipe.target == "level":
        return 0.0
    if recipe.target == "increment":
        return float(x[target - horizon])
    assert recipe.period is not None
    season = round(cycle(recipe.period, horizon) * recipe.period)
    if recipe.target == "seasonal":
        return float(x[target - season])
    return float(x[target - horizon] + x[target - season] - x[target - season - horizon])


def row(recipe: Recipe, data: Data, horizon: int, target: int) -> dict[str, float]:
    """The columns of one target, every value of the series once."""
    origin, x, clipped = target - horizon, data.x, data.clipped
    found: dict[str, float] = {}

    def read(steps: int) -> None:
        assert origin - steps >= 0
        found[f"x-{steps}"] = float(x[origin - steps])

    for step in range(recipe.lags):
        read(step)
    for period, cycles in recipe.seasonal:
        skipped = cycle(period, horizon) - 1
        for number in range(skipped + 1, skipped + cycles + 1):
            for neighbour in (-1, 0, 1):
                behind = round(number * period) + neighbour - horizon
                if behind >= 0:
                    read(behind)
    for period, harmonics in recipe.clock:
        found |= {f"{period} {name}": value for name, value in waves(period, harmonics, target)}
    for life in recipe.half_lives:
        found[f"memory {life}"] = data.memory(life)[origin]
    for period, harmonics, many in recipe.turning:
        for step in range(many):
            for name, value in waves(period, harmonics, target):
                found[f"{period} {name} x-{step}"] = value * float(clipped[origin - step])
    if recipe.products:
        for degree in range(2, recipe.degree + 1):
            for steps in combinations_with_replacement(range(recipe.products), degree):
                found[f"product {steps}"] = prod(float(clipped[origin - step]) for step in steps)
    for name in recipe.exog:
        found |= {f"{name}-{step}": float(data.beside[name][origin - step]) for step in range(EXOG_LAGS)}
    for name in recipe.known:
        found[name] = float(data.beside[name][target])
    if recipe.smoothing is not None:
        for gain in recipe.smoothing.gains:
            smoothed = data.smoothed(gain, recipe.smoothing.period)
            found[f"smooth {gain}"] = smoothed.forecast(origin, horizon)
    return found


def waves(period: float, harmonics: int, target: int) -> Iterable[tuple[str, float]]:
    for harmonic in range(1, harmonics + 1):
        angle = 2.0 * pi * harmonic * target / period
        yield f"sine {harmonic}", sin(angle)
        yield f"cosine {harmonic}", cos(angle)


def design(recipe: Recipe, data: Data, horizon: int, targets: Iterable[int]) -> FloatArray:
    rows = [list(row(recipe, data, horizon, target).values()) for target in targets]
    return np.array(rows, dtype=np.float64).reshape(len(rows), -1)


def reach(recipe: Recipe, data: Data, horizon: int) -> int:
    """How far behind its origin a recipe reads: the first origin at which every index is there."""
    steps = [recipe.lags - 1, recipe.products - 1, *(many - 1 for *_, many in recipe.turning)]
    steps += [EXOG_LAGS - 1] * bool(recipe.exog)
    for period, cycles in recipe.seasonal:
        steps.append(round((cycle(period, horizon) - 1 + cycles) * period) + 1 - horizon)
    if recipe.target in ("seasonal", "both"):
        assert recipe.period is not None
        season = round(cycle(recipe.period, horizon) * recipe.period)
        steps.append(season - (horizon if recipe.target == "seasonal" else 0))
    if recipe.smoothing is not None:
        steps.append(2 * recipe.smoothing.period - 1 if recipe.smoothing.period > 1 else 2)
    return max(0, *steps)


@dataclass(frozen=True)
class Ridge:
    """Minimum of |target - a - Zw|^2 / n + penalty sum b w^2 over standardised columns Z, b their burdens."""

    intercept: float
    weights: FloatArray
    means: FloatArray
    scales: FloatArray
    inverse: FloatArray
    dimension: float

    def predict(self, columns: FloatArray) -> FloatArray:
        return np.asarray(self.intercept + (columns - self.means) / self.scales @ self.weights)

    def leverage(self, columns: FloatArray) -> FloatArray:
        joined = np.column_stack((np.ones(len(columns)), (columns - self.means) / self.scales))
        return np.asarray(np.einsum("ij,jk,ik->i", joined, self.inverse, joined))


def ridge(columns: FloatArray, target: FloatArray, penalty: float, burden: FloatArray) -> Ridge:
    """Least squares on rows extended by the penalty's."""
    count, width = columns.shape
    means, scales = columns.mean(axis=0), columns.std(axis=0)
    scales = np.where(scales < 1e-10 * np.sqrt(means**2 + scales**2) + 1e-13, 1.0, scales)
    joined = np.column_stack((np.ones(count), (columns - means) / scales))
    extended = np.vstack((joined, np.diag(np.sqrt(count * penalty * np.append(0.0, burden)))))
    solution = np.linalg.lstsq(extended, np.append(target, np.zeros(width + 1)), rcond=None)[0]
    half = np.linalg.pinv(extended, rcond=1e-15)
    inverse = half @ half.T
    dimension = float(np.sum(joined @ inverse * joined))
    return Ridge(float(solution[0]), solution[1:], means, scales, inverse, dimension)


def burden(recipe: Recipe, data: Data, horizon: int, target: int) -> FloatArray:
    """What the penalty on each column is multiplied by: products bear more."""
    names = row(recipe, data, horizon, target)
    return np.array([NONLINEAR if "product" in name or " x-" in name else 1.0 for name in names])


def fit(recipe: Recipe, data: Data, horizon: int, fitted: range, penalty: float) -> Ridge:
    """A recipe's ridge on the rows of some targets; nothing but a mean of levels is left at an infinite penalty."""
    rows = design(recipe, data, horizon, fitted)
    goal = np.array([data.x[target] - base(recipe, data.x, horizon, target) for target in fitted])
    if np.isfinite(penalty):
        return ridge(rows, goal, penalty, burden(recipe, data, horizon, fitted[-1]))
    width = rows.shape[1]
    nothing = np.zeros(width), np.zeros(width), np.ones(width), np.zeros((width + 1, width + 1))
    level = recipe.target == "level"
    return Ridge(float(goal.mean()) if level else 0.0, *nothing, float(level))


def said(
    recipe: Recipe, data: Data, horizon: int, fitted: range, asked: Sequence[int] | range, penalty: float
) -> FloatArray:
    """Forecasts of some targets in standardised units: the base, and ridge on the rows of the targets `fitted`."""
    bases = np.array([base(recipe, data.x, horizon, target) for target in asked])
    columns = design(recipe, data, horizon, asked)
    if recipe.smoothing is not None:
        return np.asarray(bases + columns @ np.array(recipe.shares))
    return np.asarray(bases + fit(recipe, data, horizon, fitted, penalty).predict(columns))
