"""Files of a target: complete, readable, and never half-written."""

import base64
import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import polars as pl

from ngrc.study.harness.compare import against_formula, exact, holds, incomparable, monte_carlo
from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.figure import draw, panels
from ngrc.study.harness.marker import MARKER
from ngrc.study.harness.output import check_out, read_checks, render, write
from ngrc.study.harness.printed import printed
from ngrc.study.harness.record import Cell
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.harness.text import heading, readable, summary, with_error

NAME = "budget"


@draw
def picture() -> Any:
    figure, grid = panels(1, 1, 3.0, 2.0)
    grid[0, 0].plot([0, 1], [0, 1])
    return figure


def outcome() -> Outcome:
    table = pl.DataFrame(
        {"method": ["a|b", "c<d"], "W_C": [1.23456, None], "W_C_se": [0.0123, None], "n": [3, 4]}
    )
    checks = (
        exact(Cell(NAME, "tab:one", "first"), 0.5, printed("0.5")),
        monte_carlo(
            Cell(NAME, "tab:one", "second <x>"), Estimate(2.0, 0.1, 9), printed("1.0"), 9, reason="because"
        ),
        incomparable(Cell(NAME, "tab:one", "third"), 0.7, "stand-in"),
        against_formula(Cell(NAME, "fig:two", "fourth"), Estimate(1.0, 0.1, 9), 1.1),
        holds(Cell(NAME, "sec:three", "fifth"), 2, 3),
    )
    captions = {"main": "A table & more.", "plot": "A picture."}
    return Outcome({"main": table}, {"plot": picture}, checks, captions, ("It came out & so.",), ("a note",))


def target() -> Target:
    def run(settings: Settings) -> Outcome:
        return outcome()

    return Target(NAME, "A title", "What it shows.", run)


def test_every_promised_file_is_there_and_complete(tmp_path: Path) -> None:
    page = write(target(), outcome(), tmp_path)
    folder = tmp_path / NAME
    assert page == folder / "index.html"
    assert {path.name for path in folder.iterdir()} == {
        "main.csv", "plot.png", "plot.svg", "checks.json", "index.md", "index.html", MARKER,
    }  # fmt: skip
    assert pl.read_csv(folder / "main.csv").equals(outcome().tables["main"])
    assert (folder / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert b"</svg>" in (folder / "plot.svg").read_bytes()
    assert tuple(read_checks(folder / "checks.json")) == outcome().checks
    assert [row["verdict"] for row in json.loads((folder / "checks.json").read_text())] == [
        "match", "different", "not comparable", "within", "different",
    ]  # fmt: skip


def test_the_page_needs_no_other_file_and_escapes_its_text() -> None:
    files = render(target(), outcome())
    page = files["index.html"].decode()
    sources = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert [source[:26] for source in sources] == ["#main", "data:image/svg+xml;base64,", "../index.html"]
    assert base64.b64decode(sources[1][26:]) == files["plot.svg"]
    assert "second &lt;x&gt;" in page
    assert "c&lt;d" in page
    assert "A table &amp; more." in page
    # Tables sort and the appearance can be chosen by two scripts of the page's own; no other may run, and nothing
    # leaves the file.
    assert re.findall(r"<script[^>]*>", page) == ["<script>"] * 2
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    rules = dict(part.split(" ", 1) for part in unescape(policy).split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert re.fullmatch(r"('sha256-[^']+' ?){2}", rules["script-src"])
    assert rules["img-src"] == "data: blob:"
    assert page.count('<table class="sortable">') == 4
    assert '<select id="theme">' in page
    assert page.count("≠ different") == 2
    assert "It came out &amp; so." in page
    assert "1.235 ± 0.012" in page


def test_markdown_holds_figure_table_comparison_and_paragraph() -> None:
    text = render(target(), outcome())["index.md"].decode()
    for part in (
        "# A title",
        "What it shows.",
        "![plot](plot.png)",
        "- a note",
        "a\\|b",
        "| method | W_C | n |",
    ):
        assert part in text
    assert (
        "printed numbers 3 (1 match, 1 different, 1 not comparable); formulas 1 (1 within); claims 1 (1 different)"
        in text
    )
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in lines}) == 2


def test_kinds_stand_in_tables_of_their_own() -> None:
    """What is no number of the paper is never shown under its name."""
    text = render(target(), outcome())["index.md"].decode()
    printed_part, rest = text.split("## Our simulation against our closed forms")
    formulas, claims = rest.split("## Ours against the paper's words")
    for part, name, cells in (
        (printed_part, "| ours | paper |", ("first", "second", "third")),
        (formulas, "| simulated | formula |", ("fourth",)),
        (claims, "| ours | claim |", ("fifth",)),
    ):
        assert name in part
        assert all(f"| {cell}" in part for cell in cells)
    assert "paper |" not in formulas + claims
    page = render(target(), outcome())["index.html"].decode()
    assert page.index("printed numbers 3") < page.index("formulas 1") < page.index("claims 1")


def test_the_same_outcome_gives_the_same_bytes() -> None:
    assert render(target(), outcome()) == render(target(), outcome())


def test_a_second_run_replaces_the_first(tmp_path: Path) -> None:
    before = {path.name for path in write(target(), outcome(), tmp_path).parent.iterdir()}
    write(target(), replace(outcome(), tables={}), tmp_path)
    assert before - {path.name for path in (tmp_path / NAME).iterdir()} == {"main.csv"}
    assert [path.name for path in tmp_path.iterdir()] == [NAME]
    check_out(tmp_path, [NAME])


def test_means_are_joined_with_their_errors() -> None:
    headings, body = readable(outcome().tables["main"])
    assert headings == ["method", "W_C", "n"]
    assert body == [["a|b", "1.235 ± 0.012", 3], ["c<d", "", 4]]
    assert with_error(592.6, 5.1) == "592.6 ± 5.1"
    assert with_error(10592.6, 51.0) == "10593 ± 51"
    assert heading("bayes_coverage_limit") == "bayes coverage limit"
    assert summary(outcome().checks).startswith("printed numbers 3 (")
    assert summary([]) == "nothing compared"
