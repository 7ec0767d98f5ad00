import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._types import AnyArray
from ngrc.series.grid import FloatSteps, Grid, Months, Steps, Weekdays, ticks_per_day
from ngrc.series.regular import check_regular, find_grid, is_regular, most_common
from ngrc.series.wording import array_row

REGULAR = {
    "D": "1 day",
    "W": "7 days",
    "h": "1 hour",
    "10min": "10 minutes",
    "15s": "15 seconds",
    "250ms": "0.25 seconds",
    "MS": "1 month",
    "ME": "1 month",
    "QS": "3 months",
    "QE": "3 months",
    "YS": "1 year",
    "YE": "1 year",
    "B": "1 weekday",
}


@pytest.mark.parametrize(("frequency", "label"), REGULAR.items())
@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
def test_every_regular_calendar_of_pandas_is_regular(frequency: str, label: str, unit: str) -> None:
    times = pd.date_range("2019-11-05 06:00", periods=60, freq=frequency).to_numpy().astype(f"M8[{unit}]")
    grid = find_grid(times)
    cells, exact = grid.cells(times)
    assert grid.label == label
    assert exact.all()
    assert (np.diff(cells) == 1).all()
    np.testing.assert_array_equal(grid.points(cells), times)
    check_regular(times, array_row)


@pytest.mark.parametrize("frequency", [name for name in REGULAR if name != "B"])
def test_a_hole_is_named_with_its_row(frequency: str) -> None:
    times = np.delete(pd.date_range("2019-11-04", periods=40, freq=frequency).to_numpy(), 17)
    with pytest.raises(ValueError, match=r"row 18 \(counting from 1\): time .* does not follow .* resample"):
        check_regular(times, array_row)
    assert not is_regular(times)


def test_month_ends_and_clipped_days_are_months() -> None:
    ends = np.array(["2023-11-30", "2023-12-31", "2024-01-31", "2024-02-29", "2024-03-31"], dtype="M8[D]")
    clipped = np.array(["2023-12-30", "2024-01-30", "2024-02-29", "2024-03-30"], dtype="M8[D]")
    for times in (ends, clipped):
        assert is_regular(times)
        assert find_grid(times).label == "1 month"
    assert not is_regular(np.array(["2024-01-30", "2024-02-28", "2024-03-30", "2024-04-30"], dtype="M8[D]"))


@pytest.mark.parametrize(
    ("times", "verb"),
    [([0, 1, 1, 2], "repeats"), ([0, 2, 1, 3], "comes before"), ([0, 1, 2, 2], "repeats")],
)
def test_repeated_and_unsorted_times_are_told_apart(times: list[int], verb: str) -> None:
    with pytest.raises(ValueError, match=verb):
        check_regular(np.array(times), array_row)


def test_decimal_years_pass_and_jitter_does_not() -> None:
    months = np.round(1990 + (np.arange(300) + 0.5) / 12, 4)
    check_regular(months, array_row)
    assert isinstance(find_grid(months), FloatSteps)
    jittered = months.copy()
    jittered[100] += 0.2 / 12
    with pytest.raises(ValueError, match=r"row 101 .*by 0\.0833"):
        check_regular(jittered, array_row)


def test_few_times_are_regular() -> None:
    check_regular(np.array([3]), array_row)
    check_regular(np.array([3, 9]), array_row)
    assert most_common(np.array([5, 2, 2, 5, 9])) == 2


GRIDS: list[Grid] = [
    Steps(3, 7, np.dtype(np.int64)),
    Steps(5, 3_600, np.dtype("M8[s]")),
    Months(1, 3, 31, 3_600, np.dtype("M8[s]")),
    Months(0, 1, 30, 0, np.dtype("M8[s]")),
    Weekdays(7_200, np.dtype("M8[s]")),
]


@settings(deadline=None, max_examples=60)
@given(st.integers(0, len(GRIDS) - 1), st.integers(-3_000_000_000, 3_000_000_000))
def test_the_cell_is_the_first_point_at_or_after(which: int, tick: int) -> None:
    grid = GRIDS[which]
    time: AnyArray = np.array([tick], dtype=grid.dtype)  # type: ignore[attr-defined]
    cells, exact = grid.cells(time)
    assert grid.points(cells - 1)[0] < time[0] <= grid.points(cells)[0]
    assert exact[0] == (grid.points(cells)[0] == time[0])


@settings(deadline=None, max_examples=60)
@given(st.floats(-1e3, 1e3), st.floats(0.01, 10.0), st.integers(-1000, 1000), st.floats(0.02, 0.98))
def test_float_steps_round_up_beyond_the_tolerance(
    origin: float, step: float, cell: int, share: float
) -> None:
    grid = FloatSteps(origin, step)
    cells, exact = grid.cells(np.array([origin + step * cell, origin + step * (cell + share)]))
    assert exact.tolist() == [True, False]
    assert cells.tolist() == [cell, cell + 1]


def test_weekday_points_are_numpys_business_days() -> None:
    grid = Weekdays(0, np.dtype("M8[D]"))
    days = np.arange("2024-01-01", "2024-03-01", dtype="M8[D]")
    cells, exact = grid.cells(days)
    np.testing.assert_array_equal(exact, np.is_busday(days))
    np.testing.assert_array_equal(grid.points(cells), np.busday_offset(days, 0, roll="forward"))


def test_ticks_of_a_day() -> None:
    assert ticks_per_day(np.zeros(1, "M8[D]")) == 1
    assert ticks_per_day(np.zeros(1, "M8[ms]")) == 86_400_000
