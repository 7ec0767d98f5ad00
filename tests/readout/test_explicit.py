import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.readout import ridge_path, ridge_solve


def problem(count: int, width: int, rank: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(count * 100 + width)
    design = rng.standard_normal((count, width)) + 0.5
    if rank is not None:
        design = design[:, :rank] @ rng.standard_normal((rank, width))
    design[:, 0] = 1.0
    return design, rng.standard_normal(count) + 2.0


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 25), st.integers(2, 25), st.sampled_from([1e-9, 1e-3, 0.5, 20.0]), st.booleans())
def test_the_normal_equations_hold(count: int, width: int, penalty: float, penalised: bool) -> None:
    design, target = problem(count, width)
    weights = np.full(width, penalty)
    weights[0] = penalty if penalised else 0.0
    solution = ridge_solve(design, target, penalty, penalise_intercept=penalised)
    gradient = design.T @ (design @ solution.coefficients - target) / count + weights * solution.coefficients
    assert np.abs(gradient).max() < 1e-10 * max(1.0, np.abs(solution.coefficients).max())


@pytest.mark.parametrize(("count", "width"), [(30, 6), (6, 30), (12, 12)])
@pytest.mark.parametrize("penalty", [1e-4, 0.3, 40.0])
@pytest.mark.parametrize("penalised", [True, False])
def test_leverage_and_dimension_by_explicit_inverse(
    count: int, width: int, penalty: float, penalised: bool
) -> None:
    design, target = problem(count, width)
    weights = np.full(width, penalty)
    weights[0] = penalty if penalised else 0.0
    inverse = np.linalg.inv(design.T @ design + count * np.diag(weights))
    solution = ridge_solve(design, target, penalty, penalise_intercept=penalised)
    rows = np.random.default_rng(0).standard_normal((9, width))
    expected = np.einsum("ij,jk,ik->i", rows, inverse, rows)
    np.testing.assert_allclose(solution.leverage(rows), expected, rtol=1e-7)
    assert solution.effective_dimension == pytest.approx(np.trace(design.T @ design @ inverse), rel=1e-8)


def test_zero_penalty_is_the_least_norm_solution() -> None:
    for count, width in ((30, 5), (5, 30)):
        design, target = problem(count, width)
        solution = ridge_solve(design, target, 0.0)
        np.testing.assert_allclose(solution.coefficients, np.linalg.pinv(design) @ target, atol=1e-10)
        assert solution.effective_dimension == pytest.approx(min(count, width))
        assert solution.solver == "svd"


def test_rank_deficient_designs_work() -> None:
    design, target = problem(30, 10, rank=4)
    exact = np.linalg.solve(design.T @ design / 30 + 0.01 * np.eye(10), design.T @ target / 30)
    np.testing.assert_allclose(ridge_solve(design, target, 0.01).coefficients, exact, rtol=1e-8)
    small = ridge_solve(design, target, 1e-12)
    limit = ridge_solve(design, target, 0.0)
    np.testing.assert_allclose(design @ small.coefficients, design @ limit.coefficients, atol=1e-6)


def test_large_penalties_take_the_gram_and_agree_with_the_svd() -> None:
    design, target = problem(40, 8)
    gram, svd = ridge_solve(design, target, 0.5), ridge_path(design, target, (0.5, 0.0))[0]
    assert (gram.solver, svd.solver) == ("gram", "svd")
    np.testing.assert_allclose(gram.coefficients, svd.coefficients, rtol=1e-11)


def test_path_is_each_solution() -> None:
    design, target = problem(20, 7)
    penalties = (0.01, 0.3, 5.0)
    for solution, penalty in zip(ridge_path(design, target, penalties), penalties, strict=True):
        alone = ridge_solve(design, target, penalty)
        assert solution.penalty == penalty
        np.testing.assert_allclose(solution.coefficients, alone.coefficients, rtol=1e-10)


def test_bad_problems_are_refused() -> None:
    design, target = problem(5, 3)
    with pytest.raises(ValueError, match=r"got \(5, 3\) and \(4,\)"):
        ridge_solve(design, target[:4], 1.0)
    with pytest.raises(ValueError, match="zero or above"):
        ridge_solve(design, target, -1.0)
    with pytest.raises(ValueError, match="all zero"):
        ridge_solve(np.zeros((5, 3)), target, 1.0, penalise_intercept=False)
    with pytest.raises(ValueError, match="finite"):
        ridge_solve(np.full((5, 3), np.nan), target, 1.0)
