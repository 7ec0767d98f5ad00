"""The forecasts of delays and their products in one compiled call.

    forecast_h = mean + std (c_h + b_h'z + z'Q_h z),    z_j = (x[t - js] - mean) / std, clipped where the fit says so

in the link's units; with a difference as the target the base takes the place of the mean.
"""

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray
from ngrc.features.inputs import SERIES
from ngrc.fitted import Fitted
from ngrc.readout.fitted import Readout
from ngrc.readout.tasks import TaskReadout

HEAD = 8
"""Numbers before those of the steps: steps, lags, spacing, delays that are multiplied, mean, std, low, high."""


def packed(fitted: Fitted) -> FloatArray | None:
    """All that the kernel reads of a fit, in one array; None where its map or its readouts are others."""
    core = fitted.feature_map.core
    if core is None or core.channel != SERIES or fitted.vector or fitted.feature_map.thin:
        return None
    if not all(isinstance(readout, Readout | TaskReadout) for readout in fitted.readouts):
        return None
    column = fitted.preparation.series[SERIES]
    shape = len(fitted.horizons), core.lags, core.spacing, core.product_lags
    parts = [np.array([*shape, *column.scale, column.low, column.high])]
    for horizon, readout in zip(fitted.horizons, fitted.readouts, strict=True):
        base = fitted.goal.parts(horizon)
        # Places of the base are counted from the origin, as those of the delays are.
        pairs = [number for weight, back in base for number in (weight, back - horizon)]
        rest = 1.0 - sum(weight for weight, _ in base)
        parts.append(np.array([len(base), rest, *pairs, readout.intercept]))
        parts.append(np.asarray(readout.coefficients, dtype=np.float64))
    return np.concatenate(parts)


@jit
def forecast_packed(values: FloatArray, size: int, numbers: FloatArray, said: FloatArray) -> bool:
    """Write the forecasts of all H steps after values[size - 1] into `said`, shape (H,); whether all are finite."""
    lags, spacing, many = int(numbers[1]), int(numbers[2]), int(numbers[3])
    mean, std, low, high = numbers[4], numbers[5], numbers[6], numbers[7]
    delays = np.empty(lags)
    for lag in range(lags):
        delays[lag] = min(max((values[size - 1 - lag * spacing] - mean) / std, low), high)
    place, finite = HEAD, True
    for step in range(said.size):
        bases, base = int(numbers[place]), numbers[place + 1] * mean
        place += 2
        for _ in range(bases):
            base += numbers[place] * values[size - 1 - int(numbers[place + 1])]
            place += 2
        total = numbers[place]
        linear = place + 1
        place = linear + lags
        for lag in range(lags):
            inner = numbers[linear + lag]
            if lag < many:
                # Row by row above the diagonal, which is the order of the columns.
                for other in range(lag, many):
                    inner += numbers[place] * delays[other]
                    place += 1
            total += inner * delays[lag]
        said[step] = base + std * total
        finite = finite and np.isfinite(said[step])
    return finite
