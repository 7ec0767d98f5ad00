"""`ngrc report SERIES`: everything about one series on one page."""

import json
import shlex
from pathlib import Path
from typing import Any

import click

from ngrc.cli.assumed import reading, say_reading
from ngrc.cli.destination import same_file
from ngrc.cli.grammar import Command, command
from ngrc.cli.options import (
    Request,
    chosen_split,
    json_option,
    methods_option,
    read_levels,
    seed_option,
    series_options,
    split_options,
)
from ngrc.cli.progress import watched
from ngrc.cli.shape import build_model, check_preset, model_options
from ngrc.cli.slow import quick_methods, slow_remark
from ngrc.cli.source import one_target, open_recording, say, source_files
from ngrc.cli.speech import quiet
from ngrc.report.entry import make_report
from ngrc.report.page import GENERATOR
from ngrc.report.value import check_page
from ngrc.report.words import in_short
from ngrc.series import Series
from ngrc.web.assets import plotly_script

WORDS = "ngrc.cli.report.words"
PAGE = Path("report.html")
"""Where the page goes where the user names no file."""


class Remembering(Command):
    """A command that keeps the words that it was called with."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """The usual context, with the words in its `meta`."""
        # A copy, as click takes the words out of the list while it reads them.
        words = tuple(args)
        context = super().make_context(info_name, args, parent, **extra)
        context.meta[WORDS] = words
        return context


@command(
    "ngrc report load.csv",
    "ngrc report load.csv --horizon 24 --out load.html",
    "ngrc report load.csv --method auto,split,adaptive --level 80,95",
    kind=Remembering,
)
@series_options
@model_options
@split_options
@click.option(
    "--level",
    "levels",
    multiple=True,
    default=("0.5,0.8,0.95",),
    show_default="0.5,0.8,0.95",
    metavar="L[,L...]",
    callback=lambda _context, _option, given: read_levels(given),
    help="Nominal coverages; tables and diagnosis are told at the highest.",
)
@methods_option
@seed_option
@click.option("--out", type=click.Path(path_type=Path), help="The page; report.html by default.")
@json_option
def report(
    request: Request,
    levels: tuple[float, ...],
    methods: tuple[str, ...],
    seed: int,
    out: Path | None,
    as_json: bool,
    split: str | None,
    refit_every: int | None,
    window: int | None,
    **shape: Any,
) -> None:
    """Put everything about SERIES on one page: coming values, intervals, errors, diagnosis, model and data.

    The page is one file that opens in any browser without a network. The first method is that of its coming values.
    """
    check_preset(**shape)
    splitter = chosen_split(split, refit_every, window, preset=shape["preset"])
    one_target(request, "report")
    # Before the series is read: a page that cannot be drawn or kept is not worth the wait.
    target = _target(out, request.source)
    plotly_script()
    with watched():
        recording = open_recording(request)
        (data,) = recording.targets
        model = build_model(request.source, data.name, len(data), **shape)
        made = make_report(
            data, model, exog=recording.channels, known=request.known, horizon=shape["horizon"], level=levels,
            methods=_methods(methods, data), split=splitter, seed=seed, command=_command(),
        )  # fmt: skip
    made.save(target)
    size = len(made.html.encode()) / 1e6
    if as_json:
        click.echo(json.dumps(made.record.plain(curves=False), allow_nan=False))
    else:
        for line in in_short(made.record):
            click.echo(line)
    if not quiet():
        click.echo(f"wrote {target} ({size:.1f} MB)", err=as_json)
    lacking = made.record.coming_why
    notes = [*data.notes, *([f"no coming values on the page: {lacking}"] if lacking else [])]
    # Its periods are on the page.
    say_reading(reading(request.source, data, None), notes)


def _methods(asked: tuple[str, ...], data: Series) -> tuple[str, ...] | None:
    """The methods that were named; by default those that are quick enough for the series, and None for all."""
    if asked:
        return asked
    quick, left_out = quick_methods(len(data))
    say([slow_remark(name, len(data)) for name in left_out])
    return quick if left_out else None


def _target(out: Path | None, source: str) -> Path:
    """The page to write; a file that nobody named is replaced only where it is a page of ours."""
    target = PAGE if out is None else out
    for path in source_files(source):
        if same_file(target, path):
            raise ValueError(f"--out {target} would replace the input {path}; name another file")
    check_page(target)
    if out is None and target.exists() and not _ours(target):
        raise ValueError(f"{target} is there and is no report of ours; name another file with --out")
    return target


def _ours(page: Path) -> bool:
    # Before the style sheet, within the first kilobytes; a large file of somebody else's is not read whole.
    with page.open("rb") as file:
        return GENERATOR.encode() in file.read(8192)


def _command() -> str:
    """The command as it was typed, ready to be typed again."""
    return shlex.join(["ngrc", "report", *click.get_current_context().meta[WORDS]])
