"""`ngrc stream --inspect`: what a state holds, for people or as JSON."""

import json
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.text import Text

from ngrc._text import percent
from ngrc.cli.digits import decimals, shown
from ngrc.cli.tables import console, paragraph, plain_table
from ngrc.durable import Store
from ngrc.stream.answers import answer
from ngrc.stream.kept import chosen

if TYPE_CHECKING:
    from ngrc.stream.inspection import Inspection


def show_state(state: str, name: str | None, as_json: bool) -> None:
    """Print one series of a state, or the names of several."""
    store = Store.open(state, write=False)
    # Only now: it needs the database's library, whose absence opening says in one line.
    from ngrc.stream.inspection import inspect

    with store:
        names = store.names()
        if not names:
            raise ValueError(f"{store.address.shown} holds no series yet; stream some lines into it first")
        found = inspect(store, chosen(names, name))
        if as_json:
            click.echo(json.dumps(plain_state(found, store.address.shown), allow_nan=False))
            return
        _show(console(), found, store.address.shown, len(names) - 1)


def plain_state(found: "Inspection", shown_address: str) -> dict[str, Any]:
    """Everything, ready for JSON; the newest reply as the stream says it."""
    summary = found.summary
    return {
        "state": shown_address,
        "series": summary.name,
        "created": summary.created,
        "ngrc": summary.ngrc,
        "settings": found.settings,
        "history": found.gathers,
        "observations": summary.count,
        "kinds": summary.counts,
        "first": summary.first,
        "newest": None if found.newest is None else json.loads(answer(found.newest)),
        "coverage": [{**one._asdict(), "share": one.share} for one in summary.coverage],
        "snapshots": [one._asdict() for one in reversed(summary.snapshots)],
        "bytes": summary.size,
        "writer": found.writer,
    }


def _show(out: Console, found: "Inspection", address: str, others: int) -> None:
    facts = plain_table(f"{found.summary.name} in {address}", ["", ""])
    facts.show_header = False
    facts.columns[1].justify = "left"
    for name, text in _facts(found):
        facts.add_row(name, Text(text))
    out.print(facts)
    if found.newest is not None and found.newest.coming is not None:
        out.print(_forecasts(found))
    if found.summary.coverage:
        out.print(_coverage(found))
    if others:
        paragraph(out, f"{others} more series in this state; --series NAME shows one of them")


def _facts(found: "Inspection") -> list[tuple[str, str]]:
    summary, settings = found.summary, found.settings
    kinds = summary.counts
    refits = settings["refit_every"]
    facts = [
        ("begun", f"{summary.created[:19]} UTC, ngrc {summary.ngrc}"),
        ("model", settings["model"]),
        ("intervals", f"{settings['method']} at {', '.join(map(_level, settings['levels']))}"),
        ("horizon", str(settings["horizon"])),
        ("late outcomes", {"refuse": "refused", "accept": "accepted"}[settings["late"]]),
        ("refits", "none" if refits is None else f"every {refits:,} observations"),
        (
            "observations",
            f"{summary.count:,}, {kinds['missing']:,} missing, {kinds['late']:,} late",
        ),
    ]
    if found.newest is None:
        facts.append(("state", f"empty; {found.gathers:,} observations are gathered first"))
    else:
        facts.append(("times", f"{summary.first} to {found.newest.time}"))
        if found.newest.coming is None:
            facts.append(("state", f"{found.newest.history:,} of {found.gathers:,} observations gathered"))
    kept = (
        ", ".join(f"after {one.seq:,} ({one.size:,} bytes)" for one in reversed(summary.snapshots))
        or "none yet"
    )
    writer = {True: "a process writes it now", False: "nobody writes it now", None: "unknown"}[found.writer]
    return [*facts, ("snapshots", kept), ("database", f"{summary.size:,} bytes"), ("writer", writer)]


def _forecasts(found: "Inspection") -> Any:
    assert found.newest is not None
    coming = found.newest.coming
    assert coming is not None
    levels = sorted(coming.lower)
    ends = [(coming.lower[level], coming.upper[level]) for level in levels]
    table = plain_table("Newest forecast", ["target", "forecast", *map(_level, levels)])
    for place, (target, mean) in enumerate(zip(coming.targets, coming.mean, strict=True)):
        cells = [(low[place], high[place]) for low, high in ends]
        spread = max((high - low for low, high in cells if low is not None and high is not None), default=0.0)
        places = decimals([mean], spread)
        table.add_row(
            str(target),
            shown(mean, places),
            *(f"{_end(low, places)} to {_end(high, places)}" for low, high in cells),
        )
    return table


def _level(level: float) -> str:
    return f"{percent(level)} %"


def _end(end: float | None, places: int) -> str:
    return "none" if end is None else shown(end, places)


def _coverage(found: "Inspection") -> Any:
    table = plain_table("Trailing coverage", ["step", "level", "coverage", "outcomes"])
    for one in found.summary.coverage:
        table.add_row(str(one.step), _level(one.level), f"{100 * one.share:.1f} %", f"{one.outcomes:,}")
    return table
