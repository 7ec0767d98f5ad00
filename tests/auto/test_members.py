"""Members with every kind of column and target, solved together at many horizons, against plain fits of each."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.auto.members import Cast, fitted_members, ridge_root
from ngrc.auto.recipe import Recipe
from ngrc.auto.selection import Member
from ngrc.features.link import IDENTITY
from ngrc.features.preparation import Column, Preparation, clipped
from ngrc.features.scaling import Scale
from ngrc.features.smoothing import Smoothing
from ngrc.features.smoothings import Gains
from ngrc.fitted import Fitted
from ngrc.observed import Observed
from tests.auto.twin import Data, design, fit, reach, said

SIZE, AHEAD = 230, 20
BANK = Smoothing((Gains(0.3, 0.1, 0.9, 1.0, 0.2), Gains(0.7), Gains(0.2, 0.0, 1.0, 0.5)), 12)
RECIPES = (
    Recipe("increment", lags=5, seasonal=((12.0, 2), (7.5, 1)), exog=("wind",)),
    Recipe("level", lags=2, clock=((12.0, 3),), turning=((12.0, 2, 2),), known=("sun",)),
    Recipe("seasonal", 12.0, lags=3, products=3, degree=3, half_lives=(3.0, 12.0)),
    Recipe("both", 7.5, lags=1, products=2, clock=((12.0, 1), (7.5, 2)), turning=((12.0, 1, 3),)),
    Recipe("level", lags=0, smoothing=BANK, shares=(0.5, 0.3, 0.2)),
    Recipe("seasonal", 12.0, lags=0),
    Recipe("level", lags=0),
    Recipe("increment", lags=14, seasonal=((12.0, 1),), exog=("rain",), known=("sun",)),
)
PENALTIES = (1e-6, 1e-3, 0.1, 1.0, np.inf, np.inf, np.inf, np.inf)


def observed() -> Observed:
    rng = np.random.default_rng(6)
    waves = 3.0 * np.sin(2 * np.pi * np.arange(SIZE) / 12)
    values = 50.0 + waves + np.cumsum(rng.normal(0, 0.2, SIZE)) + rng.normal(0, 0.5, SIZE)
    beside = {name: rng.normal(9.0, 4.0, SIZE + AHEAD) for name in ("wind", "rain", "sun")}
    return Observed(values[:, None], ("x",), False, beside, None)


def prepared(data: Observed, end: int) -> tuple[Preparation, Data]:
    values = data.values[:end, 0]
    scale = Scale.of(values)
    own = Column(scale)
    beside = {name: Column.of(column[:end], None) for name, column in data.beside.items()}
    double = Column.of(values, 0.0, scale)
    preparation = Preparation({"x": own}, (IDENTITY,), beside, ("sun",), {"x": double})
    standard = {name: beside[name].scale.standardise(column) for name, column in data.beside.items()}
    return preparation, Data(scale.standardise(data.values[:, 0]), (double.low, double.high), standard)


def fitted(members: tuple[Member, ...], horizons: tuple[int, ...], ends: tuple[int, ...]) -> list[Fitted]:
    data = observed()
    preparation, _ = prepared(data, ends[0])
    x = preparation.standardise(data.values)
    inputs = preparation.inputs(x, data.beside)
    assert clipped("x") in inputs.channels
    cast = Cast.of(members, horizons)
    first = cast.reach() + horizons[-1]
    spans = [(first, end) for end in ends]
    unlimited = np.full((len(ends), horizons[-1]), np.inf)
    ranges = np.full((len(ends), 2), (-np.inf, np.inf))
    return list(fitted_members(cast, preparation, inputs, x, spans, len(horizons) > 1, unlimited, ranges))


CASTS: dict[str, tuple[int, ...]] = {
    "all": tuple(range(8)),
    "fitted alone": (0, 1, 2, 3),
    "fixed alone": (4, 5, 6),
    "bases alone": (5, 6),
    "bank and mean": (4, 6),
    "infinite penalty alone": (7,),
}


@pytest.mark.parametrize("horizons", [(1,), (3,), (1, 2, 3), (5, 6, 7, 8)], ids=str)
@pytest.mark.parametrize("name", CASTS)
def test_a_combination_says_what_its_members_say(name: str, horizons: tuple[int, ...]) -> None:
    places, ends = CASTS[name], (180, 200)
    weight = 1.0 / len(places)
    members = tuple(Member(RECIPES[place], weight, {horizons[0]: PENALTIES[place]}) for place in places)
    data = observed()
    scale = prepared(data, ends[0])[0].scales[0]
    twin = prepared(data, ends[0])[1]
    far = max(reach(RECIPES[place], twin, steps) for place, steps in product(places, horizons))
    longest = horizons[-1]
    for end, model in zip(ends, fitted(members, horizons, ends), strict=True):
        assert max(model.reach(steps) for steps in horizons) == far
        sight = model.see(data)
        for steps in {horizons[0], longest}:
            asked = range(end + steps - 2, SIZE + steps)
            span = range(far + steps, end - longest + steps)
            expected = sum(
                weight * said(RECIPES[place], twin, steps, span, asked, PENALTIES[place]) for place in places
            )
            told = sight.forecasts(sight.rows(steps, 0, asked.start, asked.stop), 0)
            np.testing.assert_allclose(told, scale.restore(np.asarray(expected)), atol=1e-7 * scale.std)
            readout = model.readout(steps)
            assert readout.count == len(span)
            assert readout.d_eff == pytest.approx(
                sum(weight * dimension(RECIPES[place], twin, steps, span, PENALTIES[place]) for place in places),
                rel=1e-6, abs=1e-9,
            )  # fmt: skip
            residuals = twin.x[list(span)] - sum(
                weight * said(RECIPES[place], twin, steps, span, span, PENALTIES[place]) for place in places
            )
            assert readout.fit_scale == pytest.approx(np.sqrt(np.mean(np.square(residuals))), rel=1e-6)


def dimension(recipe: Recipe, data: Data, horizon: int, span: range, penalty: float) -> float:
    """Effective dimension of a member: its trace, one for a free intercept alone, nothing where nothing is fitted."""
    if recipe.smoothing is not None:
        return 0.0
    return fit(recipe, data, horizon, span, penalty).dimension


@pytest.mark.parametrize("horizons", [(2,), (1, 2, 3)], ids=str)
def test_leverages_are_weighted_means_of_the_members(horizons: tuple[int, ...]) -> None:
    places, end = (0, 1, 2), 200
    members = tuple(Member(RECIPES[place], 1.0 / 3.0, {1: PENALTIES[place]}) for place in places)
    (model,) = fitted(members, horizons, (end,))
    data = observed()
    twin = prepared(data, end)[1]
    far = max(reach(RECIPES[place], twin, steps) for place, steps in product(places, horizons))
    steps = horizons[-1]
    span, asked = range(far + steps, end), range(end, end + 10)
    expected: FloatArray = np.zeros(len(asked))
    for place in places:
        recipe = RECIPES[place]
        direct = fit(recipe, twin, steps, span, PENALTIES[place])
        expected += direct.leverage(design(recipe, twin, steps, asked)) / 3.0
    sight = model.see(data)
    np.testing.assert_allclose(
        sight.leverage(sight.rows(steps, 0, asked.start, asked.stop), 0), expected, rtol=1e-6
    )


def test_a_span_without_rows_is_served_by_what_needs_none() -> None:
    members = (Member(RECIPES[4], 0.5, {1: np.inf}), Member(Recipe("increment", lags=0), 0.5, {1: np.inf}))
    (model,) = fitted(members, (12,), (30,))
    readout: Any = model.readout(12)
    assert readout.count >= 1
    assert np.isfinite(readout.fit_scale)
    assert readout.d_eff == 0.0


@pytest.mark.parametrize("penalty", [1e-9, 1e-3, 1.0])
def test_roots_and_weights_of_a_ridge(penalty: float) -> None:
    rng = np.random.default_rng(0)
    design = rng.normal(size=(50, 6))
    matrix, cross = design.T @ design / 50, rng.normal(size=6)
    weights, root = ridge_root(matrix, cross, penalty)
    inverse = np.linalg.inv(matrix + penalty * np.eye(6))
    np.testing.assert_allclose(weights, inverse @ cross, rtol=1e-10)
    np.testing.assert_allclose(root @ root.T, inverse, rtol=1e-9, atol=1e-12)
    assert np.allclose(root, np.triu(root))
    # A singular matrix, with eigenvalues below zero by rounding.
    low = np.outer(cross, cross) - 1e-14 * np.eye(6)
    weights, root = ridge_root(low, cross, 1e-15)
    assert np.isfinite(weights).all()
    assert np.isfinite(root).all()
    assert ridge_root(matrix, cross, np.inf)[0].tolist() == [0.0] * 6
