import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._kernels.intervals import adaptive_bounds, adaptive_moved
from ngrc.intervals import Adaptive, History, Stream
from ngrc.intervals.adaptive import AdaptiveTracker
from ngrc.validation import check_level
from tests import twins


def drifting(size: int, start: int, horizon: int, seed: int) -> Stream:
    rng = np.random.default_rng(seed)
    scale = np.where(np.arange(size) > start + size // 8, 2.5, 1.0)
    return Stream(np.round(rng.standard_t(4, size) * scale, 1), start, horizon)


@pytest.mark.parametrize("horizon", [1, 3, 7])
@pytest.mark.parametrize("rate", [0.001, 0.013, 0.2])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_equals_sorting_the_history_at_every_step(horizon: int, rate: float, level: float) -> None:
    stream = drifting(330, 150, horizon, seed=horizon)
    offsets = Adaptive(rate).run(stream, level)
    widths, levels = twins.adaptive(stream, rate, level)
    assert np.allclose(offsets.trace["alpha"], levels, rtol=0, atol=1e-12)
    assert offsets.upper.tolist() == widths
    assert np.array_equal(offsets.lower, -offsets.upper)


@given(st.integers(1, 5), st.sampled_from([0.003, 0.05, 0.4]), st.integers(0, 2**32))
@settings(deadline=None, max_examples=30)
def test_equals_its_twin_on_any_stream(horizon: int, rate: float, seed: int) -> None:
    residuals = np.random.default_rng(seed).integers(-5, 6, 60).astype(float)
    stream = Stream(residuals, 20, horizon)
    assert Adaptive(rate).run(stream, 0.9).upper.tolist() == twins.adaptive(stream, rate, 0.9)[0]


def test_level_moves_only_with_outcomes_of_issued_intervals() -> None:
    stream = drifting(200, 100, 7, seed=1)
    alpha = Adaptive(0.05).run(stream, 0.9).trace["alpha"]
    assert np.allclose(alpha[:7], 0.1, rtol=0, atol=1e-15)
    assert alpha[7] != alpha[6]


def test_level_is_projected_and_the_interval_stays_finite() -> None:
    residuals = np.concatenate([np.ones(50), 2.0 ** np.arange(60)])
    offsets = Adaptive(0.05).run(Stream(residuals, 50), 0.95)
    assert offsets.trace["alpha"].min() == 0.001
    assert np.isfinite(offsets.upper).all()
    assert offsets.upper[40] == residuals[89]
    quiet = np.concatenate([np.arange(1.0, 51.0), np.zeros(2000)])
    covered = Adaptive(0.05).run(Stream(quiet, 50), 0.4).trace["alpha"]
    assert covered.max() == 0.999


@pytest.mark.parametrize(("level", "known", "steps"), [(0.9999, 20_000, 1_000_000), (0.999, 3000, 200_000)])
@pytest.mark.parametrize("rate", [0.001, 0.005, 0.05])
def test_extreme_levels_miss_as_often_as_they_say(level: float, known: int, steps: int, rate: float) -> None:
    """Within four standard errors of a binomial count; feedback only narrows them."""
    residuals = np.random.default_rng(1).normal(size=known + steps)
    offsets = Adaptive(rate).run(Stream(residuals, known), level)
    misses = np.count_nonzero(np.abs(residuals[known:]) > offsets.upper)
    expected = steps * (1 - level)
    assert abs(misses - expected) < 4 * np.sqrt(expected)
    assert np.isfinite(offsets.upper).all()


@pytest.mark.parametrize("rate", [0.001, 0.05])
def test_extremely_low_levels_hit_as_seldom_as_they_say(rate: float) -> None:
    residuals = np.random.default_rng(2).normal(size=205_000)
    offsets = Adaptive(rate).run(Stream(residuals, 5000), 0.0005)
    hits = np.count_nonzero(np.abs(residuals[5000:]) <= offsets.upper)
    assert abs(hits - 100) < 4 * np.sqrt(100)


@pytest.mark.parametrize("level", [0.0005, 0.005, 0.995, 0.999, 0.9999])
@pytest.mark.parametrize("rate", [0.001, 0.02])
def test_extreme_levels_equal_their_twin(level: float, rate: float) -> None:
    stream = drifting(400, 150, 3, seed=4)
    offsets = Adaptive(rate).run(stream, level)
    widths, levels = twins.adaptive(stream, rate, level)
    assert np.allclose(offsets.trace["alpha"], levels, rtol=0, atol=1e-12)
    assert offsets.upper.tolist() == widths
    assert np.array_equal(twins.one_at_a_time(Adaptive(rate), stream, level)[1], offsets.upper)


@pytest.mark.parametrize("level", [0.01, 0.3, 0.8, 0.9, 0.95, 0.975, 0.99, 99])
def test_the_paper_s_levels_keep_the_paper_s_projection(level: float) -> None:
    for rate in (0.001, 0.05, 0.5):
        assert adaptive_bounds(1.0 - check_level(level), rate) == (0.001, 0.999)


def test_move_is_the_paper_s_update() -> None:
    assert adaptive_moved(0.05, 0.01, 0.05, True) == pytest.approx(0.0405)
    assert adaptive_moved(0.05, 0.01, 0.05, False) == pytest.approx(0.0505)
    assert adaptive_moved(0.005, 0.01, 0.05, True) == 0.001
    assert adaptive_moved(0.9989, 0.01, 0.05, False) == 0.999


def test_long_run_coverage_is_steered_to_the_level() -> None:
    rng = np.random.default_rng(9)
    steps = 20_000
    residuals = np.concatenate([rng.normal(size=500), rng.normal(size=steps) * 3.0])
    offsets = Adaptive(0.02).run(Stream(residuals, 500), 0.9)
    covered = np.mean(np.abs(residuals[500:]) <= offsets.upper)
    assert abs(covered - 0.9) <= (0.9 + 0.02) / (0.02 * steps) + 4 * np.sqrt(0.09 / steps)


def test_tracker_state_can_be_read() -> None:
    tracker = Adaptive(0.1).begin(History(np.arange(1.0, 11.0)), 0.8)
    assert isinstance(tracker, AdaptiveTracker)
    tracker.observe(20.0, None)
    assert tracker.current == pytest.approx(0.2)
    tracker.observe(20.0, True)
    assert tracker.current == pytest.approx(0.12)
    assert "current=0.1199" in repr(tracker)


@pytest.mark.parametrize(("rate", "rates"), [(0.0, (0.1,)), (-1.0, (0.1,)), (0.1, ()), (None, (0.1, np.nan))])
def test_bad_rates(rate: float | None, rates: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="rate"):
        Adaptive(rate, rates)
