"""Coverage control, against its definition, and its bound on misses."""

import numpy as np
import pytest

from ngrc._kernels.auto import control_apply, control_learn
from ngrc._types import FloatArray

GAIN, PUSH, KEEP, INWARD = 0.005, 15.0, 0.995, 0.45


def ends_of(offsets: FloatArray, alphas: FloatArray, mixture: FloatArray) -> FloatArray:
    """Ends of every level, in whole arrays."""
    levels = alphas.size
    low, high = mixture[:levels], mixture[levels:]
    middle = (low + high) / 2
    low, high = np.where(low > high, middle, low), np.where(low > high, middle, high)
    push = PUSH * alphas * offsets[2 * levels :]
    down, up = (np.maximum(side + push, -INWARD) for side in (offsets[:levels], offsets[levels : 2 * levels]))
    return np.concatenate([low - down * (high - low), high + up * (high - low)])


def test_ends_and_offsets_are_those_of_the_definition() -> None:
    rng = np.random.default_rng(0)
    alphas = np.array([0.5, 0.1, 0.05])
    offsets, twin = np.zeros(9), np.zeros(9)
    ends = np.zeros(6)
    for step in range(600):
        mixture = np.sort(rng.normal(size=6)) if step % 7 else rng.normal(size=6)
        control_apply(offsets, alphas, mixture, ends)
        np.testing.assert_allclose(ends, ends_of(twin, alphas, mixture), rtol=1e-10, atol=1e-12)
        residual, pace = float(rng.standard_t(2)), 0.7
        misses = np.concatenate([residual < ends[:3], residual > ends[3:]])
        lasting = twin[:6] + pace * GAIN * (misses - np.tile(alphas / 2, 2))
        late = KEEP * twin[6:] + (1 - KEEP) * (misses[:3] * 1.0 + misses[3:] - alphas)
        twin = np.concatenate([np.maximum(lasting, -INWARD), late])
        control_learn(offsets, alphas, ends, residual, pace)
        np.testing.assert_allclose(offsets, twin, rtol=1e-10, atol=1e-13)


def test_ends_never_cross() -> None:
    alphas = np.array([0.2])
    ends = np.zeros(2)
    for mixture in ([-1.0, 1.0], [1.0, -1.0], [2.0, 2.0]):
        control_apply(np.array([-9.0, -9.0, -1.0]), alphas, np.array(mixture), ends)
        assert ends[0] <= ends[1]


@pytest.mark.parametrize("alpha", [0.2, 0.05])
@pytest.mark.parametrize("kind", ["beside the end", "runs", "growing"])
def test_misses_of_an_adversary_keep_to_the_bound(alpha: float, kind: str) -> None:
    """Misses of each end over T outcomes against alpha/2, whatever the outcomes are.

    An offset moves by G (miss - p), p = alpha/2, and is held at -0.45 from below, which can only raise it. From zero it
    therefore ends at no less than G (misses - p T), so that misses / T <= p + offset_T / (G T).

    No offset exceeds B. A miss needs an end that does not hold all that the adversary can send: offset plus push below
    b, the share of the width at which it would. The push is PUSH alpha times a mean of (misses - alpha), at least
    -PUSH alpha^2. So an offset before a miss is below b + PUSH alpha^2, and B = b + PUSH alpha^2 + G.

    Where an offset was never held at -0.45 it equals G (misses - p T) >= -0.45: misses / T >= p - 0.45 / (G T).
    """
    steps, rate = 20_000, 0.5 * alpha
    rng = np.random.default_rng(4)
    alphas, mixture = np.array([alpha]), np.array([-1.0, 1.0])
    reach = 4.0
    offsets, ends, misses, held = np.zeros(3), np.zeros(2), np.zeros(2), np.zeros(2, dtype=bool)
    for step in range(steps):
        control_apply(offsets, alphas, mixture, ends)
        if kind == "beside the end":
            wanted = ends[1] + 1e-9 if step % 2 else ends[0] - 1e-9
        elif kind == "runs":
            wanted = reach if step // 500 % 2 else -reach
        else:
            wanted = rng.normal() * reach * step / steps
        residual = float(np.clip(wanted, -reach, reach))
        misses += residual < ends[0], residual > ends[1]
        control_learn(offsets, alphas, ends, residual, 1.0)
        held |= offsets[:2] <= -INWARD
    # An end at 1 + b 2 holds all within the reach at b = (reach - 1) / 2.
    largest = (reach - 1.0) / 2.0 + GAIN + PUSH * alpha**2
    assert (offsets[:2] <= largest).all()
    assert (misses / steps <= rate + largest / (GAIN * steps)).all()
    assert (misses[~held] / steps >= rate - INWARD / (GAIN * steps)).all()


def test_a_mixture_half_as_wide_as_it_should_be_is_widened_to_its_level() -> None:
    """80 % of Gaussian errors lie within 1.2816; over the second half within three errors of the binomial."""
    rng = np.random.default_rng(5)
    alphas, mixture = np.array([0.2]), np.array([-0.64, 0.64])
    offsets, ends = np.zeros(3), np.zeros(2)
    hits = []
    for residual in rng.normal(size=8000):
        control_apply(offsets, alphas, mixture, ends)
        hits.append(ends[0] <= residual <= ends[1])
        control_learn(offsets, alphas, ends, float(residual), 1.0)
    assert abs(np.mean(hits[4000:]) - 0.8) < 3 * np.sqrt(0.8 * 0.2 / 4000)
