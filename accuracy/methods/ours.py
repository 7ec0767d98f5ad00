"""The automatic model of this library, with no options but the horizon."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accuracy.methods.base import FittedMethod, Forecasts, Known, Method
from ngrc._types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class FittedOurs:
    """One fitted model per horizon."""

    models: Mapping[int, Any]

    def forecast(self, known: Known, origins: IntArray) -> Mapping[int, Forecasts]:
        """Forecasts by target time, read off at the targets of the origins."""
        return {
            horizon: Forecasts(_by_target(model, known, horizon, origins)[origins + horizon])
            for horizon, model in self.models.items()
        }


def _by_target(model: Any, known: Known, horizon: int, origins: IntArray) -> FloatArray:
    # The last targets lie beyond what is known. A forecast of t is made from y[..t - H] and reads nothing at t, so
    # that any number may stand there.
    values = np.concatenate([known.values, np.full(horizon, known.values[-1])])
    times = known.times
    if times is not None:
        times = times[0] + np.arange(values.size) * (times[1] - times[0])
    return np.asarray(model.predict(values, times=times, since=int(origins[0]) + horizon))


class AutoNGRC(Method):
    """`ngrc.AutoNGRC`, walking forward as in `ngrc.backtest`: one search, its members solved again at later ends."""

    name = "AutoNGRC"

    def fits(self, past: Known, ends: Sequence[int], horizons: Sequence[int]) -> Iterator[FittedMethod]:
        """One model per horizon and end."""
        import ngrc

        walks = [ngrc.AutoNGRC(horizon=h).fits(past.values, ends, times=past.times) for h in horizons]
        for models in zip(*walks, strict=True):
            yield FittedOurs(dict(zip(horizons, models, strict=True)))
