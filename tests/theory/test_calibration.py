import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.intervals import Split, Stream
from ngrc.theory import (
    CentredExponential,
    Gaussian,
    ResidualLaw,
    StudentT,
    conformal_width_band,
    dkw_radius,
    quantile_stability,
)


def test_the_radius_inverts_the_inequality() -> None:
    for count, failure in ((10, 0.5), (400, 0.05), (10**6, 1e-3)):
        assert 2 * np.exp(-2 * count * dkw_radius(count, failure) ** 2) == pytest.approx(failure, rel=1e-12)


@pytest.mark.parametrize("count", [20, 300])
@pytest.mark.parametrize("failure", [0.05, 0.4])
def test_the_empirical_law_stays_within_the_radius(count: int, failure: float) -> None:
    draws = 4000
    uniform = np.sort(np.random.default_rng(count).random((draws, count)), axis=1)
    steps = np.arange(count + 1) / count
    gap = np.maximum(np.abs(uniform - steps[1:]), np.abs(uniform - steps[:-1])).max(axis=1)
    exceeded = np.mean(gap > dkw_radius(count, failure))
    error = np.sqrt(failure * (1 - failure) / draws)
    assert exceeded <= failure + 3 * error
    # the constant is sharp: a radius with Massart's 2 inside the root turned to 4 would be exceeded much more often
    assert np.mean(gap > dkw_radius(count, failure) / np.sqrt(2)) > failure + 10 * error


@pytest.mark.parametrize("law", [Gaussian(1.7), StudentT(5), CentredExponential()])
@pytest.mark.parametrize(("level", "count"), [(0.9, 300), (0.5, 80), (0.95, 100)])
def test_split_conformal_widths_lie_in_the_band(law: ResidualLaw, level: float, count: int) -> None:
    failure, draws, rng = 0.3, 800, np.random.default_rng(count)
    band = conformal_width_band(law, level, count, failure)
    widths = []
    for _ in range(draws):
        residuals = np.append(law.sample(count, rng=rng), 0.0)
        widths.append(2 * Split().run(Stream(residuals, count), level).upper[0])
    outside = np.mean((np.array(widths) < band.lower) | (np.array(widths) > band.upper))
    assert outside <= failure + 3 * np.sqrt(failure * (1 - failure) / draws)
    assert band.lower < 2 * law.absolute_quantile(level) < band.upper


def test_the_band_closes_as_one_over_the_root_of_the_count() -> None:
    def spread(count: int) -> float:
        band = conformal_width_band(Gaussian(), 0.9, count)
        return band.upper - band.lower

    assert spread(40_000) / spread(160_000) == pytest.approx(2.0, rel=0.02)


def test_a_small_block_says_nothing_above_or_below() -> None:
    assert conformal_width_band(Gaussian(), 0.95, 100).upper == np.inf
    assert conformal_width_band(Gaussian(), 0.2, 5).lower == 0.0
    assert conformal_width_band(Gaussian(), 0.99, 5, 0.9999).lower > 0.0


@given(
    scores=st.lists(st.integers(0, 30).map(float), min_size=1, max_size=40),
    level=st.sampled_from([0.1, 0.5, 0.8, 0.95]),
    moved=st.integers(1, 40),
    size=st.floats(0.0, 20.0),
    seed=st.integers(0, 99),
)
@settings(deadline=None, max_examples=200)
def test_a_perturbed_quantile_stays_in_its_band(
    scores: list[float], level: float, moved: int, size: float, seed: int
) -> None:
    reference, rng = np.sort(np.array(scores)), np.random.default_rng(seed)
    count = reference.size
    rank = int(np.ceil((count + 1) * level - 1e-9))
    # an adversary moves the scores next to the quantile, all one way, and a random one moves any of them
    near = np.argsort(np.abs(np.arange(count) - (rank - 1)))[:moved]
    for places in (near, rng.integers(0, count, moved)):
        for way in (-1.0, 1.0):
            changed = reference.copy()
            changed[places] += way * size
            delta = float(np.mean(np.abs(changed - reference)))
            band = quantile_stability(reference, delta, level)
            quantile = np.sort(changed)[rank - 1] if rank <= count else np.inf
            assert band.lower - 1e-9 <= quantile <= band.upper + 1e-9


def test_a_quantile_band_is_reached_and_closes() -> None:
    reference = np.arange(1.0, 100.0)
    # of 99 scores the 50th to the 52nd move up by 2.9, so that the 50th is then at 52.9
    changed = reference.copy()
    changed[49:52] += 2.9
    band = quantile_stability(reference, float(np.mean(changed - reference)), 0.5)
    assert np.sort(changed)[49] > 50 + 0.5 * (band.upper - 50)
    wide, narrow = (quantile_stability(reference, change, 0.5) for change in (0.1, 0.001))
    assert narrow.upper - narrow.lower < 0.2 < wide.upper - wide.lower
    assert quantile_stability(reference, 0.0, 0.999).upper == np.inf


def test_fitted_scores_have_the_quantile_of_the_errors_themselves() -> None:
    # scores from an estimated readout differ from |e| by little on average, whatever the largest difference
    m, p, widths = 1000, 5, []
    for n in (200, 20_000):
        rng = np.random.default_rng(3)
        R, C = rng.standard_t(5, (n, p)), rng.standard_t(5, (m, p))
        noise = rng.laplace(size=m)
        weights = np.linalg.lstsq(R, R.sum(axis=1) + rng.laplace(size=n))[0]
        errors, scores = np.abs(noise), np.abs(C @ (1.0 - weights) + noise)
        band = quantile_stability(errors, float(np.mean(np.abs(scores - errors))), 0.9)
        assert band.lower <= np.sort(scores)[900] <= band.upper
        widths.append(band.upper - band.lower)
    # the average change falls as n^-1/2, and the band as its root
    assert widths[1] < 0.5 * widths[0]


def test_bad_input_is_refused() -> None:
    for bad in (0.0, 1.0, -0.1, np.nan):
        with pytest.raises(ValueError, match="failure"):
            dkw_radius(10, bad)
    with pytest.raises(ValueError, match="count"):
        dkw_radius(0)
    with pytest.raises(ValueError, match="change"):
        quantile_stability(np.ones(3), -1.0, 0.5)
    with pytest.raises(ValueError, match="reference scores"):
        quantile_stability(np.ones(0), 0.1, 0.5)
    with pytest.raises(ValueError, match="level"):
        conformal_width_band(Gaussian(), 1.0, 10)
