"""Weights of members, against the same sums over the whole past."""

import numpy as np
import pytest

from ngrc._kernels.auto import weights_learn, weights_mix
from ngrc._types import FloatArray
from ngrc.intervals.auto.weights import start_weights

PROBABILITIES = np.array([0.05, 0.95])


def twin(
    members: FloatArray, mixtures: FloatArray, residuals: FloatArray, prior: FloatArray, unit: float
) -> FloatArray:
    """Weights after all outcomes: members (t, members, ends), mixtures (t, ends)."""
    slopes = (residuals[:, None] < mixtures) - PROBABILITIES
    gains = slopes[:, None, :] * np.clip((mixtures[:, None, :] - members) / unit, -1000.0, 1000.0)
    fading = 0.9995 ** np.arange(residuals.size - 1.0, -1.0, -1.0)
    regrets, squares = (np.einsum("t,tme->em", fading, power) for power in (gains, gains**2))
    raw = prior * np.exp(np.clip(2.0 * regrets / np.sqrt(squares + 1e-12), -700, 700))
    active = prior > 0
    found: FloatArray = 0.99 * raw / raw.sum(axis=1, keepdims=True) + 0.01 * active / active.sum()
    return found


def drive(members: FloatArray, residuals: FloatArray, prior: FloatArray, unit: float = 1.0) -> FloatArray:
    """Weights after every outcome, shape (t, ends, members), each checked against the twin."""
    state = start_weights(2, prior)
    mixtures, history = np.zeros((residuals.size, 2)), np.zeros((residuals.size, 2, prior.size))
    for step, residual in enumerate(residuals):
        wanted = (state.weights * members[step].T).sum(axis=1)
        weights_mix(state, members[step], mixtures[step])
        np.testing.assert_allclose(mixtures[step], wanted, rtol=1e-12)
        weights_learn(state, members[step], mixtures[step], PROBABILITIES, float(residual), unit)
        history[step] = state.weights
        if step % 50 == 0:
            past = slice(0, step + 1)
            expected = twin(members[past], mixtures[past], residuals[past], prior, unit)
            np.testing.assert_allclose(state.weights, expected, rtol=1e-7, atol=1e-12)
    return history


def symmetric(radii: list[float], steps: int) -> FloatArray:
    ends = np.array(radii)
    return np.tile(np.column_stack([-ends, ends]), (steps, 1, 1))


def test_weights_are_those_of_the_whole_past() -> None:
    rng = np.random.default_rng(0)
    prior = np.array([0.4, 0.0, 0.3, 0.3])
    members = rng.normal(size=(400, 4, 2)) + np.array([-1.6, 1.6])
    residuals = rng.standard_t(3, 400)
    residuals[100] = 1e6
    history = drive(members, residuals, prior, unit=0.7)
    np.testing.assert_allclose(history.sum(axis=2), 1.0, rtol=1e-12)
    assert (history[:, :, 1] == 0.0).all()
    assert (history[:, :, [0, 2, 3]] >= 0.01 / 3).all()


def test_before_any_outcome_weights_are_the_prior() -> None:
    state = start_weights(3, np.array([0.2, 0.0, 0.6]))
    np.testing.assert_allclose(state.weights, np.tile([0.25, 0.0, 0.75], (3, 1)))


def test_a_member_that_is_better_by_far_gets_most_of_the_weight() -> None:
    """The right ends of a standard normal error beside ends four times and a quarter as far."""
    residuals = np.random.default_rng(1).normal(size=800)
    history = drive(symmetric([6.6, 1.645, 0.41], 800), residuals, np.full(3, 1 / 3))
    assert (history[-1].argmax(axis=1) == 1).all()
    assert (history[-1, :, 1] > 0.8).all()


def test_weights_move_after_a_change() -> None:
    """Errors grow fourfold halfway: the wide member has little before and most of the weight after."""
    rng = np.random.default_rng(2)
    residuals = np.concatenate([rng.normal(size=1500), 4 * rng.normal(size=3000)])
    history = drive(symmetric([6.6, 1.645], 4500), residuals, np.array([0.5, 0.5]))
    assert (history[1499, :, 0] < 0.2).all()
    assert (history[-1, :, 0] > 0.8).all()


def test_each_end_has_weights_of_its_own() -> None:
    """Exponential errors: the member whose lower end is right and the one whose upper end is, each where it is."""
    residuals = np.random.default_rng(3).exponential(size=1500)
    members = np.tile([[0.05, 12.0], [-3.0, 3.0]], (1500, 1, 1))
    last = drive(members, residuals, np.array([0.5, 0.5]))[-1]
    assert last[0, 0] > 0.8
    assert last[1, 1] > 0.8


@pytest.mark.parametrize("spike", [1e4, 1e300])
def test_an_exploded_end_counts_at_most_a_thousand_units(spike: float) -> None:
    members = np.array([[[-spike, spike], [-1.0, 1.0]]])
    state = start_weights(2, np.array([0.5, 0.5]))
    mixture = np.zeros(2)
    weights_mix(state, members[0], mixture)
    weights_learn(state, members[0], mixture, PROBABILITIES, 0.0, 1.0)
    np.testing.assert_allclose(np.abs(state.regrets), 0.05 * 1000.0, rtol=1e-12)
    assert np.isfinite(state.weights).all()


def test_a_miss_outweighs_a_hit_as_much_far_from_the_mixture_as_near_it() -> None:
    """One miss in twenty at the upper end of a level of 90 %: regrets sum to zero, however far the members lie."""
    for distance in (1.0, 1e5):
        state = start_weights(2, np.array([0.5, 0.5]))
        members = np.array([[-distance, distance], [0.0, 0.0]])
        for step in range(20):
            residual = distance if step == 0 else 0.0
            weights_learn(state, members, 0.5 * members[0], PROBABILITIES, residual, 1.0)
        fades = 0.9995 ** np.arange(19, -1, -1)
        wanted = min(0.5 * distance, 1000.0) * (0.95 * fades[0] - 0.05 * fades[1:].sum())
        np.testing.assert_allclose(state.regrets[1], [wanted, -wanted], rtol=1e-9)
