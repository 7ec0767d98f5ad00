"""What the compiled forecasts of delays and their products read: `packed_forecast` makes all of them in one call.

    forecast_h = mean + std (c_h + b_h'z + z'Q_h z),    z_j = (x[t - js] - mean) / std, clipped where the fit says so

in the link's units; with a difference as the target the base takes the place of the mean.
"""

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.inputs import SERIES
from ngrc.fitted import Fitted
from ngrc.readout.fitted import Readout
from ngrc.readout.tasks import TaskReadout


def packed(fitted: Fitted) -> FloatArray | None:
    """All that the kernel reads of a fit, in one array; None where its map or its readouts are others."""
    core = fitted.feature_map.core
    if core is None or core.channel != SERIES or fitted.vector or fitted.feature_map.thin:
        return None
    if not all(isinstance(readout, Readout | TaskReadout) for readout in fitted.readouts):
        return None
    column = fitted.preparation.series[SERIES]
    shape = len(fitted.horizons), core.lags, core.spacing, core.product_lags
    # Steps, lags, spacing, delays that are multiplied, mean, std, low, high; then the numbers of every step.
    parts = [np.array([*shape, *column.scale, column.low, column.high])]
    for horizon, readout in zip(fitted.horizons, fitted.readouts, strict=True):
        base = fitted.goal.parts(horizon)
        # Places of the base are counted from the origin, as those of the delays are.
        pairs = [number for weight, back in base for number in (weight, back - horizon)]
        rest = 1.0 - sum(weight for weight, _ in base)
        parts.append(np.array([len(base), rest, *pairs, readout.intercept]))
        parts.append(np.asarray(readout.coefficients, dtype=np.float64))
    return np.concatenate(parts)
