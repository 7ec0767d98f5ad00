"""`--save MODEL` and `--model MODEL`: a forecast that is gone on from without a fit."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from ngrc._atomic import check_file
from ngrc.ahead import Outlook, load_continuation
from ngrc.ahead.calibrated import Band
from ngrc.cli.destination import same_file
from ngrc.series import Recording

Function = TypeVar("Function", bound=Callable[..., Any])

ALLOWED = {
    *("series", "column", "target", "exog", "known", "time", "resample"),
    *("levels", "band", "quantiles", "steps", "plot", "out", "as_json", "quiet", "save", "kept"),
}
"""Parameters of `ngrc forecast` that make sense beside `--model`: what is read, asked of it and written; all others
shape a fit, and there is none."""


def kept_options(function: Function) -> Function:
    """Both options; the command gets `save` and `kept`."""
    save = click.option(
        "--save",
        type=click.Path(path_type=Path),
        metavar="MODEL",
        help="Keep the fitted model and its errors in a file, to go on from with --model.",
    )
    kept = click.option(
        "--model",
        "kept",
        type=click.Path(path_type=Path),
        metavar="MODEL",
        help="Go on from a file of --save: newer rows are forecast without a fit.",
    )
    return save(kept(function))


def check_kept(save: Path | None, kept: Path | None, inputs: Iterable[Path]) -> None:
    """Refuse what cannot be kept, and what contradicts a kept model, before anything is read."""
    if save is not None:
        # The kept model itself may be replaced: it is read before it is written, whole or not at all.
        for path in inputs:
            if same_file(save, path):
                raise ValueError(f"--save {save} would replace the input {path}; name another file")
        check_file(save)
    if kept is None:
        return
    context = click.get_current_context()
    named = [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name not in ALLOWED
        and parameter.name is not None
        and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
    ]
    if named:
        raise ValueError(
            f"--model goes on with a model that is fitted, and {', '.join(named)} would shape another; leave one of "
            "them out"
        )


def go_on(
    kept: Path, recording: Recording, *, steps: int, levels: tuple[float, ...], band: Band
) -> tuple[Outlook, ...]:
    """The coming values by a kept model; as many steps as it has where none were asked for."""
    if len(recording.targets) > 1:
        raise ValueError("--model goes on with one series, got several targets; give one --target")
    going = load_continuation(kept)
    source = click.get_current_context().get_parameter_source("steps")
    wanted = steps if source is ParameterSource.COMMANDLINE else going.steps
    outlook = going.look_ahead(
        recording.targets[0], exog=recording.channels, steps=wanted, level=levels, band=band
    )
    return (outlook,)


def keep(outlooks: tuple[Outlook, ...], save: Path) -> None:
    """Write what is needed to go on."""
    if len(outlooks) > 1:
        raise ValueError("--save keeps the model of one series, got several targets; give one --target")
    outlooks[0].continuation().save(save)
