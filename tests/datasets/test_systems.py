import math
from typing import Any

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.datasets import gaussian_ar1, mackey_glass


@pytest.mark.parametrize(("rho", "scale"), [(0.8, 1.0), (-0.5, 3.0), (0.0, 0.5)])
def test_ar1_equals_its_recursion(rho: float, scale: float) -> None:
    noise = np.random.default_rng(5).standard_normal(50)
    x = [noise[0]]
    for shock in noise[1:]:
        x.append(rho * x[-1] + math.sqrt(1 - rho**2) * shock)
    np.testing.assert_allclose(
        gaussian_ar1(50, rho=rho, seed=5, scale=scale), scale * np.array(x), atol=1e-12
    )


def test_ar1_is_stationary_from_its_first_value() -> None:
    seeds = np.random.SeedSequence(11).spawn(4000)
    paths = np.array([gaussian_ar1(6, rho=0.9, seed=seed) for seed in seeds])
    error = math.sqrt(2 / len(paths))
    np.testing.assert_allclose(paths.var(axis=0), 1.0, atol=4 * error)
    products = (paths[:, :1] * paths).mean(axis=0)
    np.testing.assert_allclose(products, 0.9 ** np.arange(6), atol=4 * error)


def test_ar1_needs_a_stationary_rho() -> None:
    for rho in (1.0, -1.5, math.nan):
        with pytest.raises(ValueError, match=r"rho must be in \(-1, 1\)"):
            gaussian_ar1(5, rho=rho, seed=1)


def test_mackey_glass_solves_the_first_delay_interval_exactly() -> None:
    """While the delayed value is the constant history, the equation is linear and x relaxes."""
    gain, loss, power, initial, delay = 0.25, 0.12, 9.0, 0.7, 6.0
    inflow = gain * initial / (1 + initial**power)
    times = 0.5 * np.arange(12)
    expected = inflow / loss + (initial - inflow / loss) * np.exp(-loss * times)
    options: dict[str, Any] = {"gain": gain, "loss": loss, "power": power, "initial": initial, "delay": delay}
    path = mackey_glass(12, spacing=0.5, substeps=5, burn_in=0, **options)
    np.testing.assert_allclose(path, expected, atol=1e-8)


def trapezoid(count: int, lag: int, step: float) -> FloatArray:
    """An independent implicit scheme of second order for the standard parameters."""
    path = np.full(count + lag, 1.2)
    for i in range(lag, count + lag - 1):
        old, new = path[i - lag], path[i - lag + 1]
        inflow = 0.1 * (old / (1 + old**10) + new / (1 + new**10))
        path[i + 1] = (path[i] * (1 - 0.05 * step) + step * inflow) / (1 + 0.05 * step)
    return path[lag:]


def test_mackey_glass_equals_an_independent_scheme() -> None:
    reference = trapezoid(60 * 400, 17 * 400, 1 / 400)[::400]
    np.testing.assert_allclose(mackey_glass(60, burn_in=0), reference, atol=2e-6)


def test_mackey_glass_is_of_fourth_order() -> None:
    coarse, middle, fine = (mackey_glass(150, burn_in=0, substeps=n) for n in (5, 10, 20))
    assert np.abs(coarse - middle).max() / np.abs(middle - fine).max() == pytest.approx(16, rel=0.15)


def test_mackey_glass_fixed_point_burn_in_and_short_delay() -> None:
    rest = (0.3 / 0.1 - 1) ** (1 / 8)
    np.testing.assert_allclose(mackey_glass(50, gain=0.3, power=8.0, initial=rest), rest, atol=1e-12)
    np.testing.assert_array_equal(mackey_glass(30, burn_in=20), mackey_glass(50, burn_in=0)[20:])
    one = mackey_glass(8, delay=0.1, burn_in=0)
    np.testing.assert_allclose(one, mackey_glass(8, delay=0.1, burn_in=0, substeps=100), atol=1e-6)


def test_mackey_glass_stays_in_its_known_range() -> None:
    path = mackey_glass(3000)
    assert 0.2 < path.min() < 0.6
    assert 1.2 < path.max() < 1.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"delay": 17.03}, r"whole number of steps of 0\.1"),
        ({"delay": 0.01}, "whole number of steps"),
        ({"initial": 0.0}, "initial must be"),
        ({"gain": -1.0}, "gain must be"),
    ],
)
def test_bad_requests(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mackey_glass(5, **options)
