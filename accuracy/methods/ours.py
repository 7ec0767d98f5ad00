"""The automatic model of this library, with no options but the horizon."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accuracy.methods.base import FittedMethod, Forecasts, Known
from ngrc._types import FloatArray, IntArray


def automatic(horizon: int, size: int) -> Any:
    """The unfitted model."""
    import ngrc

    if hasattr(ngrc, "AutoNGRC"):
        return ngrc.AutoNGRC(horizon=horizon)
    from ngrc.presets import default_lags

    return ngrc.NGRC(default_lags(size), horizon=horizon)


@dataclass(frozen=True, slots=True)
class FittedOurs:
    """One fitted model per horizon."""

    models: Mapping[int, Any]

    def forecast(self, known: Known, origins: IntArray) -> Mapping[int, Forecasts]:
        """Forecasts by target time, read off at the targets of the origins."""
        return {
            horizon: Forecasts(_by_target(model, known, horizon)[origins + horizon])
            for horizon, model in self.models.items()
        }


def _by_target(model: Any, known: Known, horizon: int) -> FloatArray:
    # The last targets lie beyond what is known. A forecast of t is made from y[..t - H] and reads nothing at t, so
    # that any number may stand there.
    values = np.concatenate([known.values, np.full(horizon, known.values[-1])])
    times = known.times
    if times is not None:
        times = times[0] + np.arange(values.size) * (times[1] - times[0])
    return np.asarray(model.predict(values, times=times))


class AutoNGRC:
    """`ngrc.AutoNGRC`."""

    name, paths = "AutoNGRC", False

    def fit(self, past: Known, horizons: Sequence[int]) -> FittedMethod:
        """One model per horizon, with its whole search."""
        size = past.values.size
        return FittedOurs({h: automatic(h, size).fit(past.values, times=past.times) for h in horizons})
