"""Lines such as 20,64 without a header: one number with a decimal comma, or two columns."""

import numpy as np

from ngrc.series.delimited import DelimitedTable

_LONGEST = 12
"""Digits beyond which a whole number is not taken for decimals: an article number has 13, a measurement fewer."""


def settle_commas(table: DelimitedTable) -> DelimitedTable:
    r"""Join the last two columns of a table without header where they are one number with a decimal comma.

    Two whole numbers are a number and its decimals only if all decimals are equally long, or none ends in a zero that
    nobody would have written. Then a leading zero (20,05) proves the decimal comma, a first column that counts the
    rows proves two columns, and anything else is refused as ambiguous.

    Examples
    --------
    >>> from ngrc.series.delimited import read_delimited
    >>> settle_commas(read_delimited("20,64\n21,05\n19,3\n")).frame["column_1"].to_list()
    ['20.64', '21.05', '19.3']
    """
    if table.header or table.separator != "," or table.frame.width not in (2, 3):
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
    if counts and not leading_zero:
        return table
    # Neither proof, or both: taking 20 for 20.64 would go unnoticed, so the user decides.
    if counts or not leading_zero:
        line = ",".join(str(field) for field in table.frame.row(0))
        raise ValueError(
            f"line {table.lines[0]}: {line!r} may hold a decimal comma or two columns; write {whole[0]}.{decimals[0]}, "
            "or name the columns in a first line or the values with column= (--column)"
        )
    number = (whole + "." + decimals).alias(table.frame.columns[-2])
    return table._replace(frame=table.frame.drop(decimals.name).with_columns(number), joined=True)


def _counts_rows(numbers: np.ndarray) -> bool:
    """Whether a first column counts: from 0 or 1, or evenly over so many rows that it is no accident."""
    steps = np.diff(numbers)
    if numbers.size < 3 or not steps[0] > 0 or not np.all(steps == steps[0]):
        return False
    # Ten values that rise by equal steps are no accident; 20, 21, 22 may well be three temperatures.
    return numbers.size >= 10 or (steps[0] == 1 and numbers[0] in (0, 1))
