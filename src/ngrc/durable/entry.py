"""`Entry`: an observation with all that was said with it, from which its reply and its rows are made."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from ngrc.durable.observation import Issued, Reply, Settled, Time
from ngrc.durable.times import Scale

Kind = Literal["history", "observed", "missing", "late"]
ForecastRow = tuple[int, float, str, str, float, float, float]
"""Step, level, origin, target, mean, lower, upper."""
OutcomeRow = tuple[int, float, str, str, float, float, float | None, float | None, bool | None]
"""Step, level, origin, target, mean, value, lower, upper, covered."""


class Entry(NamedTuple):
    """One observation: `issued` are the forecasts from it on, `settled` those that it was the outcome of."""

    seq: int
    time: str
    moment: int
    value: float | None
    kind: Kind
    received: str
    issued: Issued | None = None
    settled: tuple[Settled, ...] = ()
    chain: bytes = b""


def issued_by(coming: Any, scale: Scale, zone: str) -> Issued:
    """A `Coming` with text for times and plain numbers."""
    return Issued(
        origin=scale.outside(coming.origin, zone),
        targets=tuple([scale.outside(target, zone) for target in coming.targets]),
        mean=_numbers(coming.mean),
        lower={level: _numbers(coming.lower[level]) for level in sorted(coming.lower)},
        upper={level: _numbers(coming.upper[level]) for level in sorted(coming.lower)},
    )


def settled_by(
    matured: Iterable[Any], levels: Sequence[float], scale: Scale, zone: str
) -> tuple[Settled, ...]:
    """What matured, with text for times and plain numbers; `levels` in rising order."""
    found = []
    for one in sorted(matured, key=lambda one: int(one.step)):
        # Without an interval where the forecast is from before the start.
        told = one.covered is not None
        found.append(
            Settled(
                step=int(one.step),
                origin=scale.outside(one.origin, zone),
                target=scale.outside(one.target, zone),
                mean=_number(one.mean),
                value=_number(one.value),
                covered={level: bool(one.covered[level]) if told else None for level in levels},
                lower={level: _number(one.lower[level]) if told else None for level in levels},
                upper={level: _number(one.upper[level]) if told else None for level in levels},
            )
        )
    return tuple(found)


def _numbers(values: Any) -> tuple[float, ...]:
    return tuple([_number(value) for value in values.tolist()])


def _number(value: Any) -> float:
    # Adding zero makes zero of minus zero, which SQLite would not keep.
    number = float(value) + 0.0
    # It would be kept as nothing, and read as if it had not been said.
    if number != number:
        raise ArithmeticError("a forecast is not a number; please report this")
    return number


def reply_of(entry: Entry, issued: Issued | None, *, again: bool = False) -> Reply:
    """What is said of an entry; `issued` are the forecasts that stand after it."""
    history = entry.seq if issued is None else None
    return Reply(entry.seq, said_time(entry.time), entry.value, again, history, issued, entry.settled)


def forecast_rows(issued: Issued) -> list[ForecastRow]:
    """By step and level."""
    origin, ends = (
        str(issued.origin),
        [(level, issued.lower[level], issued.upper[level]) for level in issued.lower],
    )
    return [
        (place + 1, level, origin, str(target), mean, lower[place], upper[place])
        for place, (target, mean) in enumerate(zip(issued.targets, issued.mean, strict=True))
        for level, lower, upper in ends
    ]


def outcome_rows(settled: Iterable[Settled]) -> list[OutcomeRow]:
    """By step and level."""
    rows: list[OutcomeRow] = []
    for one in settled:
        origin, target = str(one.origin), str(one.target)
        for level, covered in one.covered.items():
            ends = one.lower[level], one.upper[level]
            rows.append((one.step, level, origin, target, one.mean, one.value, *ends, covered))
    return rows


def issued_of(rows: Sequence[ForecastRow]) -> Issued | None:
    """Forecasts from their rows, which are in order of step and level; None where there are none."""
    if not rows:
        return None
    levels = [row[1] for row in rows if row[0] == rows[0][0]]
    first = rows[:: len(levels)]
    of_level = {level: rows[place :: len(levels)] for place, level in enumerate(levels)}
    return Issued(
        origin=said_time(rows[0][2]),
        targets=tuple(said_time(row[3]) for row in first),
        mean=tuple(row[4] for row in first),
        lower={level: tuple(row[5] for row in some) for level, some in of_level.items()},
        upper={level: tuple(row[6] for row in some) for level, some in of_level.items()},
    )


def settled_of(rows: Iterable[OutcomeRow]) -> tuple[Settled, ...]:
    """What matured, from its rows, which are in order of step and level."""
    by_step: dict[int, list[OutcomeRow]] = {}
    for row in rows:
        by_step.setdefault(row[0], []).append(row)
    return tuple(
        Settled(
            step=step,
            origin=said_time(some[0][2]),
            target=said_time(some[0][3]),
            mean=some[0][4],
            value=some[0][5],
            covered={row[1]: row[8] for row in some},
            lower={row[1]: row[6] for row in some},
            upper={row[1]: row[7] for row in some},
        )
        for step, some in by_step.items()
    )


def said_time(text: str) -> Time:
    """An index as a number, a time as it is."""
    return int(text) if text.isdecimal() else text
