"""Tables that lie on their side: one column per time, one row per series."""

from ngrc.series.dates import looks_like_dates
from ngrc.series.labels import label
from ngrc.series.moments import month_number
from ngrc.series.table import Table
from ngrc.series.wording import excerpt

# Columns whose names are looked at.
_LOOKED_AT = 60
# Fewer names that are times are an accident.
_LEAST = 3
_MONTHS = 12


def refuse_times_as_columns(table: Table) -> None:
    """Raise `ValueError` where half of the columns or more are named by a time: 2024-01, 2024-02, or 2019, 2020."""
    names = [str(name) for name in table.frame.columns[:_LOOKED_AT]]
    _refuse_months(names)
    dated = [name for name in names if _is_time(name)]
    if len(dated) < _LEAST or 2 * len(dated) < len(names):
        return
    raise ValueError(
        f"the columns are named by times ({excerpt(dated[0])}, {excerpt(dated[1])}, ...), one row per series; turn the "
        "table so that every time has a row (in pandas: .T of one row, or .melt), or name one column with column= "
        "(--column)"
    )


def _refuse_months(names: list[str]) -> None:
    """Refuse one row per year with one column per month."""
    months = [name for name in names if month_number(name) is not None]
    if len(months) == _MONTHS and any(label(name) == "year" for name in names):
        raise ValueError(
            f"every month has a column ({excerpt(months[0])}, {excerpt(months[1])}, ...) and every year a row; write "
            "one row per month (in pandas: .melt, then sort by year and month), or name one column with column= "
            "(--column)"
        )


def _is_time(name: str) -> bool:
    import polars as pl

    text = name.strip()
    if text.isdigit():
        return len(text) == 4 and 1900 <= int(text) <= 2100
    return any(sign.isdigit() for sign in text) and looks_like_dates(pl.Series([text]))
