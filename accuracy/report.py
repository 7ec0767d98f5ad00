"""What a run leaves: tables in the terminal, the page and the CSV of every case."""

from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from accuracy.checks import Check, at_horizon, checks, spread_out, worse
from accuracy.figure import critical_difference_figure
from accuracy.interval_checks import every_series, interval_checks
from accuracy.interval_tables import interval_words
from accuracy.methods import LONG, OURS
from accuracy.methods.short import SHORT
from accuracy.page import page, table_of_cases
from accuracy.ranks import Ranking, rankable, ranking
from accuracy.scores import Row
from accuracy.table import by_method, in_every_case, mean_by_series
from accuracy.tables import Words, duel_table, group_table, interval_table, long_table, number, short_table
from accuracy.words import protocol
from ngrc._atomic import write_text

PARTIAL = "A part of the series or methods: what it must show is for the whole run to say."


def report(out: Console, rows: Sequence[Row], folder: Path, partial: bool) -> None:
    """Print the tables and write the page and the CSV."""
    folder.mkdir(parents=True, exist_ok=True)
    # First of all: an hour of work is not to be lost by a table that cannot be made of it.
    write_text(folder / "cases.csv", table_of_cases(rows))
    shown = all_tables(rows)
    verdicts = judged(rows)
    for words in [*shown, *([verdict_words(verdicts)] if verdicts else [])]:
        out.print(printed(words))
    rankings = all_rankings(rows)
    figure = critical_difference_figure(rankings) if rankings else ""
    write_text(
        folder / "page.html",
        page([*([PARTIAL] if partial else []), *protocol(rows)], verdicts, figure, shown),
    )
    if partial:
        out.print(f"[yellow]{PARTIAL}[/yellow]")
    out.print(f"wrote {folder / 'page.html'} and {folder / 'cases.csv'}")


def judged(rows: Sequence[Row]) -> list[Check]:
    """The demands that the rows are whole enough to judge."""
    found = checks(rows) if complete(rows) else []
    return [*found, *(interval_checks(rows) if every_series(rows) else [])]


def complete(rows: Sequence[Row]) -> bool:
    """Whether every method of forecasts has rows, so that the demands can be judged."""
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
    found += interval_words(rows)
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
    return {title: ranking(table) for title, table in ranked.items() if rankable(table)}


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
