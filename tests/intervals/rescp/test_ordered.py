"""The ordered window against a stable sort of its members at every step."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._kernels.rescp import ordered_advance
from ngrc.intervals.rescp.ends import start_order

VALUES = st.lists(st.integers(-4, 4).map(float), min_size=2, max_size=60)


@settings(deadline=None, max_examples=60)
@given(VALUES, st.integers(1, 20), st.integers(1, 4))
def test_window_is_a_stable_sort_of_its_members(numbers: list[float], size: int, stride: int) -> None:
    values = np.array(numbers)
    known = min(size, values.size - 1)
    order = start_order(values, 0, known, size + 1)
    span = np.array([0, known])
    for stop in range(known, values.size + 1, stride):
        first = max(0, stop - size)
        ordered_advance(values, order, span, first, stop)
        assert span.tolist() == [first, stop]
        expected = first + np.argsort(values[first:stop], kind="stable")
        assert order[: stop - first].tolist() == expected.tolist()


def test_window_may_jump_past_all_its_members() -> None:
    values = np.array([5.0, 3.0, 4.0, 1.0, 2.0, 9.0, 0.0])
    order = start_order(values, 0, 2, 3)
    span = np.array([0, 2])
    ordered_advance(values, order, span, 5, 7)
    assert span.tolist() == [5, 7]
    assert order[:2].tolist() == [6, 5]
