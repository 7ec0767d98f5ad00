"""A backtest of each series: one row of scores per method and level."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.auto.periods import spacing_periods
from ngrc.backtesting import Band, Run, backtest
from ngrc.forecasters.base import Forecaster
from ngrc.forecasters.naive import SeasonalNaive
from ngrc.intervals.base import IntervalMethod
from ngrc.intervals.defaults import USUAL
from ngrc.metrics import rmse
from ngrc.panel.layout import Layout
from ngrc.panel.one import Recorded, series_of
from ngrc.panel.task import Field
from ngrc.panel.work.forecasting import check_method, check_model
from ngrc.series import Series
from ngrc.splits import Splitter
from ngrc.validation import check_count, check_levels

_TEXT, _WHOLE = ("method",), ("horizon", "window", "rows", "refits", "infinite", "season")
# The order for people: what the row is, the intervals, the forecast, what it must beat, and circumstances.
_ORDER = (
    "method", "level", "horizon", "window", "coverage", "coverage_error", "width", "winkler", "infinite", "rmse", "mae",
    "mase", "naive_rmse", "seasonal_rmse", "season", "rows", "refits",
)  # fmt: skip
# Seasons of which so many are known when the first forecast is made are compared with.
_CYCLES = 2


@dataclass(frozen=True, slots=True)
class Scoring:
    """`backtest` on each series; parameters are those of `backtest`.

    `season` is the number of rows after which a seasonal naive forecast repeats itself: by default what the times
    suggest (24 of hours, 7 of days, 12 of months), and 1 where they suggest nothing.
    """

    horizon: tuple[int, ...] | None = None
    level: tuple[float, ...] = (0.95,)
    model: Forecaster | None = None
    methods: tuple[str | IntervalMethod, ...] = (USUAL,)
    split: Splitter | None = None
    refit_every: int | None = None
    window: int | None = None
    season: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for horizon in self.horizon or ():
            check_count(horizon, "horizon")
        # The only way to set a field of a frozen dataclass: per cent and lists come in.
        object.__setattr__(self, "level", check_levels(self.level))
        if not self.methods:
            raise ValueError(
                "at least one interval method is expected, got none; leave methods out for 'auto'"
            )
        for method in self.methods:
            check_method(method, self.seed)
        if self.season is not None:
            check_count(self.season, "season")
        check_model(self.model)

    def fields(self, layout: Layout) -> tuple[Field, ...]:
        """Scores, the same for every series."""
        return tuple(Field(name, _kind(name)) for name in _ORDER)

    def answer(self, record: Recorded, layout: Layout) -> Mapping[str, AnyArray]:
        """One row per window, horizon, level and method."""
        series, channels = series_of(record, layout)
        result = backtest(
            series, self.model, exog=channels, known=layout.known, horizon=self.horizon, level=self.level,
            methods=self.methods, split=self.split, refit_every=self.refit_every, window=self.window, seed=self.seed,
        )  # fmt: skip
        rows = [row for run in result.runs for row in self._rows(series, run)]
        return {name: _column(name, [row[name] for row in rows]) for name in _ORDER}

    def _rows(self, series: Series, run: Run) -> Iterator[dict[str, Any]]:
        horizon, test, outcomes = run.blocks.horizon, run.blocks.test, series.values
        first_origin = test.start - horizon + 1
        season = self.season or usual_season(series.times, first_origin)
        # What was carried forward is no outcome, and is not scored.
        known = slice(None) if series.missing is None else ~series.missing[test]
        said, came = run.forecasts[test][known], outcomes[test][known]
        naive, seasonal = (
            SeasonalNaive(period, horizon=horizon).predict(outcomes)[test][known] for period in (1, season)
        )
        mae = float(np.mean(np.abs(came - said))) if came.size else float("nan")
        point = {
            "horizon": horizon, "window": run.window, "rows": said.size, "refits": run.refits, "season": season,
            "rmse": _rmse(came, said), "mae": mae, "mase": mae / naive_error(outcomes[:first_origin], season),
            "naive_rmse": _rmse(came, naive), "seasonal_rmse": _rmse(came, seasonal),
        }  # fmt: skip
        yield from ({**point, **_interval(band)} for band in run.bands)


def usual_season(times: AnyArray | None, known: int) -> int:
    """Rows of the shortest cycle that times suggest and that passes twice in the first `known` rows; else 1.

    Examples
    --------
    >>> usual_season(np.arange("2024-01", "2027-01", dtype="M8[M]"), 30)
    12
    """
    cycles = (period.steps for period in spacing_periods(times))
    whole = (int(steps) for steps in cycles if steps == int(steps) and known >= _CYCLES * steps)
    return next(whole, 1)


def naive_error(known: FloatArray, season: int) -> float:
    """Mean absolute error of repeating the last season, over what was known; NaN where it never erred or never ran.

    What MASE divides by (Hyndman and Koehler 2006, doi:10.1016/j.ijforecast.2006.03.001).
    """
    errors = np.abs(known[season:] - known[:-season])
    scale = float(errors.mean()) if errors.size else 0.0
    return scale if scale > 0 else float("nan")


def _rmse(outcomes: FloatArray, forecasts: FloatArray) -> float:
    """NaN where no outcome is known, or a season is longer than what comes before the first target."""
    return rmse(outcomes, forecasts) if outcomes.size and not np.any(np.isnan(forecasts)) else float("nan")


def _interval(band: Band) -> dict[str, Any]:
    names = ("method", "level", "coverage", "coverage_error", "width", "winkler", "infinite")
    return {name: getattr(band, name) for name in names}


def _kind(name: str) -> Any:
    return "text" if name in _TEXT else "int" if name in _WHOLE else "float"


def _column(name: str, cells: list[Any]) -> AnyArray:
    kinds: dict[str, Any] = {"text": object, "int": np.int64, "float": np.float64}
    return np.array(cells, dtype=kinds[_kind(name)])
