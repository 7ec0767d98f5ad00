"""`ngrc demo`: the main job on data made on the spot."""

import shlex
from dataclasses import replace
from pathlib import Path

import click

from ngrc.cli.options import HELP
from ngrc.cli.source import say
from ngrc.cli.tables import console, method_table
from ngrc.plot.style import require_matplotlib
from ngrc.report.entry import report_on
from ngrc.study.volterra.demonstration import Demonstration, check_out, demonstrate, methods, write
from ngrc.study.volterra.settings import BLOCKS, CHANGE, HIGH, LAGS, LOW
from ngrc.web.assets import plotly_script


@click.command(context_settings=HELP)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo"),
    show_default=True,
    help="Folder that receives the table, the figure and the page.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the noise and of ResCP."
)
def demo(out: Path, seed: int) -> None:
    """Forecast a system with memory whose noise rises at test step 160: the paper's eight methods and auto."""
    # The figure comes last: what it lacks is said first.
    require_matplotlib()
    check_out(out)
    terminal = console()
    terminal.print(
        f"A Volterra system with memory, observed with noise {LOW} that rises to {HIGH} at test step {CHANGE}.\n"
        f"NGRC with {LAGS} lags is fitted once on {BLOCKS.fit:,} rows; only the intervals may adapt."
    )
    demonstration = demonstrate(seed)
    run = demonstration.result.runs[0]
    title = f"{BLOCKS.test} test steps at {100 * run.bands[0].level:g} %, RMSE {run.rmse:.3f}"
    terminal.print(method_table(run, run.bands[0].level, title))
    for path in write(demonstration, out, _page(demonstration, out, seed)):
        terminal.print(f"wrote {path}")


def _page(demonstration: Demonstration, out: Path, seed: int) -> str | None:
    """The page of the demonstration; None, and one line that says so, where Plotly is not installed."""
    command = shlex.join(["ngrc", "demo", "--out", str(out), "--seed", str(seed)])
    why = "the demonstration ends where its data end"
    try:
        plotly_script()
    except ImportError as lacking:
        say([f"no page: {lacking}"])
        return None
    named = replace(demonstration.result.series, name="Volterra system")
    result = replace(demonstration.result, series=named)
    return report_on(result, methods=methods(seed), why=why, command=command).html
