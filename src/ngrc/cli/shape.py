"""Options that shape the NGRC, and the model that they describe."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ngrc.automatic import AutoNGRC
from ngrc.cli.grammar import Count, Name, each, numbers_of, words_of
from ngrc.model import NGRC
from ngrc.presets import PAPER, default_lags, paper_model

Command = TypeVar("Command", bound=Callable[..., Any])


def lag_list(text: str) -> int | tuple[int, ...]:
    """A count such as 24, or a list of lags such as 1,2,3,24."""
    try:
        numbers = tuple(int(part) for part in text.rstrip(",").split(","))
    except ValueError:
        raise click.BadParameter(
            f"a count such as 24 or a list such as 1,2,3,24 is expected, got {text!r}"
        ) from None
    return numbers if "," in text else numbers[0]


def region(text: str) -> str | tuple[str, str]:
    """A country such as DE, or country and subdivision such as US-CA."""
    country, hyphen, subdivision = text.partition("-")
    return (country, subdivision) if hyphen else country


def transform(text: str) -> str | tuple[str, float]:
    """The name of a transform, or name and number such as log:1."""
    name, colon, number = text.partition(":")
    if not colon:
        return name
    try:
        return name, float(number)
    except ValueError:
        raise click.BadParameter(f"a name such as log or log:1 is expected, got {text!r}") from None


# In the order in which the help lists them. None stands for what the model does by itself.
_OPTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "--lags",
        {
            **each(lambda given: lag_list(",".join(given)) if given else None),
            "metavar": "K|L,L,...",
            "help": "Count or list; chosen by validation where no option names columns.",
        },
    ),
    ("--spacing", {"type": Count(), "help": "Steps between lags; 1 by default."}),
    ("--degree", {"type": Count(), "help": "Highest degree of the monomials; 2 by default."}),
    (
        "--product-lags",
        {"type": Count(0), "help": "Lags, from the first, that are multiplied; all by default."},
    ),
    ("--period", {**each(numbers_of), "metavar": "P[,P...]", "help": "Seasonal periods in steps."}),
    ("--harmonics", {"type": Count(0), "help": "Fourier terms of each period; 2 by default."}),
    (
        "--seasonal",
        {"type": Count(0), "help": "Cycles back whose values around the target's phase are read."},
    ),
    (
        "--clock-lags",
        {"type": Count(0), "help": "Lags, from the first, that are multiplied with the Fourier terms."},
    ),
    (
        "--calendar",
        {**each(words_of), "metavar": "PARTS", "help": "Parts of the target's date: hour,weekday,month."},
    ),
    (
        "--holidays",
        {"type": region, "metavar": "COUNTRY", "help": "Public holidays, of DE or US-CA for instance."},
    ),
    ("--zone", {"help": "Clock on which the calendar is told where times are in UTC: Europe/Berlin."}),
    (
        "--difference",
        {
            "type": Name(["level", "increment", "seasonal", "both"], "difference"),
            "help": "What is fitted: the level, or its change over the horizon or a period.",
        },
    ),
    (
        "--clip",
        {"type": float, "help": "Share of their range that inputs may leave it by; no limit by default."},
    ),
    (
        "--transform",
        {
            "type": transform,
            "metavar": "NAME",
            "help": "Fit a transform of the series: log, log:1, root, boxcox, asinh.",
        },
    ),
    ("--lower", {"type": float, "help": "Lower bound of the series."}),
    ("--upper", {"type": float, "help": "Upper bound of the series."}),
)
_PRESET = ("--preset", {"type": Name(["paper"], "preset"), "help": "The paper's grids, lags and periods."})
_HORIZON = (
    "--horizon",
    {
        "type": Count(),
        "default": 1,
        "show_default": True,
        "help": "How many steps ahead the forecast reaches.",
    },
)
# What the preset leaves open.
_OPEN = {"degree", "horizon", "preset"}
# What the automatic model takes too: with these alone it still chooses its columns.
_AUTOMATIC = {"periods", "transform", "lower", "upper"}
# Where the option and the model's argument have different names.
ARGUMENTS = {"period": "periods", "difference": "target"}


def shape_option_names() -> tuple[str, ...]:
    """Parameters of a command that `shape_options` decorates."""
    return tuple(name.removeprefix("--").replace("-", "_") for name, _ in (*_OPTIONS, _PRESET))


def model_options(command: Command) -> Command:
    """The shape of the NGRC and the forecast horizon."""
    return _decorated(command, (*_OPTIONS, _HORIZON, _PRESET))


def shape_options(command: Command) -> Command:
    """The shape of the NGRC alone, for a command that has its own way with the horizon."""
    return _decorated(command, (*_OPTIONS, _PRESET))


def _decorated(command: Command, options: tuple[tuple[str, dict[str, Any]], ...]) -> Command:
    for name, settings in reversed(options):
        command = click.option(name, **settings)(command)
    return command


def build_model(
    source: str,
    name: str,
    observations: int,
    *,
    horizon: int,
    preset: str | None,
    together: bool = False,
    **shape: Any,
) -> NGRC | AutoNGRC:
    """The model that the options describe, for a series of that name and length that came from `source`.

    Options that say which columns there are ask for an NGRC of just those, and so do several targets `together`;
    without any the model of one series chooses them itself.
    """
    if preset is not None:
        check_preset(preset, **shape)
        # By name, or a file of the same name: exchange.csv has the paper's exchange settings.
        return paper_model(
            source if source in PAPER else name,
            horizon,
            degree=2 if shape["degree"] is None else shape["degree"],
        )
    # What is not asked for is not passed: the model's own defaults stand.
    asked = {
        ARGUMENTS.get(option, option): value for option, value in shape.items() if value not in (None, ())
    }
    if asked.keys() <= _AUTOMATIC and not together:
        return AutoNGRC(horizon, **asked)
    lags = asked.pop("lags", None)
    return NGRC(default_lags(observations) if lags is None else lags, horizon=horizon, **asked)


def check_preset(preset: str | None, **shape: Any) -> None:
    """Refuse options that the preset already fixes."""
    if preset is None:
        return
    given = [
        f"--{option.replace('_', '-')}"
        for option, value in shape.items()
        if option not in _OPEN and value not in (None, ())
    ]
    if given:
        raise ValueError(
            f"--preset paper fixes lags, spacing, periods and columns; leave {', '.join(given)} out"
        )
