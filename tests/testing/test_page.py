"""The page on testing runs from top to bottom, and prints what it says."""

from pathlib import Path
from typing import Any

from tests.test_documentation import ROOT, blocks


def test_the_page_runs_from_top_to_bottom() -> None:
    page: Path = ROOT / "docs" / "testing.md"
    said: list[str] = []
    names: dict[str, Any] = {"print": lambda value: said.append(str(value))}
    for block in blocks(page):
        exec(block, names)
    (error,) = said
    for line in error.splitlines():
        assert f"    {line}\n" in page.read_text()
