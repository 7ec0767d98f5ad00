"""`ngrc reproduce`: the paper's tables and figures, each with its checks and a page."""

import time
from pathlib import Path

import click
from rich.table import Table

from ngrc.cli.options import HELP
from ngrc.cli.tables import console


@click.command(context_settings=HELP)
@click.argument("targets", nargs=-1, metavar="TARGET...")
@click.option("--reps", type=click.IntRange(min=2), help="Replications; the paper's number by default.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes; all processors by default. Numbers do not change.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Root of all random streams.")
@click.option("--quick", is_flag=True, help="A few replications only, to see that it works.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), default=Path("results"), show_default=True,
    help="Folder that receives one folder a target.",
)  # fmt: skip
@click.option("--list", "listing", is_flag=True, help="Name all targets and leave.")
def reproduce(
    targets: tuple[str, ...],
    reps: int | None,
    jobs: int | None,
    seed: int,
    quick: bool,
    out: Path,
    listing: bool,
) -> None:
    """Reproduce tables and figures of the paper, or `all` of them.

    Each target leaves its tables (CSV), figures (PNG, SVG), checks.json and a page in OUT/TARGET.
    """
    from ngrc.study.registry import MODULES, expand
    from ngrc.study.replicate import default_jobs
    from ngrc.study.target import Settings

    if listing:
        return _list(list(MODULES))
    if not targets:
        raise ValueError(f"name at least one target of {', '.join(MODULES)}, or all")
    names = expand(targets)
    _run(names, Settings(reps, jobs or default_jobs(), seed, quick, out))
    return None


def _list(names: list[str]) -> None:
    from ngrc.study.registry import find

    width = max(map(len, names))
    for name in names:
        click.echo(f"{name:<{width}}  {find(name).title}")


def _run(names: list[str], settings: "Settings") -> None:  # type: ignore[name-defined]  # noqa: F821
    from ngrc.plot.style import require_matplotlib
    from ngrc.study.output import write
    from ngrc.study.record import VERDICTS, tally
    from ngrc.study.registry import find

    # An hour of simulation must not end in a missing library.
    require_matplotlib()
    terminal = console()
    table = Table("target", *VERDICTS, "seconds", "page", box=None, pad_edge=False)
    for name in names:
        start = time.perf_counter()
        target = find(name)
        outcome = target.run(settings)
        page = write(target, outcome, settings.out)
        counts = tally(outcome.checks)
        seconds = f"{time.perf_counter() - start:.1f}"
        table.add_row(name, *(str(counts[verdict]) for verdict in VERDICTS), seconds, str(page))
    terminal.print(table)
