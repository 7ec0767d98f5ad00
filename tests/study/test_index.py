"""The index of a folder of results: ours alone, and never over another's page."""

import re
from pathlib import Path

import pytest

from ngrc.study.harness.layout import GENERATOR
from ngrc.study.harness.output import write
from ngrc.study.harness.page import html_index
from ngrc.study.index import check_index, write_index
from tests.study.harness.test_output import NAME, outcome, target


def test_a_users_own_index_is_not_replaced(tmp_path: Path) -> None:
    index = tmp_path / "index.html"
    # Ours is known by the head of the page; a page that speaks of ours further down is another's.
    for text in ("", "<html>my site</html>", " " * 2000 + GENERATOR):
        index.write_text(text)
        with pytest.raises(ValueError, match=r"index.html was not written by this version of ngrc reproduce"):
            check_index(tmp_path)
        with pytest.raises(ValueError, match="name another --out"):
            write_index(tmp_path)
        assert index.read_text() == text
    index.unlink()
    index.mkdir()
    with pytest.raises(ValueError, match="it is a folder"):
        check_index(tmp_path)


def test_the_index_looks_into_our_folders_only(tmp_path: Path) -> None:
    (tmp_path / "phase").mkdir()
    (tmp_path / "phase" / "checks.json").write_text("mine, not JSON")
    write(target(), outcome(), tmp_path)
    write_index(tmp_path)
    assert re.findall(r'href="([^"]*)"', (tmp_path / "index.html").read_text()) == [f"{NAME}/index.html"]
    (tmp_path / NAME / "checks.json").write_text('[{"verdict": 1}]')
    with pytest.raises(ValueError, match=r"checks.json cannot be read .*; remove its folder"):
        check_index(tmp_path)


def test_the_index_links_what_exists(tmp_path: Path) -> None:
    write(target(), outcome(), tmp_path)
    write_index(tmp_path)
    index = (tmp_path / "index.html").read_text()
    assert re.findall(r'href="([^"]*)"', index) == [f"{NAME}/index.html"]
    assert "≠ 1 different" in index
    assert html_index([]).count("<li>") == 0
