"""Delimited text as a table of tokens, with the file line of every row."""

import csv
import io
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ngrc._types import IntArray
from ngrc.series.dates import looks_like_dates
from ngrc.series.tokens import MISSING, NUMBER, parse_numbers
from ngrc.series.wording import plural

if TYPE_CHECKING:
    import polars as pl

# A comma may be a decimal sign or part of a date; the others are rarer inside fields, so they come first.
_SEPARATORS = ("\t", ";", "|", ",")
# Lines that settle the separator: more than any preamble, few enough for lines of thousands of columns.
_SNIFFED = 50
_PLAIN_NUMBER = re.compile(NUMBER)


class Records(NamedTuple):
    """Fields of every row (a polars list of strings) and the file line, from 1, on which each row starts."""

    fields: "pl.Series"
    lines: IntArray


class DelimitedTable(NamedTuple):
    """A table of text, the file line of each of its rows, whether its first row named the columns, and its separator.

    `joined` says that two columns were one number with a decimal comma.
    """

    frame: "pl.DataFrame"
    lines: IntArray
    header: bool
    separator: str | None
    joined: bool = False


def read_delimited(text: str) -> DelimitedTable:
    r"""Split text into named columns of tokens.

    Examples
    --------
    >>> table = read_delimited("day;y\n1;2.5\n2;NA\n")
    >>> table.frame.columns, table.lines
    (['day', 'y'], array([2, 3]))
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    if not text.strip():
        raise ValueError("the file is empty; at least one value is needed")
    # Empty lines at the top are skipped here and counted again below, so that errors name the line of the file.
    blank = len(text) - len(text.lstrip("\n"))
    text = text[blank:]
    separator = _separator(text)
    records = _quoted(text, separator, blank) if '"' in text else _plain(text, separator)
    records = records._replace(lines=records.lines + blank)
    width = _common_width(records)
    frame = records.fields.list.to_struct(fields=[str(k) for k in range(width)]).struct.unnest()
    top = [field.strip() for field in frame.row(0)]
    header = _counts_columns(top, frame["0"][:2].to_list()) or not _is_data(top)
    names = _named(top) if header else [f"column_{k + 1}" for k in range(width)]
    first = 1 if header else 0
    if len(records.lines) == first:
        raise ValueError(f"the file has a header and no rows: {', '.join(names)[:60]}; add at least one")
    frame.columns = names
    return DelimitedTable(frame[first:], records.lines[first:], header, separator)


def _separator(text: str) -> str | None:
    """The separator that splits the first lines into equally many fields, else most of them and the first line."""
    sample = [line for line in text.split("\n", _SNIFFED)[:_SNIFFED] if line.strip()]
    widths = {sign: _widths(sample, sign) for sign in _SEPARATORS}
    for sign, counts in widths.items():
        if counts[0] > 1 and min(counts) == max(counts):
            return sign
    # A few odd lines, such as a footer, are no reason to see one column: the rows are counted when they are read.
    for sign, counts in widths.items():
        common, times = Counter(counts).most_common(1)[0]
        if counts[0] > 1 and common > 1 and 2 * times > len(counts):
            return sign
    return None


def _widths(lines: list[str], sign: str) -> list[int]:
    if not any('"' in line for line in lines):
        return [line.count(sign) + 1 for line in lines]
    try:
        return [len(fields) for fields in csv.reader(lines, delimiter=sign)]
    except csv.Error:
        # A field beyond the reader's limit: another separator may make it smaller, else reading it raises.
        return [1]


def _plain(text: str, separator: str | None) -> Records:
    import polars as pl

    lines = pl.Series(text.split("\n"), dtype=pl.String)
    if separator is None:
        # In a file of one column an empty line is a missing value, not the absence of a row.
        return Records(lines.reshape((-1, 1)).cast(pl.List(pl.String)), np.arange(1, len(lines) + 1))
    filled = lines.str.strip_chars() != ""
    return Records(lines.filter(filled).str.split(separator), np.flatnonzero(filled.to_numpy()) + 1)


def _quoted(text: str, separator: str | None, blank: int) -> Records:
    import polars as pl

    reader = csv.reader(io.StringIO(text), delimiter=separator or ",", strict=True, skipinitialspace=True)
    fields, lines, start = [], [], 1
    try:
        for row in reader:
            if row or separator is None:
                fields.append(row or [""])
                lines.append(start)
            # A quoted field may span lines: the next row starts after the last line that the reader took.
            start = reader.line_num + 1
    except csv.Error as error:
        if "limit" in str(error):
            raise ValueError(
                f"line {start + blank}: a quoted field is longer than {csv.field_size_limit():,} characters; "
                "close its quotes, or drop the column"
            ) from None
        raise ValueError(
            f"line {start + blank}: the quotes do not match ({error}); close or remove them"
        ) from None
    return Records(pl.Series(fields, dtype=pl.List(pl.String)), np.array(lines))


def _common_width(records: Records) -> int:
    widths = records.fields.list.len().to_numpy()
    odd = np.flatnonzero(widths != widths[0])
    if odd.size:
        raise ValueError(
            f"line {records.lines[odd[0]]} has {plural(int(widths[odd[0]]), 'field')}, but line {records.lines[0]} "
            f"has {widths[0]}; give every row the same number"
        )
    return int(widths[0])


def _is_data(fields: list[str]) -> bool:
    """Whether a first row holds only numbers, dates and missing tokens, so that it names nothing."""
    import polars as pl

    tokens = [field for field in fields if field]
    return bool(tokens) and all(
        field.lower() in MISSING
        or _PLAIN_NUMBER.match(field) is not None
        # Slower, and only for what is left: decimal commas and digits of other scripts.
        or not parse_numbers(pl.Series([field])).bad[0]
        or looks_like_dates(pl.Series([field]))
        for field in tokens
    )


def _counts_columns(fields: list[str], start: list[str]) -> bool:
    """Whether a first row holds the names 0, 1, 2, ... that pandas writes for columns without a name."""
    if fields[0] == "" and len(fields) > 1:
        return fields[1:] == [str(k) for k in range(len(fields) - 1)]
    counted = len(fields) > 1 and fields == [str(k) for k in range(len(fields))]
    # A first column that goes on counting down the rows is data.
    return counted and start[1:] != ["1"]


def _named(names: list[str]) -> list[str]:
    repeated = [name for name, count in Counter(names).items() if count > 1 and name]
    if repeated:
        raise ValueError(f"the header names {repeated[0]!r} more than once; rename one")
    # One column without a name is the index that pandas writes, and is known by that; several need names.
    blank = names.count("") > 1
    return [f"column_{k + 1}" if blank and not name else name for k, name in enumerate(names)]
