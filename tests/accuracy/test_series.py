"""The list of series is whole, and is read as it is written."""

import gzip
import os
from pathlib import Path

import numpy as np
import pytest
from accuracy.series import CHANNELS, PLACES, long_names, long_series
from accuracy.short import GROUPS, YEARS_AHEAD, group_sizes, read_short, short_series

from ngrc.datasets import DatasetError

needs_data = pytest.mark.skipif("NGRC_DATA" not in os.environ, reason="the original files are not here")


def test_every_long_series_is_written_down_once() -> None:
    names = long_names()
    assert len(names) == len(set(names)) == 8 + 20 + 12 * 8 + 1
    assert {name for name in names if name.startswith("beijing")} == {
        f"beijing/{place}/{channel}" for place in PLACES for channel in CHANNELS
    }


def test_an_unknown_series_is_refused() -> None:
    with pytest.raises(ValueError, match="no long series 'rates/8'"):
        long_series("rates/8")


@needs_data
@pytest.mark.parametrize(
    ("name", "size", "season"),
    [("rates/7", 7588, 7), ("solar/19", 52560, 144), ("beijing/Wanshouxigong/WSPM", 35064, 24)],
)
def test_long_series_have_their_published_lengths(name: str, size: int, season: int) -> None:
    series = long_series(name)
    assert series.values.shape == (size,)
    assert np.all(np.isfinite(series.values))
    assert series.season == season
    assert series.times is None or series.times.shape == (size,)


@needs_data
def test_every_beijing_series_is_whole_hour_by_hour() -> None:
    for place in PLACES[:2]:
        for channel in CHANNELS:
            series = long_series(f"beijing/{place}/{channel}")
            assert series.times is not None
            assert np.all(np.diff(series.times) == np.timedelta64(1, "h"))
            assert np.all(np.isfinite(series.values))


@needs_data
def test_the_short_file_holds_118_series_in_four_groups() -> None:
    series = short_series()
    assert sum(group_sizes(series).values()) == len(series) == 118
    assert set(group_sizes(series)) == set(GROUPS)
    assert all(np.all(np.isfinite(one.values)) for one in series)
    # Of its two halves one has no times: such a column is not to be trusted.
    (pound,) = (one for one in series if one.name == "AER/MarkPound")
    assert pound.times is None
    assert pound.group == "other"


def write(path: Path, lines: list[str]) -> Path:
    path.write_bytes(gzip.compress("\n".join(["unique_id,index,ds,y,season", *lines, ""]).encode()))
    return path


def test_a_short_file_is_read_by_series(tmp_path: Path) -> None:
    lines = ["a,0,2001-01-01,1.5,1", "a,1,2002-01-01,2.5,1", "b,0,,3,4", "b,1,,4,4"]
    yearly, quarterly = read_short(write(tmp_path / "short.csv.gz", lines), count=2)
    assert (yearly.name, yearly.group, yearly.steps) == ("a", "yearly", YEARS_AHEAD)
    assert (quarterly.name, quarterly.group, quarterly.steps) == ("b", "quarterly", 4)
    assert yearly.values.tolist() == [1.5, 2.5]
    assert yearly.times is not None
    assert quarterly.times is None


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["a,0,,1,1", "a,1,,,1"], "no number"),
        (["a,1,,1,1", "a,2,,2,1"], "count its rows"),
        (["a,0,,1,1", "a,1,,2,4"], "more than one season"),
        (["a,0,,1,1", "b,0,,2,1"], "holds 2 series where 1"),
    ],
)
def test_a_damaged_short_file_is_refused(tmp_path: Path, lines: list[str], words: str) -> None:
    with pytest.raises(DatasetError, match=words):
        read_short(write(tmp_path / "short.csv.gz", lines), count=1)
