"""The table of caught and missed, and the two goals."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mutants.planted import Planted
from mutants.reproduction import Notice

GOAL = 0.9
"""Least share of the errors behind judged rows, and behind printed numbers, that `ngrc reproduce` must notice."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one planted error: the test that caught it, and what each target said."""

    error: Planted
    test: str
    notices: tuple[Notice, ...]
    seconds: float

    @property
    def reproduced(self) -> bool:
        """Whether `ngrc reproduce` noticed."""
        return any(notice.caught for notice in self.notices)


def table(results: Sequence[Result], *, reproduce: bool) -> Table:
    """One row per planted error."""
    grid = Table(title="Planted errors")
    for name in ("name", "area", "what", "caught by the tests", "caught by reproduce"):
        grid.add_column(name, overflow="fold")
    grid.add_column("seconds", justify="right")
    for result in results:
        error = result.error
        grid.add_row(
            error.name,
            error.area,
            escape(error.reason),
            # A test's parameters stand in brackets, which would pass for markup.
            escape(result.test) or "[red]missed[/red]",
            _reproduction(result) if reproduce else "not run",
            f"{result.seconds:.0f}",
        )
    return grid


def _reproduction(result: Result) -> str:
    if not result.error.targets:
        return "no target"
    said = [
        f"{notice.target}: {escape(notice.failure) or f'{notice.rows} rows'}"
        for notice in result.notices
        if notice.caught
    ]
    missed = "[red]missed[/red]" if result.error.judged else "missed"
    return said[0] if said else f"{missed} ({', '.join(result.error.targets)})"


def goals(results: Sequence[Result], *, reproduce: bool) -> tuple[list[str], bool]:
    """Totals against the goals, in words, and whether all were met."""
    caught = sum(bool(result.test) for result in results)
    lines = [f"tests: {caught} of {len(results)} caught (goal: all)"]
    met = caught == len(results)
    judged = [result for result in results if result.error.judged]
    printed = [result for result in judged if any(notice.prints for notice in result.notices)]
    for group, words in ((printed, "behind printed numbers"), (judged, "behind any judged row")):
        if reproduce and group:
            noticed = sum(result.reproduced for result in group)
            share = noticed / len(group)
            lines.append(
                f"reproduce: {noticed} of {len(group)} {words} caught, {share:.0%} (goal: {GOAL:.0%})"
            )
            met &= share >= GOAL
    return lines, met


def console() -> Console:
    """Wide enough for the table where the output is no terminal."""
    plain = Console()
    return plain if plain.is_terminal else Console(width=220)
