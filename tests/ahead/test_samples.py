"""Whole paths: each step by its law, the steps together as past errors were."""

import numpy as np
import pytest

from ngrc import NGRC, look_ahead
from ngrc._types import FloatArray
from ngrc.ahead.samples import drawn_ranks, through_quantiles
from tests.ahead.probe import PERIOD, Clockwork, Regressive, scale_of
from tests.ahead.test_band import ar1

COUNT = 4000


def walk(n: int = 900, seed: int = 0) -> FloatArray:
    rng = np.random.default_rng(seed)
    return 30 + 3 * np.sin(np.arange(n) / 7) + 0.1 * np.cumsum(rng.normal(size=n)) + rng.normal(0, 0.3, n)


def ranks(values: FloatArray) -> FloatArray:
    return np.asarray(np.argsort(np.argsort(values, axis=0), axis=0), dtype=float)


MODELS = {
    "plain": NGRC(lags=3, degree=1, ridge=0.1),
    "log": NGRC(lags=3, degree=1, ridge=0.1, transform="log"),
    "bounds": NGRC(lags=3, degree=1, ridge=0.1, lower=0.0, upper=60.0),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("method", ["adaptive", "asymmetric"])
def test_marginals_are_the_quantiles_and_neighbours_go_together(name: str, method: str) -> None:
    y = walk()
    outlook = look_ahead(y, MODELS[name], steps=8, method=method)
    paths = outlook.samples(COUNT, seed=3)
    assert paths.shape == (COUNT, 8)
    assert np.isfinite(paths).all()
    probabilities = [0.05, 0.25, 0.5, 0.75, 0.95]
    below = (paths[:, :, None] <= outlook.quantiles(probabilities).to_numpy()).mean(axis=0)
    errors = np.sqrt(np.array(probabilities) * (1 - np.array(probabilities)) / COUNT)
    # Forty shares beside their probabilities: four errors of each.
    assert (np.abs(below - probabilities) < 4 * errors).all()
    past = outlook._calibrated.paths  # type: ignore[union-attr]
    then, drawn = (np.corrcoef(ranks(table), rowvar=False) for table in (past, paths))
    for lag in (1, 3):
        ours, theirs = np.diag(drawn, lag), np.diag(then, lag)
        assert (np.abs(ours - theirs) < 4 / np.sqrt(COUNT)).all()
    # Errors of neighbouring steps are far from independent here, so that the check can fail.
    assert np.diag(then, 1)[3:].min() > 0.5


def test_a_seed_settles_the_draw() -> None:
    outlook = look_ahead(walk(400), MODELS["plain"], steps=3, method="split")
    np.testing.assert_array_equal(outlook.samples(5, seed=1), outlook.samples(5, seed=1))
    assert not np.array_equal(outlook.samples(5, seed=1), outlook.samples(5, seed=2))
    with pytest.raises(ValueError, match="count must be at least 1"):
        outlook.samples(0)


def test_equal_residuals_bring_no_dependence() -> None:
    rng = np.random.default_rng(0)
    drawn = drawn_ranks(np.zeros((500, 2)), COUNT, rng)
    # Two errors of ranking 500 ties at random on top of those of the draw.
    assert abs(np.corrcoef(drawn[:, 0], drawn[:, 1])[0, 1]) < 4 / np.sqrt(COUNT) + 4 / np.sqrt(500)
    assert drawn.min() > 0
    assert drawn.max() < 1


def test_between_and_beyond_the_quantiles_of_a_normal_law_it_is_that_law() -> None:
    from scipy.special import ndtri

    known = np.array([0.05, 0.3, 0.5, 0.9])
    wanted = np.array([0.001, 0.05, 0.2, 0.7, 0.95, 0.9999])
    values = 3 + 2 * ndtri(known)
    np.testing.assert_allclose(through_quantiles(wanted, known, values), 3 + 2 * ndtri(wanted), rtol=1e-12)
    endless = np.concatenate([[-np.inf], values, [np.inf]])
    more = np.concatenate([[0.001], known, [0.999]])
    np.testing.assert_allclose(through_quantiles(wanted, more, endless), 3 + 2 * ndtri(wanted), rtol=1e-12)
    with pytest.raises(ValueError, match="two finite quantiles"):
        through_quantiles(wanted, known, np.full(4, np.inf))


@pytest.mark.parametrize("hour", [0, 6])
def test_errors_that_follow_the_clock_are_not_taken_for_errors_that_go_together(hour: int) -> None:
    """Independent errors, ten times as large by day: twelve steps are inside as often as twelve draws are."""
    steps, n = 12, 200 * PERIOD + hour
    y = np.random.default_rng(hour).normal(size=n) * scale_of(np.arange(n))
    model = NGRC(lags=1, degree=1, ridge=np.inf)
    outlook = look_ahead(y, model, steps=steps, method=Clockwork(), fit=0.4)
    low, high = outlook.quantiles([0.1, 0.9]).to_numpy().T
    paths = outlook.samples(COUNT)
    held = np.mean(np.all((low <= paths) & (paths <= high), axis=1))
    # 1,000 past paths, worth a hundred: three errors of a share. As they are, the residuals' ranks hold twice as much.
    expected = 0.8**steps
    assert abs(held - expected) < 3 * np.sqrt(expected * (1 - expected) / 100)


def test_paths_agree_with_the_band_and_with_the_series_where_residuals_are_few() -> None:
    """An AR(1), 200 rows, 24 steps: Student's intervals, 117 past paths that count as 4.9.

    Paths spread as the series does, within three errors over the series; and they lie inside a band as often as the
    coming path does: at the level, or up to ten points above it, by which the band is wide for so few paths.
    """
    levels, steps, count = (0.8, 0.9, 0.95), 24, 60
    inside, spread = np.empty((count, len(levels))), np.empty((count, 2))
    for seed in range(count):
        outlook = look_ahead(ar1(seed, 200), Regressive(), steps=steps, level=levels, band="path")
        paths = outlook.samples(300)
        held = [np.all((low <= paths) & (paths <= high), axis=1) for low, high in outlook.bands.values()]
        inside[seed], spread[seed] = np.mean(held, axis=1), paths[:, [0, -1]].var(axis=0)
    error = 3 * inside.std(axis=0) / np.sqrt(count)
    assert (np.array(levels) - error < inside.mean(axis=0)).all()
    assert (inside.mean(axis=0) < np.minimum(np.array(levels) + 0.1, 0.98) + error).all()
    # Variances of the errors of one step and of many steps.
    for found, wanted in zip(spread.T, (1.0, 1 / (1 - 0.8**2)), strict=True):
        assert abs(found.mean() - wanted) < 3 * found.std() / np.sqrt(count)


def test_steps_of_auto_with_few_residuals_spread_as_their_past_errors_do() -> None:
    """140 residuals of the first step are many; 117 of the 24th are few, and its interval is Student's."""
    outlook = look_ahead(ar1(0, 200), Regressive(), steps=24, method="auto")
    paths, past = outlook.samples(COUNT), outlook._calibrated.paths  # type: ignore[union-attr]
    scale = np.sqrt(np.mean(past**2, axis=0))
    # Four errors of a standard deviation of so many draws.
    assert abs(paths[:, -1].std() / scale[-1] - 1) < 4 / np.sqrt(2 * COUNT)
    low = outlook.quantiles([0.1]).to_numpy()[:, 0]
    assert abs(np.mean(paths[:, 0] < low[0]) - 0.1) < 4 * np.sqrt(0.09 / COUNT)
    assert np.mean(paths[:, -1] < low[-1]) < 0.1 - 4 * np.sqrt(0.09 / COUNT)
