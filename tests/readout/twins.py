"""Slow references, written from the definitions alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import cos, pi, prod, sin
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.features import FeatureMap, Inputs, Rows
from ngrc.features.standard import Shape, standard_map
from ngrc.readout.spectrum import RANK


def paper_map(
    lags: int,
    spacing: int = 1,
    degree: int = 2,
    periods: Sequence[float] = (),
    harmonics: int = 2,
    half_lives: Sequence[float] = (),
) -> FeatureMap:
    """The paper's columns: consecutive lags, all their products, Fourier terms, memories."""
    return standard_map(
        Shape(lags, spacing, degree, periods=periods, harmonics=harmonics, half_lives=half_lives)
    )


def rows_of(
    feature_map: FeatureMap,
    x: FloatArray,
    horizon: int,
    first: int = 0,
    stop: int | None = None,
    offset: int = 0,
) -> Rows:
    """Rows of a scalar series that is given standardised."""
    return Rows.of(feature_map, Inputs({"x": x}, offset=offset), x, horizon, first, stop)


def slow_design(shape: Any, x: FloatArray, horizon: int, offset: int = 0) -> FloatArray:
    """Design columns one number at a time, of a `Shape` or a model: whatever has the numbers that describe the map."""
    rows = []
    for target in range((shape.lags - 1) * shape.spacing + horizon, x.size):
        origin = target - horizon
        delays = [float(x[origin - lag * shape.spacing]) for lag in range(shape.lags)]
        row = [
            prod(factors)
            for power in range(1, shape.degree + 1)
            for factors in combinations_with_replacement(delays, power)
        ]
        for period in shape.periods:
            for harmonic in range(1, shape.harmonics + 1):
                angle = 2 * pi * harmonic * (target + offset) / period
                row += [sin(angle), cos(angle)]
        for half_life in shape.half_lives:
            keep = 0.5 ** (1.0 / half_life)
            mean = float(x[0])
            for value in x[1 : origin + 1]:
                mean = keep * mean + (1.0 - keep) * float(value)
            row.append(mean)
        rows.append(row)
    return np.array(rows)


@dataclass(frozen=True)
class SlowRidge:
    """Ridge on standardised columns by the singular values of the whole design."""

    weights: FloatArray
    intercept: float
    means: FloatArray
    scales: FloatArray
    d_eff: float
    inverse: FloatArray

    def predict(self, design: FloatArray) -> FloatArray:
        return np.asarray(self.intercept + ((design - self.means) / self.scales) @ self.weights)

    def leverage(self, design: FloatArray) -> FloatArray:
        standardised = (design - self.means) / self.scales
        joined = np.column_stack((np.ones(design.shape[0]), standardised))
        return np.asarray(np.einsum("ij,jk,ik->i", joined, self.inverse, joined))


def slow_ridge(design: FloatArray, target: FloatArray, penalty: float, intercept: str = "free") -> SlowRidge:
    """Least squares on rows extended by sqrt(n lambda) times the identity."""
    count, width = design.shape
    means = design.mean(axis=0)
    spread = np.sqrt(np.mean((design - means) ** 2, axis=0))
    size = np.sqrt(means**2 + spread**2)
    scales = np.where(spread <= np.maximum(1e-10 * size, 1e-13), 1.0, spread)
    joined = np.column_stack((np.ones(count), (design - means) / scales))
    penalties = np.full(width + 1, penalty)
    if intercept == "free":
        penalties[0] = 0.0
    extended = np.vstack((joined, np.diag(np.sqrt(count * penalties))))
    # The solution of least norm. Without a penalty, directions without data have singular values of rounding size.
    cut = 1e-15 if penalty else RANK
    solution = np.linalg.lstsq(extended, np.concatenate((target, np.zeros(width + 1))), rcond=cut)[0]
    inverse = np.linalg.pinv(extended, rcond=cut)
    inverse = inverse @ inverse.T
    d_eff = float(np.sum(joined @ inverse * joined))
    return SlowRidge(solution[1:], float(solution[0]), means, scales, d_eff, inverse)


def example_series(kind: str, count: int, seed: int = 0) -> FloatArray:
    """Standardised series of different tempers."""
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal(count)
    time = np.arange(count)
    values = {
        "noise": noise,
        "walk": np.cumsum(noise),
        "season": np.sin(2 * np.pi * time / 24) + 0.1 * noise,
        "sine": np.sin(0.2 * time),
        "signs": rng.permutation(np.where(time % 2 == 0, 1.0, -1.0)),
        "zeros": np.where(rng.random(count) < 0.8, 0.0, noise),
        "spike": np.where(time == count - 3, 1e4, noise),
        "late": np.where(time < 0.7 * count, 0.0, noise),
    }[kind]
    return np.asarray((values - values.mean()) / values.std())


def example_rows(feature_map: FeatureMap, kind: str = "walk", count: int = 300, horizon: int = 1) -> Rows:
    """Rows of an example series."""
    return rows_of(feature_map, example_series(kind, count), horizon)
