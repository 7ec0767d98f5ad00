"""`ngrc stream`: observations in by lines, forecasts out by lines, with a state that survives where one is named."""

import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import click

from ngrc.cli.grammar import Count, Name, command
from ngrc.cli.options import json_option, levels_option, seed_option
from ngrc.cli.plans import Wishes
from ngrc.cli.shape import check_preset, shape_option_names, shape_options
from ngrc.cli.speech import quiet, remark, speak
from ngrc.durable.errors import StoreError
from ngrc.intervals import METHODS
from ngrc.stream.given import Names
from ngrc.stream.intake import Coming, Intake
from ngrc.stream.kept import Kept
from ngrc.stream.lines import FORMS, Form, Lines
from ngrc.stream.outlet import Outlet
from ngrc.stream.patience import Patience
from ngrc.stream.run import Loop, OnError
from ngrc.stream.sources import of_growing, of_stream
from ngrc.stream.stopping import Stopping
from ngrc.stream.volatile import Volatile


@command(
    "cat values.csv | ngrc stream",
    "sensor | ngrc stream --state sensor.db --horizon 3 --level 80,95",
    "ngrc stream --follow load.csv --state load.db --history old.csv --lags 24",
    "ngrc stream --state postgresql://localhost/ngrc --series north",
    "ngrc stream --state sensor.db --inspect",
)
@click.option(
    "--state",
    metavar="URL",
    help="Keep every observation in a database and go on from there: a file (SQLite) or postgresql://...",
)
@click.option("--series", "name", metavar="NAME", help="Which series of the state; its only one by default.")
@click.option(
    "--follow",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read a file as it grows, from its beginning, instead of standard input.",
)
@click.option(
    "--format",
    "form",
    type=Name(FORMS, "format"),
    default="auto",
    show_default=True,
    help="Form of the lines.",
)
@click.option("--column", metavar="NAME", help="Column or key of the values.")
@click.option("--time", metavar="NAME", help="Column or key of the times.")
@click.option(
    "--history",
    metavar="FILE",
    help="A series to start from: a file or dataset as for ngrc forecast; else the first lines are gathered.",
)
@click.option(
    "--gather",
    type=Count(),
    metavar="N",
    help="Lines to gather before the start; by default 200, and four times what a forecast reads and reaches.",
)
@click.option(
    "--horizon", "--steps", "steps", type=Count(), default=1, show_default=True,
    help="Steps that are forecast after every observation.",
)  # fmt: skip
@click.option(
    "--method",
    type=Name(METHODS, "method"),
    default="auto",
    show_default=True,
    help=f"One of {', '.join(METHODS)}.",
)
@levels_option
@shape_options
@click.option(
    "--refit-every",
    type=Count(),
    metavar="R",
    help="Observations from one refit to the next; none by default.",
)
@click.option("--window", type=Count(), metavar="N", help="Observations that a refit uses; all by default.")
@click.option(
    "--late",
    type=Name(["refuse", "accept"], "way with late outcomes"),
    default="refuse",
    show_default=True,
    help="Outcomes of times that were missing and are over.",
)
@seed_option
@click.option(
    "--on-error",
    type=Name(["stop", "skip"], "way with bad lines"),
    default="stop",
    show_default=True,
    help="A line that cannot be taken ends the stream, or is answered by its error.",
)
@click.option(
    "--patience",
    type=click.FloatRange(min=0),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How long a database that is away or full is waited for.",
)
@click.option("--inspect", is_flag=True, help="Print what the state holds, and leave.")
@json_option
@click.argument("files", nargs=-1, metavar="")
def stream(
    files: tuple[str, ...],
    state: str | None,
    name: str | None,
    follow: Path | None,
    form: Form,
    column: str | None,
    time: str | None,
    on_error: OnError,
    patience: float,
    inspect: bool,
    as_json: bool,
    **wishes: Any,
) -> None:
    """Forecast while observations come in: one line in, one JSON line of forecasts out.

    Lines are CSV (value, or time,value, with or without a header) or JSON objects such as {"time": ..., "value": ...};
    NA or null is a missing outcome. An observation is answered only after it is in the state's database; killed at any
    instant and started again with the same command, it goes on where it stood. With a state that is there already no
    option need be given again, and one that contradicts it is refused.
    """
    if files:
        raise ValueError(
            f"ngrc stream reads standard input, got the file {files[0]}; write ngrc stream < {files[0]}, or --follow it"
        )
    _check_options(state, name, inspect, as_json)
    wished = Wishes.of(name, **wishes)
    with _told():
        if inspect:
            # Tables and what they stand on take longer to import than all that a stream needs.
            from ngrc.cli.inspected import show_state

            assert state is not None
            show_state(state, name, as_json)
            return
        with Stopping() as stopping:
            waiting = Patience(patience, stopping, speak)
            served = _served(state, name, wished, waiting)
            with closing(served):
                over = Event()
                intake = Intake(_source(follow, over))
                stopping.listen(intake.wake)
                stopping.listen(over.set)
                lines = Lines(form, Names(column, time), named=follow is not None and state is not None)
                outlet = Outlet(sys.stdout, stopping)
                Loop(
                    intake,
                    lines,
                    served,
                    outlet,
                    stopping,
                    waiting,
                    speak,
                    on_error,
                    silent=follow is not None,
                ).run()
    if stopping.signal == signal.SIGINT:
        raise KeyboardInterrupt


def _check_options(state: str | None, name: str | None, inspect: bool, as_json: bool) -> None:
    context = click.get_current_context()
    check_preset(**{option: context.params[option] for option in shape_option_names()})
    if state is None and inspect:
        raise ValueError("--inspect prints what a state holds; name it with --state")
    if state is None and name is not None:
        raise ValueError("--series names a series of a state; give --state, or leave --series out")
    if as_json and not inspect:
        raise ValueError("--json is for --inspect; the lines of a stream are JSON always")


def _served(state: str | None, name: str | None, wished: Wishes, waiting: Patience) -> Kept | Volatile:
    """The series that takes observations: in memory, or in a database, where it may be already."""
    if state is None:
        return Volatile(wished.forecaster(), wished.start())
    kept = waiting.of(lambda: Kept.open(state, name))
    try:
        if kept.known:
            wished.check(*kept.plan())
            if wished.history is not None:
                remark(
                    "the series is there already, and goes on from its state; --history was read when it began"
                )
        else:
            waiting.of(lambda: kept.create(wished.forecaster(), wished.start()))
        for note in waiting.of(kept.recover):
            remark(note)
    except BaseException:
        kept.close()
        raise
    return kept


def _source(follow: Path | None, over: Event) -> Iterator[Coming]:
    if follow is not None:
        if follow.is_dir():
            raise ValueError(f"--follow takes a file, and {follow} is a folder")
        if follow.exists() and not follow.is_file():
            raise ValueError(
                f"--follow takes a regular file, and {follow} is none; read it from standard input"
            )
        return of_growing(follow, over)
    if sys.stdin is None:
        raise ValueError("standard input is closed; leave it open, or use --follow FILE")
    if sys.stdin.isatty() and not quiet():
        speak("note: reading observations from the terminal, one per line; Ctrl-D ends them")
    return of_stream(sys.stdin.buffer)


@contextmanager
def _told() -> Iterator[None]:
    """A failing database as one line and exit code 2."""
    try:
        yield
    except StoreError as error:
        raise click.ClickException(str(error)) from error
