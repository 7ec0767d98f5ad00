"""Delimited text as a table of tokens, with the file line of every row."""

from ngrc.series.cells import split_cells
from ngrc.series.layout import DelimitedTable, laid_out
from ngrc.series.separators import find_separator, with_tabs


def read_delimited(text: str) -> DelimitedTable:
    r"""Split text into named columns of tokens.

    Examples
    --------
    >>> table = read_delimited("day;y\n1;2.5\n2;NA\n")
    >>> table.frame.columns, table.lines
    (['day', 'y'], array([2, 3]))
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.rstrip("\n")
    if not text.strip():
        raise ValueError("the file is empty; at least one value is needed")
    # Empty lines at the top are skipped here and counted again below, so that errors name the line of the file.
    blank = len(text) - len(text.lstrip("\n"))
    text = text[blank:]
    # Excel understands a first line that names the separator, and so does whoever reads it after Excel.
    if text[:4].lower() == "sep=" and "\n" in text:
        text, blank = text.split("\n", 1)[1], blank + 1
    separator = find_separator(text)
    tabbed = with_tabs(text) if separator is None else None
    if tabbed is not None:
        text, separator = tabbed, "\t"
    return laid_out(split_cells(text, separator, blank), separator)
