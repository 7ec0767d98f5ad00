"""The reservoir against its definition written out with dense matrices."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._types import FloatArray
from ngrc.intervals.rescp.reservoir import Reservoir, _radius, draw_reservoir


def plain_states(reservoir: Reservoir, inputs: FloatArray, gain: float, leak: float) -> FloatArray:
    matrix, state, path = reservoir.matrix, np.zeros(reservoir.size), []
    for value in inputs:
        state = (1 - leak) * state + gain * np.tanh(matrix @ state + reservoir.input_weights * value)
        path.append(state)
    return np.array(path)


@pytest.mark.parametrize("size", [1, 3, 4, 5, 64, 131])
@pytest.mark.parametrize("recurrence", ["code", "paper"])
def test_states_follow_the_recurrence(size: int, recurrence: Any) -> None:
    reservoir = draw_reservoir(size, 0.9, 0.6, 0.4, 0.3, recurrence, seed=2)
    inputs = np.random.default_rng(0).normal(size=40)
    expected = plain_states(reservoir, inputs, 1.0 if recurrence == "code" else 0.6, 0.6)
    np.testing.assert_allclose(reservoir.states(inputs), expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(("size", "connectivity"), [(200, 0.2), (300, 0.05), (150, 1.0)])
def test_matrix_is_drawn_as_stated(size: int, connectivity: float) -> None:
    matrix = draw_reservoir(size, 1.2, connectivity=connectivity, seed=5).matrix
    entries = matrix[matrix != 0]
    error = np.sqrt(connectivity * (1 - connectivity)) / size
    assert abs(np.mean(matrix != 0) - connectivity) <= 5 * error
    assert np.abs(np.linalg.eigvals(matrix)).max() == pytest.approx(1.2, rel=1e-10)
    bound = np.abs(entries).max()
    uniform_error = bound / np.sqrt(3 * entries.size)
    assert abs(entries.mean()) <= 5 * uniform_error
    assert np.mean(np.abs(entries) < bound / 2) == pytest.approx(0.5, abs=5 * 0.5 / np.sqrt(entries.size))


def test_input_weights_have_one_size_and_random_signs() -> None:
    weights = draw_reservoir(400, input_scaling=0.3, seed=1).input_weights
    assert set(np.unique(weights)) == {-0.3, 0.3}
    assert abs(np.mean(weights > 0) - 0.5) <= 5 * 0.5 / 20


@pytest.mark.parametrize("radius", [0.5, 1.2, 2.0])
def test_spectral_radius_only_scales_the_matrix(radius: float) -> None:
    unit = draw_reservoir(60, 1.0, seed=4)
    scaled = draw_reservoir(60, radius, seed=4)
    np.testing.assert_allclose(scaled.matrix, radius * unit.matrix, rtol=1e-12)
    assert np.array_equal(scaled.input_weights, unit.input_weights)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.floats(-5, 5), min_size=2, max_size=30), st.integers(1, 29))
def test_a_sequence_may_be_cut_anywhere(numbers: list[float], cut: int) -> None:
    inputs = np.array(numbers)
    cut = min(cut, inputs.size - 1)
    reservoir = draw_reservoir(30, seed=6)
    whole = reservoir.states(inputs)
    rest = reservoir.states(inputs[cut:], whole[cut - 1])
    assert np.array_equal(rest, whole[cut:])
    assert np.array_equal(reservoir.step(whole[-2], inputs[-1]), whole[-1])


def test_states_do_not_look_ahead() -> None:
    inputs = np.random.default_rng(3).normal(size=50)
    changed = inputs.copy()
    changed[30:] += 100.0
    reservoir = draw_reservoir(50, seed=0)
    before, after = reservoir.states(inputs), reservoir.states(changed)
    assert np.array_equal(before[:30], after[:30])
    assert not np.array_equal(before[30], after[30])


def test_seed_decides_everything() -> None:
    first = draw_reservoir(40, seed=1)
    assert draw_reservoir(40, seed=1) is first
    draw_reservoir.cache_clear()
    _radius.cache_clear()
    assert np.array_equal(draw_reservoir(40, seed=1).matrix, first.matrix)
    assert not np.array_equal(draw_reservoir(40, seed=2).matrix, first.matrix)


def test_a_seeds_radius_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[int] = []

    def counted(matrix: FloatArray, inner: Any = np.linalg.eigvals) -> Any:
        found.append(len(matrix))
        return inner(matrix)

    monkeypatch.setattr(np.linalg, "eigvals", counted)
    _radius.cache_clear()
    draw_reservoir.cache_clear()
    for radius, recurrence in ((0.9, "code"), (1.2, "code"), (1.2, "paper")):
        drawn = draw_reservoir(21, radius, recurrence=recurrence, seed=8)
    assert found == [21]
    for size, connectivity, seed in ((22, 0.2, 8), (21, 0.3, 8), (21, 0.2, 9)):
        other = draw_reservoir(size, 1.2, connectivity=connectivity, seed=seed)
        assert np.abs(np.linalg.eigvals(other.matrix)).max() == pytest.approx(1.2, rel=1e-10)
    assert found == [21, 22, 22, 21, 21, 21, 21]
    assert np.abs(np.linalg.eigvals(drawn.matrix)).max() == pytest.approx(1.2, rel=1e-10)


def test_a_reservoir_without_connections_still_answers() -> None:
    reservoir = draw_reservoir(2, connectivity=1e-9, seed=0)
    assert not reservoir.matrix.any()
    np.testing.assert_allclose(
        reservoir.states(np.array([1.0]))[0], np.tanh(reservoir.input_weights), rtol=1e-14
    )


def test_zero_input_leaves_the_empty_reservoir_empty() -> None:
    assert not draw_reservoir(16, seed=0).states(np.zeros(5)).any()
    assert draw_reservoir(16, seed=0).states(np.zeros(0)).shape == (0, 16)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"size": 0}, "size"),
        ({"leak": 0.0}, "leak"),
        ({"leak": 1.5}, "leak must be in"),
        ({"connectivity": 1.1}, "connectivity must be in"),
        ({"spectral_radius": -1.0}, "spectral_radius"),
        ({"input_scaling": np.nan}, "input_scaling"),
        ({"recurrence": "torch"}, "recurrence must be"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw_reservoir(**{"size": 8, **settings})


def test_bad_inputs_are_refused() -> None:
    reservoir = draw_reservoir(8)
    with pytest.raises(ValueError, match="finite"):
        reservoir.states(np.array([0.0, np.nan]))
    with pytest.raises(ValueError, match="must hold 8 values"):
        reservoir.states(np.zeros(2), np.zeros(7))
