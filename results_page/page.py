"""The whole page, sealed with its own hash so that a figure typed into it is found."""

import hashlib
from collections.abc import Sequence

from results_page.beside import beside
from results_page.folder import Entry
from results_page.reproduced import reproduced
from results_page.rows import Rows

TOP = (
    "# Results\n\nWritten by `make results-page` from what `ngrc reproduce TARGET` and `make accuracy` left in the "
    "folder `results/`; nothing here is typed in. What the folder does not hold is listed as not run."
)
SEAL = "% Sealed, so that a change by hand is found (sha256): "
"""Begins the last line, a comment of the page's source."""


def page(entries: Sequence[Entry], given: Rows) -> str:
    """The page as Markdown."""
    return sealed("\n\n".join([TOP, *reproduced(entries), *beside(given)]) + "\n\n")


def sealed(text: str) -> str:
    """The text with its hash in a last line."""
    return f"{text}{SEAL}{hashlib.sha256(text.encode()).hexdigest()}\n"


def untouched(text: str) -> bool:
    """Whether a page is as it was written.

    Examples
    --------
    >>> untouched(sealed("0.95 covered")), untouched(sealed("0.95 covered").replace("5", "6"))
    (True, False)
    """
    return text == sealed(text.rpartition(SEAL)[0])
