"""Columns beside a series, from every kind of source, and every way in which they can be wrong."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc.series import as_series
from ngrc.series.channels import Channels, as_channels, times_of

DAYS = pd.date_range("2024-01-01", periods=6, freq="D")
TEMPERATURE = [20.0, 21.0, 22.0, 23.0, 24.0, 25.0]
OPEN = [True, False, True, True, False, True]
EXPECTED = np.column_stack([TEMPERATURE, np.array(OPEN, dtype=float)])


def sources() -> dict[str, Any]:
    columns = {"temperature": TEMPERATURE, "open": OPEN}
    return {
        "pandas": pd.DataFrame(columns),
        "pandas with times": pd.DataFrame(columns, index=DAYS),
        "pandas with a time column": pd.DataFrame({"date": DAYS, **columns}),
        "pandas extension types": pd.DataFrame(columns).convert_dtypes(),
        "polars": pl.DataFrame(columns),
        "polars with a time column": pl.DataFrame({"when": DAYS.to_numpy(), **columns}),
        "mapping of lists": columns,
        "mapping of columns": {
            "temperature": pd.Series(TEMPERATURE, index=DAYS),
            "open": pl.Series(OPEN),
        },
        "channels": Channels(("temperature", "open"), EXPECTED),
    }


@pytest.mark.parametrize("name", sources())
def test_every_source_gives_the_same_values(name: str) -> None:
    channels = as_channels(sources()[name], count=6)
    assert channels.names == ("temperature", "open")
    np.testing.assert_array_equal(channels.values, EXPECTED)
    assert channels.notes == ()


@pytest.mark.parametrize("shape", [(6,), (6, 1), (6, 2)])
def test_arrays_have_numbered_columns(shape: tuple[int, ...]) -> None:
    values = np.arange(np.prod(shape), dtype=float).reshape(shape)
    channels = as_channels(values, count=6)
    assert channels.names == ("exog0", "exog1")[: channels.values.shape[1]]
    np.testing.assert_array_equal(channels.values, values.reshape(6, -1))


@pytest.mark.parametrize("column", [pd.Series(TEMPERATURE, name="t"), pl.Series("t", TEMPERATURE)])
def test_a_column_keeps_its_name(column: Any) -> None:
    assert as_channels(column, count=6).names == ("t",)
    assert as_channels(
        column.rename("") if isinstance(column, pd.Series) else column.alias(""), count=6
    ).names == ("exog0",)


def test_declared_columns_alone_are_read_and_known_ones_come_last() -> None:
    frame = pd.DataFrame({"word": ["a"] * 6, "b": TEMPERATURE, "a": TEMPERATURE})
    assert as_channels(frame, count=6, names=["a"], known=["b"]).names == ("a", "b")
    assert as_channels(frame, count=6, known=["b"]).names == ("b",)
    numbers = frame.drop(columns="word")
    assert as_channels(numbers, count=6, names=None, known=["b"]).names == ("a", "b")
    assert as_channels(numbers, count=6).names == ("b", "a")


def test_a_declared_time_named_column_is_an_input() -> None:
    frame = pd.DataFrame({"time": TEMPERATURE, "b": TEMPERATURE})
    assert as_channels(frame, count=6).names == ("b",)
    assert as_channels(frame, count=6, names=["time"]).names == ("time",)


def test_observed_columns_are_carried_forward_like_the_series() -> None:
    raw = [1.0, None, 3.0, None, None, 6.0]
    channels = as_channels({"a": raw}, count=6)
    np.testing.assert_array_equal(channels.column("a"), as_series(raw).values)
    assert channels.notes == ("3 missing values of 'a' carried forward",)


def test_the_future_of_an_observed_column_is_not_kept() -> None:
    frame = pd.DataFrame({"seen": TEMPERATURE, "forecast": TEMPERATURE})
    channels = as_channels(frame, count=4, names=["seen"], known=["forecast"])
    np.testing.assert_array_equal(channels.column("seen"), [20, 21, 22, 23, np.nan, np.nan])
    np.testing.assert_array_equal(channels.column("forecast"), TEMPERATURE)


def test_only_the_future_that_is_asked_for_must_be_there() -> None:
    frame = {"f": [1.0, 2.0, 3.0, 4.0, 5.0, np.nan]}
    assert len(as_channels(frame, count=4, known=["f"], ahead=1)) == 5
    assert len(as_channels(frame, count=4, known=["f"], ahead=0)) == 4
    with pytest.raises(ValueError, match=r"^the known input 'f' has no value at future row 2; "):
        as_channels(frame, count=4, known=["f"], ahead=2)
    with pytest.raises(ValueError, match="future row 2"):
        as_channels(frame, count=4, known=["f"])
    with pytest.raises(ValueError, match=r"must reach 3 rows beyond the series' 4 observations, got 2; "):
        as_channels(frame, count=4, known=["f"], ahead=3)


def test_missing_rows_beyond_the_series_of_observed_columns_are_cut() -> None:
    assert len(as_channels({"a": [1.0, 2.0, None, None]}, count=2)) == 2


def test_rows_before_the_first_observation_are_dropped_and_still_fill() -> None:
    channels = as_channels({"a": [7.0, None, None, 8.0]}, count=2, skip=2)
    np.testing.assert_array_equal(channels.column("a"), [7.0, 8.0])


def test_a_constant_column_is_fine() -> None:
    assert np.all(as_channels({"a": [3.0] * 5}, count=5).values == 3.0)


@pytest.mark.parametrize(
    ("exog", "arguments", "message"),
    [
        ({"a": [1.0, 2.0]}, {"count": 3}, "exog has 2 rows beside a series of 3 observations"),
        ({"a": [1.0, 2.0]}, {"count": 1}, "'a' has 1 row more than the series' 1 observations"),
        ({"a": [1.0], "b": [1.0, 2.0]}, {"count": 1}, "one length, got 1 rows of 'a' and 2 of 'b'"),
        ({"temp": [1.0]}, {"count": 1, "names": ["tmp"]}, "exog has no column 'tmp'; there are 'temp'; did you mean"),
        ({"temp": [1.0]}, {"count": 1, "known": ["tmp"], "names": None}, "no column 'tmp', which is declared"),
        ({"a": [1.0]}, {"count": 1, "known": ["a"], "names": ["a"]}, "declared both as exog and as known"),
        ({"a": [1.0]}, {"count": 1, "names": "a"}, "exog must be a sequence of column names, got 'a'"),
        ({"a": [1.0]}, {"count": 1, "known": ["a", "a"]}, "known names a column twice"),
        ({"a": ["x", "y"]}, {"count": 2}, "exog column 'a': row 1 .* 'x' stands where a number belongs"),
        ({"a": [1.0, np.inf]}, {"count": 2}, "exog column 'a': row 2 .* inf is infinite"),
        ({"a": [None, None, 1.0]}, {"count": 3}, "exog column 'a' begins with 2 missing values"),
        ({"a": [None, None, None]}, {"count": 3}, "exog column 'a' begins with 3 missing values"),
        ({"a": [1.0, None]}, {"count": 2, "known": ["a"]}, "known input 'a' has no value at row 2"),
        ({}, {"count": 2}, "at least one column of numbers, got none"),
        ("weather.csv", {"count": 2}, "read files with read_channels"),
        (np.zeros((2, 2, 2)), {"count": 2}, r"got shape \(2, 2, 2\)"),
        (None, {"count": 2}, "exog must be a frame, a column, a mapping of columns or an array: .* got a NoneType"),
        (pl.LazyFrame({"a": [1.0]}), {"count": 1}, r"call \.collect\(\) first"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(exog: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        as_channels(exog, **arguments)
    assert "\n" not in str(caught.value)


def test_a_missing_future_value_is_named_with_its_time() -> None:
    frame = pd.DataFrame({"forecast": [*TEMPERATURE[:5], None]}, index=DAYS)
    with pytest.raises(ValueError, match=r"'forecast' has no value at future row 2, 2024-01-06; give it"):
        as_channels(frame, count=4, known=["forecast"], times=DAYS[:4])


@pytest.mark.parametrize("library", ["pandas", "polars", "mapping"])
def test_times_must_agree_row_by_row(library: str) -> None:
    late = DAYS + pd.Timedelta(days=1)
    exog: Any = {
        "pandas": pd.DataFrame({"a": TEMPERATURE}, index=late),
        "polars": pl.DataFrame({"a": TEMPERATURE, "date": late.to_numpy()}),
        "mapping": {"a": pd.Series(TEMPERATURE, index=late)},
    }[library]
    with pytest.raises(
        ValueError, match=r"row 1 .*: the series is at 2024-01-01, exog at 2024-01-02; give both"
    ):
        as_channels(exog, count=6, times=DAYS)


def test_the_times_of_the_future_continue_the_series() -> None:
    gap = DAYS[:5].append(pd.DatetimeIndex(["2024-01-09"]))
    frame = pd.DataFrame({"a": TEMPERATURE}, index=gap)
    with pytest.raises(ValueError, match=r"row 6 .*: the series is at 2024-01-06, exog at 2024-01-09"):
        as_channels(frame, count=4, known=["a"], times=DAYS[:4])
    # Cut before the gap, nothing is wrong.
    assert len(as_channels(frame, count=4, known=["a"], times=DAYS[:4], ahead=1)) == 5


def test_columns_of_a_mapping_must_agree_with_each_other() -> None:
    columns = {
        "a": pd.Series(TEMPERATURE, index=DAYS),
        "b": pd.Series(TEMPERATURE, index=DAYS.shift(1)),
    }
    with pytest.raises(ValueError, match=r"exog column 'a' is at 2024-01-01, column 'b' at 2024-01-02"):
        as_channels(columns, count=6)


def test_dates_and_numbers_are_not_compared() -> None:
    frame = pd.DataFrame({"time": np.arange(6), "a": TEMPERATURE})
    with pytest.raises(ValueError, match="the series are dates and those of exog numbers"):
        as_channels(frame, count=6, times=DAYS)


def test_times_come_from_exog_or_continue_the_series() -> None:
    own = as_channels(pd.DataFrame({"a": TEMPERATURE}, index=DAYS), count=4, known=["a"])
    carried = as_channels({"a": TEMPERATURE}, count=4, known=["a"], times=DAYS[:4])
    for channels in (own, carried):
        assert channels.times is not None
        np.testing.assert_array_equal(channels.times, DAYS.to_numpy())
    assert as_channels({"a": TEMPERATURE}, count=6).times is None


def test_channels_pass_again_unchanged_and_by_part() -> None:
    frame = pd.DataFrame({"seen": TEMPERATURE, "forecast": TEMPERATURE}, index=DAYS)
    whole = as_channels(frame, count=4, names=["seen"], known=["forecast"], times=DAYS[:4])
    again = as_channels(whole, count=4, names=["seen"], known=["forecast"], times=DAYS[:4])
    np.testing.assert_array_equal(again.values, whole.values)
    part = as_channels(whole.part(0, 3), count=3, names=["seen"], known=["forecast"], times=DAYS[:3])
    np.testing.assert_array_equal(part.values, whole.values[:3])
    assert part.times is not None
    assert part.times.size == 3


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ((("a",), np.zeros(3)), "shape"),
        ((("a", "b"), np.zeros((3, 1))), "one column per name"),
        ((("a", "a"), np.zeros((3, 2))), "must differ"),
        ((("a",), np.array([[0.0], [np.inf]])), "channel 'a' is infinite at row 2"),
        ((("a",), np.zeros((3, 1)), np.arange(2)), "one time per row"),
    ],
)
def test_channels_check_themselves(fields: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Channels(*fields)


def test_times_of_whatever_is_a_series() -> None:
    for source in (
        pd.Series(TEMPERATURE, index=DAYS),
        pd.DataFrame({"y": TEMPERATURE, "z": TEMPERATURE}, index=DAYS),
        pl.DataFrame({"date": DAYS.to_numpy(), "y": TEMPERATURE}),
        pl.DataFrame({"y": [0, 1] * 3, "id": [1, 1, 1, 2, 2, 2], "day": [str(day.date()) for day in DAYS]}),
        as_series(TEMPERATURE, time=DAYS),
    ):
        times = times_of(source)
        assert times is not None
        np.testing.assert_array_equal(times, DAYS.to_numpy())
    for plain in (
        TEMPERATURE,
        np.zeros((3, 2)),
        pl.Series(TEMPERATURE),
        as_series(TEMPERATURE, time=range(6)),
    ):
        assert times_of(plain) is None
