"""`ngrc reproduce`: the paper's tables and figures, each with its checks and a page."""

import time
from collections.abc import Sequence
from pathlib import Path

import click

from ngrc.cli.options import HELP
from ngrc.plot.style import require_matplotlib
from ngrc.study.harness.output import check_out, write
from ngrc.study.harness.record import EXPECTED, Check
from ngrc.study.harness.replicate import default_jobs
from ngrc.study.harness.target import Settings
from ngrc.study.harness.text import number, summary
from ngrc.study.index import check_index, write_index
from ngrc.study.registry import MODULES, expand, find


@click.command(context_settings=HELP)
@click.argument("targets", nargs=-1, metavar="TARGET...")
@click.option("--reps", type=click.IntRange(min=2), help="Replications; the paper's number by default.")
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Processes, all processors by default; never moves a digit."
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Root of all random streams."
)
@click.option("--quick", is_flag=True, help="A few replications only, to see that it works.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("results"),
    show_default=True,
    help="Folder that receives one folder per target.",
)
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
    """Reproduce tables and figures of the paper; `all` stands for every target.

    Each target leaves its tables (CSV), figures (PNG and SVG), checks.json and a page in OUT/TARGET.
    """
    if listing:
        width = max(map(len, MODULES))
        for name in MODULES:
            click.echo(f"{name:<{width}}  {find(name).title}")
        return
    if not targets:
        raise ValueError(f"name at least one target of {', '.join(MODULES)}, or all")
    names = expand(targets)
    # Minutes of simulation must not end in a missing library, or in a folder that is not ours to replace.
    require_matplotlib()
    check_out(out, names)
    check_index(out)
    # Every replication has a seed of its own from --seed, so that the number of processes never moves a digit.
    settings = Settings(reps, jobs or default_jobs(), seed, quick, out)
    checks = [check for name in names for check in _run(name, settings)]
    if len(names) > 1:
        click.echo(f"together: {summary(checks)}")
    click.echo(f"wrote {write_index(out)}")


def _run(name: str, settings: Settings) -> Sequence[Check]:
    start = time.perf_counter()
    target = find(name)
    outcome = target.run(settings)
    page = write(target, outcome, settings.out)
    # After every target, so that what is done can be read if a later one is stopped.
    write_index(settings.out)
    seconds = time.perf_counter() - start
    click.echo(f"{name}: {summary(outcome.checks)}; {seconds:.1f} s; {page}")
    for check in outcome.checks:
        if check.verdict == "different":
            ours, expected = number(check.ours), f"{EXPECTED[check.kind]} {number(check.expected)}"
            click.echo(
                f"  different: {check.table}, {check.cell}: {ours}, {expected}. {check.reason}".rstrip()
            )
    return outcome.checks
