"""What clients ask for, checked: observations, and the settings of a new series."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc.ahead.paths import ManyFits, checked_path
from ngrc.automatic import AutoNGRC
from ngrc.durable import Observation
from ngrc.durable.creation import check_name
from ngrc.live import OnlineForecaster
from ngrc.model import NGRC
from ngrc.series import Series, as_series
from ngrc.serve.strict_json import check_fields, shown
from ngrc.stream.gathering import default_gather
from ngrc.validation import check_count, check_grid, check_levels

MOST_OBSERVATIONS = 10_000
"""In one request: a batch that is taken within a second or so, so that others wait no longer."""
LONGEST_HORIZON = 1_000
MOST_LEVELS = 20
MOST_INTERVALS = 2_000
"""Steps times levels: each pair is calibrated by itself, in up to half a megabyte and tens of milliseconds."""
MOST_COLUMNS = 5_000
"""Of a model: a fit takes their square in numbers, 200 megabytes of so many."""

SETTINGS = (
    "horizon", "level", "method", "model", "late", "refit_every", "window", "seed", "gather", "history",
)  # fmt: skip
MODEL = (
    "lags", "spacing", "degree", "product_lags", "periods", "harmonics", "seasonal", "clock_lags", "calendar",
    "half_lives", "target", "clip", "transform", "lower", "upper", "ridge",
)  # fmt: skip
"""Arguments of `NGRC` that JSON can hold and that need no column beside the series."""
AUTOMATIC = ("periods", "transform", "lower", "upper")
"""Those of `AutoNGRC`."""


@dataclass(frozen=True, slots=True)
class Creation:
    """A series to begin: its forecaster, and a history or how many observations to gather."""

    name: str
    forecaster: OnlineForecaster
    history: int | Series


def observations(body: Any) -> tuple[Observation, ...]:
    """One object, or a list of them."""
    given = body if isinstance(body, list) else [body]
    if not 1 <= len(given) <= MOST_OBSERVATIONS:
        raise ValueError(f"a request has 1 to {MOST_OBSERVATIONS} observations, got {len(given)}")
    return tuple(
        _observation(one, f"observation {place}" if isinstance(body, list) else "an observation")
        for place, one in enumerate(given, start=1)
    )


def creation(name: str, body: Any) -> Creation:
    """The series that the settings describe.

    Examples
    --------
    >>> made = creation("load", {"model": {"lags": 3}, "method": "rolling", "horizon": 2, "gather": 50})
    >>> made.history
    50
    """
    settings = check_fields(body, SETTINGS, "the settings")
    horizon = check_count(settings.get("horizon", 1), "horizon")
    if horizon > LONGEST_HORIZON:
        raise ValueError(f"horizon must be at most {LONGEST_HORIZON}, got {horizon}")
    late = _text(settings.get("late", "refuse"), "late")
    model = model_of(settings.get("model", "auto"), horizon)
    forecaster = OnlineForecaster(
        model,
        _text(settings.get("method", "auto"), "method"),
        _levels(settings.get("level", 0.95), horizon),
        horizon=horizon,
        late=late,  # type: ignore[arg-type]
        refit_every=_optional_count(settings, "refit_every"),
        window=_optional_count(settings, "window"),
        seed=check_count(settings.get("seed", 0), "seed", 0),
    )
    check_name(name)
    if settings.get("history") is None:
        return Creation(name, forecaster, _gathered(settings, model, horizon))
    return Creation(name, forecaster, _history(settings, name))


def model_of(given: Any, horizon: int = 1) -> NGRC | AutoNGRC:
    """`"auto"`, or the options of an NGRC; an object of periods, transform and bounds alone is automatic too.

    Checked now, and not when the history is complete.
    """
    if given == "auto":
        return AutoNGRC()
    options: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in check_fields(given, MODEL, "the model").items()
    }
    for name, value in options.items():
        _check_option(name, value)
    if not set(options) - set(AUTOMATIC):
        return AutoNGRC(**options)
    model = NGRC(**options)
    # It draws up its columns for this, and refuses what they cannot be made of.
    assert model.first_target
    columns = model.feature_map.count(horizon)
    if columns > MOST_COLUMNS:
        raise ValueError(
            f"the model has {columns} columns, and at most {MOST_COLUMNS} are served; use fewer lags or a lower degree"
        )
    return model


def _check_option(name: str, value: Any) -> None:
    """What the model itself looks at only when it is fitted."""
    if name in ("periods", "half_lives", "calendar") and not isinstance(value, tuple):
        raise ValueError(f"{name} is a list, got {shown(value)}")
    if name in ("periods", "half_lives"):
        check_grid(value, name)
    if name == "calendar" and not all(isinstance(part, str) for part in value):
        raise ValueError("calendar is a list of hour, weekday and month")
    if name == "transform":
        _text(
            value[0] if isinstance(value, tuple) and value else value, "transform, or the first of its list,"
        )
    if name in ("lower", "upper") and isinstance(value, bool | str | tuple):
        raise ValueError(f"{name} is a number, got {shown(value)}")


def _gathered(settings: Mapping[str, Any], model: NGRC | AutoNGRC, horizon: int) -> int:
    """How many observations to wait for; too few are refused now, not when they have come."""
    gather = check_count(settings.get("gather", default_gather(model, horizon)), "gather")
    try:
        checked_path(gather, model, horizon, ManyFits())
    except ValueError as error:
        raise ValueError(
            f"gather {gather} is too few ({error}); leave it out, or give {default_gather(model, horizon)} or more"
        ) from None
    return gather


def _history(settings: Mapping[str, Any], name: str) -> Series:
    given = settings["history"]
    if "gather" in settings:
        raise ValueError("gather says how many observations to wait for, and history gives them; give one")
    if not isinstance(given, list) or not given:
        raise ValueError(f"history is a list of values, or of objects of time and value, got {shown(given)}")
    pairs = [
        _observation(one if isinstance(one, dict) else {"value": one}, f"history, value {place}")
        for place, one in enumerate(given, start=1)
    ]
    timed = isinstance(given[0], dict)
    if any((one.time is not None) is not timed or one.seq is not None for one in pairs):
        raise ValueError(
            "a history is a list of values, or of objects that all have time and value, and no seq"
        )
    if pairs[0].value is None:
        raise ValueError("a history begins with a number; leave out the missing values before the first")
    values = np.array([np.nan if one.value is None else one.value for one in pairs])
    return as_series(values, time=np.array([one.time for one in pairs]) if timed else None, name=name)


def _observation(given: Any, what: str) -> Observation:
    fields = check_fields(given, ("value", "time", "seq"), what)
    if "value" not in fields:
        raise ValueError(f"{what} has no value; write null where it is missing")
    time, seq = fields.get("time"), fields.get("seq")
    if time is not None and (isinstance(time, bool) or not isinstance(time, str | int)):
        raise ValueError(f"{what}: time is a text in ISO 8601 or a whole number, got {shown(time)}")
    if isinstance(time, str) and not 0 < len(time) <= 64:
        raise ValueError(f"{what}: time has up to 64 letters, got {len(time)}")
    return Observation(
        _value(fields["value"], what), time, None if seq is None else check_count(seq, f"{what}: seq")
    )


def _value(given: Any, what: str) -> float | None:
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise ValueError(f"{what}: the value is a number, or null where it is missing, got {shown(given)}")
    try:
        return float(given)
    except OverflowError:
        raise ValueError(f"{what}: the value is larger than a double can hold") from None


def _text(given: Any, name: str) -> str:
    if not isinstance(given, str):
        raise ValueError(f"{name} is a text, got {shown(given)}")
    return given


def _levels(given: Any, horizon: int) -> tuple[float, ...]:
    count = len(given) if isinstance(given, list) else 1
    if not 1 <= count <= MOST_LEVELS:
        raise ValueError(f"level is a number or a list of 1 to {MOST_LEVELS} numbers, got a list of {count}")
    if count * horizon > MOST_INTERVALS:
        raise ValueError(
            f"horizon times levels must be at most {MOST_INTERVALS}, got {horizon} times {count}; give fewer levels"
        )
    return check_levels(given)


def _optional_count(settings: Mapping[str, Any], name: str) -> int | None:
    given = settings.get(name)
    return None if given is None else check_count(given, name)
