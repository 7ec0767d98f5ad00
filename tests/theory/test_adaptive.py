from collections.abc import Callable

import numpy as np
import pytest

from ngrc.theory import adaptive_bound

Adversary = Callable[[int, float, float], bool]
"""Whether the interval at that step misses, given its level and the sum of errors so far."""


def always(step: int, current: float, total: float) -> bool:
    return True


def never(step: int, current: float, total: float) -> bool:
    return False


def away(step: int, current: float, total: float) -> bool:
    return total > 0


def late(step: int, current: float, total: float) -> bool:
    return step >= 150


def alternating(step: int, current: float, total: float) -> bool:
    return (step // 40) % 2 == 0


def play(adversary: Adversary, *, steps: int, rate: float, alpha: float, delay: int) -> tuple[float, float]:
    """Mean coverage error less alpha, and how far the level left [0, 1]; outcomes `delay` steps late."""
    current, total, outside = alpha, 0.0, 0.0
    errors: list[float] = []
    for step in range(steps):
        if step > delay:
            current += rate * (alpha - errors[step - delay - 1])
        outside = max(outside, -current, current - 1.0)
        # No outcome lies outside an unbounded interval, and none inside an empty one.
        missed = current >= 1.0 or (current > 0.0 and adversary(step, current, total))
        errors.append(float(missed))
        total += errors[-1] - alpha
    return total / steps, outside


@pytest.mark.parametrize("adversary", [always, never, away, late, alternating])
@pytest.mark.parametrize("horizon", [1, 3, 8])
@pytest.mark.parametrize("rate", [0.005, 0.05, 0.5])
@pytest.mark.parametrize("alpha", [0.05, 0.5, 0.8])
def test_no_adversary_leaves_the_bound(adversary: Adversary, horizon: int, rate: float, alpha: float) -> None:
    for steps in (1, 5, 200, 400):
        gap, outside = play(adversary, steps=steps, rate=rate, alpha=alpha, delay=horizon - 1)
        assert abs(gap) <= adaptive_bound(steps, rate, 1 - alpha, horizon=horizon) + 1e-12
        assert outside <= horizon * rate + 1e-12


@pytest.mark.parametrize("horizon", [1, 4])
def test_random_outcomes_stay_within_the_bound(horizon: int) -> None:
    rng = np.random.default_rng(horizon)
    for _ in range(40):
        chances = rng.random(300)
        rate, alpha = float(rng.uniform(0.001, 1.0)), float(rng.uniform(0.02, 0.9))

        def adversary(step: int, current: float, total: float, chances: np.ndarray = chances) -> bool:
            return bool(chances[step] < 2 * current)

        gap, _ = play(adversary, steps=300, rate=rate, alpha=alpha, delay=horizon - 1)
        assert abs(gap) <= adaptive_bound(300, rate, 1 - alpha, horizon=horizon) + 1e-12


def test_the_worst_adversary_comes_near_the_bound() -> None:
    # Never a miss: the level climbs by 0.2 eta per step until it leaves [0, 1]. Half the bound at least is needed.
    gap, _ = play(never, steps=40, rate=0.1, alpha=0.2, delay=0)
    assert abs(gap) > 0.5 * adaptive_bound(40, 0.1, 0.8)
    # With late outcomes the bound must grow: the one without delay is broken.
    gap, _ = play(always, steps=10, rate=0.5, alpha=0.2, delay=9)
    assert abs(gap) > adaptive_bound(10, 0.5, 0.8)


@pytest.mark.parametrize("level", [0.9, 0.3])
def test_the_bound_written_out(level: float) -> None:
    """alpha_t keeps within H eta of [0, 1], and each of H - 1 outcomes not seen adds its largest error."""
    steps, rate, horizon = 250, 0.04, 7
    worst = max(level, 1 - level)
    seen, unseen = (worst + horizon * rate) / (rate * steps), (horizon - 1) * worst / steps
    assert adaptive_bound(steps, rate, level, horizon=horizon) == pytest.approx(seen + unseen, rel=1e-12)


def test_the_bound_vanishes_with_time_and_bad_input_is_refused() -> None:
    assert adaptive_bound(10**8, 0.01, 0.95, horizon=7) < 1e-5
    for arguments in ((0, 0.1, 0.9), (10, 0.0, 0.9), (10, 0.1, 1.0)):
        with pytest.raises(ValueError, match=r"steps|rate|level"):
            adaptive_bound(*arguments)
    with pytest.raises(ValueError, match="horizon"):
        adaptive_bound(10, 0.1, 0.9, horizon=0)
