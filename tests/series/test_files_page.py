"""The page about files says what happens."""

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "files.md"


def test_the_page_of_files_runs_and_prints_what_it_says() -> None:
    said: list[str] = []
    names: dict[str, Any] = {"print": lambda value: said.append(str(value))}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL):
        exec(block, names)
        expected = re.findall(r"^\s*print\(.*?\)  # (.*)$", block, flags=re.MULTILINE)
        for line, words in zip(said, expected, strict=True):
            start = words.removesuffix("...")
            assert line.startswith(start) if start != words else line == words
        said.clear()
