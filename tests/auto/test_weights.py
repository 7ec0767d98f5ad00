"""Weights of a combination against a grid over the simplex."""

from itertools import product

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.auto.bands import anchors, bands
from ngrc.auto.choose import _distinct, most_reach, scored_horizons
from ngrc.auto.ledger import column_keys
from ngrc.auto.recipe import Recipe, union
from ngrc.auto.selection import Member
from ngrc.auto.trial import Trial
from ngrc.auto.weights import LEAST, SHRINKAGE, combine, simplex
from tests.auto.test_trial import arena_of, values


def grid(products: FloatArray, parts: int) -> FloatArray:
    """The best of all weights that are multiples of 1 / parts, of the problem with its shrinkage."""
    many = len(products)
    shrunk = products / np.diagonal(products).min() + SHRINKAGE * np.eye(many)
    whole = [
        np.array(counts) / parts for counts in product(range(parts + 1), repeat=many) if sum(counts) == parts
    ]
    return min(whole, key=lambda weights: float(weights @ shrunk @ weights))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("many", [2, 3])
def test_weights_are_the_best_of_a_grid(many: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    errors = rng.normal(size=(60, many)) @ rng.normal(size=(many, many)) + rng.normal(size=(60, 1))
    products = errors.T @ errors / 60
    parts = 100 if many == 3 else 400
    weights, best = simplex(products), grid(products, parts)
    assert weights.sum() == pytest.approx(1.0)
    assert (weights >= 0.0).all()
    assert ((weights == 0.0) | (weights >= LEAST)).all()
    # A weight below `LEAST` is given up, which moves the others by as much.
    np.testing.assert_allclose(
        weights, best, atol=1.5 / parts + LEAST * (best[best > 0.0].min() < 1.5 * LEAST)
    )


def test_equal_errors_share_alike_and_a_perfect_member_takes_all() -> None:
    np.testing.assert_allclose(simplex(np.ones((3, 3))), 1.0 / 3.0)
    np.testing.assert_allclose(simplex(np.diag([1.0, 0.0])), [0.0, 1.0], atol=1e-9)
    np.testing.assert_allclose(simplex(np.diag([1.0, 1e-14])), [0.0, 1.0], atol=1e-9)
    np.testing.assert_allclose(simplex(np.diag([1.0, 1e-4, 1.0])), [0.0, 1.0, 0.0], atol=1e-9)
    np.testing.assert_array_equal(simplex(np.zeros((2, 2))), [1.0, 0.0])
    np.testing.assert_array_equal(simplex(np.array([[7.0]])), [1.0])


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_units_do_not_matter(scale: float) -> None:
    products = np.array([[2.0, 0.5], [0.5, 1.0]])
    np.testing.assert_allclose(simplex(scale * products), simplex(products), rtol=1e-9)


def test_a_combination_is_no_worse_than_its_members_on_the_rows_it_was_weighted_by() -> None:
    arenas = tuple(arena_of(values(), horizon)[0] for horizon in (1, 3))
    rng = np.random.default_rng(1)
    trials = []
    for place in range(4):
        errors = tuple(rng.normal(size=arena.ledger.folds.validated) for arena in arenas)
        trials.append(Trial(Recipe(lags=place + 1), (1.0, 1.0), np.zeros(2), errors, 1, 0.0))
    weights = combine(trials, arenas)

    def size(errors: list[FloatArray]) -> float:
        total = 0.0
        for arena, own in zip(arenas, errors, strict=True):
            blocks = arena.by_block(own[:, None])[:, 0] / arena.reference
            lengths = np.diff([own.size * part // blocks.size for part in range(blocks.size + 1)])
            total += float(blocks @ lengths / own.size + np.mean(own**2) / np.mean(arena.reference))
        return total

    mixed = [sum(w * t.errors[place] for w, t in zip(weights, trials, strict=True)) for place in (0, 1)]
    together = size([np.asarray(part) for part in mixed])
    assert all(together < size(list(trial.errors)) for trial in trials)
    for place in range(4):
        moved = 0.97 * weights + 0.03 * np.eye(4)[place]
        other = [sum(w * t.errors[p] for w, t in zip(moved, trials, strict=True)) for p in (0, 1)]
        # The optimum is that of the shrunk problem, and small weights are given up.
        assert size([np.asarray(part) for part in other]) > together * (1 - 0.02)


def test_two_bases_that_are_the_same_come_once() -> None:
    def trial(recipe: Recipe) -> Trial:
        return Trial(recipe, (np.inf,), np.zeros(1), (np.zeros(1),), 0, 0.0)

    naive = trial(Recipe("increment", lags=0))
    # One step before a target of twelve steps ahead with a period of twelve lies the same value.
    season = trial(Recipe("seasonal", 12.0, lags=0))
    other = trial(Recipe("increment", lags=2))
    assert _distinct([naive, season, other, other], [1]) == [naive, season, other]
    assert _distinct([naive, season, other], [12]) == [naive, other]
    assert _distinct([naive, season], [6, 12]) == [naive, season]


def test_a_union_holds_the_columns_of_all() -> None:
    recipes = (
        Recipe("increment", lags=3, seasonal=((12.0, 1),), clock=((12.0, 2),), exog=("a",)),
        Recipe("level", lags=1, seasonal=((7.0, 2), (12.0, 3)), turning=((12.0, 1, 2),), exog=("b", "a")),
        Recipe("level", products=3, degree=2, half_lives=(3.0,), exog=("c",), known=("d",)),
        Recipe("level", products=2, degree=3, half_lives=(12.0, 3.0), turning=((12.0, 2, 1),), known=("e",)),
    )
    whole = union(recipes)
    assert (whole.target, whole.lags) == ("increment", 3)
    for horizon in (1, 5):
        names = {key for group in whole.groups() for key in column_keys(group, horizon)}
        for recipe in recipes:
            assert {key for group in recipe.groups() for key in column_keys(group, horizon)} <= names
    assert dict(whole.seasonal) == {7.0: 2, 12.0: 3}
    assert set(whole.exog) == {"a", "b", "c"}
    assert set(whole.known) == {"d", "e"}


def test_bands_hold_every_horizon_once_and_are_tried_inside_themselves() -> None:
    for size in (20, 300, 301, 5000):
        for horizon in (1, 2, 3, 12, 24, 168):
            found = bands(horizon, True, size)
            assert [steps for band in found for steps in band] == list(range(1, horizon + 1))
            for band in found:
                tried = anchors(band, size)
                assert set(tried) <= set(band)
                assert band[-1] in tried
                assert len(tried) <= 6
            assert bands(horizon, False, size) == ((horizon,),)


@pytest.mark.parametrize("size", [1, 2, 5, 20, 60, 200, 5000])
@pytest.mark.parametrize("horizon", [1, 12, 60])
def test_horizons_are_compared_where_rows_are_left(size: int, horizon: int) -> None:
    for periods in ((), (12.0,), (24.0, 168.0)):
        reach = most_reach(size, horizon, periods)
        assert reach >= 0
        for steps in scored_horizons(size, tuple(range(1, horizon + 1)), periods):
            assert size - most_reach(size, horizon, periods) - steps >= 6


def test_a_members_penalty_is_that_of_the_nearest_horizon_by_ratio() -> None:
    member = Member(Recipe(), 1.0, {1: 0.1, 4: 0.2, 12: 0.3})
    assert [member.penalty(steps) for steps in (1, 2, 3, 6, 7, 12, 50)] == [0.1, 0.1, 0.2, 0.2, 0.3, 0.3, 0.3]
