"""A printed table as text, cell for cell."""

from collections.abc import Sequence
from typing import TypeAlias

from ngrc.study.harness.printed import Printed, printed

Row: TypeAlias = dict[str, Printed]


def printed_table(text: str, keys: int, columns: Sequence[str]) -> dict[tuple[str, ...], Row]:
    """Rows by their first `keys` words; "<0.001" is read as its bound.

    Examples
    --------
    >>> table = printed_table("solar bayes 0.941 <0.001", 2, ["coverage", "seconds"])
    >>> table["solar", "bayes"]["coverage"].value
    0.941
    """
    rows = {}
    for line in text.strip().splitlines():
        words = line.split()
        cells = [printed(word.lstrip("<")) for word in words[keys:]]
        rows[tuple(words[:keys])] = dict(zip(columns, cells, strict=True))
    return rows
