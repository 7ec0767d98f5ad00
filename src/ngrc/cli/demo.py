"""`ngrc demo`: the main job on data made on the spot."""

from pathlib import Path

import click

from ngrc.cli.options import HELP
from ngrc.cli.tables import console, method_table
from ngrc.demonstration import CHANGE, demonstrate, write


@click.command(context_settings=HELP)
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), default=Path("demo"), show_default=True
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the noise and of ResCP.")
def demo(out: Path, seed: int) -> None:
    """Forecast a nonlinear system with memory whose noise rises at test step 160, with all eight methods."""
    terminal = console()
    terminal.print(
        f"A Volterra system with memory, observed with noise 0.15 that rises to 0.35 at test step {CHANGE}.\n"
        "NGRC with 20 lags (231 features) is fitted once on 1,600 rows; only the intervals may adapt."
    )
    shown = demonstrate(seed)
    run = shown.result.runs[0]
    terminal.print(method_table(run, run.bands[0].level, f"800 test steps at 95 %, RMSE {run.rmse:.3f}"))
    for path in write(shown, out):
        terminal.print(f"wrote {path}")
