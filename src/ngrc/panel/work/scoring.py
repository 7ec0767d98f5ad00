"""A backtest of each series: one row of scores per method and level."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc._types import AnyArray
from ngrc.backtesting import Backtest, Band, Run, backtest
from ngrc.backtesting.accuracy import NAIVE, SEASONAL, accuracies
from ngrc.forecasters.base import Forecaster
from ngrc.intervals.base import IntervalMethod
from ngrc.intervals.defaults import USUAL
from ngrc.panel.layout import Layout
from ngrc.panel.one import Recorded, series_of
from ngrc.panel.task import Field
from ngrc.panel.work.forecasting import check_method, check_model
from ngrc.splits import Splitter
from ngrc.validation import check_count, check_levels

_TEXT, _WHOLE = ("method",), ("horizon", "window", "rows", "refits", "infinite", "season")
# The order for people: what the row is, the intervals, the forecast, what it must beat, and circumstances.
_ORDER = (
    "method", "level", "horizon", "window", "coverage", "coverage_error", "width", "winkler", "infinite", "rmse", "mae",
    "mase", "naive_rmse", "seasonal_rmse", "season", "rows", "refits",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scoring:
    """`backtest` on each series; parameters are those of `backtest`.

    `season` is the number of rows after which a seasonal naive forecast repeats itself; by default as `accuracies` has
    it.
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
        rows = [row for run in result.runs for row in self._rows(result, run)]
        return {name: _column(name, [row[name] for row in rows]) for name in _ORDER}

    def _rows(self, result: Backtest, run: Run) -> Iterator[dict[str, Any]]:
        found = accuracies(result, run, self.season)
        model, *naive = found.rows
        by_name = {row.name: row.rmse for row in naive}
        point = {
            "horizon": run.blocks.horizon, "window": run.window, "rows": int(np.sum(result.came(run))),
            "refits": run.refits, "season": found.season, "rmse": model.rmse, "mae": model.mae, "mase": model.mase,
            "naive_rmse": by_name[NAIVE], "seasonal_rmse": by_name.get(SEASONAL, by_name[NAIVE]),
        }  # fmt: skip
        yield from ({**point, **_interval(band)} for band in run.bands)


def _interval(band: Band) -> dict[str, Any]:
    names = ("method", "level", "coverage", "coverage_error", "width", "winkler", "infinite")
    return {name: getattr(band, name) for name in names}


def _kind(name: str) -> Any:
    return "text" if name in _TEXT else "int" if name in _WHOLE else "float"


def _column(name: str, cells: list[Any]) -> AnyArray:
    kinds: dict[str, Any] = {"text": object, "int": np.int64, "float": np.float64}
    return np.array(cells, dtype=kinds[_kind(name)])
