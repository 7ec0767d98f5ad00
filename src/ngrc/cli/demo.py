"""`ngrc demo`: the main job on data made on the spot."""

import json
import shlex
from dataclasses import replace
from pathlib import Path

import click

from ngrc._text import percent
from ngrc.backtesting.summary import summary
from ngrc.cli.finished import Finished
from ngrc.cli.grammar import Count, command
from ngrc.cli.options import json_option
from ngrc.cli.progress import watched
from ngrc.cli.source import say
from ngrc.cli.tables import choice_lines, console, method_table, paragraph
from ngrc.plot.style import require_matplotlib
from ngrc.report.entry import report_on
from ngrc.study.volterra.demonstration import Demonstration, check_out, demonstrate, methods, write
from ngrc.study.volterra.settings import BLOCKS, CHANGE, HIGH, LAGS, LOW
from ngrc.web.assets import plotly_script


@command("ngrc demo", "ngrc demo --out tour --seed 2", "ngrc demo --json")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo"),
    show_default=True,
    help="Folder that receives the table, the figure and the page.",
)
@click.option("--seed", type=Count(0), default=0, show_default=True, help="Seed of the noise and of ResCP.")
@json_option
def demo(out: Path, seed: int, as_json: bool) -> None:
    """Forecast a system with memory whose noise rises at test step 160: the paper's eight methods and auto."""
    # The figure comes last: what it lacks is said first.
    require_matplotlib()
    check_out(out)
    terminal = console()
    if not as_json:
        paragraph(
            terminal,
            f"A Volterra system with memory, observed with noise {LOW} that rises to {HIGH} at test step {CHANGE}.",
        )
        paragraph(
            terminal,
            f"NGRC with {LAGS} lags is fitted once on {BLOCKS.fit:,} rows; only the intervals may adapt.",
        )
    finished = Finished()
    with watched(finished.hear, finished.table):
        demonstration = demonstrate(seed)
    run = demonstration.result.runs[0]
    level = run.bands[0].level
    files = write(demonstration, out, _page(demonstration, out, seed))
    if as_json:
        report = summary(demonstration.result, level) | {"files": [str(path) for path in files]}
        click.echo(json.dumps(report, allow_nan=False))
        return
    title = f"{BLOCKS.test} test steps at {percent(level)} %, RMSE {run.rmse:.3f}"
    terminal.print(method_table(run, level, title, terminal.width))
    for line in choice_lines(run.bands, terminal.width):
        paragraph(terminal, line)
    for path in files:
        click.echo(f"wrote {path}")


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
