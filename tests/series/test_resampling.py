from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._types import AnyArray, FloatArray
from ngrc.series import read_series
from ngrc.series.resampling import resample


def last_observation(times: AnyArray, values: FloatArray, point: float, before: float) -> float:
    """The mean of the values at the latest time in (before, point] that has any."""
    inside = sorted(
        {t for t, v in zip(times, values, strict=True) if before < t <= point and not np.isnan(v)}
    )
    if not inside:
        return float("nan")
    return float(np.nanmean([v for t, v in zip(times, values, strict=True) if t == inside[-1]]))


OBSERVATIONS = st.lists(
    st.tuples(st.integers(0, 60), st.one_of(st.just(float("nan")), st.floats(-100, 100))),
    min_size=2,
    max_size=40,
)


@settings(deadline=None, max_examples=100)
@given(OBSERVATIONS)
def test_each_point_is_the_last_observation_since_the_point_before(pairs: list[tuple[int, float]]) -> None:
    times = np.array([t for t, _ in pairs])
    values = np.array([v for _, v in pairs])
    grid, gridded, _ = resample(times, values)
    if np.unique(times).size < 2:
        return
    step = grid[1] - grid[0] if grid.size > 1 else np.inf
    assert (np.diff(grid) == step).all()
    expected = [last_observation(times, values, point, point - step) for point in grid]
    np.testing.assert_allclose(gridded, expected, rtol=1e-12, atol=1e-12)
    assert grid[-1] >= times.max()


def test_a_later_observation_changes_nothing_before_its_time() -> None:
    times = np.array([0, 10, 20, 33, 40, 50, 60])
    values = np.arange(7.0)
    grid, before, _ = resample(times, values)
    values[3] = 99.0
    _, after, _ = resample(times, values)
    np.testing.assert_array_equal(before[grid < 33], after[grid < 33])


def test_disorder_repeats_gaps_and_strays_are_counted() -> None:
    days = ["2024-01-02", "2024-01-01", "2024-01-03", "2024-01-03", "2024-01-04", "2024-01-07"]
    times = np.array([*days, "2024-01-04T12"], dtype="M8[h]")
    grid, values, notes = resample(times, np.array([2.0, 1.0, 3.0, 5.0, 6.0, 8.0, 7.0]))
    np.testing.assert_array_equal(grid.astype("M8[D]"), np.arange("2024-01-01", "2024-01-08", dtype="M8[D]"))
    np.testing.assert_array_equal(values, [1, 2, 4, 6, 7, np.nan, 8])
    assert notes == (
        "times were not in order and were sorted",
        "1 repeated time averaged",
        "1 time off the grid of 1 day moved to the next grid point",
        "1 gap on the grid of 1 day",
    )


def test_of_two_observations_before_one_point_the_later_counts() -> None:
    times = np.array([0, 10, 12, 20, 30, 40])
    _, values, notes = resample(times, np.arange(6.0))
    np.testing.assert_array_equal(values, [0, 1, 3, 4, 5])
    assert "1 observation superseded by a later one before the same grid point" in notes


@pytest.mark.parametrize(("frequency", "rows"), [("ME", 30), ("B", 30), ("h", 30), ("QE", 12)])
def test_a_series_with_holes_comes_back_on_the_calendar(frequency: str, rows: int) -> None:
    full = pd.date_range("2020-02-29", periods=rows, freq=frequency).to_numpy()
    keep = np.delete(np.arange(rows), [4, 5, 9])
    grid, values, _ = resample(full[keep], keep.astype(float))
    np.testing.assert_array_equal(grid, full)
    np.testing.assert_array_equal(np.flatnonzero(np.isnan(values)), [4, 5, 9])
    np.testing.assert_array_equal(values[keep], keep)


def test_one_odd_first_time_does_not_shift_the_grid() -> None:
    times = np.array([3, 10, 20, 30, 40, 50])
    grid, values, _ = resample(times, np.arange(6.0))
    np.testing.assert_array_equal(grid, [10, 20, 30, 40, 50])
    np.testing.assert_array_equal(values, [1, 2, 3, 4, 5])


def test_float_times() -> None:
    grid, values, _ = resample(np.array([0.1, 0.2, 0.3, 0.5, 0.6]), np.arange(5.0))
    np.testing.assert_allclose(grid, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    np.testing.assert_array_equal(values, [0, 1, 2, np.nan, 3, 4])


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.tuples(st.integers(0, 40), st.floats(-0.02, 0.02)),
        min_size=3,
        max_size=30,
        unique_by=lambda pair: pair[0],
    ),
    st.floats(1e-3, 1e3),
    st.floats(-1e4, 1e4),
)
def test_no_float_time_is_moved_back(pairs: list[tuple[int, float]], step: float, origin: float) -> None:
    times = np.array([origin + step * (cell + jitter) for cell, jitter in pairs])
    grid, gridded, _ = resample(times, np.arange(float(times.size)))
    if np.unique(times).size < times.size:
        return
    rounding = 32 * np.finfo(float).eps * np.abs(times).max()
    for point, value in zip(grid, gridded, strict=True):
        assert np.isnan(value) or times[int(value)] <= point + rounding


def test_rounded_decimal_years_keep_their_months() -> None:
    months = np.round(1990 + (np.arange(300) + 0.5) / 12, 4)
    keep = np.delete(np.arange(300), [50, 51, 120])
    grid, values, _ = resample(months[keep], keep.astype(float))
    np.testing.assert_array_equal(np.flatnonzero(np.isnan(values)), [50, 51, 120])
    np.testing.assert_array_equal(values[keep], keep)
    assert (months[keep] <= grid[keep]).all()
    np.testing.assert_allclose(grid, months, atol=2e-4)


def test_a_wrong_time_far_away_does_not_fill_the_memory() -> None:
    with pytest.raises(ValueError, match=r"would have 1000000001 points for 5 times"):
        resample(np.array([0, 1, 2, 3, 10**9]), np.arange(5.0))


def test_a_single_time() -> None:
    grid, values, notes = resample(np.array([4, 4]), np.array([1.0, 3.0]))
    assert (grid.tolist(), values.tolist(), notes) == ([4], [2.0], ("1 repeated time averaged",))


def test_repeated_times_are_named_as_the_source_spells_them(tmp_path: Path) -> None:
    days = [*range(1, 60), *range(2, 14)]
    start = date(2024, 1, 1)
    rows = "".join(f"{start + timedelta(day - 1):%d.%m.%Y};{day},5\n" for day in sorted(days))
    path = tmp_path / "load.csv"
    path.write_text(f"date;load\n{rows}")
    series = read_series(path, resample=True)
    (note,) = (one for one in series.notes if "repeated" in one)
    named = ", ".join(f"{day:02d}.01.2024" for day in range(2, 8))
    assert note == f"12 repeated times averaged: {named} and 6 more"
