"""What stands beside a series, handed to a forecaster row by row and never a row too many."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ngrc._types import AnyArray
from ngrc.forecasters.base import Forecaster, Model
from ngrc.series.agreement import check_zones, extended
from ngrc.series.channels import Channels, as_channels
from ngrc.series.value import Series
from ngrc.series.wording import listed


@dataclass(frozen=True, eq=False, slots=True)
class Beside:
    """Channels and times of a series, as a forecaster wants them.

    Parameters
    ----------
    channels
        Columns beside the series, or None.
    exog, known
        Names of the columns that are observed only, and of those that are known ahead.
    times
        Times of the series, reaching as far ahead as the channels; None where the forecaster wants none.

    Examples
    --------
    >>> Beside().until(10)
    {}
    """

    channels: Channels | None = None
    exog: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    times: AnyArray | None = None

    def equip(self, model: Model) -> Model:
        """An unfitted copy of the model that declares the columns; the model itself where there are none."""
        if self.channels is None:
            return model
        return type(model)(**{**model.get_params(deep=False), "exog": self.exog, "known": self.known})

    def until(self, stop: int, ahead: int = 0) -> dict[str, Any]:
        """Keyword arguments for `fit` or `predict` on the observations 0..stop-1.

        Rows are cut at `stop`; with `ahead` they reach so much further, where a forecast of the coming values asks for
        inputs that are known by then.
        """
        end = stop + ahead
        arguments: dict[str, Any] = {}
        if self.channels is not None:
            arguments["exog"] = self.channels.part(0, end if self.known else stop)
        if self.times is not None:
            arguments["times"] = self.times[:end]
        return arguments


def place_beside(
    source: Any,
    series: Series,
    model: Forecaster,
    exog: Any = None,
    known: Sequence[str] = (),
    *,
    ahead: int = 0,
) -> Beside:
    """Check what a user gives beside a series against it and against the model.

    Parameters
    ----------
    source
        What the user gave as the series.
    series
        The same as a `Series`.
    model
        An unfitted forecaster; columns that it declares are taken, all of `exog` where it declares none.
    exog, known
        Anything `as_channels` takes, and the names of its columns that are known ahead.
    ahead
        How many steps after the series are to be forecast.
    """
    if isinstance(known, str):
        raise ValueError(f"known must be a sequence of column names, got {known!r}; write ({known!r},)")
    declared = _declared(model)
    times = _times(series, model, ahead)
    if exog is None:
        if known or any(declared):
            wanted = listed([*known, *declared[0], *declared[1]])
            raise ValueError(f"columns {wanted} are declared, and no exog came that holds them; give exog=")
        return Beside(times=times)
    check_zones(source, exog)
    if "exog" not in model.get_params(deep=False):
        raise ValueError(
            f"exog is for a model that takes it, such as NGRC, and {type(model).__name__} does not; leave exog out"
        )
    if any(declared) and tuple(known) not in ((), declared[1]):
        raise ValueError(
            f"known={tuple(known)!r} contradicts the model's own known={declared[1]!r}; give one of them"
        )
    names, ahead_names = declared if any(declared) else (None, tuple(known))
    # A `Series` and `Channels` are settled: their rows stand beside each other already.
    skip = 0 if isinstance(source, Series) or isinstance(exog, Channels) else series.dropped
    channels = as_channels(
        exog, count=len(series), known=ahead_names, names=names, times=series.times, ahead=ahead, skip=skip
    )
    observed = tuple(name for name in channels.names if name not in ahead_names)
    # Times have been compared; a model that wants them gets the series' own.
    return Beside(Channels(channels.names, channels.values), observed, ahead_names, times)


def _declared(model: Forecaster) -> tuple[tuple[str, ...], tuple[str, ...]]:
    parameters = model.get_params(deep=False)
    return tuple(parameters.get("exog") or ()), tuple(parameters.get("known") or ())


def wants_times(model: Forecaster) -> bool:
    """Whether `fit` and `predict` of a forecaster need times: `NGRC` says so, and of one that says nothing none do."""
    # Not by a protocol: `isinstance` would ask for the property as well, and the answer costs a map.
    return bool(getattr(model, "wants_times", False))


def _times(series: Series, model: Forecaster, ahead: int) -> AnyArray | None:
    if series.times is None or not wants_times(model):
        return None
    return extended(series.times, len(series) + ahead)
