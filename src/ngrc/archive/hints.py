"""Whether a value is what a class declares its field to be."""

import collections.abc
import types
from array import array
from collections import deque
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

Check = Callable[[Any], bool]
T = TypeVar("T")


class Numbers(Generic[T]):
    """Stands for `array.array` in annotations, which cannot be subscribed before Python 3.12."""


def field_checks(kind: type[Any]) -> dict[str, Check]:
    """A check per field of a dataclass or named tuple, in their order; none of another class."""
    known = _known.get(kind)
    if known is None:
        known = _known[kind] = _declared(kind)
    return known


_known: dict[type[Any], dict[str, Check]] = {}


def _declared(kind: type[Any]) -> dict[str, Check]:
    if not is_dataclass(kind) and not hasattr(kind, "_fields"):
        return {}
    hints = get_type_hints(kind, localns={"array": Numbers})
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else list(kind._fields)
    return {name: check_of(hints[name]) for name in names}


def check_of(hint: Any) -> Check:
    """The check of one annotation.

    Examples
    --------
    >>> check_of(float | None)(3), check_of(tuple[int, ...])((1, 2.5)), check_of(Literal["a"])("b")
    (True, False, False)
    """
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        checks = [check_of(one) for one in inner]
        return lambda value: any(check(value) for check in checks)
    if origin is Literal:
        # By type too: True equals 1.
        return lambda value: any(type(value) is type(one) and value == one for one in inner)
    if origin is np.ndarray:
        return _array(get_args(inner[1])[0])
    if origin is tuple and inner[-1] is not Ellipsis:
        places = [check_of(one) for one in inner]
        return lambda value: (
            isinstance(value, tuple)
            and len(value) == len(places)
            and all(check(one) for check, one in zip(places, value, strict=True))
        )
    if origin in _SEQUENCES:
        return _each(_SEQUENCES[origin], check_of(inner[0]))
    if origin in (dict, collections.abc.Mapping):
        key, item = check_of(inner[0]), check_of(inner[1])
        return lambda value: (
            isinstance(value, dict) and all(key(name) and item(one) for name, one in value.items())
        )
    return _plain(hint)


EXACT = 2**53
"""Whole numbers up to it are doubles without a loss."""
_SEQUENCES: dict[Any, tuple[type[Any], ...]] = {
    tuple: (tuple,),
    list: (list,),
    deque: (deque,),
    collections.abc.Sequence: (tuple, list, range, np.ndarray),
    Numbers: (array,),
}
_NUMBERS: dict[Any, tuple[type[Any], ...]] = {
    float: (float, int, np.floating, np.integer),
    int: (int, np.integer),
    bool: (bool, np.bool_),
}
"""What counts as a number of a declared type: whole ones as real ones, those of numpy as those of Python."""


def _each(kinds: tuple[type[Any], ...], check: Check) -> Check:
    # The items of a number array are numbers already.
    return lambda value: (
        isinstance(value, kinds) and (isinstance(value, array) or all(check(one) for one in value))
    )


def _array(wanted: Any) -> Check:
    if wanted is Any:
        return lambda value: isinstance(value, np.ndarray)
    return lambda value: isinstance(value, np.ndarray) and value.dtype == np.dtype(wanted)


def _plain(hint: Any) -> Check:
    if hint is Any:
        return lambda value: True
    if hint in _NUMBERS:
        kinds = _NUMBERS[hint]
        if hint is bool:
            return lambda value: isinstance(value, kinds)
        # A larger whole number is neither exact as a double nor taken by a kernel.
        largest = EXACT if hint is float else 2**63 - 1
        return lambda value: (
            isinstance(value, kinds)
            and not isinstance(value, bool)
            and not (isinstance(value, int) and abs(value) > largest)
        )
    if getattr(hint, "_is_protocol", False):
        # A protocol is kept by what an object can do, and all objects in a file are of our own classes.
        members = [name for name in vars(hint) if not name.startswith("_")]
        return lambda value: all(hasattr(type(value), name) for name in members)
    if isinstance(hint, type):
        return lambda value: isinstance(value, hint)
    raise TypeError(f"no rule for the annotation {hint!r}; give it one here")
