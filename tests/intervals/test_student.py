"""Student's interval: against its definition, and against the exact law of independent Gaussian residuals."""

import numpy as np
import pytest
from scipy.special import stdtr, stdtrit

from ngrc.intervals import Gaussian, History, Stream, Student
from tests import twins


@pytest.mark.parametrize("horizon", [1, 3, 7])
@pytest.mark.parametrize("start", [7, 40])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_equals_its_definition(horizon: int, start: int, level: float) -> None:
    residuals = np.round(np.random.default_rng(start).standard_t(5, start + 40), 2)
    stream = Stream(residuals, start, horizon)
    offsets = Student().run(stream, level)
    np.testing.assert_allclose(offsets.upper, twins.student(stream, level), rtol=1e-9)
    assert np.array_equal(offsets.lower, -offsets.upper)


@pytest.mark.parametrize("count", [1, 2, 5, 20])
def test_coverage_is_that_of_the_exact_law(count: int) -> None:
    """The next residual over the root mean square of `count` before it has Student's law."""
    level, draws = 0.9, 200_000
    rng = np.random.default_rng(count)
    residuals = rng.normal(0.0, 3.0, (draws, count + 1))
    spread = np.sqrt(np.mean(residuals[:, :-1] ** 2, axis=1))
    ends = [Student().begin(History(known), level).issue()[1] for known in residuals[:200, :-1]]
    # The same multiple of that root mean square for all: one is enough to count what each covers.
    factor = ends[0] / spread[0]
    np.testing.assert_allclose(ends, factor * spread[:200], rtol=1e-9)
    hits = np.sum(np.abs(residuals[:, -1]) <= factor * spread)
    quantile = -stdtrit(count, (1 - level) / 2) * np.sqrt(1 + 1 / count)
    exact = 2 * stdtr(count, quantile) - 1
    assert level < exact < 1.0
    # Four binomial errors.
    assert abs(hits / draws - exact) < 4 * np.sqrt(exact * (1 - exact) / draws)


def test_coverage_with_the_overlap_of_a_random_walk_is_near_the_level() -> None:
    """The errors of repeating the last value, four steps ahead on 20 residuals."""
    level, draws, horizon, count = 0.9, 3_000, 4, 20
    hits, plain = 0, 0
    for seed in range(draws):
        walk = np.cumsum(np.random.default_rng(seed).normal(size=count + 2 * horizon))
        errors = walk[horizon:] - walk[:-horizon]
        history = History(errors[:count], horizon)
        # The interval for the target that is `horizon` steps after the last known one.
        hits += abs(errors[count + horizon - 1]) <= Student().begin(history, level).issue()[1]
        plain += abs(errors[count + horizon - 1]) <= Gaussian(count).begin(history, level).issue()[1]
    assert 0.87 < hits / draws < 0.93
    assert plain / draws < 0.87


def test_with_many_residuals_it_is_the_normal_interval() -> None:
    residuals = np.random.default_rng(0).normal(size=4000)
    stream = Stream(residuals, 3999)
    student, normal = Student().run(stream, 0.9), Gaussian(3999).run(stream, 0.9)
    np.testing.assert_allclose(student.upper, normal.upper, rtol=1e-3)


def test_residuals_that_cannot_be_squared_leave_the_state_as_it_was() -> None:
    tracker = Student().begin(History(np.array([1.0, 2.0])), 0.9)
    before = tracker.issue()
    with pytest.raises(ValueError, match="too large to be squared"):
        tracker.observe(1e200, None)
    assert tracker.issue() == before
    with pytest.raises(ValueError, match="too large to be squared"):
        Student().run(Stream(np.array([1.0, -1e200, 1.0]), 2), 0.9)


@pytest.mark.parametrize("level", [0.0, 1.0, -0.1, np.nan])
def test_bad_levels(level: float) -> None:
    with pytest.raises(ValueError, match="level"):
        Student().run(Stream(np.ones(5), 3), level)
    with pytest.raises(ValueError, match="level"):
        Student().begin(History(np.ones(5)), level)
