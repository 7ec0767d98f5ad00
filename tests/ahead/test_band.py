"""Bands that hold a step, and bands that hold the path: by hand, and by simulation."""

import numpy as np
import pytest

from ngrc import NGRC, look_ahead
from ngrc._types import FloatArray
from ngrc.ahead.band import LEAST_WIDTH, path_factor, scores, widened
from ngrc.intervals import Adaptive
from ngrc.intervals.base import Stream
from tests.ahead.probe import PERIOD, Clockwork, Regressive, scale_of

MODEL = NGRC(lags=2, degree=1, ridge=1e-3)


def test_the_smallest_factor_that_holds_a_path() -> None:
    rng = np.random.default_rng(0)
    residuals = rng.normal(size=(50, 6))
    lower, upper = -rng.uniform(0.5, 1, (50, 6)), rng.uniform(0.5, 3, (50, 6))
    for row, factor in enumerate(scores(residuals, lower, upper)):
        for wide, inside in ((factor * (1 + 1e-9), True), (factor * (1 - 1e-9), False)):
            low, high = widened(lower[row], upper[row], wide)
            assert bool(np.all((low <= residuals[row]) & (residuals[row] <= high))) is inside


def test_a_step_without_width_or_without_end() -> None:
    lower, upper = np.array([[-1.0, 0.0, -np.inf]]), np.array([[1.0, 0.0, 5.0]])
    assert scores(np.array([[0.5, 0.002, 1e9]]), lower, upper)[0] == pytest.approx(0.5)
    # A hundredth of the widest is the least that counts.
    assert scores(np.array([[0.5, 0.02, 0.0]]), lower, upper)[0] == pytest.approx(0.02 / LEAST_WIDTH)
    low, high = widened(lower, upper, 2.0)
    assert low.tolist() == [[-2.0, -2 * LEAST_WIDTH, -np.inf]]
    assert high.tolist() == [[2.0, 2 * LEAST_WIDTH, np.inf]]
    nothing = np.zeros((1, 3))
    assert np.isfinite(scores(nothing, nothing, nothing)).all()


def test_the_corrected_rank_and_too_few_paths() -> None:
    rng = np.random.default_rng(1)
    needed = rng.uniform(1, 3, 99)
    ranked = np.sort(needed)
    assert path_factor(needed, 0.9, 1) == (ranked[89], True)
    assert path_factor(needed[:8], 0.9, 1) == (needed[:8].max(), False)
    # 99 paths of eight steps count as 12.4: the quantile of probability 0.9 (1 + 1 / 12.4), rank ceil(96.3).
    assert path_factor(needed, 0.9, 8) == (ranked[96], True)
    # 0.9 asks for nine independent paths at least, which 99 of eleven steps are, and of twelve are not.
    assert path_factor(needed, 0.9, 11) == (ranked[98], True)
    assert path_factor(needed, 0.9, 12) == (ranked[98], False)


@pytest.mark.parametrize("method", ["split", "adaptive"])
def test_the_band_is_the_pointwise_one_times_one_factor(method: str) -> None:
    y = ar1(0, 500)
    levels = (0.8, 0.95)
    point = look_ahead(y, MODEL, steps=6, method=method, level=levels)
    path = look_ahead(y, MODEL, steps=6, method=method, level=levels, band="path")
    assert (point.band, path.band) == ("pointwise", "path")
    assert set(point.factors.values()) == {1.0}
    for level in levels:
        width = point.bands[level][1] - point.bands[level][0]
        wide = path.bands[level][1] - path.bands[level][0]
        assert path.factors[level] > 1.1
        np.testing.assert_allclose(wide, path.factors[level] * width, rtol=1e-9)
    assert "whole path" in path.guarantee
    assert path.notes == ()
    # One step is a path of itself.
    one = look_ahead(y, MODEL, method="split", level=0.8, band="path")
    assert one.factors[0.8] == pytest.approx(1.0)


def test_past_paths_are_held_against_the_offsets_issued_at_their_origins() -> None:
    y, steps, level = ar1(1, 400), 5, 0.8
    outlook = look_ahead(y, MODEL, steps=steps, method=Adaptive(), level=level, band="path")
    issued: dict[tuple[int, int], tuple[float, float, float]] = {}
    for step in range(1, steps + 1):
        # Residuals of the step's targets up to the last observation, and nothing after.
        residuals = outlook._calibrated.steps[step - 1].history.residuals  # type: ignore[union-attr]
        start = int(0.6 * residuals.size)
        stream = Stream(np.concatenate([residuals, np.zeros(step)]), start, step)
        offsets = Adaptive(rate=outlook.selected[step - 1]["rate"]).run(stream, level)
        for position in range(start, residuals.size):
            origin = y.size - residuals.size + position - step
            ends = offsets.lower[position - start], offsets.upper[position - start]
            issued[origin, step] = (*ends, residuals[position])
    needed = []
    for origin in range(y.size):
        path = [issued[origin, step] for step in range(1, steps + 1) if (origin, step) in issued]
        if len(path) == steps:
            needed.append(max(abs(error) / high for _, high, error in path))
    assert 50 < len(needed) < 200
    expected = np.sort(needed)[int(np.ceil((len(needed) + steps) * level)) - 1]
    assert outlook.factors[level] == pytest.approx(expected)


def test_too_few_paths_are_told_and_none_is_an_error() -> None:
    y = ar1(3, 40)
    outlook = look_ahead(y, MODEL, steps=3, method="split", level=0.97, band="path")
    assert np.isinf(outlook.upper).all()
    outlook = look_ahead(y, MODEL, steps=3, method="adaptive", level=0.97, band="path")
    assert np.isfinite(outlook.upper).all()
    assert len(outlook.notes) == 1
    assert "too few past paths for a band of level 0.97" in outlook.notes[0]
    with pytest.raises(ValueError, match=r"needs past paths of all 6 steps .* there is none"):
        look_ahead(ar1(3, 41), MODEL, steps=6, method="adaptive", level=0.9, band="path")


def ar1(seed: int, n: int, memory: float = 0.8) -> FloatArray:
    shocks = np.random.default_rng(seed).normal(size=n + 50)
    for t in range(1, n + 50):
        shocks[t] += memory * shocks[t - 1]
    return shocks[50:]


def test_coverage_of_steps_and_of_whole_paths() -> None:
    """An AR(1), twelve steps: each step inside pointwise at the level, the whole path inside its band at the level."""
    level, steps, count = 0.8, 12, 120
    single, whole, path = [], [], []
    for seed in range(count):
        y = ar1(seed, 600 + steps)
        coming = y[-steps:]
        outlook = look_ahead(
            y[:-steps], MODEL, steps=steps, method="split", level=level, band="path", fit=0.4
        )
        path.append(np.all((outlook.lower <= coming) & (coming <= outlook.upper)))
        # The pointwise band of the same fit.
        (ends,) = outlook._calibrated.ends([level])  # type: ignore[union-attr]
        held = (ends.lower <= coming) & (coming <= ends.upper)
        single.append(held.mean())
        whole.append(held.all())
    assert abs(np.mean(single) - level) < 3 * np.std(single) / np.sqrt(count)
    # Binomial error of the draws. 350 past paths that overlap are worth some 30, whose quantile varies by seven points
    # of its own: it is averaged over the draws, and its mean is low by less than 1 / 31.
    error = np.sqrt(level * (1 - level) / count)
    assert level - 1 / 31 - 3 * error < np.mean(path) < level + 3 * error
    # The pointwise band holds the whole path far less often.
    assert np.mean(whole) < level - 5 * error


@pytest.mark.parametrize("hour", [0, 6, 12])
def test_a_band_follows_the_clock_as_its_offsets_do(hour: int) -> None:
    """Errors by day ten times those by night: factors are of what was issued at each past origin, not of now."""
    steps, level, n = 12, 0.8, 200 * PERIOD + hour
    rng = np.random.default_rng(hour)
    y = rng.normal(size=n) * scale_of(np.arange(n))
    outlook = look_ahead(
        y,
        NGRC(lags=1, degree=1, ridge=np.inf),
        steps=steps,
        method=Clockwork(),
        level=level,
        band="path",
        fit=0.4,
    )
    coming = rng.normal(size=(4000, steps)) * scale_of(n + np.arange(steps))
    held = np.mean(np.all((outlook.lower <= coming) & (coming <= outlook.upper), axis=1))
    # Over 1,000 past paths, worth a hundred: three errors of the coverage of their quantile. Held against the offsets
    # of now, quiet hours would be given the factors of loud ones, and hold everything.
    assert abs(held - level) < 3 * np.sqrt(level * (1 - level) / 100)


def test_coverage_of_whole_paths_where_few_of_them_do_not_overlap() -> None:
    """117 past paths of 24 steps count as 4.9: enough at 80 %, and the widest is taken at 90 and 95 %.

    m / H is the least that overlapping paths are worth, and those of an AR(1) that forgets in five steps are worth
    more: coverage is at least the level within three binomial errors, and at most ten points above it.
    """
    levels, steps, count = (0.8, 0.9, 0.95), 24, 300
    held = np.empty((count, len(levels)), dtype=bool)
    for seed in range(count):
        y = ar1(seed, 200 + steps)
        coming = y[-steps:]
        outlook = look_ahead(y[:-steps], Regressive(), steps=steps, level=levels, band="path")
        held[seed] = [np.all((low <= coming) & (coming <= high)) for low, high in outlook.bands.values()]
    for level, found in zip(levels, held.mean(axis=0), strict=True):
        error = 3 * np.sqrt(level * (1 - level) / count)
        assert level - error < found < min(level + 0.1, 0.98) + error
    assert outlook.method == "student"
    assert len(outlook.notes) == 2
    wanted = "too few past paths for a band of level 0.9: 117 paths of 24 steps overlap and count as 4.9; the band is"
    assert wanted in outlook.notes[0]
    assert outlook.notes[0].endswith("at least about 0.83")
    assert outlook.notes[0] in repr(outlook)
