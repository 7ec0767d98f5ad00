"""Frames in and out: what each series gets is what `look_ahead` gives, in the types that came in."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ngrc
from ngrc import NGRC, look_ahead
from ngrc.panel import forecast
from ngrc.series import Series
from tests.panel.panels import MODEL, QUICK, SIZE, pandas_panel, panel, shuffled, values

HOURS = np.arange("2024-01-01", "2024-01-05", dtype="M8[h]")[:SIZE].astype("M8[us]")


def test_each_series_gets_what_look_ahead_gives_it_alone() -> None:
    frame = forecast(panel(), 3, level=[80, 95], **QUICK)
    assert frame.columns == [
        "unique_id", "ds", "NGRC", "NGRC-lo-95", "NGRC-lo-80", "NGRC-hi-80", "NGRC-hi-95"
    ]  # fmt: skip
    for seed, name in enumerate(("a", "b", "c")):
        mine = frame.filter(pl.col("unique_id") == name)
        alone = look_ahead(values(seed), steps=3, level=[80, 95], **QUICK)
        assert mine["ds"].to_list() == [SIZE, SIZE + 1, SIZE + 2]
        np.testing.assert_array_equal(mine["NGRC"], alone.forecast)
        for level, text in ((0.8, "80"), (0.95, "95")):
            np.testing.assert_array_equal(mine[f"NGRC-lo-{text}"], alone.bands[level][0])
            np.testing.assert_array_equal(mine[f"NGRC-hi-{text}"], alone.bands[level][1])


@pytest.mark.parametrize("kind", ["polars", "pandas"])
def test_a_walk_through_dates_is_that_of_look_ahead_to_the_bit(kind: str) -> None:
    # The panel keeps plans and checks between its series; `look_ahead` makes all of them for each.
    options: dict[str, Any] = {"model": NGRC(lags=3), "method": "adaptive", "level": [0.8, 0.95]}
    frame = forecast(
        panel(times=HOURS) if kind == "polars" else pandas_panel(times=HOURS), horizon=2, **options
    )
    columns = {name: np.asarray(frame[name]) for name in frame.columns}
    for seed, name in enumerate(("a", "b", "c")):
        here = columns["unique_id"] == name
        alone = look_ahead(Series(values(seed), HOURS), steps=2, **options)
        np.testing.assert_array_equal(columns["ds"][here].astype("M8[us]"), alone.times)
        np.testing.assert_array_equal(columns["NGRC"][here], alone.forecast)
        for level, text in ((0.8, "80"), (0.95, "95")):
            np.testing.assert_array_equal(columns[f"NGRC-lo-{text}"][here], alone.bands[level][0])
            np.testing.assert_array_equal(columns[f"NGRC-hi-{text}"][here], alone.bands[level][1])


def test_the_room_is_there_without_an_import_of_its_own() -> None:
    assert ngrc.panel.forecast is forecast
    assert "panel" in dir(ngrc)


def test_pandas_and_polars_say_the_same() -> None:
    ours, theirs = forecast(panel(), 2, **QUICK), forecast(pandas_panel(), 2, **QUICK)
    assert isinstance(theirs, pd.DataFrame)
    assert isinstance(ours, pl.DataFrame)
    assert list(theirs.columns) == ours.columns
    assert theirs["ds"].dtype == np.int64
    for name in ours.columns:
        assert theirs[name].to_list() == ours[name].to_list()


def test_rows_may_stand_in_any_order() -> None:
    straight, mixed = forecast(panel(), 2, **QUICK), forecast(shuffled(panel()), 2, **QUICK)
    assert mixed["unique_id"].unique(maintain_order=True).to_list() != ["a", "b", "c"]
    assert straight.equals(mixed.sort("unique_id", "ds"))


def test_series_may_differ_in_length() -> None:
    frame = panel().filter((pl.col("unique_id") != "b") | (pl.col("ds") >= 20))
    answer = forecast(frame, 1, **QUICK)
    expected = look_ahead(values(1)[20:], steps=1, **QUICK)
    assert answer["NGRC"][1] == expected.forecast[0]
    assert answer["ds"].to_list() == [SIZE] * 3


IDS: list[Any] = [
    pl.Series([1, 2, 3], dtype=pl.Int32),
    pl.Series(["x", "y", "z"], dtype=pl.Categorical),
    pl.Series(["x", "y", "z"], dtype=pl.Enum(["z", "y", "x"])),
    pl.Series([2.5, 1.5, 0.5]),
]


@pytest.mark.parametrize("names", IDS, ids=lambda names: str(names.dtype))
def test_ids_keep_their_type_in_polars(names: pl.Series) -> None:
    long = names.gather(np.repeat([0, 1, 2], SIZE))
    answer = forecast(panel().with_columns(long.alias("unique_id")), 2, **QUICK)
    assert answer["unique_id"].dtype == names.dtype
    assert answer["unique_id"].to_list() == np.repeat(names.to_list(), 2).tolist()


@pytest.mark.parametrize("kind", ["category", "string", "int16", "Int64", object])
def test_ids_keep_their_type_in_pandas(kind: Any) -> None:
    frame = pandas_panel(names=(3, 1, 2))
    frame["unique_id"] = (
        frame["unique_id"].astype(str if kind in ("category", "string") else int).astype(kind)
    )
    answer = forecast(frame, 2, **QUICK)
    assert answer["unique_id"].dtype == frame["unique_id"].dtype
    assert [str(name) for name in answer["unique_id"]] == ["3", "3", "1", "1", "2", "2"]


TIMES: list[Any] = [
    pl.Series(HOURS),
    pl.Series(HOURS).dt.cast_time_unit("ns"),
    pl.Series(HOURS).dt.replace_time_zone("Europe/Berlin"),
    pl.date_range(pl.date(2024, 1, 1), pl.date(2024, 2, 29), eager=True),
    pl.Series(np.arange(SIZE, dtype=np.int16)),
    pl.Series(np.arange(SIZE) * 0.5),
]


@pytest.mark.parametrize("times", TIMES, ids=lambda times: str(times.dtype))
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_times_keep_their_type(times: pl.Series, library: str) -> None:
    frame: Any = panel(times=times)
    if library == "pandas":
        frame = frame.to_pandas()
    answer = forecast(frame, 2, **QUICK)
    assert answer["ds"].dtype == frame["ds"].dtype
    coming = pl.Series(answer["ds"]).cast(times.dtype).to_list()
    step = times[1] - times[0]
    assert coming[:2] == [times[-1] + step, times[-1] + 2 * step]


def test_days_of_a_zone_that_moves_its_clocks_stay_at_midnight() -> None:
    days = pd.date_range("2024-02-01", periods=SIZE, tz="Europe/Berlin", freq="D")
    frame = pd.DataFrame(
        {"unique_id": ["a"] * SIZE + ["b"] * 30, "ds": [*days, *days[:30]], "y": values(0, SIZE + 30)}
    )
    answer = forecast(frame, 2, **QUICK)
    assert str(answer["ds"].dtype) == "datetime64[ns, Europe/Berlin]"
    assert answer["ds"].dt.strftime("%m-%d %H").to_list() == ["04-01 00", "04-02 00", "03-02 00", "03-03 00"]


def test_times_as_text_and_as_numbers_that_are_dates() -> None:
    days = pl.date_range(pl.date(2024, 1, 1), pl.date(2024, 2, 29), eager=True)
    text = forecast(panel(times=days.dt.to_string("%d.%m.%Y")), 1, **QUICK)
    assert text["ds"].dtype == pl.Datetime("us")
    assert text["ds"].dt.date().to_list() == [days[-1] + (days[1] - days[0])] * 3
    compact = forecast(panel(times=days.dt.to_string("%Y%m%d").cast(pl.Int64)), 1, **QUICK)
    assert compact["ds"].to_list() == [20240301] * 3


def test_an_index_may_hold_ids_and_times() -> None:
    frame = pandas_panel()
    answer = forecast(frame.set_index(["unique_id", "ds"]), 1, **QUICK)
    pd.testing.assert_frame_equal(answer, forecast(frame, 1, **QUICK))


def test_columns_may_have_other_names() -> None:
    frame = panel().rename({"unique_id": "store", "ds": "day", "y": "sales"})
    answer = forecast(
        frame, 1, id_col="store", time_col="day", target_col="sales", name="ours", level=[97.5], **QUICK
    )
    assert answer.columns == ["store", "day", "ours", "ours-lo-97.5", "ours-hi-97.5"]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"df": panel().drop("y")}, "df has no column 'y'"),
    ({"df": panel().lazy()}, r"got a LazyFrame; call \.collect\(\) first"),
    ({"df": [1.0, 2.0]}, "must be a pandas or polars frame"),
    ({"df": panel().with_columns(y=pl.lit("a"))}, "column 'y' must hold numbers, got String such as 'a'"),
    ({"df": panel().with_columns(y=pl.lit(True))}, "got true and false"),
    ({"df": panel().with_columns(ds=pl.lit(True))}, "column 'ds' of type Boolean cannot be the time"),
    ({"horizon": 0}, "horizon must be at least 1"),
    ({"level": [95, 0.95]}, "level 0.95 is given twice"),
    ({"method": "splitt"}, "splitt"),
    ({"model": type(MODEL)}, "model must be an unfitted model"),
    ({"band": "wide"}, "band must be"),
    ({"jobs": 0}, "jobs must be a number of processes"),
    ({"exog": "rain"}, "exog must be a sequence of column names"),
    ({"exog": ["y"]}, "column 'y' is given two parts to play"),
]


@pytest.mark.parametrize(("options", "words"), WRONG)
def test_what_is_wrong_for_every_series_is_refused_at_once(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        forecast(**{"df": panel(), "horizon": 2, **QUICK, **options})
