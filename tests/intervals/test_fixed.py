"""Split, asymmetric and Bayesian intervals: settled before the first forecast."""

from statistics import NormalDist
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.intervals import Asymmetric, Bayes, History, Split, Stream
from tests import twins

RESIDUALS = st.lists(st.integers(-40, 40).map(lambda number: number / 8), min_size=4, max_size=80)


@given(RESIDUALS, st.integers(1, 4), st.sampled_from([0.5, 0.8, 0.9, 0.95]))
@settings(deadline=None, max_examples=100)
def test_split_and_asymmetric_equal_their_twins(residuals: list[float], horizon: int, level: float) -> None:
    stream = Stream(np.array([*residuals, 1.0, -2.0]), len(residuals), horizon)
    known = residuals[: len(residuals) - horizon + 1]
    width = twins.split_quantile([abs(e) for e in known], level)
    offsets = Split().run(stream, level)
    assert offsets.lower.tolist() == [-width] * 2
    assert offsets.upper.tolist() == [width] * 2
    pair = Asymmetric().run(stream, level)
    assert (pair.lower[0], pair.upper[1]) == twins.signed_pair(known, level)


def test_split_reads_the_size_and_asymmetric_the_sign() -> None:
    skewed = Stream(np.append(np.random.default_rng(0).exponential(size=999), 0.0), 999)
    even, tilted = Split().run(skewed, 0.9), Asymmetric().run(skewed, 0.9)
    assert even.lower[0] == -even.upper[0]
    assert tilted.lower[0] > 0
    assert tilted.upper[0] - tilted.lower[0] < even.upper[0] - even.lower[0]


def test_a_calibration_too_small_is_infinite_end_by_end() -> None:
    stream = Stream(np.arange(-9.0, 10.0), 18)
    assert np.isinf(Split().run(stream, 0.95).upper).all()
    pair = Asymmetric().run(stream, 0.95)
    assert (pair.lower[0], pair.upper[0]) == (-np.inf, np.inf)
    assert np.isfinite(Split().run(stream, 0.9).upper).all()


def test_bayes_is_the_gaussian_predictive_interval() -> None:
    leverage = np.array([9.0, 0.0, 0.1, 1.25])
    stream = Stream(np.zeros(4), 1, leverage=leverage, fit_scale=0.7)
    for level in (0.8, 0.95, 0.99):
        factor = NormalDist().inv_cdf(0.5 + level / 2)
        offsets = Bayes().run(stream, level)
        assert np.allclose(offsets.upper, 0.7 * factor * np.sqrt(1 + leverage[1:]), rtol=1e-12)
        assert np.array_equal(offsets.lower, -offsets.upper)


def test_bayes_asks_for_what_it_needs() -> None:
    residuals = np.zeros(4)
    with pytest.raises(ValueError, match="needs a noise scale, got none; pass fit_scale"):
        Bayes().run(Stream(residuals, 1, leverage=np.zeros(4)), 0.9)
    with pytest.raises(ValueError, match="leverage of every forecast"):
        Bayes().run(Stream(residuals, 1, fit_scale=1.0), 0.9)
    with pytest.raises(ValueError, match="needs a noise scale, got none; pass fit_scale"):
        Bayes().begin(History(residuals), 0.9)
    with pytest.raises(ValueError, match="fit_scale must be finite"):
        Bayes().begin(History(residuals, fit_scale=-1.0), 0.9)
    tracker = Bayes().begin(History(residuals, fit_scale=1.0), 0.9)
    for bad in (np.nan, -0.5):
        with pytest.raises(ValueError, match="leverage must be finite"):
            tracker.issue(bad)


@pytest.mark.parametrize(("noise", "scale"), [("fit", 0.7), ("gcv", 0.8), ("evidence", 0.9), (1.5, 1.5)])
def test_bayes_takes_the_noise_scale_it_is_told_to(noise: Literal["fit"] | float, scale: float) -> None:
    leverage = np.array([9.0, 0.0, 0.1, 1.25])
    stream = Stream(np.zeros(4), 1, 1, leverage, 0.7, {"gcv": 0.8, "evidence": 0.9})
    offsets = Bayes(noise=noise).run(stream, 0.95)
    factor = NormalDist().inv_cdf(0.975)
    assert np.allclose(offsets.upper, scale * factor * np.sqrt(1 + leverage[1:]), rtol=1e-12)
    tracker = Bayes(noise=noise).begin(stream.history, 0.95)
    assert [tracker.issue(float(one))[1] for one in leverage[1:]] == offsets.upper.tolist()
    assert Bayes(noise=noise).selected == ({} if noise == "fit" else {"noise": noise})


def test_bayes_by_default_reads_nothing_but_the_fit_scale() -> None:
    plain = Stream(np.zeros(2), 1, 1, np.ones(2), 0.7)
    other = Stream(np.zeros(2), 1, 1, np.ones(2), 0.7, {"gcv": 9.0, "evidence": 9.0})
    assert Bayes() == Bayes(noise="fit")
    assert Bayes().noise_estimates == Bayes(noise=2.0).noise_estimates == ()
    assert np.array_equal(Bayes().run(plain, 0.9).upper, Bayes().run(other, 0.9).upper)


@pytest.mark.parametrize("bad", ["raw", "GCV", "", 0.0, -1.0, np.nan, np.inf, True, None])
def test_bayes_refuses_other_noise(bad: Any) -> None:
    with pytest.raises(ValueError, match=r"noise must be .*number above zero"):
        Bayes(noise=bad)


@pytest.mark.parametrize("noise", ["gcv", "evidence"])
def test_bayes_says_which_estimate_is_missing(noise: Literal["gcv", "evidence"]) -> None:
    other = {"gcv": "evidence", "evidence": "gcv"}[noise]
    with pytest.raises(ValueError, match=f"noise='{noise}' needs that estimate from a fitted model"):
        Bayes(noise=noise).run(Stream(np.zeros(4), 1, 1, np.zeros(4), 1.0, {other: 1.0}), 0.9)
    with pytest.raises(ValueError, match=f"noise='{noise}' needs that estimate from a fitted model"):
        Bayes(noise=noise).begin(History(np.zeros(4), fit_scale=1.0), 0.9)
    with pytest.raises(ValueError, match=r"noise_scales\['.*'\] must be finite"):
        Bayes(noise=noise).begin(History(np.zeros(4), noise_scales={noise: np.nan}), 0.9)
