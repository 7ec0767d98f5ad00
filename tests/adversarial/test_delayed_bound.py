"""Adaptive conformal without projection against adversaries: its bound on the share of misses holds on any sequence.

METHODS.md, "Theory, closed forms": with outcomes D = H - 1 steps late the share of misses over T intervals differs from
alpha by at most (max(alpha, 1 - alpha) + (D + 1) eta) / (eta T) + D max(alpha, 1 - alpha) / T. The bound is exact:
nothing here fails by chance.
"""

from collections.abc import Callable

import numpy as np
import pytest

from ngrc._types import BoolArray, FloatArray
from ngrc.intervals import History, Stream, Unprojected

Play = Callable[[int, float, np.random.Generator], float]
HORIZONS = pytest.mark.parametrize("horizon", [1, 3, 7, 24])
LEVELS = pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
CHECKED = (1, 20, 100, 400, 900)


def just_outside(step: int, width: float, rng: np.random.Generator) -> float:
    """The next number above the end: a miss by as little as can be."""
    return 1.0 if np.isinf(width) else float(np.nextafter(width, np.inf))


def on_the_end(step: int, width: float, rng: np.random.Generator) -> float:
    """The end itself, which is covered; above zero, as the promise asks."""
    return 1.0 if np.isinf(width) else max(width, 5e-324)


def alternating(step: int, width: float, rng: np.random.Generator) -> float:
    return (just_outside if step % 2 else on_the_end)(step, width, rng)


def blocks(step: int, width: float, rng: np.random.Generator) -> float:
    """Long stretches of either, so that the level is driven to one side and then punished there."""
    return (just_outside if step // 130 % 2 else on_the_end)(step, width, rng)


def late_blocks(step: int, width: float, rng: np.random.Generator) -> float:
    """Misses in runs of 24: all of them are issued before the first is known at the largest horizon."""
    return (just_outside if step // 24 % 3 == 0 else on_the_end)(step, width, rng)


def outgrowing(step: int, width: float, rng: np.random.Generator) -> float:
    """Always twice the end and more: no score that is known ever covers the next."""
    return 1.0 if np.isinf(width) else 2.0 * width + 1.0


def coins(step: int, width: float, rng: np.random.Generator) -> float:
    return (just_outside if rng.random() < 0.5 else on_the_end)(step, width, rng)


def drifting(step: int, width: float, rng: np.random.Generator) -> float:
    """It does not look at the interval: the scale grows and shrinks a thousandfold."""
    return float(abs(rng.standard_cauchy()) * 10.0 ** (3.0 * np.sin(step / 60.0))) + 1e-9


PLAYS = [just_outside, on_the_end, alternating, blocks, late_blocks, outgrowing, coins, drifting]
EVERY = pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.__name__)


def against(
    method: Unprojected, horizon: int, level: float, play: Play, steps: int = CHECKED[-1]
) -> tuple[BoolArray, FloatArray, FloatArray]:
    """Misses, scores and half-widths when every score is chosen after its interval has been seen."""
    rng = np.random.default_rng(5)
    tracker = method.begin(History(np.arange(1.0, 31.0), horizon), level)
    scores, widths = np.empty(steps), np.empty(steps)
    for step in range(steps):
        if 0 < step < horizon:
            tracker.observe(15.5, None)
        if step >= horizon:
            tracker.observe(
                float(scores[step - horizon]), bool(scores[step - horizon] > widths[step - horizon])
            )
        widths[step] = tracker.issue()[1]
        scores[step] = play(step, float(widths[step]), rng)
    return scores > widths, scores, widths


@EVERY
@HORIZONS
@LEVELS
@pytest.mark.parametrize("rate", [0.005, 0.05, 0.5])
def test_no_adversary_breaks_the_bound(play: Play, horizon: int, level: float, rate: float) -> None:
    method = Unprojected(rate)
    missed, _, _ = against(method, horizon, level, play)
    alpha, late = 1.0 - level, horizon - 1
    larger = max(alpha, 1.0 - alpha)
    for steps in CHECKED:
        bound = (larger + (late + 1) * rate) / (rate * steps) + late * larger / steps
        assert method.bound(steps, horizon, level) == pytest.approx(bound, rel=1e-12)
        assert abs(missed[:steps].mean() - alpha) <= bound


@EVERY
@HORIZONS
def test_a_block_misses_what_the_adversary_made_it_miss(play: Play, horizon: int) -> None:
    # The same scores over a whole block: the same intervals, so that the bound holds there too.
    method, level = Unprojected(0.05), 0.9
    missed, scores, widths = against(method, horizon, level, play)
    history = np.concatenate((np.arange(1.0, 31.0), np.full(horizon - 1, 15.5)))
    stream = Stream(np.concatenate((history, scores)), history.size, horizon)
    offsets = method.run(stream, level)
    np.testing.assert_array_equal(offsets.upper, widths)
    np.testing.assert_array_equal(scores > offsets.upper, missed)


@pytest.mark.parametrize("horizon", [1, 7])
def test_the_bound_is_nearly_reached(horizon: int) -> None:
    # Not idle: an adversary that always misses gets three quarters of what the bound allows, and more.
    method = Unprojected(0.005)
    missed, _, _ = against(method, horizon, 0.9, on_the_end, 200)
    assert 0.1 - missed[:200].mean() == pytest.approx(0.1)
    share = against(method, horizon, 0.99, just_outside, 900)[0].mean() - 0.01
    assert share <= method.bound(900, horizon, 0.99)
    tight = Unprojected(0.5)
    missed, _, _ = against(tight, horizon, 0.9, outgrowing, 20)
    assert abs(missed.mean() - 0.1) > 0.3 * tight.bound(20, horizon, 0.9)
