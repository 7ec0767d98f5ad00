import numpy as np
import pytest

from ngrc.intervals import Split, Stream
from ngrc.theory import (
    CentredExponential,
    Gaussian,
    ResidualLaw,
    StudentT,
    conformal_width_band,
    dkw_radius,
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


def test_bad_input_is_refused() -> None:
    for bad in (0.0, 1.0, -0.1, np.nan):
        with pytest.raises(ValueError, match="failure"):
            dkw_radius(10, bad)
    with pytest.raises(ValueError, match="count"):
        dkw_radius(0)
    with pytest.raises(ValueError, match="level"):
        conformal_width_band(Gaussian(), 1.0, 10)
