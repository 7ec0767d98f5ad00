"""Words and tables as Markdown in which every character stands for itself."""

import re
from collections.abc import Iterable, Sequence

SPECIAL = re.compile(r"([\\`*_<>$\[\]|{}#~&])")
"""What Markdown, or the mathematics and roles that our pages switch on, would read as something else."""


def plain(text: str) -> str:
    r"""One line of text that is shown as it is.

    Examples
    --------
    >>> plain("W_B^2 < 3\n|e|")
    'W\\_B^2 \\< 3 \\|e\\|'
    """
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def code(text: str) -> str:
    """Text in the type of code; a bar would end its cell of a table, a backtick the code."""
    return f"`{' '.join(text.split()).replace('`', chr(39)).replace('|', '/')}`"


def table(head: Sequence[str], lines: Iterable[Sequence[str]], numbers: int = 0) -> str:
    """A table of cells that are Markdown already; the last `numbers` columns are set to the right.

    Examples
    --------
    >>> print(table(("a", "b"), [("x", "1")], numbers=1))
    | a | b |
    |---|--:|
    | x | 1 |
    """
    rule = ["---"] * (len(head) - numbers) + ["--:"] * numbers
    rows = [f"| {' | '.join(line)} |" for line in (head, *lines)]
    return "\n".join([rows[0], f"|{'|'.join(rule)}|", *rows[1:]])


def folded(summary: str, body: str) -> str:
    """A part that is closed until it is clicked."""
    return f"<details>\n<summary>{summary}</summary>\n\n{body}\n\n</details>"
