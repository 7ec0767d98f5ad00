"""The group of delays: any set of lags, any spacing, any channel."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.features import Delays, Inputs

RNG = np.random.default_rng(11)
INPUTS = Inputs({"x": RNG.standard_normal(80), "wind": RNG.standard_normal(80)})


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=5, unique=True),
    st.integers(1, 4),
    st.sampled_from(["x", "wind"]),
    st.integers(1, 30),
)
def test_lag_l_reads_l_minus_one_spacings_before_the_origin(
    lags: list[int], spacing: int, channel: str, horizon: int
) -> None:
    group = Delays(tuple(lags), spacing, channel)
    reach = max((lag - 1) * spacing for lag in lags)
    assert group.reach(horizon) == reach
    assert group.count(horizon) == group.size == len(lags)
    first = reach + horizon
    columns = group.columns(INPUTS, horizon, first, 80)
    assert columns.shape == (max(0, 80 - first), len(lags))
    values = INPUTS.channels[channel]
    for row, target in enumerate(range(first, 80)):
        for place, lag in enumerate(lags):
            assert columns[row, place] == values[target - horizon - (lag - 1) * spacing]


def test_a_count_is_the_first_lags_and_both_are_one_value() -> None:
    assert Delays(3) == Delays((1, 2, 3)) == Delays(range(1, 4)) == Delays(np.array([1, 2, 3]))  # type: ignore[arg-type]
    assert Delays((3, 2, 1)) != Delays(3)
    assert hash(Delays([1, 24])) == hash(Delays((1, 24)))


def test_names_say_which_value_it_is() -> None:
    assert Delays((1, 3, 24), 2).names(5) == ("x[t]", "x[t-4]", "x[t-46]")
    assert Delays(2, 3, "wind").names(1) == ("wind[t]", "wind[t-3]")


def test_the_first_of_them_are_a_group_of_their_own() -> None:
    assert Delays((5, 1, 9), 2, "wind").first(2) == Delays((5, 1), 2, "wind")
    assert Delays(9, 2).first(4) == Delays(4, 2)
    with pytest.raises(ValueError, match="first 4 delays are asked for and there are 3; use more lags"):
        Delays((5, 1, 9)).first(4)


@pytest.mark.parametrize("lags", [0, -1, (0, 1), (1, -3), (1, 2, 2), (), 1.5, (1, 2.5), "12", None, (True,)])
def test_lags_below_one_or_repeated_are_refused(lags: Any) -> None:
    with pytest.raises(ValueError, match="lags"):
        Delays(lags)


def test_origins_without_all_lags_are_refused() -> None:
    group = Delays((1, 5), 2)
    with pytest.raises(ValueError, match="origins must lie between 8 and 80, got 7 to 9"):
        group.columns(INPUTS, 3, 10, 12)
    with pytest.raises(ValueError, match="origins must lie between 8 and 80, got 79 to 81"):
        group.columns(INPUTS, 3, 82, 84)
    assert group.columns(INPUTS, 3, 0, 0).shape == (0, 2)


def test_a_channel_that_is_not_there_is_named() -> None:
    with pytest.raises(
        ValueError, match="reads the channel 'rain', and the data has x, wind; give it as a column"
    ):
        Delays(2, channel="rain").columns(INPUTS, 1, 5, 6)
