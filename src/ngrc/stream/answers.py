"""Replies as JSON lines: numbers with the digits that read back as the same float.

Written by hand from what a reply holds: `json.dumps` would want it all in dictionaries first.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from sys import float_info

from ngrc.durable.observation import Reply, Time

_LARGEST = float_info.max
_WORDS = {True: "true", False: "false", None: "null"}

Ends = tuple[str, Sequence[float | None], Sequence[float | None]]
"""A level as JSON has it, and the lower and upper ends of every step."""


def answer(reply: Reply) -> str:
    """One JSON object in a line, with its line feed.

    Examples
    --------
    >>> answer(Reply(3, "2026-01-09", 1.5, history=3)).strip()
    '{"seq": 3, "time": "2026-01-09", "value": 1.5, "history": 3}'
    """
    head = said_first(reply.seq, reply.time, reply.value)
    if reply.again:
        head += ', "again": true'
    coming = reply.coming
    if coming is None:
        return f'{head}, "history": {reply.seq if reply.history is None else reply.history}}}\n'
    ends = [(level_key(level), coming.lower[level], coming.upper[level]) for level in coming.lower]
    forecasts = said_forecasts(coming.targets, coming.mean, ends)
    matured = [said_matured(one.step, one.origin, one.mean, one.covered) for one in reply.matured]
    return said_whole(head, forecasts, matured)


def refusal(line: int, error: str) -> str:
    """The answer to a line that could not be taken.

    Examples
    --------
    >>> refusal(12, "no number").strip()
    '{"line": 12, "error": "no number"}'
    """
    return f'{{"line": {line}, "error": {quoted(error)}}}\n'


def said_first(seq: int, time: Time, value: float | None) -> str:
    """What every answer begins with."""
    return f'{{"seq": {seq}, "time": {_time(time)}, "value": {_number(value)}'


def said_whole(first: str, forecasts: str, matured: Iterable[str]) -> str:
    """An answer of its parts."""
    return f'{first}, "forecasts": [{forecasts}], "matured": [{", ".join(matured)}]}}\n'


def said_forecasts(targets: Sequence[Time], mean: Sequence[float], ends: Sequence[Ends]) -> str:
    """Forecasts of all steps, with commas between them."""
    parts = []
    for place, target in enumerate(targets):
        held = [f"{level}: [{_number(low[place])}, {_number(high[place])}]" for level, low, high in ends]
        first = f'"step": {place + 1}, "target": {_time(target)}, "mean": {_number(mean[place])}'
        parts.append(f'{{{first}, "intervals": {{{", ".join(held)}}}}}')
    return ", ".join(parts)


def said_matured(step: int, origin: Time, mean: float, covered: Mapping[float, bool | None]) -> str:
    """A forecast that met its outcome."""
    held = ", ".join([f"{level_key(level)}: {_WORDS[word]}" for level, word in covered.items()])
    return f'{{"step": {step}, "origin": {_time(origin)}, "mean": {_number(mean)}, "covered": {{{held}}}}}'


@lru_cache(1000)
def level_key(level: float) -> str:
    """A level as a key of JSON.

    Examples
    --------
    >>> level_key(0.9)
    '"0.9"'
    """
    return quoted(repr(level))


def _time(time: Time) -> str:
    return quoted(time) if isinstance(time, str) else str(time)


def _number(number: float | None) -> str:
    # False of NaN as well, which JSON has no word for; adding zero makes zero of minus zero, as a database does.
    return repr(number + 0.0) if number is not None and -_LARGEST <= number <= _LARGEST else "null"
