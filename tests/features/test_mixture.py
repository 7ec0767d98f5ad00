"""Mixed targets: their base, how far back it lies, and the levels that follow from it."""

import numpy as np
import pytest

from ngrc.features import Delays, FeatureMap, Inputs, Rows, Target
from ngrc.features.link import IDENTITY, Link
from ngrc.features.preparation import levels
from ngrc.features.scaling import Scale
from ngrc.features.target import LEVEL, Mixture
from ngrc.features.transforms import Log

X = np.random.default_rng(4).standard_normal(120)
MEMBERS = (
    (0.4, Target("increment")),
    (0.1, LEVEL),
    (0.3, Target("seasonal", 12)),
    (0.2, Target("both", 7.5)),
)


@pytest.mark.parametrize("horizon", [1, 3, 12, 17])
def test_the_base_is_the_weighted_sum_of_the_members(horizon: int) -> None:
    mixture = Mixture(MEMBERS)
    first, stop = 60, 120 + horizon
    expected = np.zeros(stop - first)
    for weight, target in MEMBERS:
        base = target.base(X, horizon, first, stop)
        expected += weight * (0.0 if base is None else base)
    found = mixture.base(X, horizon, first, stop)
    assert found is not None
    np.testing.assert_allclose(found, expected, atol=1e-14)
    assert mixture.reach(horizon) == max(target.reach(horizon) for _, target in MEMBERS)
    steps = [step for _, step in mixture.parts(horizon)]
    assert steps == sorted(set(steps))
    assert min(steps) >= horizon


def test_equal_steps_are_added_and_opposite_ones_vanish() -> None:
    # One cycle is twelve steps, which is also the horizon.
    assert Mixture(((0.5, Target("increment")), (0.5, Target("seasonal", 12)))).parts(12) == ((1.0, 12),)
    both = Target("both", 12)
    assert both.parts(12) == ((1.0, 12), (1.0, 12), (-1.0, 24))
    assert Mixture(((1.0, both),)).parts(12) == ((2.0, 12), (-1.0, 24))
    assert Mixture(((0.5, both), (0.5, Target("seasonal", 24)))).parts(12) == ((1.0, 12),)
    assert Mixture(((1.0, LEVEL),)).parts(3) == ()
    assert Mixture(((1.0, LEVEL),)).base(X, 3, 50, 60) is None


def test_the_base_of_one_member_is_the_very_values() -> None:
    values = Mixture(((1.0, Target("increment")),)).base(X, 2, 50, 60)
    assert values is not None
    assert np.shares_memory(values, X)
    before = X.copy()
    Mixture(MEMBERS).base(X, 2, 50, 60)
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("transformed", [False, True], ids=["plain", "log"])
@pytest.mark.parametrize("members", [MEMBERS, MEMBERS[:1], MEMBERS[1:2], MEMBERS[1:3]], ids=len)
def test_levels_of_a_mixture_whose_bases_do_not_sum_to_one(
    members: tuple[tuple[float, Target], ...], transformed: bool
) -> None:
    total = sum(weight for weight, _ in members)
    members = tuple((weight / total, target) for weight, target in members)
    link = Link(Log()) if transformed else IDENTITY
    values = np.exp(3.0 + 0.1 * X)
    linked = link.forward(values)
    scale = Scale.of(linked)
    x = scale.standardise(linked)
    horizon = 3
    rows = Rows.of(FeatureMap((Delays(1),)), Inputs({"x": x}), x, horizon, 60, 70, Mixture(members))
    said = np.random.default_rng(1).normal(size=10)
    expected = []
    for place, target in enumerate(range(60, 70)):
        level = said[place]
        for weight, goal in members:
            level += weight * sum(part * x[target - step] for part, step in goal.parts(horizon))
        expected.append(link.inverse(np.array([scale.restore(level)]))[0])
    np.testing.assert_allclose(levels(rows, said, values, linked, scale, link), expected, rtol=1e-12)


def test_naive_levels_are_the_values_to_the_bit() -> None:
    values = np.exp(3.0 + 0.1 * X)
    link = Link(Log())
    linked = link.forward(values)
    scale = Scale.of(linked)
    x = scale.standardise(linked)
    goal = Mixture(((0.7, Target("increment")), (0.3, Target("seasonal", 3))))
    rows = Rows.of(FeatureMap((Delays(1),)), Inputs({"x": x}), x, 3, 60, 70, goal)
    np.testing.assert_array_equal(levels(rows, np.zeros(10), values, linked, scale, link), values[57:67])
