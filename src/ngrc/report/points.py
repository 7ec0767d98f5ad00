"""The point forecasts of the test block beside those of naive forecasts."""

from dataclasses import dataclass

from ngrc.backtesting.accuracy import Accuracies, accuracies
from ngrc.backtesting.results import Backtest, Run


@dataclass(frozen=True, slots=True)
class PointRow:
    """One forecast's errors over the test block, in the series' own units.

    Parameters
    ----------
    name
        The model, or which value is repeated.
    rmse, mae
        Root mean squared and mean absolute error.
    mase
        The mean absolute error over that of repeating the last season, or the last value where there is none, in the
        fit block (Hyndman and Koehler 2006, doi 10.1016/j.ijforecast.2006.03.001); NaN where nothing moves there.
    best
        Whether it has the smallest RMSE.
    """

    name: str
    rmse: float
    mae: float
    mase: float
    best: bool


def point_rows(result: Backtest, run: Run) -> tuple[PointRow, ...]:
    """The model, the last value, and the last season's where there is a season; as `ngrc compare` has them."""
    found = accuracies(result, run)
    return tuple(
        PointRow(_name(row.name, found), row.rmse, row.mae, row.mase, row.name == found.best)
        for row in found.rows
    )


def _name(name: str, found: Accuracies) -> str:
    words = {"naive": "last value", "seasonal naive": f"seasonal naive, {found.season} steps"}
    return words.get(name, name)
