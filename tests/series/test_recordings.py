"""Files of several columns: targets, channels, the future, and one grid for all."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc.series import Recording, read_channels, read_series

DAYS = pd.date_range("2024-01-01", periods=8, freq="D")
FRAME = pd.DataFrame(
    {
        "day": DAYS,
        "load": [1.0, 2.0, np.nan, 4.0, 5.0, 6.0, np.nan, np.nan],
        "wind": [9.0, np.nan, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0],
        "temperature": np.arange(20.0, 28.0),
        "open": [True, False] * 4,
    }
)


def written(folder: Path, frame: pd.DataFrame, kind: str = "csv") -> Path:
    path = folder / f"load.{kind}"
    if kind == "csv":
        frame.to_csv(path, index=False)
    else:
        pl.from_pandas(frame).write_parquet(path)
    return path


def column(recording: Recording, name: str) -> Any:
    assert recording.channels is not None
    return recording.channels.column(name)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_targets_end_where_the_future_of_known_inputs_begins(tmp_path: Path, kind: str) -> None:
    path = written(tmp_path, FRAME, kind)
    recording = read_channels(path, targets=["load"], exog=["wind"], known=["temperature", "open"])
    (series,) = recording.targets
    np.testing.assert_array_equal(series.values, [1, 2, 2, 4, 5, 6])
    assert series.name == "load"
    assert series.filled == 1
    assert series.times is not None
    np.testing.assert_array_equal(series.times, DAYS[:6].to_numpy())
    np.testing.assert_array_equal(column(recording, "wind"), [9, 9, 7, 6, 5, 4, np.nan, np.nan])
    np.testing.assert_array_equal(column(recording, "temperature"), np.arange(20, 28))
    np.testing.assert_array_equal(column(recording, "open"), [1, 0] * 4)
    assert recording.channels is not None
    assert recording.channels.names == ("wind", "temperature", "open")
    assert recording.channels.times is not None
    np.testing.assert_array_equal(recording.channels.times, DAYS.to_numpy())


def test_without_known_inputs_the_series_is_that_of_read_series(tmp_path: Path) -> None:
    path = written(tmp_path, FRAME)
    (series,) = read_channels(path, targets=["load"], exog=["wind"]).targets
    plain = read_series(path, column="load")
    np.testing.assert_array_equal(series.values, plain.values)
    assert series.notes == (*plain.notes, "1 missing value of 'wind' carried forward")
    assert series.style == plain.style


def test_a_file_alone_is_that_of_read_series(tmp_path: Path) -> None:
    path = written(tmp_path, FRAME[["day", "load"]])
    recording = read_channels(path)
    assert recording.channels is None
    np.testing.assert_array_equal(recording.targets[0].values, read_series(path).values)


def test_the_target_is_found_beside_the_channels(tmp_path: Path) -> None:
    path = written(tmp_path, FRAME[["day", "wind", "load"]].fillna(1.0))
    assert read_series(path).name == "wind"
    assert read_channels(path, known=["wind"]).targets[0].name == "load"


def test_a_channel_that_is_called_a_time_is_no_time(tmp_path: Path) -> None:
    frame = FRAME.assign(hour=np.arange(8) % 3)
    recording = read_channels(written(tmp_path, frame), targets=["load"], known=["hour"])
    assert recording.targets[0].times is not None
    np.testing.assert_array_equal(recording.targets[0].times, DAYS[:6].to_numpy())
    np.testing.assert_array_equal(column(recording, "hour"), np.arange(8) % 3)


def test_several_targets_share_their_rows(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "a": [np.nan, 1.0, 2.0, 3.0, np.nan],
            "b": [np.nan, np.nan, 5.0, np.nan, np.nan],
            "k": [0.0, 1.0, 2.0, 3.0, 4.0],
            "x": [7.0, np.nan, np.nan, 8.0, np.nan],
        }
    )
    recording = read_channels(written(tmp_path, frame), targets=["a", "b"], known=["k"], exog=["x"])
    first, second = recording.targets
    assert (first.name, second.name) == ("a", "b")
    np.testing.assert_array_equal(first.values, [2, 3])
    np.testing.assert_array_equal(second.values, [5, 5])
    np.testing.assert_array_equal(column(recording, "k"), [2, 3, 4])
    # The value before the targets begin is carried into them.
    np.testing.assert_array_equal(column(recording, "x"), [7, 8, np.nan])


def test_resampling_puts_all_columns_on_one_grid(tmp_path: Path) -> None:
    frame = FRAME.assign(load=np.arange(8.0)).drop(index=[3]).reset_index(drop=True)
    frame.loc[6, "load"] = np.nan
    path = written(tmp_path, frame)
    recording = read_channels(path, targets=["load"], exog=["wind"], known=["temperature"], resample=True)
    np.testing.assert_array_equal(recording.targets[0].values, [0, 1, 2, 2, 4, 5, 6])
    np.testing.assert_array_equal(column(recording, "wind"), [9, 9, 7, 7, 5, 4, 3, np.nan])
    np.testing.assert_array_equal(column(recording, "temperature"), [20, 21, 22, 22, 24, 25, 26, 27])
    assert "1 gap on the grid of 1 day" in recording.targets[0].notes


def test_a_future_value_that_is_missing_is_kept_for_whoever_asks(tmp_path: Path) -> None:
    frame = FRAME.assign(temperature=[*range(7), np.nan])
    recording = read_channels(written(tmp_path, frame), targets=["load"], known=["temperature"])
    assert np.isnan(column(recording, "temperature")[-1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"targets": ["load"], "exog": ["load"]}, "'load' is asked for both as target and as exog"),
        ({"targets": ["load", "load"]}, "'load' is asked for twice as target; name it once"),
        ({"exog": ["wind"], "known": ["wind"]}, "'wind' is asked for both as exog and as known"),
        ({"known": ["day"], "time": "day"}, "'day' is asked for both as known and as time"),
        ({"targets": ["load"], "exog": ["wnd"]}, "no column 'wnd'; there are .*; did you mean 'wind'"),
        ({"targets": ["load"], "exog": ["word"]}, r"data row 1 \(file line 2\): column 'word' holds 'a'"),
        ({"targets": ["temperature"], "exog": ["late"]}, "exog column 'late' begins with 3 missing values"),
        ({"targets": ["temperature"], "known": ["load"]}, "the known input 'load' has no value at row 3 .*2024-01-03"),
    ],
)  # fmt: skip
def test_bad_columns_are_one_line(tmp_path: Path, arguments: dict[str, Any], message: str) -> None:
    frame = FRAME.assign(word="a", late=[np.nan] * 3 + [1.0] * 5)
    path = written(tmp_path, frame)
    with pytest.raises(ValueError, match=message) as caught:
        read_channels(path, **arguments)
    assert str(caught.value).startswith(f"{path}: ")


def test_the_grid_of_the_future_is_checked_with_its_line(tmp_path: Path) -> None:
    frame = FRAME.assign(day=[*DAYS[:7], DAYS[7] + pd.Timedelta(days=3)])
    with pytest.raises(ValueError, match=r"data row 8 \(file line 9\): time 2024-01-11 does not follow"):
        read_channels(written(tmp_path, frame), targets=["load"], known=["temperature"])


def test_resampling_needs_times(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="resampling needs times"):
        read_channels(written(tmp_path, FRAME.drop(columns="day")), targets=["load"], resample=True)
