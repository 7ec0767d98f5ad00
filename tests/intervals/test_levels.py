"""Several levels of one method: one pass or several, nested, and as quantiles."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._types import FloatArray
from ngrc.intervals import Adaptive, ResCP, Split, Stream
from ngrc.intervals.base import History, IntervalMethod, Offsets
from ngrc.intervals.distribution import Distribution, end_probabilities
from ngrc.intervals.levels import nested_passes, passes
from ngrc.metrics import crps, pinball

LEVELS = (0.9, 0.5, 0.8)


@dataclass(frozen=True)
class Together(Split):
    """Split, all levels at once; it notes how often it was asked."""

    name: ClassVar[str] = "together"
    joint: ClassVar[bool] = True
    calls: list[tuple[float, ...]] = field(default_factory=list, compare=False)
    tunings: list[float] = field(default_factory=list, compare=False)

    def tuned(self, history: History, level: float) -> IntervalMethod:
        self.tunings.append(level)
        return self

    def run_levels(self, stream: Stream, levels: Sequence[float]) -> tuple[Offsets, ...]:
        self.calls.append(tuple(levels))
        return super().run_levels(stream, levels)


def stream(seed: int = 0) -> Stream:
    return Stream(np.random.default_rng(seed).standard_t(4, 160), 100, 2)


def test_a_joint_method_is_tuned_and_run_once_and_its_seconds_are_shared() -> None:
    method = Together()
    found = passes(method, stream(), LEVELS)
    assert method.calls == [LEVELS]
    assert method.tunings == [0.9]
    assert [one.level for one in found] == list(LEVELS)
    assert len({one.seconds for one in found}) == 1
    for one in found:
        np.testing.assert_array_equal(one.offsets.upper, Split().run(stream(), one.level).upper)
    (alone,) = passes(method, stream(), (0.8,))
    assert method.calls == [LEVELS]
    np.testing.assert_array_equal(alone.offsets.upper, found[2].offsets.upper)


@pytest.mark.parametrize("method", [Adaptive(), ResCP(size=24, seed=1)])
def test_any_other_method_runs_per_level_as_if_alone(method: IntervalMethod) -> None:
    for one in passes(method, stream(), LEVELS):
        tuned = method.tuned(stream().history, one.level)
        alone = tuned.run(stream(), one.level)
        assert one.tuned == tuned
        np.testing.assert_array_equal(one.offsets.lower, alone.lower)
        np.testing.assert_array_equal(one.offsets.upper, alone.upper)


@pytest.mark.parametrize("method", [Adaptive(rate=0.2), ResCP(size=24, seed=1), Together()])
def test_nested_ends_never_cross(method: IntervalMethod) -> None:
    found = {one.level: one.offsets for one in nested_passes(method, stream(3), LEVELS)}
    for low, high in ((0.5, 0.8), (0.8, 0.9)):
        assert np.all(found[high].lower <= found[low].lower)
        assert np.all(found[low].upper <= found[high].upper)


def law(seed: int = 0) -> Distribution:
    rng = np.random.default_rng(seed)
    widths = np.cumsum(rng.random((3, 7)), axis=0)
    return Distribution.of([0.5, 0.8, 0.9], list(-widths), list(2 * widths))


def test_ends_are_the_quantiles_of_their_level() -> None:
    found = law()
    assert found.probabilities == (0.05, 0.1, 0.25, 0.75, 0.9, 0.95)
    centre = np.zeros(7)
    for place, probability in enumerate(found.probabilities):
        np.testing.assert_array_equal(found.at([probability], centre)[:, 0], found.values[:, place])
    # (1 - 0.9) / 2 is another number than 0.05.
    np.testing.assert_array_equal(found.at([(1 - 0.9) / 2], centre)[:, 0], found.values[:, 0])
    middle = found.at([0.5], centre)[:, 0]
    np.testing.assert_allclose(middle, found.values[:, 2:4].mean(axis=1), rtol=1e-15)
    np.testing.assert_allclose(
        found.at([0.2], centre)[:, 0], found.values[:, 1] / 3 + found.values[:, 2] * 2 / 3, rtol=1e-14
    )


@settings(deadline=None, max_examples=50)
@given(
    ends=st.lists(st.floats(0, 1e308) | st.just(np.inf), min_size=6, max_size=6),
    centre=st.floats(-1e308, 1e308),
)
def test_quantiles_rise_also_beside_infinite_ends(ends: list[float], centre: float) -> None:
    below, above = np.sort(ends[:3]), np.sort(ends[3:])
    found = Distribution.of(
        [0.3, 0.6, 0.9], [np.array([-end]) for end in below], [np.array([end]) for end in above]
    )
    values: FloatArray = found.at(np.linspace(0.05, 0.95, 37).tolist(), np.array([centre]))[0]
    assert not np.isnan(values).any()
    assert np.all(values[1:] >= values[:-1])


def test_beyond_the_widest_level_is_an_error_that_says_which_to_ask_for() -> None:
    with pytest.raises(ValueError, match=r"0\.01 lies outside 0\.05 to 0\.95.*a level of at least 0\.98"):
        law().at([0.01, 0.5], np.zeros(7))
    with pytest.raises(ValueError, match=r"a level of at least 0\.999"):
        law().at([0.9995], np.zeros(7))
    with pytest.raises(ValueError, match="rise"):
        law().at([0.5, 0.2], np.zeros(7))


def test_scores_are_those_of_the_metrics_over_what_is_known() -> None:
    found, outcomes = law(), np.linspace(-1, 2, 5)
    assert found.crps(outcomes) == crps(outcomes, found.values[:5], found.probabilities)
    assert found.pinball(outcomes)[1] == pinball(outcomes, found.values[:5, 1], 0.1)
    assert np.isnan(found.crps(outcomes[:0]))
    assert np.isnan(found.pinball(outcomes[:0])).all()


def test_probabilities_of_ends_are_the_decimals_that_are_meant() -> None:
    assert end_probabilities(0.95) == (0.025, 0.975)
    assert end_probabilities(0.999) == (0.0005, 0.9995)
