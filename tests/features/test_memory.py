from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import lfilter

from ngrc._kernels.models import recursions_first_order
from ngrc.features import Inputs, Memory
from ngrc.features.means import memory_columns, memory_gain


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30),
    st.lists(st.floats(0.1, 500.0), min_size=1, max_size=3, unique=True),
)
def test_recursion_from_the_first_value(values: list[float], half_lives: list[float]) -> None:
    columns = memory_columns(np.array(values), half_lives)
    for position, half_life in enumerate(half_lives):
        gain = 1.0 - 2.0 ** (-1.0 / half_life)
        mean = values[0]
        for time, value in enumerate(values):
            mean = mean if time == 0 else (1.0 - gain) * mean + gain * value
            assert columns[time, position] == pytest.approx(mean, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("half_life", [1.0, 3.0, 40.0])
def test_a_step_is_half_forgotten_after_the_half_life(half_life: float) -> None:
    x = np.concatenate((np.ones(1), np.zeros(100)))
    assert memory_columns(x, (half_life,))[int(half_life), 0] == pytest.approx(0.5)


def test_a_constant_is_its_own_mean() -> None:
    np.testing.assert_allclose(memory_columns(np.full(50, 3.5), (2.0, 20.0)), 3.5, rtol=1e-14)


def test_the_past_does_not_see_the_future() -> None:
    x = np.random.default_rng(0).standard_normal(40)
    changed = x.copy()
    changed[25:] += 100.0
    assert np.array_equal(memory_columns(x, (3.0,))[:25], memory_columns(changed, (3.0,))[:25])


def test_gain_is_accurate_for_long_half_lives() -> None:
    assert memory_gain(1e12) == pytest.approx(np.log(2.0) / 1e12, rel=1e-11)


def test_empty_cases_and_names() -> None:
    assert memory_columns(np.empty(0), (3.0,)).shape == (0, 1)
    assert memory_columns(np.ones(4), ()).shape == (4, 0)
    assert Memory((2.5, 144)).names(1) == ("ema(half-life 2.5)", "ema(half-life 144)")


@pytest.mark.parametrize("horizon", [1, 4])
def test_the_group_remembers_its_channel_up_to_the_origin(horizon: int) -> None:
    rng = np.random.default_rng(16)
    inputs = Inputs({"x": rng.standard_normal(40), "wind": rng.standard_normal(40)})
    group = Memory((2.0, 9.5), "wind")
    columns = group.columns(inputs, horizon, horizon + 3, 40)
    for place, half_life in enumerate((2.0, 9.5)):
        keep, mean = 0.5 ** (1.0 / half_life), float(inputs.channels["wind"][0])
        for origin in range(40 - horizon):
            if origin:
                mean = keep * mean + (1.0 - keep) * float(inputs.channels["wind"][origin])
            if origin >= 3:
                assert columns[origin - 3, place] == pytest.approx(mean, rel=1e-12)
    assert group.names(1) == ("ema of wind(half-life 2)", "ema of wind(half-life 9.5)")
    assert (group.count(1), group.reach(horizon), group.moving) == (2, 0, False)
    with pytest.raises(ValueError, match="reads the channel 'rain'"):
        Memory((2.0,), "rain").columns(inputs, 1, 5, 6)


@pytest.mark.parametrize("half_life", [0.3, 1.0, 12.0, 200.0, 1e8])
def test_means_are_those_of_a_loop_bit_for_bit(half_life: float) -> None:
    x = 10.0 + np.cumsum(np.random.default_rng(3).normal(size=2000))
    gain = memory_gain(half_life)
    kept, news = 1.0 - gain, (gain * x).tolist()
    # With m[-1] = x[0] the first mean is x[0] itself.
    news[0] += kept * float(x[0])
    twin = list(accumulate(news, lambda mean, new: kept * mean + new))
    assert memory_columns(x, (half_life, 7.0))[:, 0].tolist() == twin


@pytest.mark.parametrize("kept", [0.0, 0.95, -0.7, 1.0])
def test_recursions_are_the_filter_of_scipy(kept: float) -> None:
    x = np.random.default_rng(4).normal(size=500)
    ours = recursions_first_order(x, np.full(1, kept), np.ones(1), np.zeros(1))[:, 0]
    np.testing.assert_array_equal(ours, lfilter([1.0], [1.0, -kept], x))
