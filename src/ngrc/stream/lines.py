"""Lines of text as observations: of which form they are is settled by the first, and holds for all."""

import codecs
from typing import Literal

from ngrc.durable.observation import Observation
from ngrc.stream.cells import Layout, by_cells, by_names, cut, is_header, separator_of
from ngrc.stream.given import USUAL, Names
from ngrc.stream.numerals import LineError
from ngrc.stream.objects import read_object

Form = Literal["auto", "csv", "json"]
FORMS: tuple[Form, ...] = ("auto", "csv", "json")
LONGEST = 1_000_000
"""Bytes of a line: far more than an observation takes, and little enough to hold in memory."""


class Lines:
    """Reads one line after another.

    Parameters
    ----------
    form
        CSV, JSON, or told by the first line: one that begins with a brace is JSON.
    names
        What the user calls the columns or keys.
    named
        Whether every line must have its time or its count, because it may be read again.

    Examples
    --------
    >>> lines = Lines()
    >>> lines.read(b"time,value"), lines.read(b"3,1.5")
    (None, Observation(value=1.5, time=3, seq=None))
    """

    def __init__(self, form: Form = "auto", names: Names = USUAL, *, named: bool = False) -> None:
        self.names, self.named = names, named
        self._form = form
        self._layout: Layout | None = None
        self._header: str | None = None

    def read(self, line: bytes) -> Observation | None:
        """The observation of a line without its line feed; None of a blank line and of a header."""
        found = self._read(line)
        if self.named and found is not None and found.time is None and found.seq is None:
            raise LineError(
                "with --follow and --state every line needs its time or its seq, so that it is known again after a "
                "restart"
            )
        return found

    def _read(self, line: bytes) -> Observation | None:
        text = self._text(line)
        if not text or text.isspace():
            return None
        if self._layout is not None and text != self._header:
            return self._layout.read(text)
        if self._form == "auto":
            self._form = "json" if text.lstrip()[:1] in ("{", "[") else "csv"
        if self._form == "json":
            return read_object(text, self.names)
        return None if text == self._header else self._first(text)

    def _first(self, text: str) -> Observation | None:
        """Settle the layout of CSV by a header, or by the first line of data."""
        separator = separator_of(text)
        cells = cut(text, separator)
        if self._header is None and is_header(cells):
            self._layout, self._header = by_names(cells, separator, self.names), text
            return None
        if self._header is None and any(self.names):
            raise LineError("--column and --time name columns of a header, and the first line is none")
        layout = by_cells(cells, separator)
        found = layout.read(text)
        # Kept once it has read a line: a first line that is wrong settles nothing.
        self._layout = layout
        return found

    def _text(self, line: bytes) -> str:
        if len(line) > LONGEST:
            raise LineError(
                f"a line may have {LONGEST:,} bytes, and this one is longer; is it text by lines?"
            )
        # Before any line, not the first alone: a followed file may begin anew.
        line = line.removeprefix(codecs.BOM_UTF8)
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            raise LineError(f"the line is not UTF-8 (byte {error.start + 1}); write it in UTF-8") from None
        if "\0" in text:
            raise LineError("the line holds a NUL byte; text in UTF-8 is expected")
        return text.removesuffix("\r")
