"""What a client sends, and what it is told: values without arrays, whose times are text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Time: TypeAlias = str | int
"""ISO 8601 with the zone that came, or the index counted from the first observation."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One value as it came in.

    Parameters
    ----------
    value
        A number; None or NaN where it is missing.
    time
        ISO 8601 text (2026-01-09, 2026-01-09T08:00, 2026-01-09T08:00:00+01:00) or the index counted from the first
        observation; None for the next time.
    seq
        The count of the observation in its series, from 1; None where the client does not count.
    """

    value: float | None
    time: Time | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Issued:
    """The forecasts of one origin, as `ngrc.live.Coming`: ends by level (a share such as 0.9), one per step."""

    origin: Time
    targets: tuple[Time, ...]
    mean: tuple[float, ...]
    lower: Mapping[float, tuple[float, ...]]
    upper: Mapping[float, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Settled:
    """A forecast that met its outcome, as `ngrc.live.Matured`; None of a level at which it had no interval."""

    step: int
    origin: Time
    target: Time
    mean: float
    value: float
    covered: Mapping[float, bool | None]
    lower: Mapping[float, float | None] = field(default_factory=dict)
    upper: Mapping[float, float | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """What an observation is answered by; to be sent only after `Session.commit`.

    Parameters
    ----------
    seq
        Its count in the series, from 1.
    time, value
        As they are kept; None for a missing value.
    again
        Whether it was known already: then the rest is what was said the first time.
    history
        How many observations are gathered, where the forecaster has not started; else None.
    coming
        The forecasts from here on; None where the forecaster has not started.
    matured
        Earlier forecasts of this time, with their outcomes.
    """

    seq: int
    time: Time
    value: float | None
    again: bool = False
    history: int | None = None
    coming: Issued | None = None
    matured: tuple[Settled, ...] = ()
