"""Tables that lie on their side: one column per time, one row per series."""

from ngrc.series.dates import looks_like_dates
from ngrc.series.table import Table
from ngrc.series.wording import excerpt

# Columns whose names are looked at.
_LOOKED_AT = 60
# Fewer names that are times are an accident.
_LEAST = 3


def refuse_times_as_columns(table: Table) -> None:
    """Raise `ValueError` where half of the columns or more are named by a time: 2024-01, 2024-02, or 2019, 2020."""
    names = [str(name) for name in table.frame.columns[:_LOOKED_AT]]
    dated = [name for name in names if _is_time(name)]
    if len(dated) < _LEAST or 2 * len(dated) < len(names):
        return
    raise ValueError(
        f"the columns are named by times ({excerpt(dated[0])}, {excerpt(dated[1])}, ...), one row per series; turn the "
        "table so that every time has a row (in pandas: .T of one row, or .melt), or name one column with column= "
        "(--column)"
    )


def _is_time(name: str) -> bool:
    import polars as pl

    text = name.strip()
    if text.isdigit():
        return len(text) == 4 and 1900 <= int(text) <= 2100
    return any(sign.isdigit() for sign in text) and looks_like_dates(pl.Series([text]))
