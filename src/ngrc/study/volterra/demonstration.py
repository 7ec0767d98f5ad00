"""The demonstration: a nonlinear Volterra system whose observation noise rises after deployment."""

from dataclasses import dataclass, replace
from pathlib import Path

from ngrc._atomic import write_text
from ngrc._types import FloatArray
from ngrc.backtesting.entry import backtest
from ngrc.backtesting.results import Backtest
from ngrc.datasets import volterra_observations
from ngrc.model import NGRC
from ngrc.study.volterra.settings import BLOCKS, CHANGE, HIGH, LAGS, LOW, METHODS, RESERVOIR, RIDGE


@dataclass(frozen=True, slots=True)
class Demonstration:
    """The observed series, the backtest over it and the test step of the change."""

    values: FloatArray
    result: Backtest
    change: int = CHANGE


def demonstrate(seed: int = 0, level: float = 0.95) -> Demonstration:
    """Forecast one replication of the paper's Experiment 4 and put all eight methods around it."""
    values = volterra_observations(seed, change=CHANGE, low=LOW, high=HIGH)
    model = NGRC(LAGS, ridge=RIDGE)
    methods = METHODS | {"rescp": replace(RESERVOIR, seed=seed)}
    return Demonstration(values, backtest(values, model, level=level, methods=methods, split=BLOCKS))


def write(demonstration: Demonstration, folder: Path) -> list[Path]:
    """The table as CSV and the figure as PNG and SVG, each whole or not at all."""
    from ngrc.plot.response import response_figure
    from ngrc.plot.style import save

    folder.mkdir(parents=True, exist_ok=True)
    table = folder / "table.csv"
    write_text(table, demonstration.result.table.write_csv())
    figure = response_figure(demonstration.values, demonstration.result.runs[0], demonstration.change)
    pictures = [folder / "response.png", folder / "response.svg"]
    for picture in pictures:
        save(figure, picture)
    return [table, *pictures]
