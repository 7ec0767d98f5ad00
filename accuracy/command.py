"""The command: every method on every series, the tables, the page and the CSV in results/accuracy."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from accuracy.checks import Check, at_horizon, checks, spread_out, worse
from accuracy.figure import critical_difference_figure
from accuracy.methods import LONG, OURS
from accuracy.methods.short import SHORT
from accuracy.page import page, table_of_cases
from accuracy.ranks import FEWEST, Ranking, ranking
from accuracy.scores import Row
from accuracy.series import long_names
from accuracy.short import GROUPS, short_series
from accuracy.table import by_method, in_every_case, mean_by_series
from accuracy.tables import Words, duel_table, group_table, interval_table, long_table, number, short_table
from accuracy.words import protocol
from accuracy.work import Task, results, tasks
from ngrc._atomic import write_text

FOLDER = Path("results") / "accuracy"
QUICK = ("rates/0", "solar/0", "beijing/Aotizhongxin/PM2.5", "beijing/Aotizhongxin/TEMP", "ozone")
"""Long series of `--quick`: the first of each kind."""
QUICK_SHORT = 2
"""Short series per group of `--quick`: the first ones."""


def main() -> None:
    """Parse, run, show, write; exit code 1 where a method failed."""
    options = parser().parse_args()
    out = Console(highlight=False, width=None if sys.stdout.isatty() else 180)
    wanted = choose(options.quick, options.only, options.peers_only)
    if not wanted:
        sys.exit(f"no series or method holds {options.only!r}; leave --only out to see all")
    rows, complaints = gather(out, wanted, options.cached, options.jobs)
    folder = FOLDER / "part" if options.quick or options.only or options.peers_only else FOLDER
    report(out, rows, folder)
    for line in complaints:
        out.print(f"[red]failed[/red] {line}")
    sys.exit(1 if complaints else 0)


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(prog="python -m accuracy")
    made.add_argument("--quick", action="store_true", help="a few series of each kind; files in part/")
    made.add_argument(
        "--only", default="", metavar="NAME", help="series or method that hold NAME; files in part/"
    )
    made.add_argument("--peers-only", action="store_true", help=f"without {OURS}; files in part/")
    made.add_argument(
        "--cached", action="store_true", help="take peers' rows from the last run on this machine"
    )
    made.add_argument("--jobs", type=int, default=2, help="processes, of one thread each")
    return made


def choose(quick: bool, only: str, peers_only: bool) -> list[Task]:
    """The tasks that the options ask for."""
    long, short = (
        (QUICK, _quick_short()) if quick else (long_names(), tuple(one.name for one in short_series()))
    )
    methods = [name for name in dict.fromkeys((*LONG, *SHORT)) if not (peers_only and name == OURS)]
    listed = tasks(long, short, methods)
    return [task for task in listed if only.lower() in f"{task.kind} {task.series} {task.method}".lower()]


def _quick_short() -> tuple[str, ...]:
    return tuple(
        one.name
        for group in GROUPS
        for one in [series for series in short_series() if series.group == group][:QUICK_SHORT]
    )


def gather(out: Console, wanted: list[Task], cached: bool, jobs: int) -> tuple[list[Row], list[str]]:
    """Run the tasks; a method that fails on a series is a complaint, never a missing line."""
    rows: list[Row] = []
    complaints: list[str] = []
    with out.status("") as status:
        for done, (task, found) in enumerate(results(wanted, FOLDER / "cache", cached, jobs), 1):
            status.update(f"{done} of {len(wanted)}: {task.method} on {task.series}")
            if isinstance(found, Exception):
                complaints.append(f"{task.method} on {task.series}: {' '.join(str(found).split())}")
            else:
                rows += found
    return rows, complaints


def report(out: Console, rows: Sequence[Row], folder: Path) -> None:
    """Print the tables and write the page and the CSV."""
    shown = all_tables(rows)
    verdicts = checks(rows) if complete(rows) else []
    for words in [*shown, *([verdict_words(verdicts)] if verdicts else [])]:
        out.print(printed(words))
    rankings = all_rankings(rows)
    figure = critical_difference_figure(rankings) if rankings else ""
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / "cases.csv", table_of_cases(rows))
    write_text(folder / "page.html", page(protocol(rows), verdicts, figure, shown))
    out.print(f"wrote {folder / 'page.html'} and {folder / 'cases.csv'}")


def complete(rows: Sequence[Row]) -> bool:
    """Whether every method has rows, so that the demands can be judged."""
    return {row.method for row in rows if row.kind == "long"} == set(LONG) and {
        row.method for row in rows if row.kind == "short"
    } == set(SHORT)


def all_tables(rows: Sequence[Row]) -> list[Words]:
    """Every table that the rows can fill."""
    long = [row for row in rows if row.kind == "long"]
    short = [row for row in rows if row.kind == "short"]
    found: list[Words] = []
    methods = {row.method for row in long}
    if {"seasonal naive", "naive"} <= methods:
        found += [long_table(long, False), long_table(long, True), group_table(long)]
        if OURS in methods:
            found += [duel_table(long), worse_table(long)]
    if short:
        found += [short_table(short, True), short_table(short, False), interval_table(short)]
    return found


def worse_table(long: Sequence[Row]) -> Words:
    """The cases that are more than 3 % behind the better naive forecast, every one."""
    lines = tuple((one.case[0], str(one.case[1]), number(one.ratio)) for one in worse(long))
    title = "Cases more than 3 % worse than the better of naive and seasonal naive"
    return Words(title, ("series", "horizon", "RMSE ratio"), lines or (("none", "", ""),))


def all_rankings(rows: Sequence[Row]) -> dict[str, Ranking]:
    """Mean ranks: long series per horizon on the spread origins, short series by the MASE of the path."""
    long, short = (
        [row for row in rows if row.kind == "long"],
        [row for row in rows if row.kind == "short"],
    )
    tables = {
        "Long series, one step ahead": by_method(spread_out(at_horizon(long, False)), lambda row: row.rmse),
        "Long series, one season ahead": by_method(spread_out(at_horizon(long, True)), lambda row: row.rmse),
        "Short series, the path": mean_by_series(at_horizon(short, True), lambda row: row.mase),
    }
    # A method that sits out somewhere (MSTL on long seasons, regressions on few rows) has no rank there.
    ranked = {title: in_every_case(table) for title, table in tables.items() if table}
    return {title: ranking(table) for title, table in ranked.items() if len(table) >= FEWEST}


def verdict_words(verdicts: Sequence[Check]) -> Words:
    """The checks as a table."""
    lines = tuple((one.demand, one.measured, one.verdict) for one in verdicts)
    return Words("What it must show", ("demand", "measured", "verdict"), lines)


def printed(words: Words) -> Table:
    """A table for the terminal."""
    table = Table(title=words.title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for place, name in enumerate(words.head):
        table.add_column(name, justify="left" if place == 0 else "right", overflow="fold")
    for line in words.lines:
        colours = {"MATCH": "[green]MATCH[/green]", "MISS": "[red]MISS[/red]"}
        table.add_row(*(colours.get(cell, cell) for cell in line))
    return table
