"""The page on theory holds every result of the paper, and every name on it exists."""

import ast
import importlib
import os
import re
from pathlib import Path
from typing import NamedTuple

import pytest

import ngrc.theory
from ngrc.study.registry import MODULES

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "theory.md"
PAPER = Path(os.environ.get("NGRC_PAPER", ROOT.parent / "shared" / "paper" / "paper.tex"))
RESULTS = ("theorem", "corollary", "lemma", "proposition", "definition", "assumption")
HEADINGS = {
    "subsec:fixed_theory",
    "subsec:hd_decomposition",
    "subsec:quadratic_ngrc_theory",
    "subsec:hd_phase",
    "app:proofs",
    "app:fixed_theory",
    "app:hd_theory",
    "app:quadratic_feature_proofs",
}
"""Sections of the theory whose results all have labels of their own."""


class Row(NamedTuple):
    result: str
    statement: str
    functions: list[str]
    tests: list[str]
    shown: str


def page_rows() -> list[Row]:
    rows = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and cells[0] != "result":
            assert len(cells) == 5, f"five columns are wanted: {line}"
            functions, tests = (re.findall(r"`([^`]+)`", cell) for cell in cells[2:4])
            rows.append(Row(cells[0], cells[1], functions, tests, cells[4].strip("| ")))
    return rows


ROWS = page_rows()
EVERY = pytest.mark.parametrize("row", ROWS, ids=[re.sub(r"\W+", "-", row.result) for row in ROWS])


def paper() -> str:
    if not PAPER.is_file():
        pytest.skip(f"the paper is not at {PAPER}; set NGRC_PAPER to its paper.tex")
    return PAPER.read_text(encoding="utf-8")


def between(text: str, first: str, last: str) -> str:
    return text[text.index(f"\\label{{{first}}}") : text.index(f"\\label{{{last}}}")]


def wanted_labels(text: str) -> set[str]:
    """Results and equations wherever they are, and the appendices that hold theory."""
    labels = set(re.findall(r"\\label\{((?:thm|cor|lem|prop|def|ass|eq):[^}]+)\}", text))
    theory = between(text, "sec:theory", "sec:simulations").split("\n", 1)[1]
    proofs = between(text, "app:arma_connection", "app:additional_simulations")
    labels |= set(re.findall(r"\\label\{((?:app|subsec):[^}]+)\}", theory + proofs))
    return (labels | {"app:volterra_numerics"}) - HEADINGS


def test_the_page_holds_every_label_of_the_paper() -> None:
    page = PAGE.read_text(encoding="utf-8")
    missing = sorted(label for label in wanted_labels(paper()) if f"`{label}`" not in page)
    assert missing == []


def test_every_label_on_the_page_is_the_paper_s() -> None:
    known = set(re.findall(r"\\label\{([^}]+)\}", paper()))
    named = re.findall(r"`((?:thm|cor|lem|prop|eq|app):[^`]+)`", PAGE.read_text(encoding="utf-8"))
    assert sorted(set(named) - known) == []
    assert sorted(HEADINGS - known) == []


def test_every_result_of_the_paper_has_a_label() -> None:
    text = paper()
    for kind in RESULTS:
        for begin in re.finditer(rf"\\begin\{{{kind}\}}", text):
            body = text[begin.end() : text.index(f"\\end{{{kind}}}", begin.end())]
            assert "\\label{" in body, f"a {kind} without a label: {body[:80]!r}"


@EVERY
def test_a_row_is_whole(row: Row) -> None:
    assert row.statement
    assert row.functions
    assert row.tests
    assert row.shown == "tests alone" or re.fullmatch(r"`[\w-]+`", row.shown)


@EVERY
def test_functions_can_be_imported(row: Row) -> None:
    for name in row.functions:
        path = name if name.startswith("ngrc.") else f"ngrc.theory.{name}"
        head, _, last = path.rpartition(".")
        try:
            owner: object = importlib.import_module(head)
        except ModuleNotFoundError:
            module, _, kind = head.rpartition(".")
            owner = getattr(importlib.import_module(module), kind)
        assert callable(getattr(owner, last)), path


@EVERY
def test_tests_exist(row: Row) -> None:
    for name in row.tests:
        path, function = name.split("::")
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, name


@EVERY
def test_targets_are_in_the_registry(row: Row) -> None:
    if row.shown != "tests alone":
        assert row.shown.strip("`") in MODULES


def test_every_function_of_the_theory_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    # `spectrum` only decomposes a design for the others.
    functions = [name for name in ngrc.theory.__all__ if name.islower() and name != "spectrum"]
    assert [name for name in functions if f"`{name}`" not in page] == []


def test_a_missing_label_would_be_found() -> None:
    text = paper()
    assert "thm:new" in wanted_labels(text + "\\label{thm:new}")
    assert "lem:quantile_stability" in wanted_labels(text)
