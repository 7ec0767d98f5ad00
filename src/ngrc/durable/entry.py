"""`Entry`: an observation with all that was said with it, as rows; what is kept, and what a reply is made of."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from ngrc.durable.observation import Issued, Reply, Settled, Time
from ngrc.durable.times import Scale

Kind = Literal["history", "observed", "missing", "late"]


class ForecastRow(NamedTuple):
    """One step and level of what was issued."""

    step: int
    level: float
    origin: str
    target: str
    mean: float
    lower: float
    upper: float


class OutcomeRow(NamedTuple):
    """One step and level of what matured."""

    step: int
    level: float
    origin: str
    target: str
    mean: float
    value: float
    lower: float | None
    upper: float | None
    covered: bool | None


class Entry(NamedTuple):
    """One observation: its row, and the rows of forecasts and outcomes that came with it."""

    seq: int
    time: str
    moment: int
    value: float | None
    kind: Kind
    received: str
    forecasts: tuple[ForecastRow, ...] = ()
    outcomes: tuple[OutcomeRow, ...] = ()
    chain: bytes = b""


def forecast_rows(coming: Any, scale: Scale, zone: str) -> tuple[ForecastRow, ...]:
    """Rows of a `Coming`, by step and level."""
    origin, *targets = (str(time) for time in scale.outside([coming.origin, *coming.targets], zone))
    means = [_number(one) for one in coming.mean]
    ends = [(float(level), coming.lower[level], coming.upper[level]) for level in sorted(coming.lower)]
    return tuple(
        ForecastRow(step + 1, level, origin, targets[step], mean, _number(lower[step]), _number(upper[step]))
        for step, mean in enumerate(means)
        for level, lower, upper in ends
    )


def outcome_rows(
    matured: Iterable[Any], levels: Sequence[float], scale: Scale, zone: str
) -> tuple[OutcomeRow, ...]:
    """Rows of what matured, by step and level; `levels` in rising order."""
    rows = []
    for one in sorted(matured, key=lambda one: int(one.step)):
        origin, target = (str(time) for time in scale.outside([one.origin, one.target], zone))
        mean, value = _number(one.mean), _number(one.value)
        for level in levels:
            lower = upper = covered = None
            # Without an interval where the forecast is from before the start.
            if one.covered is not None:
                lower, upper = _number(one.lower[level]), _number(one.upper[level])
                covered = bool(one.covered[level])
            rows.append(
                OutcomeRow(int(one.step), level, origin, target, mean, value, lower, upper, covered)
            )
    return tuple(rows)


def _number(value: Any) -> float:
    # Adding zero makes zero of minus zero, which SQLite would not keep.
    number = float(value) + 0.0
    # It would be kept as nothing, and read as if it had not been said.
    if number != number:
        raise ArithmeticError("a forecast is not a number; please report this")
    return number


def reply_of(entry: Entry, issued: tuple[ForecastRow, ...], *, again: bool = False) -> Reply:
    """What is said of an entry; `issued` are the forecasts that stand after it."""
    return Reply(
        seq=entry.seq,
        time=said_time(entry.time),
        value=entry.value,
        again=again,
        history=None if issued else entry.seq,
        coming=issued_of(issued) if issued else None,
        matured=settled_of(entry.outcomes),
    )


def issued_of(rows: tuple[ForecastRow, ...]) -> Issued:
    """Forecasts of one origin from their rows, which are in order of step and level."""
    levels = [row.level for row in rows if row.step == 1]
    first = rows[:: len(levels)]
    return Issued(
        origin=said_time(rows[0].origin),
        targets=tuple(said_time(row.target) for row in first),
        mean=tuple(row.mean for row in first),
        lower={
            level: tuple(row.lower for row in rows[place :: len(levels)])
            for place, level in enumerate(levels)
        },
        upper={
            level: tuple(row.upper for row in rows[place :: len(levels)])
            for place, level in enumerate(levels)
        },
    )


def settled_of(rows: tuple[OutcomeRow, ...]) -> tuple[Settled, ...]:
    """What matured, from its rows, which are in order of step and level."""
    by_step: dict[int, list[OutcomeRow]] = {}
    for row in rows:
        by_step.setdefault(row.step, []).append(row)
    return tuple(
        Settled(
            step=step,
            origin=said_time(some[0].origin),
            target=said_time(some[0].target),
            mean=some[0].mean,
            value=some[0].value,
            covered={row.level: row.covered for row in some},
            lower={row.level: row.lower for row in some},
            upper={row.level: row.upper for row in some},
        )
        for step, some in by_step.items()
    )


def said_time(text: str) -> Time:
    """An index as a number, a time as it is."""
    return int(text) if text.isdecimal() else text
