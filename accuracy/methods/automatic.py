"""statsforecast's automatic models on long series: chosen at each end, then carried forward origin by origin."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accuracy.methods.base import LEVEL, FittedMethod, Forecasts, Known, Method
from ngrc._types import IntArray

WINDOW = 1000
"""Last observations that these models see: with all of them (up to 52,560) one fit alone would take minutes."""


@dataclass(frozen=True, slots=True)
class FittedAutomatic:
    """A fitted model, applied with its parameters to the window that ends at each origin."""

    model: Any
    horizons: Sequence[int]

    def forecast(self, known: Known, origins: IntArray) -> Mapping[int, Forecasts]:
        """Paths with the model's own 90 % ends, of which the horizons are kept."""
        percent = round(100 * LEVEL)
        paths = np.empty((3, origins.size, max(self.horizons)))
        for row, origin in enumerate(origins):
            window = known.values[max(0, int(origin) + 1 - WINDOW) : int(origin) + 1]
            ahead = self.model.forward(window, h=paths.shape[2], level=[percent])
            paths[:, row] = ahead["mean"], ahead[f"lo-{percent}"], ahead[f"hi-{percent}"]
        return {horizon: Forecasts(*paths[:, :, horizon - 1]) for horizon in self.horizons}


class Automatic(Method):
    """One of the models, told the season and nothing else."""

    paths = True

    def fit(self, past: Known, horizons: Sequence[int]) -> FittedMethod:
        """Choose and fit on the last window of the past."""
        from statsforecast import models

        model = getattr(models, self.name)(season_length=past.season)
        return FittedAutomatic(model.fit(past.values[-WINDOW:]), horizons)


class AutoETS(Automatic):
    """Exponential smoothing; without a season where it is longer than 24 steps, by the package's own rule."""

    name = "AutoETS"


class AutoTheta(Automatic):
    """The theta methods."""

    name = "AutoTheta"


class MSTL(Automatic):
    """Seasonal decomposition by loess, its trend by AutoETS."""

    name = "MSTL"
