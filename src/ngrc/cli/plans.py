"""What the options of a stream ask for: the forecaster, where it starts, and whether a kept one is the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import click
from click.core import ParameterSource

from ngrc.automatic import AutoNGRC
from ngrc.cli.options import Request
from ngrc.cli.shape import ARGUMENTS, build_model, shape_option_names
from ngrc.cli.source import one_target, open_recording
from ngrc.live import OnlineForecaster
from ngrc.model import NGRC
from ngrc.series import Series
from ngrc.stream.gathering import LEAST, default_gather

_ATTRIBUTES = {
    "steps": "horizon",
    "method": "method",
    "levels": "levels",
    "refit_every": "refit_every",
    "window": "window",
    "late": "late",
    "seed": "seed",
}
"""Parameters of the command, and where the forecaster keeps them."""


@dataclass(frozen=True)
class Wishes:
    """Options of `ngrc stream` that shape the forecaster.

    Parameters
    ----------
    name
        Of the series, by which the paper's preset is found.
    history, gather
        The series to start from, or how many lines to gather.
    given
        All others, by the names that the command has them under.
    """

    name: str | None
    history: str | None
    gather: int | None
    given: dict[str, Any]

    @classmethod
    def of(cls, name: str | None, *, history: str | None, gather: int | None, **given: Any) -> "Wishes":
        """As they come from the command line."""
        if history is not None and gather is not None:
            raise ValueError("--history is what --gather would gather; give one of them")
        return cls(name, history, gather, given)

    @cached_property
    def series(self) -> Series | None:
        """The history's series, read once; None where lines are gathered."""
        if self.history is None:
            return None
        request = Request(self.history)
        one_target(request, "stream")
        return open_recording(request).targets[0]

    @cached_property
    def model(self) -> NGRC | AutoNGRC:
        """The unfitted model of the shape options."""
        shape = {option: self.given[option] for option in shape_option_names()}
        size = len(self.series) if self.series is not None else self.gather or LEAST
        name = self.series.name if self.series is not None else self.name or ""
        return build_model(self.history or name, name, size, horizon=1, **shape)

    def forecaster(self) -> OnlineForecaster:
        """The forecaster, not started."""
        given = self.given
        return OnlineForecaster(
            self.model, given["method"], given["levels"], horizon=given["steps"], late=given["late"],
            refit_every=given["refit_every"], window=given["window"], seed=given["seed"],
        )  # fmt: skip

    def start(self) -> Series | int:
        """What it starts from: a series, or how many lines."""
        if self.series is not None:
            return self.series
        return self.gather or default_gather(self.model, self.given["steps"])

    def check(self, kept: OnlineForecaster, gathers: int) -> None:
        """Refuse options that were typed and contradict a kept forecaster, by their names."""
        typed = _typed()
        wrong = []
        if "gather" in typed and self.gather != gathers:
            wrong.append(f"--gather (it is {gathers})")
        # Built of all options; only those that were typed are compared.
        asked = self.forecaster()
        for parameter, attribute in _ATTRIBUTES.items():
            if parameter in typed and getattr(asked, attribute) != getattr(kept, attribute):
                wrong.append(f"{typed[parameter]} (it is {_spelled(getattr(kept, attribute))})")
        has, wants = kept.model.get_params(deep=False), asked.model.get_params(deep=False)
        for option in shape_option_names():
            argument = ARGUMENTS.get(option, option)
            if option in typed and wants.get(argument) != has.get(argument):
                wrong.append(f"{typed[option]} (it is {_spelled(has.get(argument))})")
        if "preset" in typed and wants != has:
            wrong.append(f"--preset {self.given['preset']} (it is another model)")
        if wrong:
            raise ValueError(
                f"the series is in the state already with other settings: {', '.join(wrong)}; leave "
                f"{'it' if len(wrong) == 1 else 'them'} out, or name another --series"
            )


def _spelled(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(str, value)) or "none"
    return "none" if value is None else str(value)


def _typed() -> dict[str, str]:
    """Options that stand on the command line, by parameter."""
    context = click.get_current_context()
    return {
        parameter.name: parameter.opts[0]
        for parameter in context.command.params
        if parameter.name is not None
        and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
    }
