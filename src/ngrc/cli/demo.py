"""`ngrc demo`: the main job on data made on the spot."""

from pathlib import Path

import click

from ngrc.cli.options import HELP
from ngrc.cli.tables import console, method_table
from ngrc.plot.style import require_matplotlib
from ngrc.study.volterra.demonstration import check_out, demonstrate, write
from ngrc.study.volterra.settings import BLOCKS, CHANGE, HIGH, LAGS, LOW


@click.command(context_settings=HELP)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo"),
    show_default=True,
    help="Folder that receives the table and the figure.",
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
    for path in write(demonstration, out):
        terminal.print(f"wrote {path}")
