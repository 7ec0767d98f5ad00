"""Single steps of the aggregate: Student's interval while residuals are few, zeros, and when weights begin to learn."""

import numpy as np
import pytest

from ngrc._kernels.auto import walk_block, walk_learn, walk_look
from ngrc._types import FloatArray
from ngrc.intervals import Stream, Student
from ngrc.intervals.auto import walk
from ngrc.intervals.auto.method import Auto
from ngrc.intervals.context import Context


@pytest.mark.parametrize("horizon", [1, 3])
def test_students_interval_below_thirty_residuals_per_step_ahead(horizon: int) -> None:
    residuals = np.random.default_rng(0).normal(size=140)
    stream = Stream(residuals, 10 + horizon - 1, horizon)
    for level in (0.5, 0.95):
        student, found = Student().run(stream, level), Auto().run(stream, level)
        # The interval of step s knows 10 + s residuals.
        few = 30 * horizon - 10
        np.testing.assert_allclose(found.upper[:few], student.upper[:few], rtol=1e-9)
        np.testing.assert_allclose(found.lower[:few], student.lower[:few], rtol=1e-9)
        assert found.upper[few] != pytest.approx(student.upper[few], rel=1e-6)


def test_residuals_of_zero_give_ends_of_zero_until_the_first_that_is_not() -> None:
    residuals = np.zeros(80)
    residuals[60:] = np.random.default_rng(1).normal(size=20)
    offsets = Auto().run(Stream(residuals, 20, context=Context(np.zeros(80))), 0.9)
    # Position 60 is the last that knows zeros alone.
    assert (offsets.lower[:41] == 0.0).all()
    assert (offsets.upper[:41] == 0.0).all()
    assert (offsets.upper[41:] > 0.0).any()


def learned(residuals: FloatArray, steps: int) -> tuple[bool, bool]:
    """Whether weights and offsets have moved after so many residuals."""
    state = walk.start_state(residuals, None, 1, np.array([0.9]))
    slots = walk.start_slots(state, 1)
    before = state.weights.weights.copy()
    for place in range(steps):
        walk_look(state, slots, 0, 0.0, place)
        walk_learn(state, slots, 0, residuals[place])
    return bool((state.weights.weights != before).any()), bool((state.offsets != 0.0).any())


def test_weights_and_offsets_learn_after_a_quarter_of_the_history() -> None:
    residuals = np.random.default_rng(2).normal(size=100)
    assert learned(residuals, 25) == (False, False)
    assert learned(residuals, 26) == (True, True)


def test_what_is_said_of_a_target_waits_in_its_slot() -> None:
    """A slot is judged by what was said when it was issued, not by what would be said when its outcome comes."""
    residuals = np.random.default_rng(3).normal(size=60)
    state = walk.start_state(residuals, None, 2, np.array([0.8]))
    slots = walk.start_slots(state, 2)
    walk_block(state, slots, residuals, np.zeros(60), 0, 2, 60, np.empty((0, 2)), np.empty((0, 2, 3)))
    said = slots.ends.copy()
    assert (said[0] != said[1]).all()
    offset = state.offsets.copy()
    walk_learn(state, slots, 0, 0.5 * float(said[0].sum()))
    # A hit on both sides moves either end in by the gain times half of alpha, slowed by 1 / (1 + 1/48).
    step = 0.005 * 0.1 / (1 + 1 / 48)
    np.testing.assert_allclose(state.offsets[:2], offset[:2] - step, rtol=1e-9)
    assert (slots.ends[1] == said[1]).all()
