"""Parts of a page by themselves: text that stays text, policies, tables, thinning."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ngrc.web import Cell, Row, document, json_text, table, text
from ngrc.web.assets import asset
from ngrc.web.controls import Choice, figure, moves, ticks
from ngrc.web.numbers import counted, decimals, rounded
from ngrc.web.thinning import thinning

HOSTILE = """</script><script>alert(1)</script> "><img src=x onerror=alert(2)> <!-- ' & \u2028"""
SCRIPTS = ("theme.js", "tables.js", "drawing.js", "fan.js", "tested.js", "errors.js", "start.js")
META = '<meta name="generator" content="test">'


class Reader(HTMLParser):
    """Tags with their attributes, and the text between them, as a browser's parser has them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        # A per cent sign stays on the line of its number.
        self.words += data.replace("\u00a0%", " %")


@given(st.text())
def test_any_text_comes_back_and_makes_no_tag(words: str) -> None:
    read = Reader(f'<p title="{text(words)}">{text(words)}</p>')
    assert [tag for tag, _ in read.tags] == ["p"]
    # The parser reads a carriage return as a line end, and a null as a mark, as browsers do.
    assert lines(read.words) == lines(words) or "\x00" in words


def lines(words: str) -> list[str]:
    return words.replace("\r\n", "\n").replace("\r", "\n").split("\n")


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_any_value_comes_back_from_its_block(value: object) -> None:
    block = json_text(value)
    assert json.loads(block) == value
    assert not re.search("[<>&\u2028\u2029]", block)


def test_no_number_that_json_lacks_is_written() -> None:
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="Out of range float"):
            json_text([value])


def test_hostile_words_are_words_in_every_part() -> None:
    parts = (
        table([HOSTILE], [Row((Cell(HOSTILE), Cell(HOSTILE, 1.0)), HOSTILE)], caption=HOSTILE, name=HOSTILE),
        ticks(HOSTILE, HOSTILE, [Choice(HOSTILE, HOSTILE, True)], chart=HOSTILE),
        moves(HOSTILE, of=HOSTILE, recent=True),
        figure(HOSTILE, HOSTILE, HOSTILE, heading=HOSTILE),
    )
    for part in parts:
        read = Reader(part)
        assert not {"script", "img"} & {tag for tag, _ in read.tags}
        assert not any("onerror" in attributes for _, attributes in read.tags)
    page = document(HOSTILE, "<p></p>", generator=META)
    assert [tag for tag, _ in Reader(page).tags].count("script") == 2


def test_the_policy_knows_every_script_by_its_hash_and_lets_nothing_out() -> None:
    page = document("a title", "<p></p>", generator=META, scripts=["let more = 1;"])
    (said,) = [
        one["content"] for tag, one in Reader(page).tags if one.get("http-equiv") == "Content-Security-Policy"
    ]
    assert said is not None
    scripts = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
    assert len(scripts) == 3
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    rules = dict(part.split(" ", 1) for part in said.split("; "))
    assert rules["script-src"] == " ".join(f"'sha256-{one}'" for one in hashes)
    assert rules["default-src"] == "'none'"
    assert "http" not in said
    assert "unsafe-eval" not in said


@pytest.mark.parametrize("script", ["a('</SCRIPT>')", "a('<!--')"])
def test_a_script_that_would_end_its_block_is_refused(script: str) -> None:
    with pytest.raises(ValueError, match="cannot stand in a page"):
        document("a title", "", generator=META, scripts=[script])


def test_cells_sort_by_their_value_and_unknown_ones_by_none() -> None:
    cells = (
        Cell("no bound", float("inf")),
        Cell("", float("nan")),
        Cell("1.5", 1.5),
        Cell("word"),
        Cell("w " * 20),
    )
    tags = [(tag, one) for tag, one in Reader(table("abcde", [Row(cells)])).tags if tag == "td"]
    assert [one.get("data-value") for _, one in tags] == ["Infinity", None, "1.5", None, None]
    assert [one.get("class") for _, one in tags] == ["n", "n", "n", "s", "l"]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=300), st.integers(2, 60))
def test_thinning_keeps_the_extremes_of_every_stretch(numbers: list[float], most: int) -> None:
    values = np.array(numbers)
    kept = thinning(values.size, most)
    drawn = kept.of(values)
    assert drawn.shape == kept.positions.shape
    assert kept.positions.size <= max(most + 2, 2)
    assert np.all(np.diff(kept.positions) > 0)
    if kept.whole:
        assert np.array_equal(drawn, values)
        return
    for start in range(0, values.size, kept.stretch):
        part = values[start : start + kept.stretch]
        here = drawn[(kept.positions >= start) & (kept.positions < start + kept.stretch)]
        assert (here.min(), here.max()) == (part.min(), part.max())
        # Never an average: every value that is drawn is one of the stretch, in the order in which they came.
        assert set(here) <= set(part)
        if part.size > 1 and part.min() < part.max():
            assert (np.argmin(part) < np.argmax(part)) == (here[0] < here[-1])


def test_what_has_no_bound_leaves_a_gap() -> None:
    values = np.arange(40.0)
    values[7] = np.inf
    drawn = rounded(thinning(40, 8).of(values), 3)
    assert drawn[:2] == [0.0, None]
    assert drawn[2:4] == [10.0, 19.0]


def test_missing_values_are_passed_over_and_a_stretch_of_nothing_else_is_missing() -> None:
    values = np.arange(40.0)
    values[[10, 19, 33]], values[20:30] = np.nan, np.nan
    drawn = rounded(thinning(40, 8).of(values), 3)
    assert drawn == [0.0, 9.0, 11.0, 18.0, None, None, 30.0, 39.0]


def test_headings_stand_on_the_side_of_their_numbers() -> None:
    rows = [Row((Cell("a"), Cell("1", 1.0), Cell("2", 2.0))), Row((Cell("b"), Cell(""), Cell("two")))]
    heads = [one.get("class") for tag, one in Reader(table("xyz", rows)).tags if tag == "th"]
    assert heads == [None, "n", None]


@pytest.mark.parametrize("finest", [3e-7, 0.02, 1.0, 400.0])
def test_digits_keep_what_is_asked_for(finest: float) -> None:
    values = np.random.default_rng(0).normal(size=50) * 1e4 * finest
    digits = decimals(finest)
    kept = np.array(rounded(values, digits), dtype=float)
    assert np.max(np.abs(kept - values)) <= 0.5 * finest
    units = np.array(counted(values, digits), dtype=float) / 10.0**digits
    assert np.max(np.abs(units - values)) <= 0.5 * finest * (1 + 1e-9)


@pytest.mark.parametrize("name", ["page.css", *SCRIPTS])
def test_assets_are_there_and_load_nothing(name: str) -> None:
    content = asset(name)
    assert content
    assert not re.search(r"https?:|@import|url\(|fetch\(|XMLHttpRequest|import\(|eval\(", content)
