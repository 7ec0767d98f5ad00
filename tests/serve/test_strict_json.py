"""What is no JSON, or JSON that two readers would read differently, is refused in one line."""

import pytest

from ngrc.serve.strict_json import check_fields, parse

BAD = {
    "empty": (b"", "no JSON: Expecting value"),
    "half": (b'{"value": 1', "no JSON: Expecting"),
    "NaN": (b'{"value": NaN}', "NaN is no JSON"),
    "infinity": (b"[Infinity]", "Infinity is no JSON"),
    "minus infinity": (b"[-Infinity]", "-Infinity is no JSON"),
    "overflow": (b'{"value": 1e999}', "larger than a double"),
    "twice": (b'{"value": 1, "value": 2}', "the field 'value' is given twice"),
    "twice inside": (b'[{"a": {"b": 1, "b": 2}}]', "the field 'b' is given twice"),
    "latin": ('{"value": "ä"}'.encode("latin-1"), "no UTF-8"),
    "UTF-16": ('{"value": 1}'.encode("utf-16"), "no UTF-8"),
    "byte order mark": (b'\xef\xbb\xbf{"value": 1}', "no JSON"),
    "deep": (b"[" * 9 + b"]" * 9, "nests deeper than 8"),
    "very deep": (b"[" * 200_000, "nests deeper than 8"),
    "deep objects": (b'{"a":' * 200_000, "nests deeper than 8"),
    "half a letter": (rb'{"time": "\ud800"}', "half a letter"),
    "half a letter as a key": (rb'{"\udfff": 1}', "half a letter"),
    "zero byte": (rb'{"time": "\u0000"}', "a zero byte"),
    "two values": (b"1 2", "no JSON: Extra data"),
    "comment": (b"[1] // one", "no JSON"),
    "many digits": (b"[" + b"9" * 5000 + b"]", "has 5000 digits, and is larger than a double"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_bodies_are_refused_in_one_line(name: str) -> None:
    body, words = BAD[name]
    with pytest.raises(ValueError, match=words) as failure:
        parse(body)
    assert "\n" not in str(failure.value)
    assert len(str(failure.value)) < 200


def test_good_bodies_are_read_as_they_are() -> None:
    text = '[{"value": -1.5e-3, "time": "2026-01-09T08:00", "seq": 3}, {"value": null}, {"value": "ä😀"}]'
    assert parse(text.encode()) == [
        {"value": -0.0015, "time": "2026-01-09T08:00", "seq": 3},
        {"value": None},
        {"value": "ä😀"},
    ]


def test_unknown_fields_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"no field 'tiem'.*did you mean 'time'"):
        check_fields({"tiem": 1}, ("value", "time"), "an observation")
    with pytest.raises(ValueError, match="is a JSON object, got a list"):
        check_fields([], ("value",), "an observation")
