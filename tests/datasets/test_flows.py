import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from ngrc._types import FloatArray
from ngrc.datasets import double_scroll, lorenz63


def lorenz_flow(_: float, state: FloatArray) -> list[float]:
    x, y, z = state
    return [9 * (y - x), x * (27 - z) - y, x * y - 2.5 * z]


def scroll_flow(_: float, state: FloatArray) -> list[float]:
    first, second, current = state
    drop = first - second
    through = drop / 3.44 + 2.25e-5 * (math.exp(11.6 * drop) - math.exp(-11.6 * drop))
    return [first / 1.2 - through, through - current, second - 0.193 * current]


def test_lorenz_equals_an_adaptive_solver() -> None:
    times = 0.02 * np.arange(150)
    truth = solve_ivp(lorenz_flow, (0, 3), [2, 1, 20], "DOP853", t_eval=times, rtol=1e-12, atol=1e-13).y.T
    states = lorenz63(150, spacing=0.02, burn_in=0, sigma=9, rho=27, beta=2.5, initial=(2, 1, 20))
    np.testing.assert_allclose(states, truth, atol=1e-7)


def test_double_scroll_equals_an_adaptive_solver() -> None:
    start = (0.37926545, 0.058339, -0.08167691)
    times = 0.25 * np.arange(120)
    truth = solve_ivp(scroll_flow, (0, 30), start, "DOP853", t_eval=times, rtol=1e-12, atol=1e-13).y.T
    np.testing.assert_allclose(double_scroll(120), truth, atol=1e-7)


@pytest.mark.parametrize("system", [lorenz63, double_scroll])
def test_the_method_is_of_fourth_order(system: Any) -> None:
    coarse, middle, fine = (system(20, burn_in=0, substeps=n) for n in (20, 40, 80))
    ratio = np.abs(coarse - middle).max() / np.abs(middle - fine).max()
    assert ratio == pytest.approx(16, rel=0.15)


def test_fixed_points_stay() -> None:
    root = math.sqrt(8 / 3 * 27)
    for start in ((0.0, 0.0, 0.0), (root, root, 27.0), (-root, -root, 27.0)):
        np.testing.assert_allclose(
            lorenz63(20, burn_in=0, initial=start), np.tile(start, (20, 1)), atol=1e-10
        )
    # At rest I = V1 / 1.2 and V2 = 0.193 I; the remaining equation for V1 is solved by bisection.
    voltage = brentq(lambda v: scroll_flow(0, np.array([v, 0.193 * v / 1.2, v / 1.2]))[0], 0.5, 1.5)
    rest = (voltage, 0.193 * voltage / 1.2, voltage / 1.2)
    np.testing.assert_allclose(double_scroll(8, initial=rest), np.tile(rest, (8, 1)), atol=1e-8)


def test_burn_in_and_spacing_are_shifts_of_one_trajectory() -> None:
    whole = lorenz63(60, burn_in=0)
    np.testing.assert_array_equal(lorenz63(40, burn_in=20), whole[20:])
    np.testing.assert_allclose(lorenz63(20, burn_in=0, spacing=0.05, substeps=50), whole[:40:2], atol=1e-9)
    scroll = double_scroll(30)
    np.testing.assert_array_equal(double_scroll(10, burn_in=20), scroll[20:])
    np.testing.assert_allclose(double_scroll(10, spacing=0.5, substeps=100), scroll[:20:2], atol=1e-9)


def test_the_attractors_have_their_known_size() -> None:
    lorenz = lorenz63(20_000)
    assert lorenz[:, 2].mean() == pytest.approx(23.55, abs=0.2)
    assert np.abs(lorenz[:, 0]).max() < 21
    scroll = double_scroll(4000)
    assert 1.5 < np.abs(scroll[:, 0]).max() < 2.2
    assert (scroll[:, 0] > 1).any()
    assert (scroll[:, 0] < -1).any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"initial": (1.0, 2.0)}, "initial must hold 3 numbers"),
        ({"initial": (1.0, np.nan, 0.0)}, "initial must be finite"),
        ({"initial": (1000.0, 0.0, 0.0)}, "overflows"),
        ({"spacing": 0.0}, "spacing must be"),
        ({"substeps": 0}, "substeps must be"),
        ({"burn_in": -1}, "burn_in must be"),
    ],
)
def test_bad_requests(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        double_scroll(5, **options)
