"""Seasonal delays against their definition: x[t' - jP + d], observable ones alone, cycles moved back where H > P."""

from math import floor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.features import Delays, Inputs, Seasonal
from ngrc.features.seasonal import whole_cycles

X = np.random.default_rng(12).standard_normal(400)
INPUTS = Inputs({"x": X, "load": -2.0 * X})


def nearest(number: float) -> int:
    """The nearest whole number; of two as near, the even one."""
    below = floor(number)
    if number - below == 0.5:
        return below + below % 2
    return below if number - below < 0.5 else below + 1


def reaches(cycle: int, period: float, horizon: int) -> bool:
    """Whether so many periods are at least the horizon, as they are and as they are read, in whole steps."""
    return cycle * period >= horizon and nearest(cycle * period) >= horizon


def slow_steps(
    periods: list[float], cycles: int, width: int, horizon: int, held: tuple[int, ...] = ()
) -> list[int]:
    """Steps before the target: cycles counted up from one, those in the future skipped, as many as are asked for."""
    steps: list[int] = []
    for period in periods:
        cycle, taken = 1, 0
        while taken < cycles:
            if reaches(cycle, period, horizon):
                taken += 1
                for neighbour in range(-width, width + 1):
                    step = nearest(cycle * period) + neighbour
                    if step >= horizon and step - horizon not in held and step not in steps:
                        steps.append(step)
            cycle += 1
    return steps


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.sampled_from([2.0, 5.0, 7.5, 12.0, 12.5, 24.0, 30.25]), min_size=1, max_size=3, unique=True),
    st.integers(1, 3),
    st.integers(0, 2),
    st.integers(1, 40),
    st.sampled_from([None, Delays(3), Delays((1, 5, 12)), Delays(4, 6)]),
)
def test_every_column_is_the_value_of_its_phase(
    periods: list[float], cycles: int, width: int, horizon: int, besides: Delays | None
) -> None:
    group = Seasonal(tuple(periods), cycles, width, besides, "load")
    held = () if besides is None else besides.steps
    steps = slow_steps(periods, cycles, width, horizon, held)
    assert list(group.steps(horizon)) == steps
    assert group.count(horizon) == len(steps)
    assert group.names(horizon) == tuple(f"load[t'-{step}]" for step in steps)
    assert group.reach(horizon) == max((step - horizon for step in steps), default=0)
    first = group.reach(horizon) + horizon
    columns = group.columns(INPUTS, horizon, first, first + 9)
    for row, target in enumerate(range(first, first + 9)):
        assert columns[row].tolist() == [float(-2.0 * X[target - step]) for step in steps]


@pytest.mark.parametrize("period", [2.0, 7.0, 7.5, 24.0, 365.25])
def test_whole_cycles_are_the_fewest_that_reach_the_origin(period: float) -> None:
    for horizon in range(1, 60):
        slow = next(cycle for cycle in range(1, 100) if reaches(cycle, period, horizon))
        assert whole_cycles(period, horizon) == slow


@pytest.mark.parametrize(("horizon", "fine"), [(1, True), (24, True), (25, False), (48, False)])
def test_a_delay_that_may_not_move_says_when_it_cannot_be_seen(horizon: int, fine: bool) -> None:
    group = Seasonal((24.0,), move=False)
    if fine:
        assert group.steps(horizon) == Seasonal((24.0,)).steps(horizon)
    else:
        with pytest.raises(
            ValueError, match=f"24 steps before the target is not observable at horizon {horizon}"
        ):
            group.steps(horizon)


def test_what_delays_hold_already_is_not_read_twice() -> None:
    group = Seasonal((4.0,), cycles=1, width=1, besides=Delays(5))
    assert group.steps(1) == ()
    assert group.columns(INPUTS, 1, 30, 40).shape == (10, 0)
    assert Seasonal((4.0,), 1, 1, Delays(3)).steps(1) == (4, 5)


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="seasonal delays need a period, got none; give periods"):
        Seasonal(())
    with pytest.raises(ValueError, match="cycles must be at least 1"):
        Seasonal((24,), cycles=0)
    with pytest.raises(ValueError, match="width must be at least 0"):
        Seasonal((24,), width=-1)
    with pytest.raises(ValueError, match="at least 2 steps"):
        Seasonal((1.5,))
