"""A slow twin of the dual readout: explicit columns, and ridge by QR of extended rows."""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import prod

import numpy as np
from scipy.linalg import solve_triangular

from ngrc._types import FloatArray
from ngrc.features import Clock, Delays, FeatureMap, Inputs, Memory, Products, Rows
from ngrc.readout.convention import Columns, Convention, Intercept
from tests.readout.twins import example_series

INTERCEPTS: tuple[Intercept, ...] = ("free", "penalised", "none")
KINDS: tuple[Columns, ...] = ("standardised", "raw")
MAPS = [
    FeatureMap((Delays(5), Products((Delays(5),)))),
    FeatureMap((Delays((1, 2, 5)), Products((Delays(3),), 3), Clock((24.0,), 1), Memory((7.0,)))),
    FeatureMap((Clock((12.0,), 2), Products((Delays(4),), 4, 3), Delays(4))),
]


def delays_of(kind: str, count: int, lags: int) -> tuple[FloatArray, FloatArray]:
    """Delay rows of an example series and the values that follow them."""
    x = example_series(kind, count + lags)
    return np.column_stack([x[lags - 1 - lag : count + lags - 1 - lag] for lag in range(lags)]), x[lags:]


def slow_products(rows: FloatArray, low: int, high: int) -> FloatArray:
    degrees = range(low, high + 1)
    lines = [
        [prod(f) for power in degrees for f in combinations_with_replacement(r, power)] for r in rows.tolist()
    ]
    return np.array(lines)


def rows_of(feature_map: FeatureMap, kind: str, count: int, horizon: int = 1) -> Rows:
    x = example_series(kind, count)
    return Rows.of(feature_map, Inputs({"x": x}), x, horizon)


@dataclass(frozen=True)
class Twin:
    """Ridge on explicit columns by a QR decomposition of rows extended by sqrt(n lambda) times the identity."""

    Z: FloatArray
    weights: FloatArray
    constant: float
    triangle: FloatArray
    share: float
    means: FloatArray
    scales: FloatArray
    target: FloatArray

    @classmethod
    def of(cls, design: FloatArray, target: FloatArray, penalty: float, convention: Convention) -> "Twin":
        count, width = design.shape
        centred = convention.intercept != "none"
        means = design.mean(axis=0) if centred else np.zeros(width)
        scales = np.sqrt(np.mean((design - means) ** 2, axis=0))
        scales = np.ones(width) if convention.columns == "raw" else scales
        Z = (design - means) / scales
        share = {"free": 1.0, "penalised": 1.0 / (1.0 + penalty), "none": 0.0}[convention.intercept]
        mean = target.mean() if centred else 0.0
        extended = np.vstack((Z, np.sqrt(count * penalty) * np.eye(width)))
        basis, triangle = np.linalg.qr(extended)
        weights = solve_triangular(triangle, basis[:count].T @ (target - mean))
        return cls(Z, weights, mean * share, triangle, share, means, scales, target)

    def predict(self, design: FloatArray) -> FloatArray:
        return np.asarray(self.constant + (design - self.means) / self.scales @ self.weights)

    def leverage(self, design: FloatArray) -> FloatArray:
        whitened = solve_triangular(self.triangle.T, ((design - self.means) / self.scales).T, lower=True)
        return np.asarray(np.sum(whitened**2, axis=0) + self.share / self.target.size)
