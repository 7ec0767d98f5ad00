import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg, stats

from ngrc._types import FloatArray
from ngrc.theory import (
    concentration_bound,
    decompose,
    diffuseness,
    kolmogorov_bound,
    phase,
    quadratic_map,
    random_effects,
    resolvent_limits,
    spectrum,
    split_direction,
    svec,
)
from tests.theory.twins import gaussian_expectation, random_covariance, resolvent


@pytest.mark.parametrize("linear", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_diffuseness_against_explicit_matrices(linear: bool, weighted: bool) -> None:
    rng = np.random.default_rng(0)
    R = quadratic_map(rng.standard_normal((12, 4)), linear=linear)
    p, ridge = int(R.shape[1]), 0.3
    w0 = rng.standard_normal(p)
    covariance = random_covariance(p, rng) if weighted else None
    root = np.eye(p) if covariance is None else np.real(linalg.sqrtm(covariance))
    D = split_direction(ridge * root @ resolvent(R, ridge)[1] @ w0)[1]
    found = diffuseness(R, w0, ridge, covariance)
    assert found == pytest.approx(np.abs(np.linalg.eigvalsh(D)).max(), rel=1e-8)
    assert diffuseness(spectrum(R), w0, ridge, covariance) == found
    # B_n = ||lambda Sigma^1/2 A w0||^2 bounds the squared Frobenius norm of D_n
    assert found**2 <= decompose(R, w0, ridge, 1.0, covariance).bias * (1 + 1e-10)


@pytest.mark.parametrize(
    ("d", "diffuse", "printed", "error", "draws"),
    [(8, False, 0.973, 0.013, 60), (8, True, 0.545, 0.004, 60), (16, True, 0.386, 0.002, 12)],
)
def test_printed_diffuseness_of_experiment_three(
    d: int, diffuse: bool, printed: float, error: float, draws: int
) -> None:
    rng = np.random.default_rng(4)
    Q = 2 * np.eye(d) / np.sqrt(d) if diffuse else np.diag([2.0] + [0.0] * (d - 1))
    n = d * (d + 1)
    found = [
        diffuseness(quadratic_map(rng.standard_normal((n, d)), linear=False), svec(Q), 0.5)
        for _ in range(draws)
    ]
    combined = np.hypot(error, np.std(found, ddof=1) / np.sqrt(draws))
    assert np.mean(found) == pytest.approx(printed, abs=3 * combined + 5e-4)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_concentration_bound_holds_and_the_fourth_moment_is_exact(d: int) -> None:
    rng = np.random.default_rng(d)
    p = d * (d + 3) // 2
    for B in (np.eye(p), -2.0 * np.eye(p), random_covariance(p, rng)):
        norm = float(np.linalg.norm(B, 2))
        bound = concentration_bound(d, norm)

        def form(point: FloatArray, B: FloatArray = B) -> FloatArray:
            feature = quadratic_map(point[None, :])[0]
            value = feature @ B @ feature
            return np.array([value, value**2])

        # degree 8 in each coordinate: five nodes are exact
        mean, square = gaussian_expectation(form, d, 5)
        assert mean == pytest.approx(np.trace(B), rel=1e-10)
        variance = square - mean**2
        assert variance <= bound.variance <= bound.coarse_variance * (1 + 1e-15)
        assert variance / p**2 <= bound.normalised
    norms = gaussian_expectation(
        lambda point: np.atleast_1d(np.sum(quadratic_map(point[None, :]) ** 2)) ** 2, d, 5
    )
    assert concentration_bound(d, 0.0).fourth_moment == pytest.approx(norms[0], rel=1e-10)


@given(d=st.integers(1, 500), norm=st.floats(0.0, 1e3))
@settings(deadline=None, max_examples=60)
def test_concentration_bounds_are_ordered(d: int, norm: float) -> None:
    bound = concentration_bound(d, norm)
    p = d * (d + 3) / 2
    assert bound.variance <= bound.coarse_variance * (1 + 1e-12)
    assert bound.coarse_variance / p**2 <= bound.normalised * (1 + 1e-12)
    assert bound.fourth_moment <= bound.fourth_moment_bound
    slack = bound.fourth_moment_bound - bound.fourth_moment
    assert slack == pytest.approx(0.5 * d * (d - 1) * (d + 3) * (3 * d + 8), rel=1e-9)


def test_kolmogorov_bound_is_the_standard_deviation_of_the_stein_factor() -> None:
    rng = np.random.default_rng(3)
    a, root, noise = rng.standard_normal(3), rng.standard_normal((3, 3)), 0.7
    B = (root + root.T) / 4

    def moments(point: FloatArray) -> FloatArray:
        factor = noise**2 + a @ a + 3 / np.sqrt(2) * a @ B @ point + point @ B @ B @ point
        value = a @ point + (point @ B @ point - np.trace(B)) / np.sqrt(2)
        return np.array([factor, factor**2, value**2])

    mean, square, signal = gaussian_expectation(moments, 3, 4)
    found = kolmogorov_bound(a, B, noise)
    assert found.variance == pytest.approx(mean, rel=1e-10)
    assert found.variance == pytest.approx(signal + noise**2, rel=1e-10)
    assert found.sharp == pytest.approx(np.sqrt(square - mean**2) / mean, rel=1e-9)
    assert found.coarse == pytest.approx(3 / np.sqrt(2) / noise * np.abs(np.linalg.eigvalsh(B)).max())


@pytest.mark.parametrize("d", [1, 4, 64])
@pytest.mark.parametrize("noise", [0.25, 1.0])
def test_kolmogorov_distance_lies_below_its_bounds(d: int, noise: float) -> None:
    """B = I/sqrt(d): a centred chi-square plus noise, whose law is a one-dimensional convolution."""
    found = kolmogorov_bound(np.zeros(d), np.eye(d) / np.sqrt(d), noise)
    probability = (np.arange(20_000) + 0.5) / 20_000
    centred = (stats.chi2.ppf(probability, d) - d) / np.sqrt(2 * d)
    grid = np.linspace(-4, 4, 161) * np.sqrt(found.variance)
    cdf = np.array([stats.norm.cdf((x - centred) / noise).mean() for x in grid])
    distance = np.abs(cdf - stats.norm.cdf(grid / np.sqrt(found.variance))).max()
    assert 0.0 < distance < found.sharp < found.coarse
    assert found.sharp == pytest.approx(np.sqrt(2 / d) / (noise**2 + 1), rel=1e-12)


@given(d=st.integers(1, 6), noise=st.floats(0.05, 5.0), seed=st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=50)
def test_coarse_bound_is_never_below_the_sharp_one(d: int, noise: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((d, d))
    found = kolmogorov_bound(rng.standard_normal(d), root + root.T, noise)
    assert found.sharp <= found.coarse * (1 + 1e-12)


@pytest.mark.parametrize("shape", [(30, 12), (12, 30)])
@pytest.mark.parametrize("weighted", [False, True])
def test_random_effects_average_the_deterministic_bias(shape: tuple[int, int], weighted: bool) -> None:
    rng = np.random.default_rng(6)
    (n, p), signal, ridge, noise = shape, 1.7, 0.4, 0.6
    R = rng.standard_normal(shape)
    covariance = random_covariance(p, rng) if weighted else None
    found = random_effects(R, signal, ridge, noise, covariance)
    # E w0 w0' = s^2/p I: the mean bias is s^2/p times the sum over basis readouts
    basis = [decompose(R, unit, ridge, noise, covariance) for unit in np.eye(p)]
    assert found.bias == pytest.approx(signal**2 / p * sum(item.bias for item in basis), rel=1e-8)
    assert found.variance == pytest.approx(basis[0].variance)
    assert found.posterior == pytest.approx(basis[0].posterior)
    assert found.gap == pytest.approx(found.posterior - found.bias - found.variance, abs=1e-9)
    S, A = resolvent(R, ridge)
    sigma = np.eye(p) if covariance is None else covariance
    total = signal**2 * ridge**2 / p * np.trace(sigma @ A @ A) + noise**2 / n * np.trace(sigma @ A @ S @ A)
    assert found.conformal == pytest.approx(noise**2 + total, rel=1e-8)


def test_random_effects_reach_the_marchenko_pastur_limit_despite_dependent_features() -> None:
    d, signal, ridge, noise = 24, 2.0, 0.5, 0.25
    R = quadratic_map(np.random.default_rng(0).standard_normal((600, d)), linear=False)
    limits = resolvent_limits(0.5, ridge)
    found = random_effects(R, signal, ridge, noise)
    # the quadratic map approaches its limit at rate 1/d only
    assert found.posterior == pytest.approx(noise**2 * 0.5 * limits.I1, rel=1.5 / d)
    assert found.bias == pytest.approx(signal**2 * ridge**2 * limits.I2, rel=3 / d)


@pytest.mark.parametrize(("d", "shown"), [(24, 1.22)])
def test_finite_traces_of_quadratic_features_against_the_limit(d: int, shown: float) -> None:
    # the numbers that the docstring of `phase` states
    p, rng = d * (d + 3) // 2, np.random.default_rng(d)
    parts = [
        random_effects(quadratic_map(rng.standard_normal((2 * p, d))), 2.0, 0.5, 0.5).conformal
        for _ in range(6)
    ]
    error = np.std(parts, ddof=1) / np.sqrt(6)
    limit = phase(0.5, 0.5, 2.0, 0.5, 0.95).v_conformal
    assert f"{limit:.2f}" == "1.13"
    assert np.mean(parts) == pytest.approx(shown, abs=4 * error + 0.005)
    assert np.mean(parts) > limit + 10 * error
    # not so for independent coordinates, where n of this size is close to its limit
    gaussian = [random_effects(rng.standard_normal((2 * p, p)), 2.0, 0.5, 0.5).conformal for _ in range(2)]
    assert np.mean(gaussian) == pytest.approx(limit, rel=0.01)


def test_bad_input_is_refused() -> None:
    R = quadratic_map(np.ones((4, 2)))
    with pytest.raises(ValueError, match="5 columns"):
        diffuseness(R, np.ones(4), 1.0)
    with pytest.raises(ValueError, match="for some d"):
        diffuseness(np.eye(4), np.ones(4), 1.0)
    with pytest.raises(ValueError, match="semidefinite"):
        diffuseness(R, np.ones(5), 1.0, np.ones((5, 5)) - 0.5 * np.eye(5))
    with pytest.raises(ValueError, match="ridge"):
        diffuseness(R, np.ones(5), 0.0)
    with pytest.raises(ValueError, match="dimension"):
        concentration_bound(0, 1.0)
    with pytest.raises(ValueError, match="operator_norm"):
        concentration_bound(3, -1.0)
    with pytest.raises(ValueError, match="noise"):
        kolmogorov_bound(np.zeros(2), np.eye(2), 0.0)
    with pytest.raises(ValueError, match=r"shape \(3, 3\)"):
        kolmogorov_bound(np.zeros(3), np.eye(2), 1.0)
    with pytest.raises(ValueError, match="signal"):
        random_effects(R, -1.0, 1.0, 1.0)
