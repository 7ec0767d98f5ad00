"""Trees: exact numbers, what is shared, and trees that nobody wrote."""

import json
from array import array
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import datetime, timedelta, timezone
from functools import partial
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from ngrc import NGRC, OnlineForecaster
from ngrc.archive import dumps, loads
from ngrc.archive.arrays import from_npy, to_npy
from ngrc.archive.codec import Reader, Writer
from ngrc.archive.container import TREE
from ngrc.archive.hints import field_checks
from ngrc.archive.kinds import class_of, name_of, names
from ngrc.features import Delays
from ngrc.intervals import METHODS, Adaptive, History, IntervalMethod, Rolling
from tests.archive.forging import compact, entries_of, forged, sealed


def there_and_back(value: Any) -> Any:
    writer = Writer()
    tree = json.loads(json.dumps(writer.tree(value), allow_nan=False))
    return Reader([from_npy(to_npy(one)) for one in writer.arrays]).value(tree)


EXACT: list[Any] = [
    None, True, 0, -(2**70), "", "é\u2028\0\ud800", 0.1, -0.0, 5e-324, 1.7976931348623157e308, np.inf, -np.inf,
    (), [], deque(), {}, (1, (2.5, [None])), {"a": 1, 2: (3.5,)}, range(3, 40, 5), deque([1, None]),
    datetime(2024, 3, 1, 5, 30, 0, 7), datetime(2024, 3, 1, tzinfo=timezone(timedelta(hours=2))),
    np.float64(-0.0), np.uint64(2**64 - 1), np.bool_(True), np.datetime64("2024-03-01T05", "h"), np.timedelta64(5, "s"),
    tuple(np.linspace(0, 1, 50).tolist()), deque(np.linspace(0, 1, 50).tolist()), [0.5] * 20, array("d", [1.5, -0.0]),
]  # fmt: skip


@pytest.mark.parametrize("value", EXACT, ids=repr)
def test_plain_values_come_back_as_they_were(value: Any) -> None:
    back = there_and_back(value)
    assert type(back) is type(value)
    assert repr(back) == repr(value)


def test_what_is_no_number_comes_back_with_every_bit() -> None:
    odd = np.frombuffer(bytes.fromhex("010000000000f8ff"), "<f8")
    assert there_and_back(odd).tobytes() == odd.tobytes()
    assert np.array(there_and_back(odd.item())).tobytes() == np.array(odd.item()).tobytes()


@pytest.mark.parametrize(
    "value",
    [
        np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.empty((0, 3)), np.array(2.5),
        np.arange(5, dtype=np.uint32), np.array([True, False]), np.arange(10.0)[::-2], np.arange(4, dtype=">f8"),
        np.array(["2024-01-01", "NaT"], dtype="M8[ns]"), np.arange(3, dtype="i1"), np.arange(12.0).reshape(2, 3, 2),
    ],
)  # fmt: skip
def test_arrays_come_back_with_their_shape_and_order(value: Any) -> None:
    back = there_and_back(value)
    assert np.array_equal(back, value, equal_nan=value.dtype.kind in "fM")
    assert back.shape == value.shape
    assert back.dtype == value.dtype.newbyteorder("=")
    assert back.flags.f_contiguous or not value.flags.f_contiguous
    assert back.flags.c_contiguous or not value.flags.c_contiguous
    assert back.flags.writeable
    assert back.flags.owndata


def test_what_two_parts_share_they_share_again() -> None:
    shared = np.arange(3.0)
    first, second, other = there_and_back((shared, shared, shared.copy()))
    assert first is second
    assert first is not other


@pytest.mark.parametrize(
    "value",
    [
        {1, 2}, b"bytes", 1j, object(), np.array(["a"]), np.array([object()]), np.array([(1, 2)], dtype="i4,i4"), len,
        datetime(2024, 3, 1, tzinfo=ZoneInfo("Europe/Berlin")),
        np.complex128(1), deque([1], 5), 2**2000, np.float16(1.0), array("f", [1.0]), np.ma.masked_array([1.0]),
    ],
    # Not by repr, which holds addresses: every worker must name the tests alike.
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_cannot_be_kept_is_refused_when_it_is_saved(value: Any) -> None:
    with pytest.raises(ValueError, match="cannot be kept"):
        there_and_back(value)


@dataclass(frozen=True)
class Own(Adaptive):
    name: ClassVar[str] = "own"


def test_a_class_of_the_user_and_a_bare_number_are_refused() -> None:
    for value in (Own(), NGRC(map=[Own()]), 3.0, [Adaptive()], NGRC):  # type: ignore[list-item]
        with pytest.raises(ValueError, match="cannot be kept; give an NGRC"):
            dumps(value)


def test_a_field_of_another_type_is_refused_when_it_is_saved() -> None:
    tracker = Adaptive(rate=0.01).begin(History(np.arange(1.0, 30.0)), 0.9)
    tracker.rate = "fast"  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="the field 'rate' of intervals/AdaptiveTracker is not of its type"):
        dumps(tracker)


def test_every_name_has_its_class_and_every_field_a_rule() -> None:
    for name in names():
        kind = class_of(name)
        assert kind is not None
        assert name_of(kind) == name
        assert field_checks(kind) or hasattr(kind, "rebuilt") or not fields(kind)
    assert {name_of(method) for method in METHODS.values()} < set(names())


# Trees that say what no value of ours says, in place of the method Rolling(window=5).
def in_fields(**fields: Any) -> Any:
    return {"kind": "intervals/Rolling", "fields": fields}


HOSTILE: dict[str, tuple[Any, str]] = {
    "another class": ({"kind": "os:system", "fields": {}}, "names 'os:system'"),
    "a module": ({"kind": "ngrc.model:NGRC", "fields": {}}, "no kind of value"),
    "a class as a list": ({"kind": ["intervals/Rolling"], "fields": {}}, "no kind of value"),
    "fields as a list": ({"kind": "intervals/Rolling", "fields": [5]}, "no kind of value"),
    "a field missing": (in_fields(), "other fields than this version knows: window"),
    "a field more": (in_fields(window=5, harm=1), "other fields than this version knows: harm"),
    "a dunder": (in_fields(__class__=5), "other fields"),
    "a wrong type": (in_fields(window="5"), "'window' of intervals/Rolling is not of its type, but str"),
    "a truth value": (in_fields(window=True), "not of its type, but bool"),
    "a fraction": (in_fields(window=5.5), "not of its type, but float"),
    "an invalid number": (in_fields(window=-5), "not valid .*window"),
    "an array that is not there": (in_fields(window={"array": 7}), "an array 7 that it does not hold"),
    "an array before the first": (in_fields(window={"array": -1}), "an array -1"),
    "a tag that is none": (in_fields(window={"eval": "1"}), "marked 'eval'"),
    "two tags": (in_fields(window={"tuple": [], "list": []}), "marked 'tuple'"),
    "no tag": (in_fields(window=[5]), "no tag"),
    "a number of letters": (in_fields(window={"float": "x" * 16}), "hexadecimal"),
    "a scalar of objects": (in_fields(window={"scalar": "|O", "bytes": "00"}), "marked 'scalar'"),
    "a scalar too short": (in_fields(window={"scalar": "<f8", "bytes": "00"}), "marked 'scalar'"),
    "a range of no step": (in_fields(window={"range": [0, 1, 0]}), "marked 'range'"),
    "a date that is none": (in_fields(window={"datetime": "soon"}), "not valid"),
    "a table of lists": (in_fields(window={"dict": [[[], 1]]}), "no keys"),
    "a whole number": (5, "promises"),
    "a window beyond all counts": (in_fields(window=2**80), "the field 'window' of intervals/Rolling is not"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_tree_that_nobody_wrote_is_refused(name: str) -> None:
    tree, words = HOSTILE[name]
    kind = tree["kind"] if isinstance(tree, dict) else "intervals/Rolling"
    with pytest.raises(ValueError, match=words) as caught:
        loads(forged(Rolling(window=5), lambda _: tree, kind=kind))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("number", [2**80, -(2**70), 2**53 + 1])
def test_a_whole_number_that_no_double_holds_is_no_real_number(number: int) -> None:
    """It would reach a compiled kernel, which has no type for it."""
    live = OnlineForecaster(NGRC(lags=2), Adaptive(rate=0.01), 0.9).start(np.sin(np.arange(60.0)))

    def change(tree: Any) -> None:
        (fields,) = (found for found in _objects(tree) if found["kind"] == "intervals/AdaptiveTracker")
        fields["fields"]["rate"] = number

    with pytest.raises(
        ValueError, match="the field 'rate' of intervals/AdaptiveTracker is not of its type, but int"
    ):
        loads(forged(live, change))


def _objects(tree: Any) -> Iterator[dict[str, Any]]:
    """Every object of a tree that has a kind."""
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    if isinstance(tree, dict) and "kind" in tree:
        yield tree
    for part in parts:
        yield from _objects(part)


def test_nesting_has_an_end() -> None:
    def deep(levels: int, _: Any) -> Any:
        tree: Any = 1
        for _level in range(levels):
            tree = {"tuple": [tree]}
        return in_fields(window=tree)

    for levels in (100, 200):
        with pytest.raises(ValueError, match="nested deeper than 60"):
            loads(forged(Rolling(window=5), partial(deep, levels)))
    with pytest.raises(ValueError, match="not as ngrc writes them"):
        loads(sealed({**entries_of(Rolling(window=5)), TREE: b'{"tuple":[' * 50_000 + b"]}" * 50_000}))


def npy(header: str, data: bytes = b"") -> bytes:
    line = header.encode() + b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(line).to_bytes(2, "little") + line + data


ARRAYS = {
    "objects": npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", b"x" * 8),
    "huge": npy("{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999, 999999), }"),
    "huge and empty": npy(
        "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 999999999999999, 99999999999999), }"
    ),
    "records": npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", b"x" * 8),
    "code": npy("{'descr': __import__('os'), 'fortran_order': False, 'shape': (), }"),
    "longer than it says": npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", b"x" * 16),
    "no unit": npy("{'descr': '<M8[xx]', 'fortran_order': False, 'shape': (1,), }", b"x" * 8),
    "another version": b"\x93NUMPY\x02\x00" + bytes(100),
    "nothing": b"",
    "other spaces": to_npy(np.ones(2)).replace(b", 'fort", b",  'fort"),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_an_array_that_nobody_wrote_is_refused(name: str) -> None:
    tracker = Rolling(window=5).begin(History(np.arange(1.0, 9.0)), 0.9)
    with pytest.raises(ValueError, match=r"cannot load the bytes: .*(array|valid)"):
        loads(sealed({**entries_of(tracker), "arrays/0.npy": ARRAYS[name]}))


def test_an_array_that_nothing_speaks_of_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing in it speaks of"):
        loads(sealed({**entries_of(Adaptive()), "arrays/0.npy": to_npy(np.ones(3))}))


def test_a_constructor_is_given_no_name_that_it_does_not_have() -> None:
    def other(tree: Any) -> None:
        tree["fields"]["parameters"]["dict"][0][0] = "harm"

    with pytest.raises(ValueError, match="not valid"):
        loads(forged(NGRC(lags=3), other))

    def fewer(tree: Any) -> None:
        tree["fields"]["parameters"]["dict"].pop()

    with pytest.raises(ValueError, match="has the parameters lags"):
        loads(forged(NGRC(lags=3), fewer))

    def fit(tree: Any) -> None:
        tree["fields"]["fit"] = json.loads(compact(Writer().tree(Delays(3))))

    with pytest.raises(ValueError, match="the fit of NGRC is none"):
        loads(forged(NGRC(lags=3), fit))


def test_methods_are_equal_after_loading() -> None:
    for name, method in METHODS.items():
        plain: IntervalMethod = method()
        assert loads(dumps(plain)) == plain, name


def test_a_method_of_the_registry_needs_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="cannot be kept"):
        dumps(Own(rate=0.5))
    monkeypatch.setitem(METHODS, "own", Own)
    assert loads(dumps(Own(rate=0.5))) == Own(rate=0.5)
    # What its file imports or holds besides is not meant.
    for name in ("History", "Writer", "os", "IntervalMethod", "deque"):
        assert class_of(f"intervals/{name}") in (None, History)
