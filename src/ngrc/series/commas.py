"""Lines such as 20,64 without a header: one number with a decimal comma, or two columns."""

from typing import TYPE_CHECKING

import numpy as np

from ngrc._types import AnyArray
from ngrc.series.layout import DelimitedTable

if TYPE_CHECKING:
    import polars as pl

_LONGEST = 12
"""Digits beyond which a whole number is not taken for decimals: an article number has 13, a measurement fewer."""


def settle_commas(table: DelimitedTable) -> DelimitedTable:
    r"""Join the last two columns of a table without header where they are one number with a decimal comma.

    Two whole numbers are a number and its decimals only if all decimals are equally long, or none ends in a zero that
    nobody would have written. Then a leading zero (20,05) proves the decimal comma, a first column that counts the
    rows proves two columns, and anything else is refused as ambiguous: three decimals throughout, which may be
    thousands, and several numbers that may each have been split in two.

    Examples
    --------
    >>> from ngrc.series.delimited import read_delimited
    >>> settle_commas(read_delimited("20,64\n21,05\n19,3\n")).frame["column_1"].to_list()
    ['20.64', '21.05', '19.3']
    """
    if table.header or table.separator != ",":
        return table
    _check_halves(table)
    if table.frame.width not in (2, 3):
        return table
    *before, whole, decimals = (column.str.strip_chars() for column in table.frame.get_columns())
    # A third column can only be a time (2024-01-01,20,64); of three plain numbers none is known to be decimals.
    if before and not before[0].str.contains(r"[0-9]\D[0-9]").all():
        return table
    if not (whole.str.contains("^[+-]?[0-9]+$").all() and decimals.str.contains("^[0-9]+$").all()):
        return table
    # 20,50 beside 20,5: who writes decimals of different lengths drops the zeros, so that these are two columns.
    lengths = decimals.str.len_chars().to_numpy()
    fixed = bool(np.all(lengths == lengths[0]))
    lean = not (decimals.str.ends_with("0").to_numpy() & (lengths > 1)).any()
    if not (fixed or lean) or lengths.max() > _LONGEST:
        return table
    leading_zero = bool((decimals.str.starts_with("0").to_numpy() & (lengths > 1)).any())
    counts = not before and _counts_rows(whole.str.to_integer(strict=False).to_numpy())
    # 2,005 is two thousand and five, or two and a bit: three digits throughout prove nothing.
    thousands = fixed and lengths[0] == 3 and whole.str.contains("^[+-]?[0-9]{1,3}$").all()
    if counts and not leading_zero:
        return table
    # Neither proof, or both: taking 20 for 20.64 would go unnoticed, so the user decides.
    if counts or not leading_zero or thousands:
        line = ",".join(str(field) for field in table.frame.row(0))
        many = f" or {whole[0]}{decimals[0]}" if thousands else ""
        raise ValueError(
            f"line {table.lines[0]}: {line!r} may hold a decimal comma or two columns; write {whole[0]}.{decimals[0]}"
            f"{many}, or name the columns in a first line or the values with column= (--column)"
        )
    number = (whole + "." + decimals).alias(table.frame.columns[-2])
    return table._replace(frame=table.frame.drop(decimals.name).with_columns(number), joined=True)


def _counts_rows(numbers: AnyArray) -> bool:
    """Whether a first column counts: from 0 or 1, or evenly over so many rows that it is no accident."""
    if not _rises_evenly(numbers):
        return False
    # Ten values that rise by equal steps are no accident; 20, 21, 22 may well be three temperatures.
    return numbers.size >= 10 or bool(numbers[1] - numbers[0] == 1 and numbers[0] in (0, 1))


def _rises_evenly(numbers: AnyArray) -> bool:
    steps = np.diff(numbers)
    return numbers.size >= 3 and bool(steps[0] > 0) and bool(np.all(steps == steps[0]))


def _check_halves(table: DelimitedTable) -> None:
    """Refuse rows such as 1950,20,31 or 2024-01-01,0,07,3,05, whose fields may be halves of decimal numbers."""
    columns = [column.str.strip_chars() for column in table.frame.get_columns()]
    odd = len(columns) % 2
    first, halves = columns[:odd], columns[odd:]
    if len(columns) < 3 or not all(_may_be_halves(*pair) for pair in _pairs(halves)):
        return
    dated = bool(first) and bool(first[0].str.contains(r"[0-9]\D[0-9]").all())
    if dated and len(columns) == 3:
        return  # One number with its date: `settle_commas` looks closer.
    zeros = all(column.str.contains("^0[0-9]").any() for column in halves[1::2])
    numbers = None if not first else first[0].str.to_integer(strict=False).to_numpy().astype(np.float64)
    # Leading zeros are written in decimals alone; without them only a row that starts with its time is suspect.
    if zeros or dated or (numbers is not None and _rises_evenly(numbers)):
        line = ",".join(str(field) for field in table.frame.row(0))
        raise ValueError(
            f"line {table.lines[0]}: {line!r} may hold decimal commas or {len(columns)} columns; write "
            f"{halves[0][0]}.{halves[1][0]}, or name the columns in a first line or the values with column= (--column)"
        )


def _pairs(columns: "list[pl.Series]") -> "list[tuple[pl.Series, pl.Series]]":
    """Neighbours two by two."""
    return list(zip(columns[::2], columns[1::2], strict=True))


def _may_be_halves(whole: "pl.Series", decimals: "pl.Series") -> bool:
    if not (whole.str.contains("^[+-]?[0-9]+$").all() and decimals.str.contains("^[0-9]+$").all()):
        return False
    return bool((decimals.str.len_chars() == 2).all() or decimals.str.contains("^0[0-9]").any())
