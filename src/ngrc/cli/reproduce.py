"""`ngrc reproduce`: the paper's tables and figures, each with its checks and a page."""

import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from ngrc.cli.grammar import Count, command, words_of
from ngrc.cli.names import complete_targets
from ngrc.cli.options import json_option
from ngrc.cli.progress import watched
from ngrc.plot.style import require_matplotlib
from ngrc.study.harness.output import check_out, write
from ngrc.study.harness.record import EXPECTED, Check, as_row, tally
from ngrc.study.harness.replicate import default_jobs
from ngrc.study.harness.target import Settings
from ngrc.study.harness.text import number, summary
from ngrc.study.index import check_index, write_index
from ngrc.study.registry import MODULES, expand, find

FAILED = 1
"""Exit code where a number differs and no reason is known."""


@command(
    "ngrc reproduce --list",
    "ngrc reproduce temporal budget --quick",
    "ngrc reproduce all --jobs 2 --out results",
    "ngrc reproduce real-main --json",
)
@click.argument("targets", nargs=-1, metavar="TARGET...", shell_complete=complete_targets)
@click.option("--reps", type=Count(2), help="Replications; the paper's number by default.")
@click.option("--jobs", type=Count(), help="Processes, all processors by default; never moves a digit.")
@click.option("--seed", type=Count(0), default=0, show_default=True, help="Root of all random streams.")
@click.option("--quick", is_flag=True, help="A few replications only, to see that it works.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("results"),
    show_default=True,
    help="Folder that receives one folder per target.",
)
@click.option("--list", "listing", is_flag=True, help="Name all targets and leave.")
@json_option
@click.pass_context
def reproduce(
    ctx: click.Context,
    targets: tuple[str, ...],
    reps: int | None,
    jobs: int | None,
    seed: int,
    quick: bool,
    out: Path,
    listing: bool,
    as_json: bool,
) -> None:
    """Reproduce tables and figures of the paper; `all` stands for every target.

    Each target leaves its tables (CSV), figures (PNG and SVG), checks.json and a page in OUT/TARGET. The exit code is 1
    where a number differs and the row gives no reason.
    """
    if listing:
        _list(as_json)
        return
    if not targets:
        raise ValueError(f"name at least one target of {', '.join(MODULES)}, or all")
    names = expand(words_of(targets))
    # Minutes of simulation must not end in a missing library, or in a folder that is not ours to replace.
    require_matplotlib()
    check_out(out, names)
    check_index(out)
    # Every replication has a seed of its own from --seed, so that the number of processes never moves a digit.
    settings = Settings(reps, jobs or default_jobs(), seed, quick, out)
    rows = []
    for name in names:
        rows.append(_run(name, settings))
        if not as_json:
            _show(rows[-1])
    checks = [check for row in rows for check in row["checks"]]
    index = write_index(out)
    if as_json:
        click.echo(json.dumps({"targets": [_plain(row) for row in rows], "index": str(index)}))
    else:
        if len(names) > 1:
            click.echo(f"together: {summary(checks)}")
        click.echo(f"wrote {index}")
    if unexplained(checks):
        ctx.exit(FAILED)


def unexplained(checks: Iterable[Check]) -> list[Check]:
    """Rows that differ from what they are held against, and give no reason."""
    return [check for check in checks if check.verdict == "different" and not check.reason]


def _list(as_json: bool) -> None:
    if as_json:
        listed = [{"name": name, "title": find(name).title} for name in MODULES]
        click.echo(json.dumps({"targets": listed}))
        return
    width = max(map(len, MODULES))
    for name in MODULES:
        click.echo(f"{name:<{width}}  {find(name).title}")


def _run(name: str, settings: Settings) -> dict[str, Any]:
    """Run one target, write what it gave, and tell of it."""
    start = time.perf_counter()
    target = find(name)
    with watched():
        outcome = target.run(settings)
        page = write(target, outcome, settings.out)
    # After every target, so that what is done can be read if a later one is stopped.
    write_index(settings.out)
    return {
        "name": name,
        "title": target.title,
        "seconds": time.perf_counter() - start,
        "page": str(page),
        "checks": outcome.checks,
    }


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """A target ready for JSON: verdicts counted, and the rows that differ."""
    checks: Sequence[Check] = row["checks"]
    different = [as_row(check) for check in checks if check.verdict == "different"]
    return row | {"checks": tally(checks), "different": different}


def _show(row: dict[str, Any]) -> None:
    click.echo(f"{row['name']}: {summary(row['checks'])}; {row['seconds']:.1f} s; {row['page']}")
    for check in row["checks"]:
        if check.verdict == "different":
            ours, expected = number(check.ours), f"{EXPECTED[check.kind]} {number(check.expected)}"
            click.echo(
                f"  different: {check.table}, {check.cell}: {ours}, {expected}. {check.reason}".rstrip()
            )
