"""Long files recognised by their columns, and nothing else taken for one."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc.panel import Layout, recognised
from tests.panel.panels import SIZE, pandas_panel, panel

DAYS = pl.date_range(pl.date(2024, 1, 1), pl.date(2024, 2, 29), eager=True)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_the_usual_names_are_taken_at_once(library: str) -> None:
    frame = pandas_panel() if library == "pandas" else panel()
    extra = {"temperature": 1.0, "store": 2}
    wide = frame.assign(**extra) if isinstance(frame, pd.DataFrame) else frame.with_columns(**{
        name: pl.lit(value) for name, value in extra.items()
    })  # fmt: skip
    assert recognised(wide) == Layout()


NAMES = [
    (("store", "date", "sales"), {}),
    (("Ticker", "Date", "Close"), {}),
    (("station_id", "timestamp", "value"), {"flag": pl.lit(3)}),
    # A text column that divides the rows, though nothing says that it names series.
    (("who", "when", "y"), {}),
]


@pytest.mark.parametrize(("names", "more"), NAMES)
def test_other_names_that_say_what_they_are(names: tuple[str, str, str], more: dict[str, pl.Expr]) -> None:
    frame = panel(times=DAYS).rename(dict(zip(("unique_id", "ds", "y"), names, strict=True)))
    assert recognised(frame.with_columns(**more)) == Layout(*names)
    text = frame.with_columns(pl.all().cast(pl.String))
    assert recognised(text, text=True) == Layout(*names)


def test_columns_that_the_user_names_are_kept() -> None:
    frame = panel(times=DAYS).rename({"y": "sales"}).with_columns(price=pl.lit(1.0))
    assert recognised(frame) is None
    assert recognised(frame, target_col="price") == Layout(target="price")
    assert recognised(frame, target_col="cost") is None
    assert recognised(frame, target_col="price", id_col="sales") is None


def test_one_series_is_not_taken_for_many() -> None:
    one = panel(names=["a"], times=DAYS)
    assert recognised(one) is None
    assert recognised(one.drop("unique_id")) is None
    # One row per time, and a flag beside it.
    flags = one.drop("unique_id").with_columns(state=pl.Series(np.tile(["on", "off"], SIZE // 2)))
    assert recognised(flags) is None
    # A few repeated times, as of a clock that was set back.
    twice = pl.concat([flags, flags.head(2)])
    assert recognised(twice) is None
    assert recognised(np.arange(5.0)) is None
    assert recognised(one.head(1)) is None
