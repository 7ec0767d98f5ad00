"""The point forecasts of the test block beside those of naive forecasts."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.backtesting.results import Run
from ngrc.forecasters.naive import SeasonalNaive
from ngrc.metrics import rmse


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
        The mean absolute error over that of repeating the last value, one step ahead, before the test block (Hyndman
        and Koehler 2006, doi 10.1016/j.ijforecast.2006.03.001); NaN where the series never moves there.
    best
        Whether it has the smallest RMSE.
    """

    name: str
    rmse: float
    mae: float
    mase: float
    best: bool


def point_rows(values: FloatArray, run: Run, periods: Iterable[float]) -> tuple[PointRow, ...]:
    """The model, the last value and the last value of every season; a season that begins too late is left out."""
    test, horizon = run.blocks.test, run.blocks.horizon
    outcomes = values[test]
    # Everything that is known when the first test forecast is made.
    known = values[: test.start - horizon + 1]
    unit = float(np.mean(np.abs(np.diff(known)))) if known.size > 1 else float("nan")
    forecasts = {type(run.model).__name__: run.forecasts[test]}
    for period in dict.fromkeys([1, *(round(period) for period in periods if round(period) > 1)]):
        repeated = SeasonalNaive(period, horizon=horizon).predict(values[: test.stop])[test]
        name = "last value" if period == 1 else f"seasonal naive, {period} steps"
        if np.all(np.isfinite(repeated)):
            forecasts[name] = repeated
    errors = {name: rmse(outcomes, said) for name, said in forecasts.items()}
    least = min(errors.values())
    return tuple(
        PointRow(
            name,
            errors[name],
            mae := float(np.mean(np.abs(outcomes - said))),
            mae / unit if unit > 0.0 else float("nan"),
            errors[name] == least,
        )
        for name, said in forecasts.items()
    )
