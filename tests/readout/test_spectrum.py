from typing import Any

import numpy as np
import pytest

from ngrc.readout.spectrum import Spectrum, check_penalty


def example(width: int = 6, rank: int = 6) -> tuple[Any, Any]:
    rng = np.random.default_rng(width)
    factor = rng.standard_normal((40, rank)) @ rng.standard_normal((rank, width))
    return factor.T @ factor / 40, factor.T @ rng.standard_normal(40) / 40


def test_one_decomposition_serves_every_penalty() -> None:
    matrix, cross = example()
    penalties = np.array([1e-6, 0.01, 1.0, 50.0])
    path = Spectrum.of(matrix, cross).path(penalties)
    for position, penalty in enumerate(penalties):
        direct = np.linalg.solve(matrix + penalty * np.eye(6), cross)
        np.testing.assert_allclose(path[:, position], direct, rtol=1e-9)


@pytest.mark.parametrize("penalty", [1e-3, 2.0])
def test_effective_dimension_is_a_trace(penalty: float) -> None:
    matrix, cross = example()
    trace = np.trace(matrix @ np.linalg.inv(matrix + penalty * np.eye(6)))
    assert Spectrum.of(matrix, cross).effective_dimension(penalty) == pytest.approx(trace)


def test_root_squares_to_the_inverse() -> None:
    matrix, cross = example()
    root = Spectrum.of(matrix, cross).root(0.1)
    np.testing.assert_allclose(root @ root.T, np.linalg.inv(matrix + 0.1 * np.eye(6)), rtol=1e-9)


def test_singular_at_zero_penalty_is_the_pseudo_inverse() -> None:
    matrix, cross = example(rank=3)
    spectrum = Spectrum.of(matrix, cross)
    inverse = np.linalg.pinv(matrix, hermitian=True, rcond=1e-12)
    assert spectrum.effective_dimension(0.0) == pytest.approx(3.0)
    np.testing.assert_allclose(spectrum.path(np.zeros(1))[:, 0], inverse @ cross, atol=1e-9)
    np.testing.assert_allclose(spectrum.root(0.0) @ spectrum.root(0.0).T, inverse, atol=1e-9)


def test_a_zero_matrix_gives_zero_weights() -> None:
    spectrum = Spectrum.of(np.zeros((3, 3)), np.zeros(3))
    assert not spectrum.path(np.array([0.0, 1.0])).any()


@pytest.mark.parametrize("value", [-1e-9, float("nan"), float("inf"), "1", True, None])
def test_bad_penalties(value: Any) -> None:
    with pytest.raises(ValueError, match="zero or above"):
        check_penalty(value)


def test_good_penalties() -> None:
    assert check_penalty(0) == 0.0
    assert check_penalty(np.float64(0.5)) == 0.5
