"""The point forecast beside what costs nothing: the last value, and that of the last season."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from ngrc._types import AnyArray, FloatArray
from ngrc.backtesting.results import Backtest, Run
from ngrc.forecasters.naive import SeasonalNaive
from ngrc.metrics import mae, mase, naive_scale, rmse
from ngrc.origins import clock_periods
from ngrc.splits import Blocks

NAIVE, SEASONAL = "naive", "seasonal naive"


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Test errors of one point forecast; NaN where an error does not exist."""

    name: str
    rmse: float
    mae: float
    mase: float


@dataclass(frozen=True, slots=True)
class Accuracies:
    """The model's row first, then those of the naive forecasts.

    Parameters
    ----------
    rows
        One per forecast.
    season
        Steps between a value and that which the seasonal naive forecast repeats; 1 where no season was found.
    scale
        What MASE divides by: the mean absolute change over the season in the fit block.
    """

    rows: tuple[Accuracy, ...]
    season: int
    scale: float

    @property
    def best(self) -> str:
        """The name of the row with the smallest RMSE; the first of equals, so that the model wins a tie."""
        return min(self.rows, key=lambda row: row.rmse).name

    def plain(self) -> dict[str, Any]:
        """Ready for JSON."""
        rows = [
            {name: value if isinstance(value, str) else _known(value) for name, value in asdict(row).items()}
            for row in self.rows
        ]
        return {"season": self.season, "scale": _known(self.scale), "best": self.best, "rows": rows}


def accuracies(result: Backtest, run: Run, season: int | None = None) -> Accuracies:
    """Test errors of a run's forecasts, of the last known value and of the last season's.

    The season, where none is given, is one of the model's own periods or, where it has none, of those found by times
    and values, all from the fit block: the one whose seasonal naive forecast errs least there.
    """
    values, times, blocks = result.series.values, result.series.times, run.blocks
    season = chosen_season(values, times, blocks, _periods(run)) if season is None else season
    scale = naive_scale(values[: blocks.fit.stop], season)
    said = {type(run.model).__name__: run.forecasts[blocks.test], NAIVE: naive_forecasts(values, blocks)}
    if season > 1:
        forecasts = SeasonalNaive(season, horizon=blocks.horizon).predict(values[: blocks.test.stop])
        said[SEASONAL] = forecasts[blocks.test]
    # An outcome that was carried forward is nothing to score by.
    came = result.came(run)
    outcomes = values[blocks.test][came]
    rows = (
        Accuracy(name, rmse(outcomes, one[came]), mae(outcomes, one[came]), mase(outcomes, one[came], scale))
        for name, one in said.items()
    )
    return Accuracies(tuple(rows), season, scale)


def naive_forecasts(values: FloatArray, blocks: Blocks) -> FloatArray:
    """The last value known when each test forecast was made."""
    # The forecast of target t is made at t - H: that is the newest value it could repeat.
    test, horizon = blocks.test, blocks.horizon
    return values[test.start - horizon : test.stop - horizon]


def chosen_season(
    values: FloatArray, times: AnyArray | None, blocks: Blocks, periods: Iterable[float] = ()
) -> int:
    """Steps of the season that the seasonal naive forecast repeats best over the fit block; 1 where there is none."""
    fitted = values[: blocks.fit.stop]
    given = tuple(periods) or clock_periods(fitted, None if times is None else times[: blocks.fit.stop])
    # Of each as many whole seasons back as lie behind the horizon, twice of which the block holds: of one nothing
    # repeats.
    reach = {
        round(period): round(period) * -(-blocks.horizon // round(period)) for period in given if period >= 2
    }
    errors = {season: naive_scale(fitted, back) for season, back in reach.items() if 2 * back <= fitted.size}
    return min(errors, key=lambda season: (errors[season], season), default=1)


def _periods(run: Run) -> tuple[float, ...]:
    """Periods that the model was given; none where it found them itself."""
    told = run.model.get_params(deep=False).get("periods")
    return tuple(told) if isinstance(told, Sequence) and not isinstance(told, str) else ()


def _known(value: float) -> float | None:
    return value if isfinite(value) else None
