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
    for text in ("", "<html>my site</html>", GENERATOR, html_index([])):
        index.write_text(text)
        with pytest.raises(
            ValueError, match=r"index.html was not written by this version of ngrc reproduce, or changed"
        ):
            check_index(tmp_path)
        with pytest.raises(ValueError, match="name another --out"):
            write_index(tmp_path)
        assert index.read_text() == text
    index.unlink()
    index.mkdir()
    with pytest.raises(ValueError, match="it is a folder"):
        check_index(tmp_path)


def test_an_edited_index_is_not_replaced(tmp_path: Path) -> None:
    index = write_index(tmp_path)
    ours = index.read_text()
    assert write_index(tmp_path).read_text() == ours
    seal = re.search(r"sha256 ([0-9a-f]{64})", ours)
    assert seal is not None
    for text in (
        ours.replace("</body>", "<p>my remarks</p></body>"),
        ours.replace("</title>", " of mine</title>"),
        ours.replace(seal[1], "0" * 64),
        ours.replace(seal[0], seal[0] + " by me"),
        "<!-- mine -->" + ours,
        ours.replace("\n", "\r\n"),
    ):
        index.write_bytes(text.encode())
        with pytest.raises(ValueError, match=r"index.html was not written .* or changed since"):
            check_index(tmp_path)
        assert index.read_bytes() == text.encode()


def test_an_index_that_is_a_link_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "elsewhere.html"
    write_index(tmp_path).rename(page)
    (tmp_path / "index.html").symlink_to(page)
    before = page.read_bytes()
    for act in (check_index, write_index):
        with pytest.raises(ValueError, match=r"it is a link to .*elsewhere.html"):
            act(tmp_path)
    assert page.read_bytes() == before


def test_the_index_looks_into_our_folders_only(tmp_path: Path) -> None:
    (tmp_path / "phase").mkdir()
    (tmp_path / "phase" / "checks.json").write_text("mine, not JSON")
    write(target(), outcome(), tmp_path)
    write_index(tmp_path)
    assert re.findall(r'href="([^"]*)"', (tmp_path / "index.html").read_text()) == [
        "#main",
        f"{NAME}/index.html",
    ]
    (tmp_path / NAME / "checks.json").write_text('[{"verdict": 1}]')
    with pytest.raises(ValueError, match=r"checks.json cannot be read .*; remove its folder"):
        check_index(tmp_path)


def test_the_index_links_what_exists(tmp_path: Path) -> None:
    write(target(), outcome(), tmp_path)
    write_index(tmp_path)
    index = (tmp_path / "index.html").read_text()
    assert re.findall(r'href="([^"]*)"', index) == ["#main", f"{NAME}/index.html"]
    # Once for the target and once in the sum over all; printed numbers, formulas and claims each by themselves.
    for part in ("printed numbers 3", "formulas 1", "claims 1"):
        assert index.count(part) == 2
    assert index.count("≠ 1 different") == 4
    assert html_index([]).count("<li>") == 0
