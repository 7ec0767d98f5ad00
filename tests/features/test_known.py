"""Inputs known ahead, and the constant."""

import numpy as np
import pytest

from ngrc.features import Inputs, Known
from ngrc.features.constant import Constant

RNG = np.random.default_rng(15)
WARM, WINDY = RNG.standard_normal(45), RNG.standard_normal(60)
INPUTS = Inputs({"x": np.zeros(40)}, {"warm": WARM, "windy": WINDY})


@pytest.mark.parametrize("degree", [1, 2, 3])
@pytest.mark.parametrize("horizon", [1, 5])
def test_values_and_powers_at_the_targets_time(degree: int, horizon: int) -> None:
    group = Known(("windy", "warm"), degree)
    columns = group.columns(INPUTS, horizon, horizon, 45)
    assert columns.shape == (45 - horizon, group.count(horizon)) == (45 - horizon, 2 * degree)
    for row, target in enumerate(range(horizon, 45)):
        expected = []
        for power in range(1, degree + 1):
            expected += [float(WINDY[target]) ** power, float(WARM[target]) ** power]
        np.testing.assert_allclose(columns[row], expected, rtol=1e-13)
    assert group.reach(horizon) == 0
    assert group.moving
    assert len(set(group.names(horizon))) == 2 * degree


def test_names_say_the_targets_time() -> None:
    assert Known(("a", "b"), 2).names(3) == ("a[t']", "b[t']", "a[t']^2", "b[t']^2")
    assert Known("warm") == Known(("warm",))


def test_what_is_not_known_far_enough_is_an_error_and_no_guess() -> None:
    with pytest.raises(
        ValueError, match=r"'warm' ends 2 rows before the last target; .*\(45 came, 47 are needed\)"
    ):
        Known(("warm",)).columns(INPUTS, 3, 40, 47)
    with pytest.raises(ValueError, match="known input 'rain', and the data has warm, windy"):
        Known(("rain",)).columns(INPUTS, 1, 3, 4)
    with pytest.raises(ValueError, match="known input 'rain', and the data has none"):
        Known(("rain",)).columns(Inputs({"x": WARM}), 1, 3, 4)


def test_bad_arguments() -> None:
    for names in ((), ("a", "a")):
        with pytest.raises(ValueError, match="named, each once"):
            Known(names)
    with pytest.raises(ValueError, match="degree must be at least 1"):
        Known(("a",), 0)


def test_a_constant_is_ones() -> None:
    group = Constant()
    assert group.columns(INPUTS, 2, 5, 9).tolist() == [[1.0]] * 4
    assert (group.names(1), group.count(1), group.reach(1), group.moving) == (("1",), 1, 0, False)
