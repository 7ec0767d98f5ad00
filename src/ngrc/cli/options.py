"""Options that several commands share: which series, with what beside it, at which levels, and how it is walked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

import click

from ngrc.cli.grammar import HELP, Count, Name, each, words_of
from ngrc.cli.names import complete_series
from ngrc.intervals import METHODS
from ngrc.splits import FixedOrigin, Splitter, WalkForward
from ngrc.validation import check_levels

Command = TypeVar("Command", bound=Callable[..., Any])
__all__ = [
    "HELP",
    "Request",
    "chosen_split",
    "json_option",
    "level_option",
    "levels_option",
    "methods_option",
    "refit_options",
    "seed_option",
    "series_options",
    "split_options",
]


@dataclass(frozen=True, slots=True)
class Request:
    """What `series_options` ask for.

    Parameters
    ----------
    source
        A dataset's name or the path of a file.
    targets
        Columns to forecast; found by itself where none is named.
    exog, known
        Columns that are observed beside the targets, and those that are known ahead.
    time
        Column of the times, or None.
    resample
        Whether irregular times are put on a grid.
    """

    source: str
    targets: tuple[str, ...] = ()
    exog: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    time: str | None = None
    resample: bool = False

    @property
    def plain(self) -> bool:
        """Whether nothing is asked for but the source."""
        return not (self.targets or self.exog or self.known or self.time or self.resample)


def series_options(command: Callable[..., None]) -> Callable[..., None]:
    """SERIES, how to read it when it is a file, and what stands beside it; the command gets one `Request`."""

    @wraps(command)
    def packed(
        *,
        series: str,
        column: str | None,
        target: tuple[str, ...],
        exog: tuple[str, ...],
        known: tuple[str, ...],
        time: str | None,
        resample: bool,
        **others: Any,
    ) -> None:
        if column is not None and target:
            raise ValueError("--column and --target name the same thing; give one of them")
        targets = target if column is None else (column,)
        command(request=Request(series, targets, exog, known, time, resample), **others)

    decorated: Callable[..., None] = packed
    # Innermost first: click lists options in the reverse of the order in which they are applied.
    for decorate in (
        click.option(
            "--resample", is_flag=True, help="Put irregular times on a regular grid, gaps carried forward."
        ),
        click.option("--time", help="Column of the times; detected by default."),
        click.option(
            "--known",
            metavar="C[,C...]",
            help="Columns known ahead, read at the target's time.",
            **each(words_of),
        ),
        click.option(
            "--exog",
            metavar="C[,C...]",
            help="Columns read through the forecast's origin.",
            **each(words_of),
        ),
        click.option(
            "--target",
            metavar="C[,C...]",
            help="As --column; ngrc forecast takes several, forecast together.",
            **each(words_of),
        ),
        click.option("--column", help="Column of the values; detected where only one can be meant."),
        click.argument("series", shell_complete=complete_series),
    ):
        decorated = decorate(decorated)
    return decorated


def level_option(command: Command) -> Command:
    """The nominal coverage; the command gets `level`."""
    return click.option(
        "--level",
        default="0.95",
        show_default=True,
        metavar="L",
        callback=lambda _context, _option, given: read_level(given),
        help="Nominal coverage, as a share or in per cent.",
    )(command)


def read_level(given: str) -> float:
    """One level as it was typed.

    Examples
    --------
    >>> read_level("80")
    0.8
    """
    levels = read_levels([given])
    if len(levels) > 1:
        raise ValueError(f"--level takes one number here, got {given!r}; run the command once for each")
    return levels[0]


def levels_option(command: Command) -> Command:
    """One or several nominal coverages: repeated, or with commas; the command gets `levels`."""
    return click.option(
        "--level",
        "levels",
        multiple=True,
        default=("0.95",),
        show_default="0.95",
        metavar="L[,L...]",
        callback=lambda _context, _option, given: read_levels(given),
        help="Nominal coverages, as shares or in per cent, with commas or repeated.",
    )(command)


def methods_option(command: Command) -> Command:
    """Several interval methods: repeated, or with commas; the command gets `methods`."""
    return click.option(
        "--method",
        "methods",
        type=Name(METHODS, "method", several=True),
        multiple=True,
        callback=lambda _context, _option, given: words_of(given),
        metavar="M[,M...]",
        help=f"Methods: {', '.join(METHODS)}; by default the paper's eight and auto, and auto alone for a file of "
        "several series.",
    )(command)


def read_levels(given: Sequence[str]) -> tuple[float, ...]:
    """Levels as they were typed, one or several per word.

    Examples
    --------
    >>> read_levels(["0.5,80", "0.95"])
    (0.5, 0.8, 0.95)
    """
    words = [word for text in given for word in text.split(",")]
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        raise ValueError(
            f"--level takes numbers such as 0.95 or 0.5,0.8,0.95, got {','.join(given)!r}"
        ) from None
    return check_levels(numbers)


_REFITS = (
    ("--refit-every", "R", "Observations from one refit to the next; a bounded number of refits by default."),
    ("--window", "N", "Observations before it that a refit uses; all by default."),
)


def refit_options(command: Command) -> Command:
    """How often the model is fitted again, and on how much."""
    for name, word, text in reversed(_REFITS):
        command = click.option(name, type=Count(), metavar=word, help=text)(command)
    return command


def split_options(command: Command) -> Command:
    """Walking forward with refits, or one fit at a fixed origin."""
    split = click.option(
        "--split",
        type=Name(["walk", "fixed"], "split"),
        help="walk: refits on ever more rows, the default; fixed: one fit on 40 % of the rows, --preset paper's.",
    )
    return split(refit_options(command))


def json_option(command: Command) -> Command:
    """`--json`; the command gets `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")(
        command
    )


def seed_option(command: Command) -> Command:
    """The seed of the ResCP reservoir."""
    return click.option(
        "--seed",
        type=Count(0),
        default=0,
        show_default=True,
        help="Seed of the ResCP reservoir.",
    )(command)


def chosen_split(
    split: str | None, refit_every: int | None, window: int | None, *, preset: str | None
) -> Splitter:
    """The split that the options describe; the paper's preset keeps its fixed origin unless told to walk."""
    if split == "walk" or (split is None and preset is None):
        return WalkForward(refit_every=refit_every, window=window)
    if refit_every is not None or window is not None:
        reason = "--split fixed" if split == "fixed" else f"--preset {preset}"
        raise ValueError(
            f"{reason} fits once, and --refit-every and --window are for refits; leave them out, or use --split walk"
        )
    return FixedOrigin()
