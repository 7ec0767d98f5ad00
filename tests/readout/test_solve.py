from dataclasses import replace

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.features import FeatureMap
from ngrc.readout.moments import design_gram
from ngrc.readout.orthogonal import design_spectrum, design_triangle
from ngrc.readout.refine import centred_products, error_bounds, gradient, hopeless, refine
from ngrc.readout.solve import solve, solve_design, solve_gram
from ngrc.readout.spectrum import RANK, Regression
from tests.readout.twins import example_rows, paper_map, slow_ridge

MAP = paper_map(5, periods=(24.0,), half_lives=(6.0,))


@pytest.mark.parametrize("kind", ["noise", "walk", "season", "sine", "zeros", "signs"])
@pytest.mark.parametrize("penalty", [10.0, 1e-3, 1e-6, 1e-9])
def test_both_solvers_agree_with_the_twin(kind: str, penalty: float) -> None:
    rows = example_rows(MAP, kind, 500)
    gram, twin = design_gram(rows), slow_ridge(rows.design, rows.target, penalty)
    standardised = (rows.design - twin.means) / twin.scales
    for solution in (solve(rows, gram, penalty), solve_design(rows, gram, penalty)):
        forecasts = standardised @ solution.weights
        np.testing.assert_allclose(forecasts, standardised @ twin.weights, atol=1e-10)
        root = solution.root(penalty)
        assert solution.dimension(penalty, root) + 1.0 == pytest.approx(twin.d_eff, abs=1e-5)
        assert not np.tril(root, -1).any()


@pytest.mark.parametrize("penalty", [1.0, 1e-3])
def test_coefficients_to_nine_digits_at_sensible_conditioning(penalty: float) -> None:
    rows = example_rows(paper_map(12), "season", 2000)
    solution = solve(rows, design_gram(rows), penalty)
    twin = slow_ridge(rows.design, rows.target, penalty)
    assert solution.solver == "gram"
    scale = np.abs(twin.weights).max()
    np.testing.assert_allclose(solution.weights, twin.weights, atol=1e-9 * scale)


@pytest.mark.parametrize(("count", "penalty"), [(40, 1e-2), (40, 1e-9), (40, 0.0), (9, 1e-6), (6, 0.0)])
def test_fewer_rows_than_columns(count: int, penalty: float) -> None:
    rows = example_rows(paper_map(8), "noise", 8 + count)
    assert rows.count < 44
    solution = solve(rows, design_gram(rows), penalty)
    twin = slow_ridge(rows.design, rows.target, penalty)
    other = example_rows(paper_map(8), "walk", 60).design
    for design in (rows.design, other):
        standardised = (design - twin.means) / twin.scales
        np.testing.assert_allclose(standardised @ solution.weights, standardised @ twin.weights, atol=1e-7)


@pytest.mark.parametrize("count", [6, 12, 30])
@pytest.mark.parametrize(("lags", "degree"), [(8, 2), (12, 1), (4, 3)])
def test_zero_penalty_ignores_directions_of_rounding_size(lags: int, degree: int, count: int) -> None:
    # One large value: rounding leaves the direction without data, the constant, a singular value of 1e-14 to 1e-13 of
    # the largest. As a divisor it would make forecasts another number on another processor.
    rows = example_rows(paper_map(lags, degree=degree), "spike", lags + count)
    gram = design_gram(rows)
    solution = solve(rows, gram, 0.0)
    standardised = (rows.design - gram.means) / gram.scales
    singular = np.linalg.svd(standardised, compute_uv=False)
    rank = int(np.sum(singular > RANK * singular[0]))
    assert rank < rows.count
    assert solution.dimension(0.0, solution.root(0.0)) == pytest.approx(rank)
    # The order of the rows is another rounding, as another processor is.
    order = np.random.default_rng(0).permutation(rows.count)
    joined = np.column_stack((standardised, rows.target - gram.target_mean))[order]
    other = Regression.of_triangle(np.asarray(np.linalg.qr(joined, mode="r")), rows.count).path(np.zeros(1))[
        :, 0
    ]
    new = (example_rows(paper_map(lags, degree=degree), "walk", 60).design - gram.means) / gram.scales
    forecasts = new @ solution.weights
    np.testing.assert_allclose(new @ other, forecasts, atol=1e-6 * np.abs(forecasts).max())


def test_zero_penalty_on_a_singular_design_is_least_squares() -> None:
    rows = example_rows(paper_map(6, degree=1), "sine", 200)
    solution = solve(rows, design_gram(rows), 0.0)
    assert solution.solver == "svd"
    assert solution.dimension(0.0, solution.root(0.0)) == pytest.approx(2.0)
    residual = rows.target - rows.target.mean()
    standardised = (rows.design - rows.design.mean(axis=0)) / rows.design.std(axis=0)
    assert np.abs(residual - standardised @ solution.weights).max() < 1e-10


def test_refinement_repairs_spoiled_moments() -> None:
    rows = example_rows(MAP, "walk", 600)
    gram = design_gram(rows)
    noise = np.random.default_rng(0).standard_normal(gram.matrix.shape)
    spoiled = replace(gram, matrix=gram.matrix + 1e-9 * (noise + noise.T))
    penalty = 1e-4

    def poor_inverse(right: FloatArray) -> FloatArray:
        return np.asarray(np.linalg.solve(spoiled.matrix + penalty * np.eye(len(noise)), right), dtype=float)

    rough = poor_inverse(spoiled.cross)[:, None]
    refined, changes = refine(rows, spoiled, rough, np.array([penalty]), poor_inverse)
    exact = solve_design(rows, gram, penalty).weights
    assert np.abs(rough[:, 0] - exact).max() > 1e-8
    np.testing.assert_allclose(refined[:, 0], exact, atol=1e-11)
    assert changes[0] <= 1e-10


def test_refinement_that_cannot_settle_falls_back_and_says_so() -> None:
    rows = example_rows(MAP, "walk", 600)
    gram = design_gram(rows)
    spoiled = replace(gram, matrix=gram.matrix + 0.5 * np.diag(np.arange(gram.means.size)))
    assert solve_gram(rows, spoiled, 1e-6) is None
    assert solve(rows, spoiled, 1e-6).solver == "svd"


def test_an_indefinite_matrix_falls_back() -> None:
    rows = example_rows(paper_map(3), "noise", 100)
    gram = design_gram(rows)
    assert solve_gram(rows, replace(gram, matrix=gram.matrix - 2.0 * np.eye(9)), 1e-3) is None


def test_penalties_at_rounding_level_are_hopeless_for_the_moments() -> None:
    gram = design_gram(example_rows(MAP, "sine", 300))
    assert hopeless(gram, 0.0)
    assert hopeless(gram, 1e-13)
    assert not hopeless(gram, 1e-9)


@pytest.mark.parametrize("feature_map", [MAP, paper_map(3, 4, 1), paper_map(3, degree=3)])
@pytest.mark.parametrize("width", [1, 3])
def test_gradient_from_rows(feature_map: FeatureMap, width: int) -> None:
    rows = example_rows(feature_map, "season", 400, horizon=2)
    gram = design_gram(rows)
    weights = np.random.default_rng(5).standard_normal((gram.means.size, width))
    standardised = (rows.design - gram.means) / gram.scales
    residuals = (rows.target - rows.target.mean())[:, None] - standardised @ weights
    expected = standardised.T @ residuals / rows.count
    np.testing.assert_allclose(gradient(rows, gram, weights), expected, atol=1e-11)
    products = centred_products(rows, gram.means, residuals)
    np.testing.assert_allclose(products, (rows.design - gram.means).T @ residuals, atol=1e-9)


def test_the_error_bound_holds_without_refinement() -> None:
    rows = example_rows(paper_map(12), "season", 1500)
    gram = design_gram(rows)
    standardised = (rows.design - gram.means) / gram.scales
    for penalty in (1e-3, 1e-6, 1e-9):
        shifted = gram.matrix + penalty * np.eye(gram.means.size)
        rough = np.asarray(np.linalg.solve(shifted, gram.cross), dtype=float)
        error = standardised @ (rough - solve_design(rows, gram, penalty).weights)
        bound = error_bounds(gram, rough[:, None], np.array([penalty]))[0]
        assert np.sqrt(np.mean(error**2)) <= bound


@pytest.mark.parametrize("count", [20, 3000])
def test_triangle_has_the_designs_moments(count: int) -> None:
    rows = example_rows(MAP, "walk", count)
    gram = design_gram(rows)
    triangle = design_triangle(rows, gram)
    joined = np.column_stack(((rows.design - gram.means) / gram.scales, rows.target - gram.target_mean))
    np.testing.assert_allclose(triangle.T @ triangle, joined.T @ joined, atol=1e-9 * rows.count)
    spectrum = design_spectrum(rows, gram)
    rebuilt = spectrum.vectors * spectrum.values @ spectrum.vectors.T
    np.testing.assert_allclose(rebuilt, gram.matrix, atol=1e-10)
    np.testing.assert_allclose(spectrum.vectors @ spectrum.projection, gram.cross, atol=1e-10)
