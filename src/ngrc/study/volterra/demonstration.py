"""The demonstration: a nonlinear Volterra system whose observation noise rises after deployment."""

from dataclasses import dataclass, replace
from pathlib import Path

from ngrc._atomic import check_folder, write_bytes
from ngrc._types import FloatArray
from ngrc.backtesting.entry import backtest
from ngrc.backtesting.results import Backtest
from ngrc.datasets import volterra_observations
from ngrc.intervals import Auto
from ngrc.intervals.base import IntervalMethod
from ngrc.model import NGRC
from ngrc.study.harness.marker import MARKER, check_ours, marker, owned
from ngrc.study.volterra.settings import BLOCKS, CHANGE, HIGH, LAGS, LOW, METHODS, RESERVOIR, RIDGE

TABLE, FIGURE, PAGE = "table.csv", "response", "report.html"
FILES = (TABLE, f"{FIGURE}.png", f"{FIGURE}.svg")
"""What every demonstration leaves; `PAGE` comes beside them where it can be drawn."""


@dataclass(frozen=True, slots=True)
class Demonstration:
    """The observed series, the backtest over it and the test step of the change."""

    values: FloatArray
    result: Backtest
    change: int = CHANGE


def demonstrate(seed: int = 0, level: float = 0.95) -> Demonstration:
    """Forecast one replication of the paper's Experiment 4 and put the paper's eight methods and `auto` around it."""
    values = volterra_observations(seed, change=CHANGE, low=LOW, high=HIGH)
    model = NGRC(LAGS, ridge=RIDGE)
    return Demonstration(values, backtest(values, model, level=level, methods=methods(seed), split=BLOCKS))


def methods(seed: int) -> dict[str, IntervalMethod]:
    """The paper's eight and `auto`, by name."""
    return METHODS | {"rescp": replace(RESERVOIR, seed=seed), "auto": Auto()}


def check_out(folder: Path) -> None:
    """Refuse, before any work is done, a folder that cannot be written or where a user's files bear our names."""
    check_folder(folder)
    check_ours(folder, (*FILES, PAGE))


def write(demonstration: Demonstration, folder: Path, page: str | None = None) -> list[Path]:
    """The table as CSV, the figure as PNG and SVG, and the page where there is one.

    Each is written whole or not at all, with the marker that they are ours.
    """
    from ngrc.plot.style import encode
    from ngrc.study.volterra.response import response_figure

    figure = response_figure(demonstration.values, demonstration.result.runs[0], demonstration.change)
    files = {TABLE: demonstration.result.table.write_csv().encode()}
    files |= {f"{FIGURE}.{kind}": encode(figure, kind) for kind in ("png", "svg")}
    files |= {} if page is None else {PAGE: page.encode()}
    check_out(folder)
    folder.mkdir(parents=True, exist_ok=True)
    # The marker comes first and knows the old files too: after a kill in between, all that is there is still ours.
    write_bytes(folder / MARKER, marker(files, owned(folder)), follow=False)
    for name, content in files.items():
        write_bytes(folder / name, content, follow=False)
    # Now the old hashes can go; other files that we wrote into this folder keep theirs.
    others = {name: hashes for name, hashes in owned(folder).items() if name not in files}
    write_bytes(folder / MARKER, marker(files, others), follow=False)
    return [folder / name for name in files]
