"""Trajectories as published, and Lyapunov times in samples."""

import numpy as np
import pytest

from ngrc.datasets import double_scroll, lorenz63
from ngrc.study.dynamics.settings import LONGEST, LORENZ
from ngrc.study.dynamics.trajectories import (
    LORENZ_START,
    SCROLL_START,
    lorenz_slope,
    published_lorenz,
    scroll_slope,
)
from tests.study.dynamics.examples import CASES


def test_slopes_are_those_of_the_simulated_flows() -> None:
    for slope, flow, start in (
        (lorenz_slope, lorenz63, LORENZ_START),
        (scroll_slope, double_scroll, SCROLL_START),
    ):
        step = 1e-4
        path = flow(3, spacing=step, substeps=1, burn_in=0, initial=start)
        np.testing.assert_allclose((path[2] - path[0]) / (2 * step), slope(0.0, path[1]), rtol=1e-6)


def test_a_longer_trajectory_begins_like_a_shorter_one() -> None:
    np.testing.assert_array_equal(published_lorenz(700)[:380], published_lorenz(400)[:380])
    with pytest.raises(ValueError, match="read-only"):
        published_lorenz(400)[0] = 0.0


def test_the_published_integrator_is_crude_and_its_first_samples_are_near_the_truth() -> None:
    exact = lorenz63(40, burn_in=0, initial=LORENZ_START)
    gap = np.abs(published_lorenz(400)[:40] - exact).max()
    assert 1e-3 < gap < 0.5


def test_lyapunov_times_become_samples() -> None:
    assert [case.steps(case.scored) for case in CASES.values()] == [44, 31, 185]
    assert LORENZ.length(100) == 200 + 100 * 400 + round(LONGEST * 1.104 / 0.025)
    assert LORENZ.length(1) == 200 + 400 + 4800
