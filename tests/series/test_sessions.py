"""Rows of some hours per day: consecutive, as those of an exchange are, with coming times in the next session."""

from pathlib import Path

import numpy as np
import pytest

from ngrc._types import AnyArray
from ngrc.series import read_series
from ngrc.series.regular import coming_times, find_grid, is_regular
from ngrc.series.sessions import Sessions

DAYS = np.busday_offset(np.datetime64("2024-01-02"), np.arange(40)).astype("M8[m]")
# Half past nine to four, every half hour; and a session with a break at noon.
NEW_YORK = (570 + 30 * np.arange(14)).astype("m8[m]")
TOKYO = np.array([540, 570, 600, 630, 660, 690, 750, 780, 810, 840, 870, 900]).astype("m8[m]")


def sessions(clocks: AnyArray, days: AnyArray = DAYS) -> AnyArray:
    return np.ravel(days[:, None] + clocks)


def written(path: Path, times: AnyArray) -> Path:
    lines = [f"{t.item():%Y-%m-%d %H:%M:%S},{100 + k % 7}.25\n" for k, t in enumerate(times)]
    path.write_text("Datetime,Close\n" + "".join(lines))
    return path


@pytest.mark.parametrize("clocks", [NEW_YORK, TOKYO])
def test_exchange_hours_are_consecutive(tmp_path: Path, clocks: AnyArray) -> None:
    times = sessions(clocks, np.delete(DAYS, [9, 33]))
    series = read_series(written(tmp_path / "close.csv", times))
    assert len(series) == times.size
    first, last = (str(np.datetime64(0, "m") + clock)[11:] for clock in (clocks[0], clocks[-1]))
    assert (
        f"daily sessions of {clocks.size} rows from {first} to {last}: the time between them is no gap, and rows are "
        f"consecutive; {2 * clocks.size} rows that lack taken as holidays"
    ) in series.notes
    assert "every 30 minutes in daily sessions" in series.notes[0]
    # After the last row of a Friday comes the first of Monday.
    friday = times[: np.flatnonzero(np.diff(times.astype("M8[D]")) > np.timedelta64(1, "D"))[0] + 1]
    coming = coming_times(times[: friday.size + 5 * clocks.size], clocks.size + 1)
    assert np.all(np.isin(coming - coming.astype("M8[D]"), clocks))
    assert np.all(np.is_busday(coming.astype("M8[D]")))


def test_daylight_of_every_day_of_the_week() -> None:
    days = (np.datetime64("2024-06-01") + np.arange(20)).astype("M8[h]")
    times = sessions(np.arange(6, 20).astype("m8[h]"), days)
    grid = find_grid(times)
    assert isinstance(grid, Sessions)
    assert grid.days == "1111111"
    assert str(coming_times(times, 15)[0]) == "2024-06-21T06"
    assert str(coming_times(times, 15)[-1]) == "2024-06-22T06"


def test_numbers_and_times_are_inverse() -> None:
    grid = find_grid(sessions(TOKYO))
    cells = 10_000 + np.arange(500)
    again, exact = grid.cells(grid.points(cells))
    np.testing.assert_array_equal(again, cells)
    assert exact.all()
    # Between two sessions, and on a day off: the first point at or after.
    late = np.array(["2024-01-05T20:00", "2024-01-06T10:00", "2024-01-08T08:59"], dtype="M8[m]")
    assert set(grid.points(grid.cells(late)[0]).astype(str)) == {"2024-01-08T09:00"}


@pytest.mark.parametrize("lost", [slice(40, 46), [41], [300, 301]])
def test_hours_around_the_clock_have_gaps(lost: slice | list[int]) -> None:
    hours = np.datetime64("2024-01-01T00", "h") + np.arange(600)
    assert not is_regular(np.delete(hours, lost))


def test_rows_at_odd_times_and_half_empty_sessions_are_gaps() -> None:
    times = sessions(NEW_YORK)
    assert not is_regular(np.sort(np.append(times, times[100] + np.timedelta64(7, "m"))))
    assert not is_regular(times[np.random.default_rng(0).random(times.size) < 0.8])
    assert not is_regular(times[: 4 * NEW_YORK.size])
