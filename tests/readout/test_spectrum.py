"""One decomposition from four sources against plain linear algebra."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._types import FloatArray
from ngrc.readout.spectrum import Regression, Spectrum, check_penalty


def problem(count: int, width: int, rank: int | None = None) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(count * 100 + width)
    design = rng.standard_normal((count, width)) + 0.5
    if rank is not None:
        design = design[:, :rank] @ rng.standard_normal((rank, width))
    return design, rng.standard_normal(count) + 2.0


def from_moments(design: FloatArray, target: FloatArray) -> Regression:
    rows = len(design)
    return Regression.of_moments(design.T @ design / rows, design.T @ target / rows, rows)


def from_triangle(design: FloatArray, target: FloatArray) -> Regression:
    triangle = np.linalg.qr(np.column_stack((design, target)), mode="r")
    return Regression.of_triangle(np.asarray(triangle), len(design))


Source = Callable[[FloatArray, FloatArray], Regression]
REGRESSIONS: list[Source] = [from_moments, from_triangle]
SOURCES: list[Callable[[FloatArray, FloatArray], Spectrum]] = [
    *REGRESSIONS,
    lambda design, _: Spectrum.of_design(design),
    lambda design, _: Spectrum.of_smaller_gram(design),
]
SHAPES = [(30, 6), (6, 30), (12, 12)]


@pytest.mark.parametrize("source", REGRESSIONS)
@settings(deadline=None, max_examples=40)
@given(st.integers(2, 25), st.integers(1, 25), st.sampled_from([1e-3, 0.5, 20.0]))
def test_the_normal_equations_hold_along_the_path(
    source: Source, count: int, width: int, penalty: float
) -> None:
    design, target = problem(count, width)
    path = source(design, target).path(np.array([penalty, 2.0 * penalty]))
    for weights, ridge in zip(path.T, (penalty, 2.0 * penalty), strict=True):
        gradient = design.T @ (design @ weights - target) / count + ridge * weights
        assert np.abs(gradient).max() < 1e-9 * max(1.0, np.abs(weights).max())


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(("count", "width"), SHAPES)
@pytest.mark.parametrize("penalty", [1e-3, 0.3, 40.0])
def test_everything_that_follows_is_the_explicit_inverse(
    source: Source, count: int, width: int, penalty: float
) -> None:
    design, target = problem(count, width)
    spectrum = source(design, target)
    assert (spectrum.rows, spectrum.columns) == (count, width)
    moment = design.T @ design / count
    inverse = np.linalg.inv(moment + penalty * np.eye(width))
    responses = design.T @ np.column_stack((target, target**2)) / count
    np.testing.assert_allclose(spectrum.solve(responses, penalty), inverse @ responses, rtol=1e-7, atol=1e-9)
    rows = np.random.default_rng(0).standard_normal((9, width))
    expected = np.einsum("ij,jk,ik->i", rows, inverse, rows) / count
    np.testing.assert_allclose(spectrum.leverages(rows, [7.0, penalty])[1], expected, rtol=1e-7)
    assert spectrum.effective_dimension(penalty) == pytest.approx(np.trace(moment @ inverse), rel=1e-8)
    np.testing.assert_allclose(spectrum.shrunk(target[:1].repeat(width), penalty),
                               penalty * inverse @ target[:1].repeat(width), rtol=1e-7, atol=1e-9)  # fmt: skip


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("shape", [*SHAPES, (30, 10), (10, 30)])
@pytest.mark.parametrize("rank", [None, 4])
def test_values_and_vectors_rebuild_the_moments(
    source: Source, shape: tuple[int, int], rank: int | None
) -> None:
    design, target = problem(*shape, rank)
    spectrum = source(design, target)
    rebuilt = (spectrum.vectors * spectrum.values) @ spectrum.vectors.T
    np.testing.assert_allclose(rebuilt, design.T @ design / len(design), atol=1e-11)
    np.testing.assert_allclose(spectrum.vectors.T @ spectrum.vectors, np.eye(spectrum.values.size), atol=1e-9)


def test_a_penalty_per_response() -> None:
    design, target = problem(20, 7)
    spectrum = Spectrum.of_design(design)
    moments = design.T @ np.column_stack((target, np.abs(target))) / 20
    together = spectrum.solve(moments, np.array([0.1, 3.0]))
    for column, penalty in enumerate((0.1, 3.0)):
        np.testing.assert_allclose(together[:, column], spectrum.solve(moments, penalty)[:, column])


@pytest.mark.parametrize("source", REGRESSIONS)
@pytest.mark.parametrize(("shape", "rank"), [((30, 5), None), ((5, 30), None), ((30, 10), 4)])
def test_zero_penalty_is_the_least_norm_solution(
    source: Source, shape: tuple[int, int], rank: int | None
) -> None:
    design, target = problem(*shape, rank)
    regression = source(design, target)
    inverse = np.linalg.pinv(design.T @ design / len(design), hermitian=True, rcond=1e-12)
    least = np.linalg.pinv(design, rcond=1e-12) @ target
    np.testing.assert_allclose(regression.path(np.zeros(1))[:, 0], least, atol=1e-8)
    assert regression.effective_dimension(0.0) == pytest.approx(rank or min(shape))
    root = regression.root(0.0)
    np.testing.assert_allclose(root @ root.T, inverse, rtol=1e-7, atol=1e-7)


def test_root_squares_to_the_inverse() -> None:
    design, target = problem(40, 6)
    root = from_moments(design, target).root(0.1)
    expected = np.linalg.inv(design.T @ design / 40 + 0.1 * np.eye(6))
    np.testing.assert_allclose(root @ root.T, expected, rtol=1e-9)


def test_a_zero_matrix_gives_zero_weights() -> None:
    regression = Regression.of_moments(np.zeros((3, 3)), np.zeros(3), 5)
    assert not regression.path(np.array([0.0, 1.0])).any()


@pytest.mark.parametrize("ridges", [[0.0], [0.1, -1.0], [float("nan")]])
def test_a_leverage_needs_a_penalty(ridges: list[float]) -> None:
    with pytest.raises(ValueError, match="above zero"):
        Spectrum.of_design(np.ones((2, 3))).leverages(np.ones((1, 3)), ridges)


@pytest.mark.parametrize("value", [-1e-9, float("nan"), -float("inf"), "1", True, None])
def test_bad_penalties(value: Any) -> None:
    with pytest.raises(ValueError, match="zero or above"):
        check_penalty(value)


def test_good_penalties() -> None:
    assert check_penalty(0) == 0.0
    assert check_penalty(np.inf) == np.inf
    assert check_penalty(np.float64(0.5)) == 0.5
