"""Scores against values worked out by hand and against plain loops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc import metrics

Y = np.array([0.0, 2.0, -3.0, 0.5])
LOWER = np.array([-1.0, -1.0, -1.0, 0.5])
UPPER = np.array([1.0, 1.0, 1.0, 0.75])


def test_scores_by_hand() -> None:
    assert metrics.coverage(Y, LOWER, UPPER) == 0.5
    assert metrics.coverage_error(Y, LOWER, UPPER, 0.9) == pytest.approx(-40.0)
    assert metrics.width(LOWER, UPPER) == pytest.approx((2 + 2 + 2 + 0.25) / 4)
    # alpha = 0.1: one unit outside costs 20, two units cost 40.
    assert metrics.winkler(Y, LOWER, UPPER, 0.9) == pytest.approx((2 + 22 + 42 + 0.25) / 4)
    assert metrics.rmse(Y, np.zeros(4)) == pytest.approx(np.sqrt((4 + 9 + 0.25) / 4))


def test_an_infinite_interval_covers_and_costs_everything() -> None:
    lower, upper = np.full(4, -np.inf), np.full(4, np.inf)
    assert metrics.coverage(Y, lower, upper) == 1.0
    assert metrics.width(lower, upper) == np.inf
    assert metrics.winkler(Y, lower, upper, 0.9) == np.inf


def test_winkler_is_shift_invariant_and_scales() -> None:
    base = metrics.winkler(Y, LOWER, UPPER, 0.8)
    assert metrics.winkler(Y + 7, LOWER + 7, UPPER + 7, 0.8) == pytest.approx(base)
    assert metrics.winkler(3 * Y, 3 * LOWER, 3 * UPPER, 0.8) == pytest.approx(3 * base)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30), st.integers(1, 35))
def test_running_mean_is_the_mean_of_each_window(values: list[float], window: int) -> None:
    curve = metrics.running_mean(np.array(values), window)
    for step in range(len(values)):
        if step + 1 < window:
            assert np.isnan(curve[step])
        else:
            assert curve[step] == pytest.approx(np.mean(values[step + 1 - window : step + 1]), abs=1e-9)


def test_running_curves_end_at_the_score_of_the_last_window() -> None:
    forecasts = np.array([0.1, 0.2, 0.3, 0.4])
    tail = slice(1, 4)
    assert metrics.running_rmse(Y, forecasts, 3)[-1] == pytest.approx(metrics.rmse(Y[tail], forecasts[tail]))
    assert metrics.running_coverage(Y, LOWER, UPPER, 3)[-1] == pytest.approx(1 / 3)
    assert metrics.running_coverage_error(Y, LOWER, UPPER, 0.9, 3)[-1] == pytest.approx(100 / 3 - 90)
    assert metrics.running_width(LOWER, UPPER, 3)[-1] == pytest.approx(
        metrics.width(LOWER[tail], UPPER[tail])
    )
    expected = metrics.winkler(Y[tail], LOWER[tail], UPPER[tail], 0.9)
    assert metrics.running_winkler(Y, LOWER, UPPER, 0.9, 3)[-1] == pytest.approx(expected)


def test_a_window_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="window must be at least 1, got 0"):
        metrics.running_mean(Y, 0)


def test_all_scores_of_a_block_with_and_without_its_last_outcomes() -> None:
    whole = metrics.interval_scores(Y, LOWER, UPPER, 0.9)
    assert whole == (
        metrics.coverage(Y, LOWER, UPPER),
        metrics.width(LOWER, UPPER),
        metrics.winkler(Y, LOWER, UPPER, 0.9),
        0,
    )
    early = metrics.interval_scores(Y[:3], LOWER, np.array([1.0, 1.0, 1.0, np.inf]), 0.9)
    assert early.coverage == pytest.approx(1 / 3)
    assert early.winkler == pytest.approx((2 + 22 + 42) / 3)
    assert (early.width, early.infinite) == (np.inf, 1)
    none = metrics.interval_scores(Y[:0], LOWER, UPPER, 0.9)
    assert np.isnan([none.coverage, none.winkler]).all()
    assert none.width == whole.width
