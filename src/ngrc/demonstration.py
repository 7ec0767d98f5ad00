"""The demonstration: a nonlinear Volterra system whose observation noise rises after deployment."""

from dataclasses import dataclass
from pathlib import Path

from ngrc._types import FloatArray
from ngrc.backtesting import backtest
from ngrc.datasets.systems import volterra_observations
from ngrc.model import NGRC
from ngrc.protocol import FixedSizes
from ngrc.results import Backtest

CHANGE = 160
"""Test step at which the noise's standard deviation rises from 0.15 to 0.35."""

BLOCKS = FixedSizes(fit=1600, calibration=800, test=800)


@dataclass(frozen=True, slots=True)
class Demonstration:
    """The observed series, the backtest over it and the test step of the change."""

    values: FloatArray
    result: Backtest
    change: int = CHANGE


def demonstrate(seed: int = 0, level: float = 0.95) -> Demonstration:
    """Forecast one replication of the paper's Experiment 4 and put all eight methods around it."""
    values = volterra_observations(seed, change=CHANGE)
    model = NGRC(20, ridge=0.01)
    return Demonstration(values, backtest(values, model, level=level, split=BLOCKS, seed=seed))


def write(demonstration: Demonstration, folder: Path) -> list[Path]:
    """The table as CSV and the figure as PNG and SVG, each whole or not at all."""
    from ngrc.files import write_text
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
