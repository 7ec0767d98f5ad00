"""JSON lines: one flat object per observation."""

import json
from math import isnan, nan
from typing import Any

from ngrc.durable.observation import Observation
from ngrc.stream.given import Names
from ngrc.stream.numerals import LineError, finite, read_time, shown

_EXPECTED = 'expected a JSON object such as {"time": "2026-01-09T08:00:00", "value": 3.2}'


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise LineError(f"the key {shown(twice)} stands twice in one object")
    return found


def _constant(word: str) -> float:
    # NaN is no JSON, yet what Python's own writer makes of a missing value.
    if word != "NaN":
        finite(float(word), word)
    return nan


# Made once: `json.loads` with options would make one per line.
_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)


def read_object(text: str, names: Names) -> Observation:
    """The observation of a JSON line.

    Examples
    --------
    >>> read_object('{"time": 4, "value": null}', Names())
    Observation(value=nan, time=4, seq=None)
    """
    try:
        found = _DECODER.decode(text)
    except LineError:
        raise
    except RecursionError:
        raise LineError(f"{_EXPECTED}, got one nested too deeply") from None
    except ValueError as error:
        raise LineError(f"{_EXPECTED}, got {shown(text)} ({_reason(error)})") from None
    if not isinstance(found, dict):
        raise LineError(f"{_EXPECTED}, got {shown(text)}")
    keys = {names.value or "value": "value", names.time or "time": "time", "seq": "seq"}
    strange = [key for key in found if key not in keys]
    if strange:
        raise LineError(f"unknown key {shown(strange[0])}; an object has {', '.join(keys)}")
    parts = {keys[key]: part for key, part in found.items()}
    if "value" not in parts:
        raise LineError(f"the key {names.value or 'value'!r} is not there; write null where it is missing")
    return Observation(_value(parts["value"]), _time(parts), _count(parts))


def _reason(error: ValueError) -> str:
    return error.msg.lower() if isinstance(error, json.JSONDecodeError) else "a number has too many digits"


def _value(given: Any) -> float:
    if given is None:
        return nan
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise LineError(
            f"value must be a number, or null where it is missing, got {shown(json.dumps(given))}"
        )
    try:
        number = float(given)
    except OverflowError:
        raise LineError("value is too large for a float") from None
    return number if isnan(number) else finite(number, number)


def _time(parts: dict[str, Any]) -> str | int | None:
    if "time" not in parts:
        return None
    given = parts["time"]
    whole = isinstance(given, int) and not isinstance(given, bool)
    if not whole and not isinstance(given, str):
        raise LineError(f"time must be text or a whole number, got {shown(json.dumps(given))}")
    return read_time(str(given))


def _count(parts: dict[str, Any]) -> int | None:
    if "seq" not in parts:
        return None
    given = parts["seq"]
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given < 10**18:
        raise LineError(f"seq must be a whole number from 1, got {shown(json.dumps(given))}")
    return given
