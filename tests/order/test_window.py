"""One rank of a sliding window against a sorted list."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._kernels.order import window_slide
from ngrc.order.window import FIRST, chosen, scores_of, start_window

SCORES = st.lists(st.floats(-1e300, 1e300) | st.integers(-3, 3).map(float), min_size=1, max_size=60)


@given(SCORES, SCORES, st.floats(0.0, 1.0))
@settings(deadline=None, max_examples=150)
def test_any_rank_of_any_window(start: list[float], incoming: list[float], share: float) -> None:
    held = [abs(score) for score in start]
    rank = 1 + int(share * len(held))  # up to one more than there are
    state = start_window(np.array(held), rank)
    for score in incoming:
        held = [*held[1:], abs(score)]
        expected = sorted(held)[rank - 1] if rank <= len(held) else np.inf
        assert window_slide(state, score) == chosen(state) == expected
        assert scores_of(state).tolist() == held


@pytest.mark.parametrize(("window", "rank"), [(1, 1), (2, 1), (2, 2), (100, 96), (1000, 951), (1000, 1000)])
def test_a_long_run(window: int, rank: int) -> None:
    rng = np.random.default_rng(window)
    scores = np.abs(np.round(rng.standard_t(3, window + 3000), 1))
    state = start_window(scores[:window], rank)
    widths = [window_slide(state, score) for score in scores[window:].tolist()]
    windows = np.lib.stride_tricks.sliding_window_view(scores, window)[1:]
    assert widths == np.sort(windows, axis=1)[:, rank - 1].tolist()


def test_places_and_slots_stay_in_step() -> None:
    state = start_window(np.arange(50.0), 40)
    for score in np.random.default_rng(0).exponential(size=500).tolist():
        window_slide(state, score)
    values, slots, places = state[FIRST:].reshape(3, -1)
    assert np.array_equal(slots[places], np.arange(50))
    assert values[:40].max() <= values[40:].min()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_refused_and_changes_nothing(bad: float) -> None:
    state = start_window(np.arange(9.0), 5)
    before = state.copy()
    with pytest.raises(ValueError, match="finite"):
        window_slide(state, bad)
    assert np.array_equal(state, before)
