"""Words on standard error: remarks that `--quiet` silences."""

import logging
import shutil
import sys
from textwrap import fill

import click

_QUIET = "ngrc.quiet"


def hush(context: click.Context, _option: click.Parameter, wished: bool) -> None:
    """Remember `--quiet` for the command at hand; the library's log speaks of trouble alone then."""
    if wished:
        context.meta[_QUIET] = True
        logging.getLogger("ngrc").setLevel(logging.WARNING)


def quiet() -> bool:
    """Whether the command at hand was asked for no bars and no remarks."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


def remark(text: str, label: str = "note") -> None:
    """One line on standard error, which holds everything but results."""
    if not quiet():
        speak(f"{label}: {text}")


def speak(text: str) -> None:
    """A line on standard error, wrapped where a person reads it; programs get it whole."""
    line = f"ngrc: {text}"
    if sys.stderr.isatty():
        width = max(shutil.get_terminal_size().columns, 20)
        line = fill(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    click.echo(line, err=True)


class LogOnTerminal(logging.Handler):
    """The library's log as lines of ours, on whatever standard error is when they come: a bar may stand there."""

    def emit(self, record: logging.LogRecord) -> None:
        """Speak the message."""
        speak(record.getMessage())
