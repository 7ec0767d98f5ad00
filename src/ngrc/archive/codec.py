"""Values as a tree of plain JSON and numbered arrays, and back.

What JSON knows stands for itself. Everything else is an object with one tag: a container, a number that JSON has no
word for, an array by its number, or a value of a known class with its fields.
"""

import struct
from array import array
from collections import deque
from dataclasses import fields, is_dataclass
from datetime import datetime, timezone
from math import isfinite
from typing import Any

import numpy as np

from ngrc._types import AnyArray
from ngrc.archive.arrays import TYPES
from ngrc.archive.container import ArchiveError
from ngrc.archive.hints import field_checks
from ngrc.archive.kinds import class_of, name_of, unkeepable

Tree = Any
DEEPEST = 60
"""Levels of a tree: the deepest value that there is, an automatic model going on, has some twenty-five."""
MANY = 16
"""Numbers in a row from which they are kept as an array: faster and smaller than digits."""
WIDEST = 2**1024
"""Whole numbers beyond are nobody's parameter, and take long to read."""
LONGEST = 10**6
"""Numbers of a range: lags and periods are ranges, and none has as many."""
CONTAINERS: dict[str, Any] = {"tuple": tuple, "list": list, "deque": deque}
_TAGS = {kind: tag for tag, kind in CONTAINERS.items()}


class Writer:
    """A value as a tree, its arrays in the order in which they are met, each one once."""

    def __init__(self) -> None:
        self.arrays: list[AnyArray] = []
        # By identity: what two parts of a value share they share again after loading. The list keeps them alive, so
        # that no other array gets the same identity meanwhile.
        self._places: dict[int, int] = {}

    def tree(self, value: Any) -> Tree:
        """The tree of a value; `ValueError` where a part of it is of no kind that can be kept."""
        kind = type(value)
        if value is None or kind in (bool, str):
            return value
        if kind is int and abs(value) < WIDEST:
            return value
        if kind is float:
            return value if isfinite(value) else {"float": struct.pack("<d", value).hex()}
        if kind is np.ndarray:
            return {"array": self._place(value)}
        if kind in _TAGS:
            return self._container(value)
        if kind is dict:
            return {"dict": [[self.tree(key), self.tree(item)] for key, item in value.items()]}
        if isinstance(value, np.generic) and TYPES.fullmatch(value.dtype.str):
            return {"scalar": value.dtype.str, "bytes": value.tobytes().hex()}
        if kind is array and value.typecode == "d":
            return {"numbers": self._place(np.array(value))}
        if kind is datetime and (value.tzinfo is None or type(value.tzinfo) is timezone):
            return {"datetime": value.isoformat()}
        if kind is range and abs(value.stop - value.start) <= LONGEST * abs(value.step):
            return {"range": [value.start, value.stop, value.step]}
        return self._object(value)

    def _place(self, value: AnyArray) -> int:
        place = self._places.setdefault(id(value), len(self.arrays))
        if place == len(self.arrays):
            self.arrays.append(value)
        return place

    def _container(self, value: Any) -> Tree:
        tag = _TAGS[type(value)]
        if len(value) >= MANY and all(isinstance(one, float) for one in value):
            return {"floats": tag, "array": self._place(np.array(value))}
        if tag == "deque" and value.maxlen is not None:
            raise ValueError("a deque of bounded length cannot be kept")
        return {tag: [self.tree(one) for one in value]}

    def _object(self, value: Any) -> Tree:
        kind = type(value)
        name = name_of(kind)
        if name is None:
            raise unkeepable(kind)
        inside = (
            value.kept()
            if hasattr(kind, "kept")
            else {one: getattr(value, one) for one in field_checks(kind)}
        )
        _check_fields(name, kind, inside, ValueError)
        return {"kind": name, "fields": {field: self.tree(item) for field, item in inside.items()}}


class Reader:
    """Trees as values, out of the arrays of a file."""

    def __init__(self, arrays: list[AnyArray]) -> None:
        self._arrays = arrays
        self.used: set[int] = set()

    def value(self, tree: Tree, depth: int = 0) -> Any:
        """The value of a tree; `ArchiveError` where it is none that `Writer` makes."""
        if tree is None or isinstance(tree, bool | int | float | str):
            return tree
        if depth > DEEPEST:
            raise ArchiveError(f"it is nested deeper than {DEEPEST} levels")
        if not isinstance(tree, dict) or len(tree) not in (1, 2):
            raise ArchiveError("a part of it has no tag")
        tag, inside = next(iter(tree.items()))
        if tag in CONTAINERS and isinstance(inside, list) and len(tree) == 1:
            return CONTAINERS[tag](self.value(one, depth + 1) for one in inside)
        if tag == "kind" and list(tree) == ["kind", "fields"]:
            return self._object(inside, tree["fields"], depth)
        if tag == "dict" and isinstance(inside, list) and len(tree) == 1:
            return self._dict(inside, depth)
        return self._leaf(tag, tree)

    def _leaf(self, tag: str, tree: dict[str, Any]) -> Any:
        match tree:
            case {"array": int(place), **rest} if tag == "array" and not rest:
                return self._array(place)
            case {"numbers": int(place), **rest} if not rest:
                return array("d", self._doubles(place).tobytes())
            case {"floats": str(name), "array": int(place)} if name in CONTAINERS:
                return CONTAINERS[name](self._doubles(place).tolist())
            case {"float": str(digits), **rest} if not rest and len(digits) == 16:
                return float(struct.unpack("<d", _bytes(digits))[0])
            case {"scalar": str(code), "bytes": str(digits)} if TYPES.fullmatch(code):
                if len(digits) == 2 * np.dtype(code).itemsize:
                    return np.frombuffer(_bytes(digits), code)[0]
            case {"datetime": str(text), **rest} if not rest and len(text) <= 40:
                return datetime.fromisoformat(text)
            case {"range": [int(start), int(stop), int(step)], **rest} if not rest and step:
                # Three numbers may stand for more than anybody can count.
                if abs(stop - start) <= LONGEST * abs(step):
                    return range(start, stop, step)
        raise ArchiveError(f"a part of it is marked {tag!r} and is none")

    def _array(self, place: int) -> AnyArray:
        if isinstance(place, bool) or not 0 <= place < len(self._arrays):
            raise ArchiveError(f"it speaks of an array {place} that it does not hold")
        self.used.add(place)
        return self._arrays[place]

    def _doubles(self, place: int) -> AnyArray:
        numbers = self._array(place)
        if numbers.dtype != np.float64 or numbers.ndim != 1:
            raise ArchiveError(f"its array {place} should be a row of numbers")
        return numbers

    def _dict(self, pairs: list[Any], depth: int) -> dict[Any, Any]:
        result = {}
        for pair in pairs:
            if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], str | int | float):
                raise ArchiveError("a table in it has no keys")
            result[pair[0]] = self.value(pair[1], depth + 1)
        return result

    def _object(self, name: Any, trees: Any, depth: int) -> Any:
        kind = class_of(name) if isinstance(name, str) else None
        if kind is None or not isinstance(trees, dict):
            raise ArchiveError(f"it names {str(name)[:60]!r}, which is no kind of value that a file may hold")
        inside = {field: self.value(tree, depth + 1) for field, tree in trees.items()}
        if hasattr(kind, "migrated"):
            inside = kind.migrated(inside)
        _check_fields(name, kind, inside, ArchiveError)
        value = kind.rebuilt(inside) if hasattr(kind, "rebuilt") else _made(kind, inside)
        if hasattr(kind, "check_kept"):
            value.check_kept()
        return value


def _check_fields(name: str, kind: type[Any], inside: dict[str, Any], error: type[ValueError]) -> None:
    checks = field_checks(kind)
    if not checks and hasattr(kind, "rebuilt"):
        return  # no fields that are declared: the class looks at them itself
    if list(inside) != list(checks):
        odd = sorted(set(inside) ^ set(checks)) or list(inside)
        raise error(f"{name} has other fields than this version knows: {', '.join(odd)[:80]}")
    for field, item in inside.items():
        if not checks[field](item):
            raise error(f"the field {field!r} of {name} is not of its type, but {type(item).__name__}")


def _made(kind: type[Any], inside: dict[str, Any]) -> Any:
    """An object through its own constructor, which checks what it is given; what that does not take is set after."""
    if not is_dataclass(kind):
        return kind(**inside)
    late = [field.name for field in fields(kind) if not field.init]
    value = kind(**{field: item for field, item in inside.items() if field not in late})
    for field in late:
        object.__setattr__(value, field, inside[field])
    return value


def _bytes(digits: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError:
        raise ArchiveError("a number in it is not written in hexadecimal digits") from None
