"""The ledger's moments against numpy on explicit columns, in whatever order columns were asked for."""

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.auto.folds import Folds
from ngrc.auto.ledger import Ledger
from ngrc.auto.recipe import Recipe, burdens
from ngrc.auto.solving import FoldMoments
from ngrc.features import Clock, Delays, Inputs, Memory, Products, Seasonal
from ngrc.features.target import Target
from tests.auto.twin import Data, base, design

GOALS = {
    "level": Recipe("level"),
    "increment": Recipe("increment"),
    "seasonal": Recipe("seasonal", 12.0),
    "both": Recipe("both", 12.0),
}
STEPS = [
    Recipe(lags=2),
    Recipe(lags=2, seasonal=((12.0, 2),)),
    Recipe(lags=14, clock=((12.0, 2),)),
    Recipe(lags=14, seasonal=((12.0, 3),), half_lives=(3.0, 12.0)),
    Recipe(lags=3, products=2, degree=3, turning=((12.0, 2, 2),)),
    Recipe(lags=1, seasonal=((7.5, 1), (12.0, 1)), clock=((12.0, 5),)),
]


def series(size: int = 160, seed: int = 3) -> FloatArray:
    rng = np.random.default_rng(seed)
    values = np.sin(2 * np.pi * np.arange(size) / 12) + 0.1 * np.cumsum(rng.normal(size=size))
    return np.asarray((values - values.mean()) / values.std())


def ledger_of(x: FloatArray, horizon: int, first: int = 60) -> Ledger:
    return Ledger(Inputs({"x": x, "clip(x)": x}), x, horizon, first, x.size)


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("horizon", [1, 3, 13])
def test_moments_of_every_step_are_those_of_the_columns_themselves(horizon: int, goal: str) -> None:
    x = series()
    ledger, recipe = ledger_of(x, horizon), GOALS[goal]
    targets = range(ledger.first, ledger.stop)
    wanted = np.array([x[target] - base(recipe, x, horizon, target) for target in targets])
    np.testing.assert_allclose(ledger.target(recipe.goal), wanted, atol=1e-15)
    # Twice, the second time from columns that are all there.
    for step in (*STEPS, *reversed(STEPS)):
        places = ledger.columns_of(step.groups())
        explicit = design(step, Data(x), horizon, targets)
        assert places.size == explicit.shape[1]
        # Places come in the order of entry, and columns near their means: compare them as sets, up to a shift.
        held = ledger.design[:, places]
        order = [_match(column, held) for column in explicit.T]
        assert sorted(order) == list(range(places.size))
        moments = ledger.moments(places[order])
        covariance = raw(moments)
        cross = ledger.cross(moments, places[order], recipe.goal) * moments.scales
        for fold, rows in enumerate(ledger.folds.trained):
            part, goal_part = explicit[:rows], wanted[:rows]
            centred, goal_centred = part - part.mean(axis=0), goal_part - goal_part.mean()
            np.testing.assert_allclose(covariance[fold], centred.T @ centred / rows, atol=1e-11)
            np.testing.assert_allclose(cross[fold], centred.T @ goal_centred / rows, atol=1e-11)
            assert ledger.target_means(recipe.goal)[fold] == pytest.approx(goal_part.mean(), abs=1e-12)
            shift = held[:, order] - explicit
            np.testing.assert_allclose(moments.means[fold], part.mean(axis=0) + shift[0], atol=1e-11)


def raw(moments: FoldMoments) -> FloatArray:
    """Covariances of the columns as they are, by fold."""
    return moments.matrices * moments.scales[:, :, None] * moments.scales[:, None, :]


def test_scales_are_deviations_times_the_root_of_the_penalty_weight() -> None:
    ledger = ledger_of(series(), 2)
    group = Products((Delays(3, channel="clip(x)"),))
    places = ledger.columns_of((Delays(2), group))
    moments = ledger.moments(places)
    weights = np.concatenate([burdens(Delays(2), 2), burdens(group, 2)])
    assert (weights != 1.0).any()
    for fold, rows in enumerate(ledger.folds.trained):
        deviations = ledger.design[:rows, places].std(axis=0)
        np.testing.assert_allclose(moments.scales[fold], deviations * np.sqrt(weights), rtol=1e-10)
        np.testing.assert_allclose(np.diagonal(moments.matrices[fold]), 1.0 / weights, rtol=1e-10)


@pytest.mark.parametrize("readouts", [1, 3, 4, 7, 8, 21])
def test_forecasts_are_products_of_the_scored_columns_with_weights_of_their_fold(readouts: int) -> None:
    ledger = ledger_of(series(250), 3)
    ledger.columns_of((Delays(9),))
    places = ledger.columns_of((Delays(4), Clock((12,))))[::-1].copy()
    rng = np.random.default_rng(0)
    folds = len(ledger.folds.trained)
    weights = rng.normal(size=(folds, places.size, readouts))
    constants = rng.normal(size=(folds, readouts))
    found = ledger.forecasts(places, weights, constants)
    assert found.shape == (ledger.scored.size, readouts)
    for row, time in enumerate(ledger.scored):
        fold = int(np.searchsorted(ledger.folds.edges, time, side="right")) - 1
        wanted = ledger.design[time, places] @ weights[fold] + constants[fold]
        np.testing.assert_allclose(found[row], wanted, rtol=1e-12, atol=1e-13)


def _match(column: FloatArray, held: FloatArray) -> int:
    spread = np.ptp(held - column[:, None], axis=0)
    return int(np.argmin(spread))


@pytest.mark.parametrize("horizon", [1, 2, 5, 13, 30])
def test_equal_columns_of_delays_and_seasons_come_once(horizon: int) -> None:
    ledger = ledger_of(series(200), horizon, first=90)
    delays, season = Delays(26), Seasonal((12,), cycles=2)
    one = ledger.columns_of((delays,))
    steps = {step - horizon for step in season.steps(horizon)}
    both = ledger.columns_of((delays, season))
    assert set(one) <= set(both)
    assert both.size == len(set(range(26)) | steps)
    # A seasonal group that leaves out what the delays hold names the same columns.
    assert ledger.columns_of((delays, Seasonal((12,), cycles=2, besides=delays))).tolist() == both.tolist()
    held = (ledger.design - ledger.design[0]).round(9)
    assert len(np.unique(held, axis=1).T) == len(held.T)


def test_the_order_of_entry_changes_no_moment() -> None:
    x = series()
    groups = (Delays(5), Memory((4.0,)), Clock((12,)), Products((Delays(2, channel="clip(x)"),)))
    at_once, one_by_one = ledger_of(x, 2), ledger_of(x, 2)
    goal = Target("increment")
    # A target before any column, one between and one after.
    one_by_one.target_means(goal)
    for group in groups:
        one_by_one.columns_of((group,))
        one_by_one.target_means(Target("seasonal", 12))
    found = []
    for ledger in (at_once, one_by_one):
        places = ledger.columns_of(groups)
        moments = ledger.moments(places)
        crosses = [ledger.cross(moments, places, own) for own in (goal, Target("seasonal", 12))]
        found.append((moments.means, moments.scales, moments.matrices, *crosses))
    for left, right in zip(*found, strict=True):
        np.testing.assert_allclose(left, right, atol=1e-12)


def test_room_grows_beyond_the_first_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ngrc.auto.ledger.ROOM", 64)
    x = series(400)
    ledger = ledger_of(x, 1, first=220)
    ledger.columns_of((Delays(3),))
    places = ledger.columns_of((Delays(150),))
    explicit = design(Recipe(lags=150), Data(x), 1, range(220, 400))
    held = ledger.design[:, places]
    assert held.shape == explicit.shape
    np.testing.assert_allclose(np.ptp(held - explicit, axis=0), 0.0, atol=1e-14)
    rows = ledger.folds.trained[-1]
    covariance = raw(ledger.moments(places))[-1]
    np.testing.assert_allclose(covariance, np.cov(explicit[:rows].T, bias=True), atol=1e-12)


def test_rounding_does_not_eat_moments_far_from_zero() -> None:
    x = 1e6 + series()
    ledger = ledger_of(x, 1)
    places = ledger.columns_of((Delays(2),))
    rows = ledger.folds.trained[0]
    explicit = design(Recipe(lags=2), Data(x - 1e6), 1, range(60, 60 + rows))
    np.testing.assert_allclose(raw(ledger.moments(places))[0], np.cov(explicit.T, bias=True), rtol=1e-6)


@pytest.mark.parametrize("horizon", [1, 2, 3, 12])
@pytest.mark.parametrize("rows", [2, 3, 5, 7, 20, 101, 1000])
def test_no_fold_is_trained_on_what_was_not_known_at_its_first_origin(rows: int, horizon: int) -> None:
    folds = Folds.of(rows, horizon)
    assert folds.edges[0] >= 1
    assert folds.edges[-1] == rows
    assert list(folds.edges) == sorted(set(folds.edges))
    assert folds.validated == rows - folds.edges[0]
    assert 1 <= folds.blocks <= 8
    for edge, trained in zip(folds.edges, folds.trained, strict=False):
        # Row r is target first + r; the part's first origin is edge - horizon, the last trained target trained - 1.
        last, origin = trained - 1, edge - horizon
        assert last <= origin or trained == 1
    if rows > 2 * horizon:
        assert all(
            trained == edge - horizon + 1 for edge, trained in zip(folds.edges, folds.trained, strict=False)
        )
