import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.intervals import History, Stream, Weighted
from tests import twins


@pytest.mark.parametrize("horizon", [1, 3, 7])
@pytest.mark.parametrize("decay", [0.5, 0.95, 0.98, 1.0])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_equals_exact_fractions_at_every_step(horizon: int, decay: float, level: float) -> None:
    residuals = np.random.default_rng(horizon).normal(size=110).round(1)
    stream = Stream(residuals, 60, horizon)
    offsets = Weighted(decay).run(stream, level)
    assert offsets.upper.tolist() == twins.weighted(stream, decay, level)
    assert np.array_equal(offsets.lower, -offsets.upper)


@given(st.integers(1, 4), st.sampled_from([0.6, 0.9, 0.97]), st.integers(0, 2**32))
@settings(deadline=None, max_examples=30)
def test_equals_its_twin_on_any_stream(horizon: int, decay: float, seed: int) -> None:
    residuals = np.random.default_rng(seed).integers(-5, 6, 40).astype(float)
    stream = Stream(residuals, 15, horizon)
    assert Weighted(decay).run(stream, 0.9).upper.tolist() == twins.weighted(stream, decay, 0.9)


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_tie_at_decay_equal_to_level_in_both_forms(level: float) -> None:
    residuals = np.random.default_rng(1).normal(size=900)
    residuals[700] = 50.0
    stream = Stream(residuals, 600)
    upper = Weighted(level).run(stream, level).upper
    assert upper[101] == 50.0
    assert upper[102] < 50.0
    assert np.array_equal(twins.one_at_a_time(Weighted(level), stream, level)[1], upper)


@pytest.mark.parametrize("decay", [0.3, 0.9])
def test_long_streams_pass_the_rescaling_in_both_forms(decay: float) -> None:
    stream = Stream(np.random.default_rng(2).standard_t(3, 5200), 40, 3)
    block = Weighted(decay).run(stream, 0.85)
    assert np.array_equal(twins.one_at_a_time(Weighted(decay), stream, 0.85)[1], block.upper)


def test_small_decay_follows_a_change_of_scale_faster() -> None:
    rng = np.random.default_rng(3)
    stream = Stream(np.concatenate([rng.normal(size=400), 5 * rng.normal(size=60)]), 400)
    quick, slow = (Weighted(decay).run(stream, 0.9).upper for decay in (0.95, 0.999))
    assert quick[50] > 2 * slow[50]


@pytest.mark.parametrize("decay", [0.0, -0.5, 1.01, 1e-200, np.nan])
def test_bad_decays(decay: float) -> None:
    with pytest.raises(ValueError, match="decay"):
        Weighted(decay)
    with pytest.raises(ValueError, match="decay"):
        Weighted(decays=(0.9, decay))


def test_one_known_residual_is_enough() -> None:
    assert Weighted(0.9).begin(History(np.array([-2.0])), 0.95).issue() == (-2.0, 2.0)
