"""What a readout is fitted to, and the base that it is measured from."""

from typing import Any

import numpy as np
import pytest

from ngrc.features import Delays, FeatureMap, Inputs, Rows, Target

X = np.random.default_rng(18).standard_normal(90)


def slow_step(kind: str, period: float | None, horizon: int) -> int:
    """How many steps before the target its base lies, counted up from one cycle."""
    if kind == "level":
        return 0
    if kind == "increment":
        return horizon
    assert period is not None
    cycles = 1
    while cycles * period < horizon or round(cycles * period) < horizon:
        cycles += 1
    return round(cycles * period)


@pytest.mark.parametrize(
    ("kind", "period"),
    [("level", None), ("increment", None), ("seasonal", 12.0), ("seasonal", 7.5), ("seasonal", 5)],
)
@pytest.mark.parametrize("horizon", [1, 4, 7, 8, 12, 13, 30])
def test_rows_know_target_base_and_reach(kind: Any, period: float | None, horizon: int) -> None:
    goal = Target(kind, period)
    step = slow_step(kind, period, horizon)
    assert goal.parts(horizon) == (((1.0, step),) if step else ())
    assert goal.reach(horizon) == max(0, step - horizon)
    rows = Rows.of(FeatureMap((Delays(3),)), Inputs({"x": X}), X, horizon, goal=goal)
    assert rows.first == max(2, max(0, step - horizon)) + horizon
    for place, target in enumerate(range(rows.first, 90)):
        base = float(X[target - step]) if step else 0.0
        assert rows.target[place] == X[target] - base
        assert (rows.base is None) == (kind == "level")
        if rows.base is not None:
            assert rows.base[place] == base


def test_a_base_ahead_of_the_last_observation_is_observed_too() -> None:
    goal = Target("seasonal", 4)
    rows = Rows.of(FeatureMap((Delays(1),)), Inputs({"x": X}), X, 6, 90, 96, goal)
    assert rows.base is not None
    assert rows.base.tolist() == X[82:88].tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("growth",), "target must be one of level, increment, seasonal, both, got 'growth'"),
        (("seasonal",), "a seasonal target needs a period, got none"),
        (("seasonal", 0), "each value of periods must be a finite number above zero, got 0"),
        (("seasonal", 1.0), "a period must be at least 2 steps, got 1"),
        (("seasonal", float("nan")), "each value of periods must be a finite number above zero, got nan"),
        (("seasonal", float("inf")), "each value of periods must be a finite number above zero, got inf"),
        (("seasonal", "24"), "each value of periods must be a finite number above zero, got '24'"),
    ],
)
def test_bad_arguments(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Target(*arguments)
