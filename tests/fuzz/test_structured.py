"""Tables, documents and lines of the right shape with anything in their cells."""

import json
import math
from datetime import date, timedelta
from typing import Any

import pytest

pytest.importorskip("resource", reason="time and memory are bounded by what Unix offers")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ngrc.stream.lines import Lines
from tests.fuzz.rules import judge
from tests.fuzz.seeds import TEXT_TOKENS
from tests.fuzz.streams import LINE_TOKENS
from tests.fuzz.targets import TARGETS, read
from tests.fuzz.wording import DefectError

# The same examples every time: a change of this repository is what a failure is to blame on.
SETTINGS = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)
words = st.sampled_from([token.decode("utf-8", "replace") for token in TEXT_TOKENS])
numbers = st.one_of(st.integers(), st.floats(width=64), st.floats(-100, 100)).map(str)
cells = st.one_of(numbers, numbers, words, st.text(max_size=8))
names = st.one_of(st.sampled_from(["y", "date", "value", "unique_id", "ds", "year", "month", "load"]), words)


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    """A header and rows of one width, the first column most often of days."""
    separator = draw(st.sampled_from([",", ";", "\t", "|"]))
    header = draw(st.lists(names, min_size=1, max_size=4))
    rows = draw(st.integers(0, 14))
    start, step = draw(st.dates(date(1, 1, 1), date(9990, 1, 1))), draw(st.integers(-2, 40))
    dated, odd = draw(st.booleans()), draw(st.integers(0, 3))
    lines = [separator.join(header)]
    for row in range(rows):
        # Most cells are good, or nothing but the first error would ever be seen.
        line = [draw(cells) if draw(st.integers(0, 9)) < odd else str(row % 5) for _ in header]
        if dated:
            line[0] = (
                str(start + timedelta(days=step * row)) if start.year < 9900 and step >= 0 else str(start)
            )
        lines.append(separator.join(line))
    return "\n".join(lines).encode("utf-8", "surrogatepass")


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=5), st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)
rows = st.lists(
    st.dictionaries(
        st.sampled_from(["date", "y", "t", "load"]), st.one_of(st.floats(), st.integers(), words)
    ),
    max_size=12,
)


@SETTINGS
@given(tables())
def test_tables(data: bytes) -> None:
    judge(read, data)


@SETTINGS
@given(st.one_of(values, rows, rows.map(lambda inner: {"data": inner})))
def test_documents(document: Any) -> None:
    judge(read, json.dumps(document).encode())


@SETTINGS
@given(
    st.lists(st.one_of(cells, st.sampled_from(LINE_TOKENS).map(lambda token: token.decode())), max_size=12)
)
def test_lines(lines: list[str]) -> None:
    judge(_every_line, "\n".join(lines).encode("utf-8", "surrogatepass"))


def _every_line(data: bytes) -> None:
    reader = Lines()
    for line in data.split(b"\n"):
        found = reader.read(line)
        # NaN is a missing outcome, which a line spells in several ways; infinity is nothing.
        if found is not None and found.value is not None and math.isinf(found.value):
            raise DefectError("an infinite value")


@SETTINGS
@given(st.binary(max_size=200))
def test_plain_bytes(data: bytes) -> None:
    for name in ("delimited", "archive", "tree"):
        judge(TARGETS[name].call, data)
