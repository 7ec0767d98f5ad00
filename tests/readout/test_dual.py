"""The dual readout against explicit columns, dense inverses and fifty digits."""

from dataclasses import FrozenInstanceError

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._threads import one_thread
from ngrc._types import FloatArray
from ngrc.features.monomials import monomials
from ngrc.readout.convention import Columns, Convention, Intercept
from ngrc.readout.dual import Decomposition, fit_dual
from ngrc.readout.dual_columns import ExplicitColumns, ProductColumns, monomial_columns
from ngrc.readout.dual_penalty import choose_dual_penalty
from tests.readout.dual_twin import INTERCEPTS, KINDS, Twin, delays_of, slow_products

SHAPES = [(90, 4, 2), (40, 10, 2), (70, 4, 3), (40, 5, 3), (60, 3, 4), (40, 4, 4)]
"""Rows, delays, degree: fewer columns than rows and then more, for degrees 2, 3 and 4."""


@pytest.mark.parametrize("columns", KINDS)
@pytest.mark.parametrize("intercept", INTERCEPTS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["noise", "walk"])
def test_the_dual_equals_explicit_columns(
    kind: str, shape: tuple[int, int, int], intercept: Intercept, columns: Columns
) -> None:
    count, lags, degree = shape
    z, y = delays_of(kind, count + 10, lags)
    extras = np.random.default_rng(1).standard_normal((count + 10, 2))
    design = np.column_stack((slow_products(z, 1, degree), extras))
    source, convention = monomial_columns(z, degree, extras), Convention(intercept, columns)
    fit, target = source.part(0, count), y[:count]
    parts = Decomposition.of(fit, convention)
    for penalty in (1.0, 1e-4, 1e-8):
        readout = fit_dual(fit, target, penalty, convention, parts)
        twin = Twin.of(design[:count], target, penalty, convention)
        np.testing.assert_allclose(readout.predict(source), twin.predict(design), rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(readout.leverage(source), twin.leverage(design), rtol=1e-8)
        assert readout.d_eff == pytest.approx(twin.leverage(design[:count]).sum(), rel=1e-8)
        residuals = target - twin.predict(design[:count])
        assert readout.fit_scale == pytest.approx(np.sqrt(np.mean(residuals**2)), rel=1e-8, abs=1e-12)
        explicit = readout.intercept + design @ readout.coefficients
        np.testing.assert_allclose(explicit, readout.predict(source), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("columns", KINDS)
@pytest.mark.parametrize("intercept", INTERCEPTS)
def test_leverage_is_the_dense_inverse(intercept: Intercept, columns: Columns) -> None:
    """By the definition r'(R'R + n lambda D)^-1 r, intercept column and all, where columns outnumber rows."""
    z, y = delays_of("noise", 60, 6)
    source, convention = monomial_columns(z, 3), Convention(intercept, columns)
    readout = fit_dual(source.part(0, 50), y[:50], 0.02, convention)
    twin = Twin.of(slow_products(z, 1, 3)[:50], y[:50], 0.02, convention)
    Z = (slow_products(z, 1, 3) - twin.means) / twin.scales
    diagonal = np.full(Z.shape[1], 0.02)
    if intercept != "none":
        Z = np.column_stack((np.ones(60), Z))
        diagonal = np.append(0.0 if intercept == "free" else 0.02, diagonal)
    inverse = np.linalg.inv(Z[:50].T @ Z[:50] + 50 * np.diag(diagonal))
    np.testing.assert_allclose(readout.leverage(source), np.einsum("ij,jk,ik->i", Z, inverse, Z), rtol=1e-9)


def exact(
    Z: FloatArray, new: FloatArray, y: FloatArray, penalty: float
) -> tuple[FloatArray, FloatArray, float]:
    """Forecasts, leverages and effective dimension of uncentred columns, to fifty digits."""
    with mpmath.workdps(50):
        A, N, target = mpmath.matrix(Z.tolist()), mpmath.matrix(new.tolist()), mpmath.matrix(y.tolist())
        scale = mpmath.mpf(len(y)) * mpmath.mpf(penalty)
        inverse = (A * A.T + scale * mpmath.eye(len(y))) ** -1
        kernel = N * A.T
        forecasts, shift = kernel * (inverse * target), kernel * inverse
        leverages = []
        for i in range(new.shape[0]):
            square = mpmath.fsum(N[i, j] ** 2 for j in range(new.shape[1]))
            inside = mpmath.fsum(shift[i, j] * kernel[i, j] for j in range(len(y)))
            leverages.append(float((square - inside) / scale))
        freedom = float(len(y) - scale * mpmath.fsum(inverse[i, i] for i in range(len(y))))
        return np.array([float(v) for v in forecasts]), np.array(leverages), freedom


@pytest.mark.parametrize(("penalty", "digits"), [(1e-3, 1e-10), (1e-8, 1e-8), (1e-9, 3e-8)])
@pytest.mark.parametrize(
    ("kind", "count", "lags", "solver"),
    [("walk", 24, 3, "qr"), ("walk", 16, 4, "kernel"), ("sine", 16, 4, "qr"), ("spike", 20, 4, "qr")],
)
def test_fifty_digits_agree(
    kind: str, count: int, lags: int, solver: str, penalty: float, digits: float
) -> None:
    """Fit rows and new rows, with the kernel alone and where its digits do not suffice."""
    z, y = delays_of(kind, count + 3, lags)
    source = monomial_columns(z, 3)
    readout = fit_dual(source.part(0, count), y[:count], penalty, Convention("none", "raw"))
    design = monomials(z, 3)
    forecasts, leverages, freedom = exact(design[:count], design, y[:count], penalty)
    assert readout.solver == ("kernel" if penalty == 1e-3 else solver)
    np.testing.assert_allclose(readout.predict(source), forecasts, atol=digits)
    np.testing.assert_allclose(readout.leverage(source), leverages, rtol=digits)
    assert readout.d_eff == pytest.approx(freedom, rel=1e-11)


@pytest.mark.parametrize("penalty", [1e-2, 1e-5, 1e-8])
@pytest.mark.parametrize("columns", KINDS)
def test_leverages_of_fit_rows_are_the_hat_matrix(columns: Columns, penalty: float) -> None:
    """All rows interpolated: what of a fit row lies outside the data's directions is zero, and divided by 1e-8."""
    z, y = delays_of("walk", 100, 14)
    source, design = monomial_columns(z, 3), monomials(z, 3)
    Z = design - design.mean(axis=0)
    Z = Z / Z.std(axis=0) if columns == "standardised" else Z
    left, singular, _ = np.linalg.svd(Z, full_matrices=False)
    hat = left**2 @ (singular**2 / (singular**2 + 100 * penalty)) + 1.0 / 100
    with one_thread():
        readout = fit_dual(source, y, penalty, Convention("free", columns))
        np.testing.assert_allclose(readout.leverage(source), hat, rtol=1e-9)
    assert readout.d_eff == pytest.approx(hat.sum(), rel=1e-9)


@pytest.mark.parametrize("columns", KINDS)
def test_the_kernel_alone_would_lose_the_digits(monkeypatch: pytest.MonkeyPatch, columns: Columns) -> None:
    z, y = delays_of("spike", 120, 4)
    source, convention = monomial_columns(z, 3), Convention("free", columns)
    good = fit_dual(source, y, 1e-8, convention)
    monkeypatch.setattr("ngrc.readout.dual.DIGITS", np.inf)
    monkeypatch.setattr("ngrc.readout.dual_readout.DIGITS", np.inf)
    monkeypatch.setattr("ngrc.readout.dual.FORECASTS", np.inf)
    monkeypatch.setattr("ngrc.readout.dual.TOLERANCE", np.inf)
    poor = fit_dual(source, y, 1e-8, convention)
    assert (good.solver, poor.solver) == ("qr", "kernel")
    assert np.abs(good.predict(source) - poor.predict(source)).max() > 1e-8
    assert np.abs(good.leverage(source) / poor.leverage(source) - 1.0).max() > 1e-8
    assert abs(good.d_eff - poor.d_eff) > 1e-8 * good.d_eff


@pytest.mark.parametrize("columns", KINDS)
def test_an_infinite_penalty_leaves_no_weight(columns: Columns) -> None:
    z, y = delays_of("season", 40, 5)
    y = y + 0.5
    source = monomial_columns(z, 3)
    for intercept in INTERCEPTS:
        readout = fit_dual(source, y, np.inf, Convention(intercept, columns))
        share = float(intercept == "free")
        assert not readout.coefficients.any()
        np.testing.assert_array_equal(readout.predict(source), np.full(40, y.mean() * share))
        np.testing.assert_array_equal(readout.leverage(source), np.full(40, share / 40))
        assert readout.d_eff == share
        assert readout.fit_scale == pytest.approx(np.sqrt(np.mean((y - share * y.mean()) ** 2)))
    naive = fit_dual(source, y, np.inf, Convention("free", columns, difference=True))
    assert not naive.predict(source).any()


@pytest.mark.parametrize("columns", KINDS)
@pytest.mark.parametrize("lags", [3, 6])
def test_no_penalty_is_the_solution_of_least_norm(columns: Columns, lags: int) -> None:
    z, y = delays_of("noise", 60, lags)
    source, design = monomial_columns(z, 3), monomials(z, 3)
    readout = fit_dual(source.part(0, 50), y[:50], 0.0, Convention("none", columns))
    scales = np.sqrt(np.mean(design[:50] ** 2, axis=0)) if columns == "standardised" else 1.0
    inverse = np.linalg.pinv(design[:50] / scales)
    np.testing.assert_allclose(readout.predict(source), design / scales @ inverse @ y[:50], atol=1e-8)
    # As in the primal, directions without data count nothing where no penalty holds them.
    np.testing.assert_allclose(
        readout.leverage(source), np.sum((design / scales @ inverse) ** 2, axis=1), rtol=1e-7
    )
    assert readout.d_eff == pytest.approx(min(50, design.shape[1]), rel=1e-9)


def test_directions_without_data_carry_the_prior() -> None:
    design = np.zeros((6, 9))
    design[:, :3] = np.random.default_rng(0).standard_normal((6, 3))
    readout = fit_dual(ExplicitColumns(design), np.arange(6.0), 0.25, Convention("none", "raw"))
    new = np.zeros((1, 9))
    new[0, 5] = 2.0
    np.testing.assert_allclose(readout.leverage(ExplicitColumns(new)), [4.0 / (6 * 0.25)])


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 1000),
    lags=st.integers(1, 5),
    degree=st.integers(1, 4),
    penalty=st.sampled_from([10.0, 0.1, 1e-3, 1e-6, 1e-9]),
    intercept=st.sampled_from(INTERCEPTS),
    columns=st.sampled_from(KINDS),
)
def test_leverages_of_the_fit_rows_sum_to_the_effective_dimension(
    seed: int, lags: int, degree: int, penalty: float, intercept: Intercept, columns: Columns
) -> None:
    rng = np.random.default_rng(seed)
    source = monomial_columns(rng.standard_normal((30, lags)), degree)
    readout = fit_dual(source, rng.standard_normal(30), penalty, Convention(intercept, columns))
    assert readout.leverage(source).sum() == pytest.approx(readout.d_eff, rel=1e-7)
    assert 0.0 <= readout.d_eff <= min(30, source.width + 1) * (1.0 + 1e-9)


@pytest.mark.parametrize("columns", KINDS)
@pytest.mark.parametrize("penalty", [0.0, 0.5])
def test_columns_that_say_nothing_leave_the_mean(columns: Columns, penalty: float) -> None:
    y = np.arange(5.0)
    for design in (np.empty((5, 0)), np.ones((5, 2)), np.zeros((5, 9))):
        readout = fit_dual(ExplicitColumns(design), y, penalty, Convention(columns=columns))
        np.testing.assert_allclose(readout.predict(ExplicitColumns(design)), np.full(5, 2.0), atol=1e-12)
        np.testing.assert_allclose(readout.leverage(ExplicitColumns(design)), np.full(5, 0.2), atol=1e-12)
        assert readout.d_eff == pytest.approx(1.0)
        assert readout.fit_scale == pytest.approx(np.sqrt(2.0))


def test_a_dual_readout_is_frozen_and_prints_briefly() -> None:
    z, y = delays_of("walk", 40, 3)
    readout = fit_dual(monomial_columns(z, 2), y, 0.1)
    with pytest.raises(FrozenInstanceError):
        readout.penalty = 2.0  # type: ignore[misc]
    assert "penalty=0.1" in repr(readout)
    assert "array" not in repr(readout)


def test_wrong_parts_are_refused() -> None:
    z, y = delays_of("noise", 20, 3)
    source = monomial_columns(z, 2)
    for penalty in (-1.0, np.nan):
        with pytest.raises(ValueError, match="zero or above"):
            fit_dual(source, y, penalty)
    with pytest.raises(ValueError, match="each of the 20 fit rows"):
        fit_dual(source, y[:-1], 0.1)
    with pytest.raises(ValueError, match="there must be one"):
        fit_dual(source.part(0, 0), y[:0], 0.1)
    with pytest.raises(ValueError, match="same rows"):
        monomial_columns(z, 2, np.ones((19, 1)))
    with pytest.raises(ValueError, match="lowest <= degree"):
        ProductColumns(z, 2, 3)
    with pytest.raises(ValueError, match="overflows; clip or rescale"):
        fit_dual(monomial_columns(z * 1e100, 3), y, 0.1, Convention(columns="raw"))
    with pytest.raises(ValueError, match="give more observations"):
        choose_dual_penalty(source.part(0, 4), y[:4], (0.1,), 3)
