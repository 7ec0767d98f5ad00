import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ngrc._types import FloatArray
from ngrc.readout.spectrum import Regression, Spectrum
from ngrc.theory import RidgeResiduals, limiting_training_scale, noise_scale, noise_scale_of, spectrum
from ngrc.theory.noise import Method

GRID = np.logspace(-8, 6, 400)
METHODS: list[Method] = ["gcv", "evidence", "raw"]


def _data(
    n: int, p: int, seed: int, noise: float = 0.7, signal: float = 1.0
) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    R = rng.standard_normal((n, p))
    w0 = signal * rng.standard_normal(p) / np.sqrt(p)
    return R, R @ w0 + noise * rng.standard_normal(n)


def _hat(R: FloatArray, ridge: float) -> FloatArray:
    n, p = R.shape
    hat: FloatArray = R @ np.linalg.solve(R.T @ R + n * ridge * np.eye(p), R.T)
    return hat


@pytest.mark.parametrize("shape", [(40, 12), (30, 30), (15, 40)])
@pytest.mark.parametrize("ridge", [0.05, 0.8])
def test_formulas_at_a_given_penalty(shape: tuple[int, int], ridge: float) -> None:
    R, y = _data(*shape, seed=1)
    n, H = shape[0], _hat(R, ridge)
    residuals = y - H @ y
    wanted = {
        "gcv": residuals @ residuals / (n - np.trace(H)),
        "evidence": y @ residuals / n,
        "raw": residuals @ residuals / n,
    }
    for method in METHODS:
        found = noise_scale(R, y, method, ridge=ridge)
        assert found.scale**2 == pytest.approx(wanted[method], rel=1e-8)
        assert found.effective_dimension == pytest.approx(np.trace(H), rel=1e-8)
        assert (found.ridge, found.method) == (ridge, method)


@pytest.mark.parametrize("shape", [(40, 12), (15, 40)])
@pytest.mark.parametrize("seed", [2, 3])
def test_gcv_penalty_minimises_generalised_cross_validation(shape: tuple[int, int], seed: int) -> None:
    R, y = _data(*shape, seed=seed)

    def gcv(ridge: float) -> float:
        H = _hat(R, ridge)
        return float(np.sum((y - H @ y) ** 2) / (shape[0] - np.trace(H)) ** 2)

    found = noise_scale(R, y, "gcv")
    assert gcv(found.ridge) <= min(gcv(ridge) for ridge in GRID[::4]) * (1 + 1e-7)
    assert noise_scale(R, y, "raw").ridge == found.ridge


@pytest.mark.parametrize("shape", [(40, 12), (15, 40)])
@pytest.mark.parametrize("seed", [4, 7])
def test_evidence_penalty_maximises_the_marginal_likelihood(shape: tuple[int, int], seed: int) -> None:
    R, y = _data(*shape, seed=seed)
    n = shape[0]

    def likelihood(ridge: float, scale: float) -> float:
        covariance = scale**2 * (np.eye(n) + R @ R.T / (n * ridge))
        return float(stats.multivariate_normal(np.zeros(n), covariance).logpdf(y))

    found = noise_scale(R, y, "evidence")
    assert found.edge == "inside"
    best = likelihood(found.ridge, found.scale)
    for factor in (0.9, 0.99, 1.01, 1.1):
        assert likelihood(found.ridge * factor, found.scale) <= best + 1e-9
        assert likelihood(found.ridge, found.scale * factor) <= best + 1e-9
    profile = [likelihood(float(r), noise_scale(R, y, "evidence", ridge=float(r)).scale) for r in GRID[::40]]
    assert best >= max(profile) - 1e-9


@pytest.mark.parametrize(("n", "p", "low"), [(200, 100, 0.96), (150, 300, 0.85)])
def test_estimators_find_the_noise_in_proportional_dimension(n: int, p: int, low: float) -> None:
    noise, draws = 0.7, 25
    ratios = {method: np.empty(draws) for method in METHODS}
    for seed in range(draws):
        R, y = _data(n, p, seed + 100, noise)
        for method in METHODS:
            ratios[method][seed] = noise_scale(R, y, method, collapse="keep").scale ** 2 / noise**2
    for method in ("gcv", "evidence"):
        error = ratios[method].std(ddof=1) / np.sqrt(draws)
        assert low - 3 * error < ratios[method].mean() < 1.02 + 3 * error
    error = ratios["raw"].std(ddof=1) / np.sqrt(draws)
    assert ratios["raw"].mean() < 0.85 - 3 * error


def test_raw_scale_tends_to_its_limit_and_not_to_the_noise() -> None:
    n, p, ridge, noise, signal = 400, 200, 0.2, 0.7, 1.0
    limit = limiting_training_scale(p / n, ridge, signal, noise)
    found = [
        noise_scale(*_data(n, p, seed, noise, signal), "raw", ridge=ridge).scale ** 2 for seed in range(12)
    ]
    error = np.std(found, ddof=1) / np.sqrt(12)
    assert np.mean(found) == pytest.approx(limit, abs=4 * error)
    assert abs(limit - noise**2) > 8 * error


def test_pure_noise_keeps_its_own_scale() -> None:
    R, y = _data(300, 150, seed=9, noise=2.0, signal=0.0)
    for method in ("gcv", "evidence"):
        # standard error of sigma is sigma/sqrt(2n) when nothing is fitted: 4 of them
        assert noise_scale(R, y, method).scale == pytest.approx(2.0, abs=4 * 2.0 / np.sqrt(600))


@given(factor=st.floats(0.01, 100.0), method=st.sampled_from(METHODS), seed=st.integers(0, 1000))
@settings(deadline=None, max_examples=30)
def test_units_of_the_response_only_scale_the_answer(factor: float, method: Method, seed: int) -> None:
    R, y = _data(25, 18, seed)
    base, scaled = noise_scale(R, y, method), noise_scale(R, factor * y, method)
    assert scaled.scale == pytest.approx(factor * base.scale, rel=1e-5)
    assert noise_scale(R[:, ::-1], y, method).scale == pytest.approx(base.scale, rel=1e-5)


@pytest.mark.parametrize("shape", [(30, 10), (20, 25)])
@pytest.mark.parametrize("method", METHODS)
def test_intercept_is_free(shape: tuple[int, int], method: Method) -> None:
    R, y = _data(*shape, seed=6)
    n, ridge = shape[0], 0.3
    found = noise_scale(R + 5.0, y - 3.0, method, ridge=ridge, intercept=True)
    assert found.scale == pytest.approx(
        noise_scale(R, y, method, ridge=ridge, intercept=True).scale, rel=1e-8
    )
    centre = np.eye(n) - 1 / n
    H = _hat(centre @ R, ridge) + 1 / n
    residuals = y - H @ y
    freedom = {"gcv": n - np.trace(H), "raw": n, "evidence": n - 1}[method]
    squares = y @ residuals if method == "evidence" else residuals @ residuals
    assert found.scale**2 == pytest.approx(squares / freedom, rel=1e-7)
    assert found.effective_dimension == pytest.approx(np.trace(H), rel=1e-7)


def test_duplicated_columns_change_nothing_but_the_penalty() -> None:
    R, y = _data(40, 10, seed=7)
    single, double = noise_scale(R, y, "gcv"), noise_scale(np.hstack([R, R]), y, "gcv")
    assert double.scale == pytest.approx(single.scale, rel=1e-6)
    assert double.ridge == pytest.approx(2 * single.ridge, rel=1e-3)


@pytest.mark.parametrize("method", ["gcv", "evidence"])
def test_edges_are_named(method: Method) -> None:
    R, y = _data(60, 20, seed=1)
    assert noise_scale(R, y, method).edge == "inside"
    assert noise_scale(R, y, method, ridge=0.1).edge == "given"
    # a response that no column explains: full shrinkage, and its own mean square is the noise
    unexplained = 3.0 * np.linalg.svd(R)[0][:, 40]
    found = noise_scale(R, unexplained, method)
    assert found.edge == "largest"
    assert found.scale == pytest.approx(3.0 / np.sqrt(60), rel=1e-3)


@pytest.mark.parametrize("method", METHODS)
def test_a_collapsed_estimate_is_refused_or_marked(method: Method) -> None:
    # 15 rows of 40 columns, a draw in which both criteria prefer interpolation: nothing is left to estimate
    R, y = _data(15, 40, seed=5)
    with pytest.raises(ValueError, match=r"columns interpolate all 15 rows.*more rows"):
        noise_scale(R, y, method)
    collapsed = noise_scale(R, y, method, collapse="keep")
    assert (collapsed.edge, collapsed.collapsed, collapsed.error) == ("smallest", True, np.inf)
    assert collapsed.scale < 0.01
    assert not noise_scale(R, y, method, ridge=0.1).collapsed


def test_no_shrinkage_with_rows_to_spare_is_least_squares() -> None:
    # a hundred-millionth of the signal, which a search that ends five digits below the spectrum would not find
    R, y = _data(60, 20, seed=1, noise=1e-5, signal=1000.0)
    found = noise_scale(R, y, "gcv")
    assert (found.edge, found.collapsed) == ("smallest", False)
    assert found.scale**2 == pytest.approx(np.linalg.lstsq(R, y)[1][0] / 40, rel=1e-3)
    # sigma^2 chi^2_40 / 40 has the standard deviation sigma^2 / sqrt(20), and its root half of that in sigma
    assert found.error == pytest.approx(found.scale / np.sqrt(80), rel=1e-2)


@pytest.mark.parametrize("p", [40, 200, 800])
@pytest.mark.parametrize("method", METHODS)
def test_the_error_is_the_spread_over_new_noise(p: int, method: Method) -> None:
    n, draws, rng = 400, 150, np.random.default_rng(p)
    R, w0 = rng.standard_normal((n, p)), rng.standard_normal(p)
    design, mean = Spectrum.of_smaller_gram(R), R @ (w0 / np.linalg.norm(w0))
    found = []
    for _ in range(draws):
        y = mean + 0.7 * rng.standard_normal(n)
        found.append(noise_scale_of(RidgeResiduals.of_moments(design, R.T @ y / n, float(y @ y) / n), method))
    spread = np.std([one.scale for one in found], ddof=1)
    stated = np.sqrt(np.mean([one.error**2 for one in found]))
    # a standard deviation of so many draws has the relative error 1/sqrt(2 draws), 5.8 per cent: three of them
    assert stated == pytest.approx(spread, rel=3 / np.sqrt(2 * draws))


def test_an_error_without_the_penalty_s_own_movement_would_be_too_small() -> None:
    R, y = _data(200, 400, seed=11)
    chosen = noise_scale(R, y, "gcv")
    assert noise_scale(R, y, "gcv", ridge=chosen.ridge).error < 0.8 * chosen.error


@pytest.mark.parametrize("shape", [(40, 12), (30, 30), (15, 40)])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("intercept", [False, True])
def test_moments_and_a_fit_say_the_same_as_the_design(
    shape: tuple[int, int], method: Method, intercept: bool
) -> None:
    R, y = _data(*shape, seed=8, signal=3.0)
    n, ridge = shape[0], 0.3
    direct = RidgeResiduals.of_design(R + 2.0, y + 1.0, intercept=intercept)
    X, z = (R - R.mean(axis=0), y - y.mean()) if intercept else (R + 2.0, y + 1.0)
    design, cross = spectrum(X), X.T @ z / n
    moments = RidgeResiduals.of_moments(design, cross, float(z @ z) / n, intercept=intercept)
    weights = np.linalg.solve(X.T @ X / n + ridge * np.eye(shape[1]), cross)
    fit = Regression.of_moments(X.T @ X / n, cross, n)
    fitted = RidgeResiduals.of_fit(fit, ridge, np.mean((z - X @ weights) ** 2), intercept=intercept)
    wanted = noise_scale_of(direct, method, collapse="keep")
    assert wanted == noise_scale(R + 2.0, y + 1.0, method, intercept=intercept, collapse="keep")
    for other in (moments, fitted):
        got = noise_scale_of(other, method, collapse="keep")
        assert (got.edge, got.collapsed) == (wanted.edge, wanted.collapsed)
        if not wanted.collapsed:
            assert got.scale == pytest.approx(wanted.scale, rel=1e-6)
            assert got.error == pytest.approx(wanted.error, rel=1e-4)
            assert got.effective_dimension == pytest.approx(wanted.effective_dimension, rel=1e-4)


def test_bad_input_is_refused() -> None:
    R, y = _data(10, 3, seed=0)
    with pytest.raises(ValueError, match="method"):
        noise_scale(R, y, "loo")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="10 rows"):
        noise_scale(R, y[:9])
    with pytest.raises(ValueError, match="ridge"):
        noise_scale(R, y, ridge=-1.0)
    with pytest.raises(ValueError, match="vary"):
        noise_scale(np.zeros((10, 2)), y)
    with pytest.raises(ValueError, match="vary"):
        noise_scale(R, np.ones(10), intercept=True)
    with pytest.raises(ValueError, match="finite"):
        noise_scale(R, np.full(10, np.nan))
    with pytest.raises(ValueError, match="collapse must be"):
        noise_scale(R, y, collapse="ignore")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="3 columns, got 2"):
        RidgeResiduals.of_moments(spectrum(R), np.ones(2), 1.0)
    with pytest.raises(ValueError, match="mean_square must be y'y/n"):
        RidgeResiduals.of_moments(spectrum(R), R.T @ y / 10, float(y @ y) / 100)
