"""The demonstration: a nonlinear Volterra system whose observation noise rises after deployment."""

from dataclasses import dataclass, replace
from pathlib import Path

from ngrc._types import FloatArray
from ngrc.backtesting import backtest
from ngrc.datasets import volterra_observations
from ngrc.files import write_text
from ngrc.intervals import (
    Adaptive,
    Asymmetric,
    Bayes,
    Gaussian,
    IntervalMethod,
    ResCP,
    Rolling,
    Split,
    Weighted,
)
from ngrc.model import NGRC
from ngrc.protocol import FixedSizes
from ngrc.results import Backtest

CHANGE = 160
"""Test step at which the noise's standard deviation rises from 0.15 to 0.35."""

LAGS, RIDGE = 20, 0.01
LOW, HIGH = 0.15, 0.35
"""Standard deviation of the noise before and after the change."""
BLOCKS = FixedSizes(fit=1600, calibration=800, test=800)

RESERVOIR = ResCP(temperature=0.1, window="fifo")
METHODS: dict[str, IntervalMethod] = {
    "bayes": Bayes(),
    "split": Split(),
    "asymmetric": Asymmetric(),
    "rolling": Rolling(window=100),
    "gaussian": Gaussian(window=100),
    "adaptive": Adaptive(rate=0.01),
    "weighted": Weighted(decay=0.98),
    "rescp": RESERVOIR,
}
"""The settings of the paper's Experiment 4, which are not tuned: a steady past cannot tell how fast to adapt."""


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
