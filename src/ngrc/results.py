"""What a backtest returns: bands, runs and the table, as plain frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ngrc._types import FloatArray
from ngrc.diagnostics import Diagnostics
from ngrc.forecasters.base import Forecaster
from ngrc.protocol import Split
from ngrc.series import Series
from ngrc.spikes import Spikes
from ngrc.tables import Frame


@dataclass(frozen=True, slots=True)
class Band:
    """One method's intervals over the test block of one window, and how they scored.

    `lower` and `upper` are in the series' own units, one pair a test target. `seconds` is the time of the
    method alone: tuning, sequential updates and interval construction.
    """

    method: str
    level: float
    lower: FloatArray
    upper: FloatArray
    coverage: float
    width: float
    winkler: float
    infinite: int
    seconds: float
    selected: Mapping[str, Any]
    guarantee: str
    trace: Mapping[str, FloatArray]

    @property
    def coverage_error(self) -> float:
        """Signed coverage error in percentage points."""
        return 100.0 * (self.coverage - self.level)


@dataclass(frozen=True, slots=True)
class Run:
    """One window at one horizon: the fitted model, its forecasts and every band around them.

    `forecasts` and `residuals` are indexed by target time over the whole series, NaN where there are none.
    `diagnostics` holds one entry a level.
    """

    window: int
    split: Split
    model: Forecaster
    forecasts: FloatArray
    residuals: FloatArray
    scale: tuple[float, float]
    rmse: float
    model_seconds: float
    diagnostics: Mapping[float, Diagnostics]
    bands: tuple[Band, ...]

    def band(self, method: str, level: float | None = None) -> Band:
        """The band of a method (and level, where several were run)."""
        for band in self.bands:
            if band.method == method and level in (None, band.level):
                return band
        have = ", ".join(f"{band.method} at {band.level:g}" for band in self.bands)
        raise ValueError(f"no band of {method!r} at level {level}; this run holds {have}")


@dataclass(frozen=True, slots=True)
class Backtest:
    """All runs over one series, and the isolated spikes in it on which a score may rest."""

    series: Series
    runs: tuple[Run, ...]
    spikes: Spikes
    table: Frame
    """One row a window, horizon, level and method: pandas if the series came as pandas, else polars."""

    def run(self, horizon: int | None = None, window: int = 0) -> Run:
        """The run of a horizon (the first one by default) and window."""
        for run in self.runs:
            if run.window == window and horizon in (None, run.split.horizon):
                return run
        raise ValueError(f"no run at horizon {horizon} and window {window}")
