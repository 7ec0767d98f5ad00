"""Options that several commands share: which series, and which NGRC."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ngrc.model import NGRC
from ngrc.presets import PAPER, default_lags, paper_model
from ngrc.series import Series

Command = TypeVar("Command", bound=Callable[..., Any])
HELP = {"help_option_names": ["-h", "--help"]}


def series_options(command: Command) -> Command:
    """SERIES, and how to read it when it is a file."""
    # Innermost first: click lists options in the reverse of the order in which they are applied.
    for decorate in (
        click.option(
            "--resample", is_flag=True, help="Put irregular times on a regular grid, gaps carried forward."
        ),
        click.option("--time", help="Column of the times; detected by default."),
        click.option("--column", help="Column of the values; detected where only one can be meant."),
        click.argument("series"),
    ):
        command = decorate(command)
    return command


def model_options(command: Command) -> Command:
    """The shape of the NGRC and the forecast horizon."""
    return _shaped(command, horizon=True)


def shape_options(command: Command) -> Command:
    """The shape of the NGRC alone, for a command that has its own way with the horizon."""
    return _shaped(command, horizon=False)


def _shaped(command: Command, *, horizon: bool) -> Command:
    ahead = click.option(
        "--horizon", type=int, default=1, show_default=True, help="Steps ahead, direct forecasts."
    )
    for decorate in (
        click.option("--preset", type=click.Choice(["paper"]), help="The paper's grids, lags and periods."),
        *([ahead] if horizon else []),
        click.option("--period", type=float, multiple=True, help="Seasonal period in steps; repeatable."),
        click.option(
            "--degree", type=int, default=2, show_default=True, help="Highest degree of the monomials."
        ),
        click.option("--spacing", type=int, default=1, show_default=True, help="Steps between lags."),
        click.option("--lags", type=int, help="Delay length k; chosen from the series' length by default."),
    ):
        command = decorate(command)
    return command


def level_option(command: Command) -> Command:
    """The nominal coverage."""
    return click.option("--level", type=float, default=0.95, show_default=True, help="Nominal coverage.")(
        command
    )


def build_model(
    source: str,
    series: Series,
    *,
    lags: int | None,
    spacing: int,
    degree: int,
    period: tuple[float, ...],
    horizon: int,
    preset: str | None,
) -> NGRC:
    """The NGRC that `model_options` describe, for a series that came from `source`."""
    if preset is None:
        lag_count = default_lags(series.values.size) if lags is None else lags
        return NGRC(lag_count, spacing=spacing, degree=degree, horizon=horizon, periods=period)
    check_preset(preset, lags=lags, spacing=spacing, period=period)
    # By name, or a file of the same name: exchange.csv has the paper's exchange settings.
    return paper_model(source if source in PAPER else series.name, horizon, degree=degree)


def check_preset(
    preset: str | None, *, lags: int | None, spacing: int, period: tuple[float, ...], **_: Any
) -> None:
    """Refuse options that the preset already fixes; an option at its default cannot be told from none."""
    if preset is not None and (lags is not None or period or spacing != 1):
        raise ValueError(
            "--preset paper fixes lags, spacing and periods; leave --lags, --spacing and --period out"
        )
