"""What a backtest returns: bands, runs and the table, as plain frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ngrc._frames import Frame, is_pandas
from ngrc._types import FloatArray
from ngrc.backtesting.diagnostics import Diagnostics
from ngrc.features import Scale
from ngrc.features.link import Link
from ngrc.forecasters.base import Forecaster
from ngrc.forecasters.facts import ModelFacts
from ngrc.series import Series
from ngrc.series.outward import time_column
from ngrc.series.spikes import Spikes
from ngrc.splits import Blocks
from ngrc.validation import check_level


@dataclass(frozen=True, slots=True)
class Band:
    """One method's intervals over the test block of one window, and how they scored.

    `lower` and `upper` are in the series' own units and within its bounds, one pair per test target; so are width and
    Winkler score. `seconds` is the time of the method alone: tuning, sequential updates and interval construction.
    """

    method: str
    level: float
    lower: FloatArray = field(repr=False)
    upper: FloatArray = field(repr=False)
    coverage: float
    width: float
    winkler: float
    infinite: int
    seconds: float
    selected: Mapping[str, Any]
    guarantee: str
    trace: Mapping[str, FloatArray] = field(repr=False)

    @property
    def coverage_error(self) -> float:
        """Signed coverage error in percentage points."""
        return 100.0 * (self.coverage - self.level)


@dataclass(frozen=True, slots=True)
class Run:
    """One window at one horizon: the fitted model, its forecasts and every band around them.

    `model`, with `facts`, `link` and the fit's side of `diagnostics`, is the one that issued the first test interval,
    fitted to `blocks.fitted`; where there are `refits`, fits after the first, earlier and later targets were forecast
    by earlier and later fits.

    `forecasts`, `residuals` and `leverage` are indexed by target time up to the end of the test block, NaN where there
    are none; `leverage` is None for a forecaster without one. `scale` is what standardised the series, `facts` what the
    fitted model says of itself, and `diagnostics` holds one entry per level.

    `forecasts` and `rmse` are in the series' own units. `residuals` are in those of `link`, in which interval methods
    and diagnostics work: outcome minus forecast for most models, g(outcome) - g(forecast) for a model with a transform
    g.
    """

    window: int
    blocks: Blocks
    model: Forecaster
    facts: ModelFacts
    refits: int
    link: Link
    forecasts: FloatArray = field(repr=False)
    residuals: FloatArray = field(repr=False)
    leverage: FloatArray | None = field(repr=False)
    scale: Scale
    rmse: float
    model_seconds: float
    diagnostics: Mapping[float, Diagnostics] = field(repr=False)
    bands: tuple[Band, ...] = field(repr=False)

    def band(self, method: str, level: float | None = None) -> Band:
        """The band of a method; `level` must be given where several were run."""
        nominal = None if level is None else check_level(level)
        bands = [band for band in self.bands if band.method == method and nominal in (None, band.level)]
        if len(bands) == 1:
            return bands[0]
        have = ", ".join(f"{band.method} at {band.level:g}" for band in self.bands)
        what = "several bands" if bands else "no band"
        raise ValueError(f"{what} of {method!r} at level {level}; this run holds {have}: name one of them")


@dataclass(frozen=True, slots=True)
class Backtest:
    """All runs over one series, and the isolated spikes in it on which a score may rest."""

    series: Series = field(repr=False)
    runs: tuple[Run, ...] = field(repr=False)
    spikes: Spikes = field(repr=False)
    table: Frame
    """One row per window, horizon, level and method: pandas if the series came as pandas, else polars."""

    def run(self, horizon: int | None = None, window: int = 0) -> Run:
        """The run of a horizon (the first one by default) and window."""
        for run in self.runs:
            if run.window == window and horizon in (None, run.blocks.horizon):
                return run
        available = ", ".join(f"horizon {run.blocks.horizon}, window {run.window}" for run in self.runs)
        raise ValueError(f"no run at horizon {horizon} and window {window}; this backtest holds {available}")

    def intervals(
        self, method: str, *, horizon: int | None = None, window: int = 0, level: float | None = None
    ) -> Frame:
        """One row per test target: time (where the series has times), outcome, forecast, lower and upper end."""
        run = self.run(horizon, window)
        band = run.band(method, level)
        test = run.blocks.test
        columns: dict[str, Any] = {}
        if self.series.times is not None:
            columns["time"] = time_column(self.series.times[test], self.series.style, is_pandas(self.table))
        columns |= {"y": self.series.values[test], "forecast": run.forecasts[test]}
        columns |= {"lower": band.lower, "upper": band.upper}
        # pandas for pandas: both libraries build a frame from a mapping of columns.
        return type(self.table)(columns)
