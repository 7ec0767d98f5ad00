"""Random numbers, spacings and drawn quantiles against their distributions."""

import numpy as np
import pytest

from ngrc._kernels.rescp import (
    sampler_gamma,
    sampler_interpolated,
    sampler_next_word,
    sampler_pair,
    sampler_spacing_tails,
    sampler_start_counter,
    sampler_uniform,
)
from ngrc._types import FloatArray
from ngrc.intervals.rescp.ends import lower_tails
from tests.intervals.rescp.test_pairs import make_window

SEED = 11


def test_words_are_those_of_splitmix() -> None:
    """First outputs for state 1234567, as published with the reference implementation."""
    counter = np.array([1234567], dtype=np.uint64)
    words = [int(sampler_next_word(counter)) for _ in range(3)]
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_streams_depend_on_seed_and_clock_alone() -> None:
    def words(seed: int, clock: int) -> list[int]:
        counter = sampler_start_counter(seed, clock)
        return [int(sampler_next_word(counter)) for _ in range(4)]

    assert words(3, 9) == words(3, 9)
    streams = {tuple(words(seed, clock)) for seed in range(20) for clock in range(20)}
    assert len(streams) == 400


def test_uniforms_are_uniform_within_and_across_streams() -> None:
    counter = sampler_start_counter(SEED, 0)
    along = np.array([sampler_uniform(counter) for _ in range(4000)])
    across = np.array([sampler_uniform(sampler_start_counter(SEED, clock)) for clock in range(4000)])
    for sample in (along, across):
        assert sample.min() > 0.0
        assert sample.max() <= 1.0
        assert sample.mean() == pytest.approx(0.5, abs=5 / np.sqrt(12 * 4000))
        counts = np.histogram(sample, 20, (0, 1))[0]
        assert np.sum((counts - 200) ** 2 / 200) < 19 + 5 * np.sqrt(38)


@pytest.mark.parametrize("shape", [1.0, 2.5, 40.0, 5000.0])
def test_gamma_has_its_moments(shape: float) -> None:
    counter = sampler_start_counter(SEED, 5)
    sample = np.array([sampler_gamma(counter, shape) for _ in range(5000)])
    assert sample.mean() == pytest.approx(shape, abs=5 * np.sqrt(shape / 5000))
    spread = shape * np.sqrt((2 + 6 / shape) / 5000)
    assert sample.var() == pytest.approx(shape, abs=5 * spread)


@pytest.mark.parametrize(("low", "high"), [(3, 2), (4, 16), (20, 0)])
def test_spacings_are_the_ends_of_sorted_uniforms(low: int, high: int) -> None:
    """The k-th of n sorted uniforms is Beta(k, n + 1 - k)."""
    count, repeats = 20, 4000
    below, above = np.empty((repeats, low)), np.empty((repeats, high))
    for clock in range(repeats):
        below[clock], above[clock] = sampler_spacing_tails(
            sampler_start_counter(SEED, clock), count, low, high
        )
    for sample in (below, above):
        ranks = np.arange(1, sample.shape[1] + 1)
        mean = ranks / (count + 1)
        deviation = np.sqrt(mean * (1 - mean) / (count + 2))
        np.testing.assert_array_less(np.abs(sample.mean(axis=0) - mean), 5 * deviation / np.sqrt(repeats))
        np.testing.assert_allclose(sample.std(axis=0), deviation, rtol=0.12)
        assert np.all(np.diff(sample, axis=1) > 0)


def plain_pairs(values: FloatArray, shares: FloatArray, alpha: float, repeats: int) -> FloatArray:
    rng = np.random.default_rng(4)
    tails, found = lower_tails(alpha, 10), []
    for _ in range(repeats):
        drawn = rng.choice(values, values.size, p=shares)
        lower, upper = np.quantile(drawn, tails), np.quantile(drawn, 1 - alpha + tails)
        best = np.argmin(upper - lower)
        found.append((lower[best], upper[best]))
    return np.array(found)


@pytest.mark.parametrize(("count", "alpha"), [(2, 0.5), (5, 0.1), (60, 0.1), (60, 0.6), (400, 0.05)])
def test_drawn_pairs_have_the_distribution_of_plain_sampling(count: int, alpha: float) -> None:
    rng, repeats = np.random.default_rng(count), 1000
    values, tilted = rng.normal(size=count), rng.exponential(size=count)
    window, tails = make_window(values, tilted), lower_tails(alpha, 10)
    ours = np.array(
        [
            sampler_pair(window, tails, alpha, sampler_start_counter(SEED, clock), 0.0)[:2]
            for clock in range(repeats)
        ]
    )
    weights = tilted * np.arange(count)
    theirs = plain_pairs(values, weights / weights.sum(), alpha, repeats)
    for power in (1, 2):
        one, other = ours**power, theirs**power
        error = np.sqrt((one.var(axis=0) + other.var(axis=0)) / repeats)
        assert np.all(np.abs(one.mean(axis=0) - other.mean(axis=0)) <= 5 * error + 1e-12)


@pytest.mark.parametrize("doubt", [1e-4, 1e-2, 0.2])
def test_weights_within_the_doubt_give_the_same_pair_or_a_doubtful_one(doubt: float) -> None:
    rng, count, alpha, repeats = np.random.default_rng(7), 300, 0.1, 400
    values, tilted = rng.normal(size=count), rng.exponential(size=count)
    tails = lower_tails(alpha, 40)
    sure = 0
    for clock in range(repeats):
        counter = sampler_start_counter(SEED, clock)
        lower, upper, doubtful = sampler_pair(make_window(values, tilted), tails, alpha, counter, doubt)
        # Each weight off by a factor within 1 +- doubt / 2, the worst case of half of them up and half down included.
        signs = rng.choice([-1.0, 1.0], count) if clock % 2 else np.sign(values - np.median(values))
        other = make_window(values, tilted * (1.0 + 0.5 * doubt / (1.0 + doubt) * signs))
        found = sampler_pair(other, tails, alpha, sampler_start_counter(SEED, clock), 0.0)
        assert doubtful or found[:2] == (lower, upper)
        sure += not doubtful
    # Small errors leave most pairs as they are; large ones leave hardly any.
    assert (sure > 0.8 * repeats) if doubt == 1e-4 else (sure < 0.5 * repeats)


def test_interpolation_is_numpys() -> None:
    drawn = np.sort(np.random.default_rng(0).normal(size=17))
    for share in (0.0, 0.013, 0.5, 0.9999, 1.0):
        assert sampler_interpolated(drawn, 16 * share) == pytest.approx(np.quantile(drawn, share), rel=1e-13)
