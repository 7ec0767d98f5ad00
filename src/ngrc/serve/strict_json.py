"""JSON as strictly as it is written: what a careless or hostile client sends is refused, not guessed at."""

import json
import re
from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

from ngrc.series.wording import closest

DEEPEST = 8
"""Nested lists and objects in a request; ours have four."""
LONGEST_NUMBER = 400
"""Digits of a whole number: a double holds 309 of them, and reading takes their square in time."""
_HALF_LETTER = re.compile("[\ud800-\udfff\x00]")


def parse(body: bytes) -> Any:
    """The value of a request's body, or a `ValueError` of one line.

    Python's reader takes NaN, the last of two equal keys, 1e999 as infinity, other encodings than UTF-8 and any depth.

    Examples
    --------
    >>> parse(b'{"value": 1.5, "time": null}')
    {'value': 1.5, 'time': None}
    >>> parse(b'{"value": NaN}')
    Traceback (most recent call last):
    ...
    ValueError: NaN is no JSON; a missing value is null
    """
    try:
        text = body.decode("utf-8")
        value = json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_whole,
            object_pairs_hook=_each_once,
        )
    except UnicodeDecodeError as error:
        raise ValueError(f"the body is no UTF-8 (byte {error.start}); send JSON in UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(
            f"the body is no JSON: {error.msg} (line {error.lineno}, column {error.colno})"
        ) from None
    except RecursionError:
        raise ValueError(_too_deep()) from None
    _check_within(value, DEEPEST)
    return value


def check_fields(given: Any, known: Iterable[str], what: str) -> Mapping[str, Any]:
    """An object all of whose fields are known.

    Examples
    --------
    >>> check_fields({"vlaue": 1}, ("value", "time"), "an observation")
    Traceback (most recent call last):
    ...
    ValueError: an observation has no field 'vlaue'; its fields are value, time; did you mean 'value'?
    """
    if not isinstance(given, dict):
        raise ValueError(f"{what} is a JSON object, got {shown(given)}")
    known = tuple(known)
    for name in given:
        if name not in known:
            raise ValueError(
                f"{what} has no field {shown(name)}; its fields are {', '.join(known)}{closest(name, known)}"
            )
    return given


def shown(value: Any) -> str:
    """What came, in few enough letters for one line."""
    kinds = {dict: "an object", list: "a list", type(None): "null", bool: str(value).lower()}
    if type(value) in kinds:
        return kinds[type(value)]
    words = repr(value)
    return words if len(words) <= 60 else f"{words[:57]}..."


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON; a missing value is null")


def _finite(word: str) -> float:
    value = float(word)
    if not isfinite(value):
        raise ValueError(f"the number {word[:40]} is larger than a double can hold; a missing value is null")
    return value


def _whole(word: str) -> int:
    if len(word) > LONGEST_NUMBER:
        raise ValueError(
            f"the number {word[:20]}... has {len(word)} digits, and is larger than a double can hold"
        )
    return int(word)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"the field {shown(twice)} is given twice; give it once")
    return made


def _check_within(value: Any, depth: int) -> None:
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, list | dict):
        if depth == 0:
            raise ValueError(_too_deep())
        if isinstance(value, dict):
            for name in value:
                _check_text(name)
        for inner in value.values() if isinstance(value, dict) else value:
            if isinstance(inner, str | list | dict):
                _check_within(inner, depth - 1)


def _check_text(text: str) -> None:
    # Half of a pair of \u escapes is no letter, and no database takes it.
    if _HALF_LETTER.search(text):
        raise ValueError("a text holds half a letter or a zero byte; send whole letters")


def _too_deep() -> str:
    return f"the body nests deeper than {DEEPEST} lists and objects; no request of ours does"
