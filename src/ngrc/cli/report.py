"""`ngrc report SERIES`: everything about one series on one page."""

import json
import shlex
from pathlib import Path
from typing import Any

import click

from ngrc.cli.destination import same_file
from ngrc.cli.options import HELP, Request, chosen_split, read_levels, series_options, split_options
from ngrc.cli.shape import build_model, check_preset, model_options
from ngrc.cli.source import one_target, open_recording, say, source_files
from ngrc.intervals import METHODS
from ngrc.report.entry import make_report
from ngrc.report.page import GENERATOR
from ngrc.report.value import check_page
from ngrc.report.words import in_short
from ngrc.web.assets import plotly_script

WORDS = "ngrc.cli.report.words"
PAGE = Path("report.html")
"""Where the page goes where the user names no file."""


class Remembering(click.Command):
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


@click.command(
    cls=Remembering,
    context_settings=HELP,
    epilog="Example: ngrc report sales.csv --horizon 24 --out sales.html",
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
@click.option(
    "--method",
    "methods",
    multiple=True,
    help=f"Repeatable: {', '.join(METHODS)}; by default the paper's eight and auto. The first is that of the "
    "coming values.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the ResCP reservoir."
)
@click.option("--out", type=click.Path(path_type=Path), help="The page; report.html by default.")
@click.option("--json", "as_json", is_flag=True, help="Also one JSON object on standard output.")
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

    The page is one file that opens in any browser without a network.
    """
    check_preset(**shape)
    splitter = chosen_split(split, refit_every, window, preset=shape["preset"])
    one_target(request, "report")
    # Before the series is read: a page that cannot be drawn or kept is not worth the wait.
    target = _target(out, request.source)
    plotly_script()
    recording = open_recording(request)
    (data,) = recording.targets
    model = build_model(request.source, data.name, len(data), **shape)
    made = make_report(
        data, model, exog=recording.channels, known=request.known, horizon=shape["horizon"], level=levels,
        methods=methods or None, split=splitter, seed=seed, command=_command(),
    )  # fmt: skip
    made.save(target)
    size = len(made.html.encode()) / 1e6
    if as_json:
        click.echo(json.dumps(made.record.plain(curves=False), allow_nan=False))
    else:
        for line in in_short(made.record):
            click.echo(line)
    click.echo(f"wrote {target} ({size:.1f} MB)", err=as_json)
    lacking = made.record.coming_why
    say([*data.notes, *([f"no coming values on the page: {lacking}"] if lacking else [])])


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
