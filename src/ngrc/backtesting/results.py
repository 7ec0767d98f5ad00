"""What a backtest returns: bands, runs and the table, as plain frozen values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ngrc._frames import Frame, is_pandas, nullable
from ngrc._types import BoolArray, FloatArray
from ngrc.backtesting.diagnostics import Diagnostics
from ngrc.backtesting.drawing import LAST, Kind, draw
from ngrc.backtesting.words import words
from ngrc.features import Scale
from ngrc.features.bounds import Bounds
from ngrc.features.link import Link
from ngrc.forecasters.base import Forecaster
from ngrc.forecasters.facts import ModelFacts
from ngrc.intervals.distribution import Distribution
from ngrc.series import Series
from ngrc.series.outward import time_column
from ngrc.series.spikes import Spikes
from ngrc.splits import Blocks
from ngrc.validation import check_level


@dataclass(frozen=True, slots=True)
class Band:
    """One method's intervals over the test block of one window, and how they scored.

    `lower` and `upper` are in the series' own units and within its bounds, one pair per test target; so are width and
    Winkler score. `seconds` is the time of the method alone: tuning, sequential updates and interval construction; of
    a method that serves all levels in one pass, this level's even share. `bounds` are those that the series was found
    to obey when the first interval was issued, to which the ends are cut until an outcome crosses one.
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
    bounds: Bounds = Bounds()  # noqa: RUF009 (frozen)

    @property
    def pinball(self) -> float:
        """Mean pinball loss of both ends: (1 - level) / 4 times the Winkler score."""
        return (1.0 - self.level) / 4.0 * self.winkler

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

    def distribution(self, method: str) -> Distribution:
        """The ends of a method at all levels as quantiles of the test outcomes."""
        bands = [band for band in self.bands if band.method == method]
        if not bands:
            have = ", ".join(dict.fromkeys(band.method for band in self.bands))
            raise ValueError(f"no band of {method!r}; this run holds {have}: name one of them")
        ends = [band.lower for band in bands], [band.upper for band in bands]
        return Distribution.of([band.level for band in bands], *ends)


@dataclass(frozen=True, slots=True)
class Backtest:
    """All runs over one series, and the isolated spikes in it on which a score may rest."""

    series: Series = field(repr=False)
    runs: tuple[Run, ...] = field(repr=False)
    spikes: Spikes = field(repr=False)
    table: Frame
    """One row per window, horizon, level and method: pandas if the series came as pandas, else polars."""

    def __repr__(self) -> str:
        return words(self)

    def plot(
        self,
        kind: Kind = "band",
        *,
        method: str | None = None,
        horizon: int | None = None,
        window: int = 0,
        level: float | None = None,
        last: int | None = LAST,
        ax: Any = None,
    ) -> Any:
        """Draw one run with matplotlib and return the axes.

        Parameters
        ----------
        kind
            "band": forecasts, intervals and outcomes; "coverage": trailing coverage of every method; "calibration":
            empirical against nominal coverage of every method; "efficiency": coverage error against the Winkler score.
        method
            Whose band; that with the smallest Winkler score where None.
        horizon, window
            Which run, as in `run`.
        level
            Which level: of a band all where None, of coverage and efficiency the highest.
        last
            How many of the last test targets a band shows; None: all.
        ax
            Axes to draw into; new ones where None.

        Examples
        --------
        >>> import numpy as np
        >>> from ngrc import NGRC, backtest
        >>> wave = np.sin(np.arange(300) / 5) + np.random.default_rng(0).normal(0, 0.1, 300)
        >>> result = backtest(wave, NGRC(lags=4), methods=("split", "adaptive"))
        >>> result.plot("efficiency").get_ylabel()
        'Winkler score'
        """
        return draw(self, kind, method=method, horizon=horizon, window=window, level=level, last=last, ax=ax)

    def run(self, horizon: int | None = None, window: int = 0) -> Run:
        """The run of a horizon (the first one by default) and window."""
        for run in self.runs:
            if run.window == window and horizon in (None, run.blocks.horizon):
                return run
        available = ", ".join(f"horizon {run.blocks.horizon}, window {run.window}" for run in self.runs)
        raise ValueError(f"no run at horizon {horizon} and window {window}; this backtest holds {available}")

    def came(self, run: Run) -> BoolArray:
        """Which test targets of a run have an outcome: those that were carried forward over a gap have none."""
        missing = self.series.missing
        if missing is None:
            return np.ones(run.blocks.test_rows, dtype=np.bool_)
        came: BoolArray = ~missing[run.blocks.test]
        return came

    def pinball(self) -> Frame:
        """One row per window, horizon, method and end of a level: its `probability` and the mean `pinball` loss."""
        rows = [
            {**place, "probability": probability, "pinball": loss}
            for place, law, outcomes in self._distributions()
            for probability, loss in zip(law.probabilities, law.pinball(outcomes), strict=True)
        ]
        return self._frame(rows)

    def crps(self) -> Frame:
        """One row per window, horizon and method: the CRPS approximated from both ends of the levels that were run.

        A sum over their probabilities (`metrics.crps`), to be compared between methods at the same levels only: a few
        levels give less than the score of the whole law, 0.5, 0.8, 0.9 and 0.95 nine tenths of a Gaussian's.
        """
        return self._frame(
            [
                {**place, "levels": len(law.probabilities) // 2, "crps": law.crps(outcomes)}
                for place, law, outcomes in self._distributions()
            ]
        )

    def _distributions(self) -> Iterator[tuple[dict[str, Any], Distribution, FloatArray]]:
        for run in self.runs:
            for method in dict.fromkeys(band.method for band in run.bands):
                place = {"window": run.window, "horizon": run.blocks.horizon, "method": method}
                law, came = run.distribution(method), self.came(run)
                outcomes = self.series.values[run.blocks.test][came]
                yield place, replace(law, values=law.values[came]), outcomes

    def _frame(self, rows: list[dict[str, Any]]) -> Frame:
        """Rows as a frame of the table's library."""
        return type(self.table)({name: [row[name] for row in rows] for name in rows[0]})

    def intervals(
        self, method: str, *, horizon: int | None = None, window: int = 0, level: float | None = None
    ) -> Frame:
        """One row per test target: time (where the series has times), outcome, forecast, lower and upper end.

        An outcome that never came is missing.
        """
        run = self.run(horizon, window)
        band = run.band(method, level)
        test = run.blocks.test
        columns: dict[str, Any] = {}
        if self.series.times is not None:
            columns["time"] = time_column(self.series.times[test], self.series.style, is_pandas(self.table))
        outcomes = np.where(self.came(run), self.series.values[test], np.nan)
        y = outcomes if is_pandas(self.table) else nullable(outcomes)
        # A bound that the series was found to obey holds for the forecast as for the ends.
        columns |= {"y": y, "forecast": np.clip(run.forecasts[test], band.lower, band.upper)}
        columns |= {"lower": band.lower, "upper": band.upper}
        # pandas for pandas: both libraries build a frame from a mapping of columns.
        return type(self.table)(columns)
