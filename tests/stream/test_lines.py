import json
from math import isnan, nan

import pytest

from ngrc.durable.observation import Observation
from ngrc.stream.given import USUAL, Names
from ngrc.stream.lines import LONGEST, Form, Lines
from ngrc.stream.numerals import LineError


def read(*lines: bytes, form: Form = "auto", names: Names = USUAL) -> list[Observation]:
    reader = Lines(form, names)
    return [found for line in lines if (found := reader.read(line)) is not None]


TAKEN: list[tuple[str, list[bytes], list[tuple[float, object]]]] = [
    ("values alone", [b"1", b"-2.5e1"], [(1.0, None), (-25.0, None)]),
    ("a header", [b"load", b"1"], [(1.0, None)]),
    ("blank lines", [b"", b"1", b"  ", b"2", b""], [(1.0, None), (2.0, None)]),
    ("time first", [b"2026-01-09,1"], [(1.0, "2026-01-09")]),
    ("value first", [b"1.5,2026-01-09 08:00"], [(1.5, "2026-01-09 08:00")]),
    ("a counter first", [b"7,1.5"], [(1.5, 7)]),
    ("a counter last", [b"1.5,7"], [(1.5, 7)]),
    ("whole numbers", [b"7,1"], [(1.0, 7)]),
    ("names in the other order", [b"value,time", b"7,1"], [(7.0, 1)]),
    ("names that say the time", [b"power,ds", b"7,1"], [(7.0, 1)]),
    ("names that say nothing", [b"a,b", b"1.5,7"], [(1.5, 7)]),
    ("another value's name", [b"time,sensor,value", b"3,4,5"], [(5.0, 3)]),
    ("a header that comes again", [b"time,value", b"1,5", b"time,value", b"2,6"], [(5.0, 1), (6.0, 2)]),
    ("quotes", [b'"time","value"', b'"3","5"', b'4,"6"'], [(5.0, 3), (6.0, 4)]),
    ("a quoted value alone", [b'"5"', b'""'], [(5.0, None), (nan, None)]),
    ("line ends of Windows", [b"time,value\r", b"1,5\r"], [(5.0, 1)]),
    ("a byte order mark", [b"\xef\xbb\xbftime,value", b"1,5"], [(5.0, 1)]),
    ("semicolons", [b"time;value", b"1;5"], [(5.0, 1)]),
    ("tabs", [b"1\t5.5"], [(5.5, 1)]),
    ("missing", [b"time,value", b"1,", b"2,NA", b"3,nan", b"4,null"], [(nan, 1), (nan, 2), (nan, 3), (nan, 4)]),
    ("missing first", [b"NA", b"1"], [(nan, None), (1.0, None)]),
    ("JSON", [b'{"time": "2026-01-09", "value": 1}', b'{"value": 2.5}'], [(1.0, "2026-01-09"), (2.5, None)]),
    ("JSON, missing", [b'{"value": null}', b'{"value": NaN}'], [(nan, None), (nan, None)]),
    ("JSON, an index", [b'{"value": 3, "time": 12}'], [(3.0, 12)]),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "expected"), [row[1:] for row in TAKEN], ids=[row[0] for row in TAKEN])
def test_lines_are_read(lines: list[bytes], expected: list[tuple[float, object]]) -> None:
    found = [(one.value, one.time) for one in read(*lines)]
    assert [repr(one) for one in found] == [repr(one) for one in expected]


def test_a_count_comes_with_either_form() -> None:
    assert read(b"seq,value", b"4,1.5") == [Observation(1.5, None, 4)]
    assert read(b'{"seq": 4, "value": 1.5}') == [Observation(1.5, None, 4)]


def test_columns_and_keys_can_be_named() -> None:
    names = Names(value="load", time="at")
    assert read(b"at,wind,load", b"3,9,1", names=names) == [Observation(1.0, 3)]
    assert read(b'{"at": 3, "load": 1}', names=names) == [Observation(1.0, 3)]


REFUSED: list[tuple[str, list[bytes], str]] = [
    ("a word", [b"1", b"abc"], "a value is a number such as 3.2"),
    ("infinite", [b"inf"], "a value is a number"),
    ("too large", [b"1e999"], "must be finite"),
    ("hexadecimal", [b"0x10"], "a value is a number"),
    ("an underscore", [b"1_000"], "a value is a number"),
    ("foreign digits", ["٣".encode()], "a value is a number"),
    ("a decimal comma among semicolons", [b"1;2,5"], "a value is a number"),
    ("too many cells", [b"1,2,3"], "expected value, or time,value, got 3 cells"),
    ("another number of cells", [b"1,2", b"3"], "expected 2 cells as in the first line, got 1"),
    ("an open quote", [b'1,"2'], "a quote is opened and not closed"),
    ("no UTF-8", [b"1", b"\xff\xfe"], "not UTF-8 (byte 1)"),
    ("a NUL", [b"1\x00"], "holds a NUL byte"),
    ("a long line", [b"1" * (LONGEST + 1)], "may have 1,000,000 bytes"),
    ("a German date", [b"time,value", b"09.01.2026,1"], "a time is written as 2026-01-09T08:00:00"),
    ("a day that is none", [b"time,value", b"2026-02-30,1"], "a time is written as"),
    ("a strange sign in a time", [b"time,value", b"2026-01-09x08:00,1"], "a time is written as"),
    ("no time", [b"time,value", b",1"], "a time is written as"),
    ("two columns of one name", [b"value,value"], "names a column twice"),
    ("columns that could all be meant", [b"time,a,b"], "name the column with --column"),
    ("a count that is none", [b"seq,value", b"0,1"], "seq must be a whole number from 1"),
    ("a list", [b"[1]"], "expected a JSON object"),
    ("half an object", [b'{"value": 1'], "expected a JSON object"),
    ("two objects", [b'{"value": 1} {"value": 2}'], "expected a JSON object"),
    ("a key twice", [b'{"value": 1, "value": 2}'], "stands twice"),
    ("another key", [b'{"value": 1, "tme": 2}'], "unknown key 'tme'"),
    ("no value", [b'{"time": 1}'], "the key 'value' is not there"),
    ("an object inside", [b'{"value": {"a": 1}}'], "value must be a number"),
    ("text as a value", [b'{"value": "1"}'], "value must be a number"),
    ("a truth value", [b'{"value": true}'], "value must be a number"),
    ("JSON's infinity", [b'{"value": -Infinity}'], "must be finite"),
    ("JSON, too large", [b'{"value": 1e999}'], "must be finite"),
    ("JSON, a huge whole number", [b'{"value": 1' + b"0" * 400 + b"}"], "too large for a float"),
    ("JSON, too many digits", [b'{"value": 1' + b"0" * 9000 + b"}"], "too many digits"),
    ("JSON, too deep", [b'{"value": ' + b"[" * 100_000], "nested too deeply"),
    ("JSON, a time of no kind", [b'{"value": 1, "time": null}'], "time must be text or a whole number"),
    ("JSON, a fraction as a time", [b'{"value": 1, "time": 1.5}'], "time must be text or a whole number"),
    ("JSON, a count as text", [b'{"value": 1, "seq": "1"}'], "seq must be a whole number from 1"),
    ("CSV after JSON", [b'{"value": 1}', b"2"], "expected a JSON object"),
    ("JSON after CSV", [b"1", b'{"value": 1}'], "a value is a number"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "words"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_bad_line_is_one_clear_error(lines: list[bytes], words: str) -> None:
    with pytest.raises(LineError) as caught:
        read(*lines)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_a_first_line_that_is_wrong_settles_nothing() -> None:
    reader = Lines()
    with pytest.raises(LineError):
        reader.read(b"1.5.2")
    assert reader.read(b"7,1.5") == Observation(1.5, 7)


def test_forms_can_be_demanded() -> None:
    with pytest.raises(LineError):
        read(b"1", form="json")
    with pytest.raises(LineError):
        read(b'{"value": 1}', form="csv")


def test_names_need_a_header() -> None:
    with pytest.raises(LineError, match="name columns of a header"):
        read(b"1,2", names=Names(value="load"))
    with pytest.raises(LineError, match="no column 'load'"):
        read(b"time,value", names=Names(value="load"))


@pytest.mark.parametrize("number", [0.1, 1 / 3, -5e-324, 1.7976931348623157e308, 123456789012345678])
def test_a_number_is_read_to_the_bit(number: float) -> None:
    (csv,) = read(repr(number).encode())
    (line,) = read(json.dumps({"value": number}).encode())
    assert csv.value == line.value == float(number)
    assert csv.value is not None
    assert not isnan(csv.value)
