import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.series.gaps import carry_forward

GAPPY = st.lists(st.one_of(st.just(float("nan")), st.floats(-1e6, 1e6)), min_size=1, max_size=40)


@settings(deadline=None, max_examples=80)
@given(GAPPY)
def test_equals_a_loop_that_remembers_the_last_number(values: list[float]) -> None:
    kept: list[float] = []
    filled = dropped = 0
    for value in values:
        if not np.isnan(value):
            kept.append(value)
        elif kept:
            kept.append(kept[-1])
            filled += 1
        else:
            dropped += 1
    if not kept:
        with pytest.raises(ValueError, match="missing"):
            carry_forward(np.array(values))
        return
    result = carry_forward(np.array(values))
    np.testing.assert_array_equal(result[0], kept)
    assert result[1:] == (filled, dropped)


@settings(deadline=None, max_examples=50)
@given(GAPPY, st.integers(0, 40))
def test_the_future_never_reaches_back(values: list[float], cut: int) -> None:
    data = np.array([0.0, *values])
    changed = data.copy()
    changed[cut + 1 :] = 7.0
    np.testing.assert_array_equal(carry_forward(data)[0][: cut + 1], carry_forward(changed)[0][: cut + 1])


def test_the_given_array_is_left_alone() -> None:
    data = np.array([1.0, np.nan])
    carry_forward(data)[0][0] = 9.0
    np.testing.assert_array_equal(data, [1.0, np.nan])
