import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from ngrc._types import FloatArray
from ngrc.datasets import volterra, volterra_observations
from ngrc.datasets.volterra import STABLE_STEP


def plain_euler(states: int, step: float, every: int) -> FloatArray:
    x, u, v, out = 0.0, 0.0, 0.0, []
    for j in range(states * every):
        if j % every == 0:
            out.append(x)
        x, u, v = (
            x + step * (math.sin(j * step) - 0.1 * x + 0.5 * math.tanh(u)),
            u + step * (x - 0.2 * u - 2 * math.pi * v),
            v + step * (2 * math.pi * u - 0.2 * v),
        )
    return np.array(out)


@pytest.mark.parametrize(("step", "every"), [(0.005, 20), (0.0025, 40), (0.01, 3)])
def test_equals_the_printed_recursion(step: float, every: int) -> None:
    expected = plain_euler(130, step, every)
    np.testing.assert_allclose(volterra(100, step=step, every=every, burn_in=30), expected[30:], atol=1e-12)


def test_halving_the_step_moves_the_path_as_the_paper_says() -> None:
    path = volterra(3221)
    difference = path - volterra(3221, step=0.0025, every=40)
    assert f"{np.abs(difference).max():.2e}" == "1.26e-03"
    rms = math.sqrt(np.mean(difference**2))
    assert f"{rms:.2e}" == "8.86e-04"
    assert round(100 * rms / np.ptp(path), 3) == 0.044


def test_converges_to_the_integral_equation() -> None:
    """Against an adaptive solver, whose path satisfies the equation with its integral written out."""

    def flow(t: float, state: FloatArray) -> list[float]:
        x, u, v = state
        turn = 2 * math.pi
        return [math.sin(t) - 0.1 * x + 0.5 * math.tanh(u), x - 0.2 * u - turn * v, turn * u - 0.2 * v]

    exact = solve_ivp(flow, (0, 10), [0, 0, 0], rtol=1e-10, atol=1e-12, dense_output=True).sol
    assert exact is not None
    errors = [
        np.abs(volterra(100, step=0.1 / every, every=every, burn_in=0) - exact(0.1 * np.arange(100))[0]).max()
        for every in (40, 80)
    ]
    assert errors[0] < 2e-3
    assert errors[0] / errors[1] == pytest.approx(2, rel=0.05)
    t = 7.3
    memory = quad(
        lambda s: math.exp(-0.2 * (t - s)) * math.cos(2 * math.pi * (t - s)) * exact(s)[0], 0, t, limit=200
    )[0]
    slope = (exact(t + 1e-4)[0] - exact(t - 1e-4)[0]) / 2e-4
    assert slope == pytest.approx(math.sin(t) - 0.1 * exact(t)[0] + 0.5 * math.tanh(memory), abs=1e-6)


def test_the_stability_bound() -> None:
    assert round(STABLE_STEP, 5) == 0.01012
    growth = abs(1 - 0.2 * STABLE_STEP + 2j * math.pi * STABLE_STEP)
    assert growth == pytest.approx(1, abs=1e-14)
    with pytest.raises(ValueError, match=r"below the stability bound 0\.01012, got 0\.1"):
        volterra(10, step=0.1, every=1)


def test_observations_are_path_plus_scaled_noise() -> None:
    sizes: dict[str, Any] = {"fit": 30, "calibration": 20, "test": 50, "lags": 5}
    noise = np.random.default_rng(7).standard_normal(105)
    path = volterra(105)
    constant = volterra_observations(7, change=None, low=0.2, **sizes)
    np.testing.assert_allclose(constant, path + 0.2 * noise, atol=1e-14)
    changed = volterra_observations(7, change=10, low=0.2, high=0.5, **sizes)
    scale = np.where(np.arange(105) < 5 + 30 + 20 + 10, 0.2, 0.5)
    np.testing.assert_allclose(changed, path + scale * noise, atol=1e-14)


def test_the_papers_sizes_and_change() -> None:
    constant, changed = volterra_observations(3, change=None), volterra_observations(3)
    assert constant.size == 1600 + 800 + 800 + 20
    first = 20 + 2400 + 160
    np.testing.assert_array_equal(constant[:first], changed[:first])
    ratio = (changed - volterra(3220))[first:] / (constant - volterra(3220))[first:]
    np.testing.assert_allclose(ratio, 0.35 / 0.15, rtol=1e-9)
    before = (constant - volterra(3220)).std()
    assert before == pytest.approx(0.15, abs=4 * 0.15 / math.sqrt(2 * 3220))
    assert not np.array_equal(constant, volterra_observations(4, change=None))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fit": 0}, "fit must be at least 1"),
        ({"lags": 0}, "lags must be at least 1"),
        ({"change": 800}, "before the end of the 800 test observations"),
        ({"change": -1}, "change must be at least 0"),
        ({"low": 0.0}, "low must be"),
        ({"high": -1.0}, "high must be"),
    ],
)
def test_bad_requests(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        volterra_observations(1, **options)
    with pytest.raises(ValueError, match="steps must be"):
        volterra(0)
