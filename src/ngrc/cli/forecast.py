"""`ngrc forecast SERIES`: the coming values, with intervals."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import click
import polars as pl

from ngrc.ahead import Outlook, look_ahead_together
from ngrc.ahead.calibrated import BANDS, Band
from ngrc.cli.assumed import reading, say_reading, title
from ngrc.cli.destination import check_beside, check_out, out_option, write_result
from ngrc.cli.grammar import Count, Name, command, each
from ngrc.cli.kept import check_kept, go_on, keep, kept_options
from ngrc.cli.options import Request, json_option, levels_option, refit_options, seed_option, series_options
from ngrc.cli.outlooks import plain_outlooks, quantile_table, remarks, show_outlooks, text_table
from ngrc.cli.picture import ENDINGS, check_picture, draw
from ngrc.cli.progress import watched
from ngrc.cli.shape import build_model, check_preset, shape_options
from ngrc.cli.source import open_recording, source_files
from ngrc.cli.speech import remark
from ngrc.forecasters.facts import report_of
from ngrc.intervals import METHODS
from ngrc.series import Series
from ngrc.series.panels import SeveralSeriesError
from ngrc.validation import check_probabilities

PAPER_FIT = 0.6
"""Share of the rows that is fitted under the paper's preset; the rest calibrates."""


@command(
    "ngrc forecast load.csv --horizon 24",
    "ngrc forecast load.csv --horizon 24 --level 80,95 --plot load.html",
    "ngrc forecast load.csv --target load --known temperature --exog wind,rain --horizon 24",
    "ngrc forecast load.csv --horizon 7 --out load.parquet",
    "ngrc forecast load.csv --horizon 24 --save load.ngrc",
    "ngrc forecast newer.csv --model load.ngrc",
    "cat load.csv | ngrc forecast - --horizon 24 --json",
)
@series_options
@shape_options
@refit_options
@levels_option
@click.option(
    "--band",
    type=Name(BANDS, "band"),
    default="pointwise",
    show_default=True,
    help="What the level is of: each step, or the whole path inside.",
)
@click.option(
    "--quantiles",
    metavar="P[,P...]",
    help="Quantiles beside the ends, such as 0.1,0.5,0.9.",
    **each(lambda given: _probabilities(given)),
)
@click.option(
    "--horizon",
    "--steps",
    "steps",
    type=Count(),
    default=1,
    show_default=True,
    help="How many steps ahead the forecast reaches; all of them are listed.",
)
@click.option(
    "--method",
    type=Name(METHODS, "method"),
    help=f"One of {', '.join(METHODS)}; by default auto, or student where residuals are few.",
)
@seed_option
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A picture of the series and its band by the ending: PNG, SVG, or HTML for an interactive page.",
)
@kept_options
@out_option()
@json_option
def forecast(
    request: Request,
    levels: tuple[float, ...],
    band: Band,
    quantiles: tuple[float, ...],
    steps: int,
    method: str | None,
    seed: int,
    plot: Path | None,
    save: Path | None,
    kept: Path | None,
    out: Path | None,
    as_json: bool,
    refit_every: int | None,
    window: int | None,
    **shape: Any,
) -> None:
    """Forecast the coming values of SERIES; each step has its own readout and its own interval.

    SERIES is a file, - for standard input, or a dataset (ngrc data list). At a terminal a table for people and a
    picture in three lines; in a pipe CSV.
    """
    check_preset(**shape)
    # Before the series is read: a forecast that cannot be kept is not worth the wait.
    inputs = source_files(request.source)
    check_out(out, inputs)
    check_beside("--plot", plot, inputs, ENDINGS)
    check_picture(plot)
    check_kept(save, kept, inputs)
    with watched():
        try:
            recording = open_recording(request)
        except SeveralSeriesError:
            _panel(request, levels, band, steps, method, seed, out, as_json, refit_every, window, shape)
        targets = recording.targets
        if kept is not None:
            outlooks = go_on(kept, recording, steps=steps, levels=levels, band=band)
        else:
            model = build_model(
                request.source,
                targets[0].name,
                len(targets[0]),
                horizon=1,
                together=len(targets) > 1,
                **shape,
            )
            # The paper's preset fits once, unless refits are asked for.
            once = PAPER_FIT if shape["preset"] and refit_every is None and window is None else None
            outlooks = look_ahead_together(
                targets, model, exog=recording.channels, known=request.known, steps=steps, method=method, level=levels,
                band=band, fit=once, refit_every=refit_every, window=window, seed=seed,
            )  # fmt: skip
        drawn = [quantile_table(outlook, quantiles) for outlook in outlooks]
    told = Told(
        request.source,
        targets,
        outlooks,
        drawn,
        remarks(targets, outlooks, chosen=method is None and kept is None),
    )
    if save is not None:
        keep(outlooks, save)
        remark(str(save), "kept")
    if plot is not None:
        draw(plot, targets, outlooks, title(request.source, targets[0]))
        remark(str(plot), "drew")
    _deliver(told, out, as_json)
    _explain(told)


def _panel(
    request: Request,
    levels: tuple[float, ...],
    band: Band,
    steps: int,
    method: str | None,
    seed: int,
    out: Path | None,
    as_json: bool,
    refit_every: int | None,
    window: int | None,
    shape: dict[str, Any],
) -> NoReturn:
    """Every series of the file by itself."""
    # Loaded where a file holds several series: 25 modules.
    from ngrc.cli.panels import deliver, open_long
    from ngrc.panel import forecasts

    long = open_long(request, "forecast", ("quantiles", "plot", "save", "kept", "preset"))
    model = build_model(request.source, long.table.value, long.length, horizon=1, **shape)
    answer = forecasts(
        long.table.frame, steps, level=levels, model=model, method=method, band=band, refit_every=refit_every,
        window=window, seed=seed, **long.columns,
    )  # fmt: skip
    deliver(long, answer, out, as_json, horizon=steps, levels=list(levels), band=band, method=method)


class Told(NamedTuple):
    """A look ahead with all that is said of it."""

    source: str
    targets: tuple[Series, ...]
    outlooks: tuple[Outlook, ...]
    quantiles: list[pl.DataFrame]
    notes: list[str]

    @property
    def taken(self) -> dict[str, Any]:
        """What was read."""
        return reading(self.source, self.targets[0], self.outlooks[0].model)

    @property
    def report(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return plain_outlooks(self.targets, self.outlooks, self.quantiles, self.notes, self.taken)

    def table(self, *, spelled: bool) -> pl.DataFrame:
        """One row per step and target, with times as the source spells them, or as times."""
        return text_table(self.targets, self.outlooks, self.quantiles, spelled=spelled)


def _deliver(told: Told, out: Path | None, as_json: bool) -> None:
    """The result, into a file or to standard output: JSON, a table for people, or CSV."""
    if out is not None:
        # With --json standard output holds one JSON object and nothing else.
        write_result(out, told.table(spelled=True), told.report, told.table(spelled=False), err=as_json)
    if as_json:
        click.echo(json.dumps(told.report, allow_nan=False))
    elif out is None and sys.stdout.isatty():
        show_outlooks(told.source, told.targets, told.outlooks, told.quantiles)
    elif out is None:
        click.echo(told.table(spelled=True).write_csv(), nl=False)


def _explain(told: Told) -> None:
    """What was read, chosen and is worth knowing; on standard error, as standard output is the table."""
    say_reading(told.taken, told.notes)
    first = told.outlooks[0]
    for line in report_of(first.model).splitlines():
        remark(line, "model")
    remark(f"{first.refits} refits" if first.refits else "fitted once", "model")


def _probabilities(given: Sequence[str]) -> tuple[float, ...]:
    """Probabilities as they were typed, one or several per option."""
    if not given:
        return ()
    try:
        return check_probabilities([float(part) for text in given for part in text.split(",")])
    except ValueError:
        raise ValueError(
            "--quantiles takes rising numbers between 0 and 1 with commas between them, such as 0.1,0.5,0.9, got "
            f"{','.join(given)!r}"
        ) from None
