import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ngrc.readout.lagged as lagged
from ngrc._types import FloatArray
from ngrc.features import Rows
from ngrc.readout.lagged import Signals, column_sources, core_of, fast_length, first_lags, lagged_sums
from tests.readout.twins import example_series, paper_map, rows_of


def slow_sums(rows: Rows, shift: FloatArray, left: FloatArray | None) -> FloatArray:
    """Every sum term by term; NaN where a signal reads before the beginning."""
    lags, spacing = core_of(rows).lags, core_of(rows).spacing

    def signal(number: int, time: int) -> float:
        earlier = time - (number - 1) * spacing
        if time < 0 or (number > 0 and earlier < 0):
            return float("nan")
        return float(rows.series[time] * (rows.series[earlier] if number else 1.0) - shift[number])

    origins = range(rows.first - rows.horizon, rows.stop - rows.horizon)
    if left is None:
        left = np.array([[signal(number, origin) for origin in origins] for number in range(shift.size)])
    result = np.empty((lags, left.shape[0], shift.size))
    for lag in range(lags):
        for number in range(shift.size):
            right = [signal(number, origin - lag * spacing) for origin in origins]
            result[lag, :, number] = left @ np.array(right)
    return result


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 5),
    st.integers(1, 4),
    st.integers(1, 2),
    st.integers(1, 60),
    st.integers(0, 30),
    st.booleans(),
)
def test_sums_equal_the_definition(
    lags: int, spacing: int, degree: int, count: int, skip: int, small_batches: bool
) -> None:
    feature_map = paper_map(lags, spacing, degree)
    x = np.random.default_rng(count).standard_normal(feature_map.reach(2) + 2 + skip + count)
    rows = rows_of(feature_map, x, 2, first=feature_map.reach(2) + 2 + skip)
    assert rows.count == count
    signals = Signals.of(rows)
    left = np.random.default_rng(1).standard_normal((2, count))
    before = lagged.BATCH_ENTRIES
    lagged.BATCH_ENTRIES = 1 if small_batches else before
    try:
        both = lagged_sums(signals, left)
    finally:
        lagged.BATCH_ENTRIES = before
    expected = np.concatenate(
        (slow_sums(rows, signals.shift, None), slow_sums(rows, signals.shift, left)), axis=1
    )
    known = ~np.isnan(expected)
    np.testing.assert_allclose(both[known], expected[known], atol=1e-12 * count * 10)
    np.testing.assert_allclose(
        lagged_sums(signals, left, own=False), both[:, signals.shift.size :], atol=1e-11
    )


def test_every_column_of_the_design_is_known() -> None:
    rows = rows_of(paper_map(4, 3), example_series("walk", 80), 1)
    signals = Signals.of(rows)
    lag, signal = column_sources(core_of(rows))
    left = np.random.default_rng(0).standard_normal((3, rows.count))
    sums = lagged_sums(signals, left, own=False)[lag, :, signal]
    np.testing.assert_allclose(sums.T, left @ (rows.design - signals.shift[signal]), atol=1e-11)


def test_several_blocks_and_batches_add_up() -> None:
    rows = rows_of(paper_map(3, 2), example_series("noise", 3000), 1)
    signals = Signals.of(rows)
    halves = [Signals.of(part, signals.shift) for part in (rows.part(0, 1111), rows.part(1111, rows.count))]
    left = np.ones((1, rows.count))
    whole = lagged_sums(signals, left)
    parts = sum(lagged_sums(half, np.ones((1, half.count))) for half in halves)
    lag, signal = column_sources(core_of(rows))
    np.testing.assert_allclose(whole[lag, :, signal], np.asarray(parts)[lag, :, signal], atol=1e-10)


def test_the_default_shift_is_the_signals_mean() -> None:
    rows = rows_of(paper_map(3, 2), example_series("walk", 50), 1)
    now = rows.series[rows.first - 1 : rows.stop - 1]
    expected = [now.mean()] + [
        np.mean(now * rows.series[rows.first - 1 - step : rows.stop - 1 - step]) for step in (0, 2, 4)
    ]
    np.testing.assert_allclose(Signals.of(rows).shift, expected, atol=1e-14)
    assert Signals.of(rows_of(paper_map(3, degree=1), rows.series, 1)).shift.shape == (1,)


@pytest.mark.parametrize(("minimum", "length"), [(0, 1), (1, 1), (7, 8), (11, 12), (121, 125), (257, 270)])
def test_fast_lengths(minimum: int, length: int) -> None:
    assert fast_length(minimum) == length


@pytest.mark.parametrize("size", [1, 2, 9, 16])
def test_first_lags_are_the_inverse_transforms(size: int) -> None:
    rng = np.random.default_rng(size)
    values = rng.standard_normal((size, 3, 2))
    lags = min(size, 5)
    sums = first_lags(np.fft.rfft(values, axis=0), size, lags)
    np.testing.assert_allclose(sums, values[:lags], atol=1e-13)
