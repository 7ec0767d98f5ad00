"""Errors on the folds against plain fits of every fold, with guards between what is fitted and what is forecast."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.auto.bank import without_columns
from ngrc.auto.folds import Folds
from ngrc.auto.ledger import Ledger
from ngrc.auto.recipe import Recipe
from ngrc.auto.search import COARSE, FINE, Search, better, standard_error
from ngrc.auto.trial import Arena, Trial, try_recipe
from ngrc.features import Inputs
from ngrc.features.link import Link
from ngrc.features.scaling import Scale
from ngrc.features.transforms import Log
from tests.auto.twin import Data, said

RECIPES = {
    "level": Recipe("level", lags=4, clock=((12.0, 2),)),
    "increment": Recipe("increment", lags=2, seasonal=((12.0, 2),), half_lives=(3.0,)),
    "seasonal": Recipe("seasonal", 12.0, lags=3, products=2, degree=3),
    "both": Recipe("both", 12.0, lags=3, turning=((12.0, 2, 2),)),
    "mean": Recipe("level", lags=0),
    "naive": Recipe("increment", lags=0),
    "seasonal naive": Recipe("seasonal", 12.0, lags=0),
}
PENALTIES = np.array([1e-6, 0.01, 1.0, np.inf])
FIRST = 52


def values(size: int = 150, seed: int = 8) -> FloatArray:
    rng = np.random.default_rng(seed)
    waves = np.sin(2 * np.pi * np.arange(size) / 12)
    return np.asarray(np.exp(2.0 + 0.5 * waves + 0.05 * np.cumsum(rng.normal(size=size))))


def arena_of(y: FloatArray, horizon: int, link: Link | None = None, first: int = FIRST) -> tuple[Arena, Data]:
    link = Link() if link is None else link
    linked = link.forward(y)
    scale = Scale.of(linked)
    x = scale.standardise(linked)
    ledger = Ledger(Inputs({"x": x, "clip(x)": x}), x, horizon, first, y.size)
    return Arena(ledger, y, scale, link), Data(x)


def by_hand(arena: Arena, data: Data, recipe: Recipe, penalty: float) -> FloatArray:
    """Every part of the validation rows, fitted to all earlier targets that were known at its first origin."""
    horizon, first, stop = arena.ledger.horizon, arena.ledger.first, arena.ledger.stop
    rows = stop - first
    start = max(rows // 2, horizon)
    edges = [first + start + (rows - start) * part // 4 for part in range(5)]
    errors = []
    for begin, end in pairwise(edges):
        # The last target that is observed at the origin begin - horizon is that origin itself.
        fitted = range(first, begin - horizon + 1)
        forecasts = said(recipe, data, horizon, fitted, range(begin, end), penalty)
        levels = arena.link.inverse(arena.scale.restore(forecasts))
        errors.append(arena.values[begin:end] - levels)
    return np.concatenate(errors)


@pytest.mark.parametrize("transformed", [False, True], ids=["plain", "log"])
@pytest.mark.parametrize("horizon", [1, 3, 14])
@pytest.mark.parametrize("name", RECIPES)
def test_errors_are_those_of_plain_fits(name: str, horizon: int, transformed: bool) -> None:
    arena, data = arena_of(values(), horizon, Link(Log()) if transformed else None)
    # All of them together: those with nested columns share a factor.
    together = dict(zip(RECIPES, arena.errors(list(RECIPES.values()), PENALTIES), strict=True))
    errors = together[name]
    assert errors.shape == (arena.ledger.folds.validated, PENALTIES.size)
    for place, penalty in enumerate(PENALTIES):
        expected = by_hand(arena, data, RECIPES[name], penalty)
        np.testing.assert_allclose(errors[:, place], expected, atol=1e-7 * float(np.std(arena.values)))


def probe(horizon: int) -> None:
    """Another future after the first origin of every fold: what the folds up to it said by then must stay."""
    y = values()
    arena, _ = arena_of(y, horizon)
    recipe = Recipe("increment", lags=3)
    before = arena.errors([recipe], PENALTIES)[0]
    edges = arena.ledger.folds.edges
    for begin, end in pairwise(edges):
        origin = FIRST + begin - horizon
        changed = y.copy()
        changed[origin + 1 :] += np.random.default_rng(begin).uniform(5, 9, y.size - origin - 1)
        x = arena.scale.standardise(changed)
        ledger = Ledger(Inputs({"x": x}), x, horizon, FIRST, y.size)
        other = Arena(ledger, changed, arena.scale, arena.link)
        said_before = y[FIRST + edges[0] :, None] - before
        said_after = changed[FIRST + edges[0] :, None] - other.errors([recipe], PENALTIES)[0]
        done = begin - edges[0] + 1
        np.testing.assert_allclose(said_before[:done], said_after[:done], rtol=1e-12)
        assert not np.allclose(said_before[done : end - edges[0]], said_after[done : end - edges[0]])


@pytest.mark.parametrize("horizon", [1, 3])
def test_no_forecast_of_a_fold_knows_what_came_after_its_first_origin(horizon: int) -> None:
    probe(horizon)


@pytest.mark.parametrize(("horizon", "guards"), [(1, -1), (3, 1), (3, 0), (3, -3)])
def test_folds_with_too_few_guards_are_found(
    horizon: int, guards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Folds.of
    monkeypatch.setattr(Folds, "of", lambda *given: replace(whole(*given), guards=guards))
    with pytest.raises(AssertionError):
        probe(horizon)


def test_scores_are_logarithms_of_mean_squares_over_the_last_values() -> None:
    horizon = 3
    arenas = tuple(arena_of(values(), steps)[0] for steps in (1, horizon))
    trial = try_recipe(arenas, RECIPES["increment"], FINE)
    blocks, wholes = [], []
    for arena, penalty, errors in zip(arenas, trial.penalties, trial.errors, strict=True):
        table = arena.errors([trial.recipe], FINE)[0]
        place = list(FINE).index(penalty)
        np.testing.assert_array_equal(errors, table[:, place])
        views = [two_views(arena, table[:, other]) for other in range(FINE.size)]
        # No other penalty of the grid has a smaller score.
        scores = [0.5 * (np.mean(own) + whole) for own, whole in views]
        assert scores[place] <= min(scores) + 1e-9
        blocks.append(views[place][0])
        wholes.append(views[place][1])
    # One entry per block of time: the mean over the horizons.
    np.testing.assert_allclose(trial.blocks, np.mean(blocks, axis=0), atol=1e-9)
    assert trial.whole == pytest.approx(np.mean(wholes))
    assert trial.score == pytest.approx(0.5 * (np.mean(blocks) + np.mean(wholes)))
    assert trial.ratio == pytest.approx(np.exp(0.5 * np.mean(wholes)))
    assert trial.columns == trial.recipe.count(horizon)


def two_views(arena: Arena, errors: FloatArray) -> tuple[list[float], float]:
    """Logarithms of mean squares over the last value's: by block, and over all rows."""
    outcomes = arena.values[-errors.size :]
    naive = outcomes - arena.values[-errors.size - arena.ledger.horizon : -arena.ledger.horizon]
    floor = 1e-4 * np.mean(naive**2)
    parts, blocks, sizes = arena.ledger.folds.blocks, [], []
    for part in range(parts):
        here = slice(errors.size * part // parts, errors.size * (part + 1) // parts)
        sizes.append(np.mean(naive[here] ** 2) + floor)
        blocks.append(float(np.log(np.mean(errors[here] ** 2) / sizes[-1])))
    return blocks, float(np.log(np.mean(errors**2) / np.mean(naive**2)))


def test_naive_has_the_score_zero() -> None:
    arena, _ = arena_of(values(), 2)
    naive = try_recipe((arena,), Recipe("increment", lags=0), np.array([np.inf]))
    # The floor under each block's reference is 1e-4 of the mean.
    np.testing.assert_allclose(naive.blocks, 0.0, atol=1e-2)
    assert naive.ratio == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(naive.errors[0], arena.values[-arena.ledger.folds.validated :]
                               - arena.values[-arena.ledger.folds.validated - 2 : -2], atol=1e-12)  # fmt: skip


def test_overflow_and_undefined_forecasts_never_win() -> None:
    y = values()
    arena, _ = arena_of(y, 1)
    wild = Arena(arena.ledger, y, Scale(0.0, 1e6), Link(Log()))
    trial = try_recipe((wild,), Recipe("level", lags=2), np.array([1e-6]))
    assert not np.isfinite(trial.score)
    search = Search((wild,), 10)
    search.step([Recipe("level", lags=2)])
    assert search.current is None
    assert search.finished(5) == []


def stub(blocks: Sequence[float], columns: int, whole: float = 0.0) -> Trial:
    return Trial(Recipe(lags=columns), (1.0,), np.array(blocks), (np.zeros(1),), columns, whole)


def test_a_richer_trial_must_be_better_by_a_standard_error() -> None:
    old = stub([0.0, 0.0, 0.0, 0.0], 2)
    # Mean gain 0.1; its standard error is 0.058 and 0.35.
    steady, noisy = [-0.2, 0.0, -0.2, 0.0], [-0.7, 0.5, -0.7, 0.5]
    assert better(stub(steady, 3), old)
    assert not better(stub(noisy, 3), old)
    assert better(stub(noisy, 2), old)
    assert not better(old, old)
    # Not where all rows together say otherwise, and not by two standard errors.
    assert not better(stub(steady, 3, 0.01), old)
    assert not better(stub(steady, 3), old, errors=2.0)
    assert not better(stub([-0.5], 3), stub([0.0], 2))
    assert standard_error(np.array(noisy)) == pytest.approx(np.std(noisy, ddof=1) / 2)


def test_a_search_tries_nothing_twice_and_nothing_out_of_reach() -> None:
    arena, _ = arena_of(values(), 1)
    search = Search((arena,), 5)
    (first,) = search.attempt([Recipe(lags=2)])
    again, other = search.attempt([Recipe(lags=2), Recipe(lags=1)])
    assert again is first
    assert other.recipe == Recipe(lags=1)
    assert first.penalties[0] in COARSE
    search.step([Recipe(lags=7)])
    assert search.current is None
    search.step([Recipe(lags=6), Recipe(lags=7)])
    assert list(search.trials) == [Recipe(lags=2), Recipe(lags=1), Recipe(lags=6)]


def test_trials_at_infinite_penalties_alone_are_bases() -> None:
    rich = Recipe("seasonal", 12.0, lags=3)
    bare = without_columns(Trial(rich, (np.inf, np.inf), np.zeros(2), (np.zeros(1),), 3, 0.0))
    assert bare.recipe == Recipe("seasonal", 12.0, lags=0)
    assert bare.columns == 0
    kept = Trial(rich, (np.inf, 1.0), np.zeros(2), (np.zeros(1),), 3, 0.0)
    assert without_columns(kept) is kept


def test_the_columns_of_a_step_are_summed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    options = [Recipe(lags=lags, clock=((12.0, waves),)) for lags in (1, 3, 8) for waves in (1, 4)]
    arenas = tuple(arena_of(values(), horizon)[0] for horizon in (1, 6))
    alone = [
        try_recipe(tuple(arena_of(values(), horizon)[0] for horizon in (1, 6)), one, COARSE)
        for one in options
    ]
    passes: list[Ledger] = []
    summed = Ledger._sum

    def counted(ledger: Ledger, old: int, both: int) -> None:
        passes.append(ledger)
        summed(ledger, old, both)

    monkeypatch.setattr(Ledger, "_sum", counted)
    search = Search(arenas, 20)
    search.step(options)
    assert passes == [arena.ledger for arena in arenas]
    for one in alone:
        found = search.trials[one.recipe]
        assert found.penalties == one.penalties
        assert found.score == pytest.approx(one.score, abs=1e-9)
