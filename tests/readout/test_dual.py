from dataclasses import FrozenInstanceError, dataclass
from itertools import combinations_with_replacement
from math import prod
from time import process_time
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import solve_triangular

from ngrc import NGRC
from ngrc._threads import one_thread
from ngrc._types import FloatArray
from ngrc.features import Clock, Delays, FeatureMap, Inputs, Memory, Products, Rows
from ngrc.features.monomials import monomials
from ngrc.readout import DEFAULT_RIDGES, fit_readout, select_readout
from ngrc.readout.convention import Columns, Convention, Intercept
from ngrc.readout.dual import Decomposition, fit_dual
from ngrc.readout.dual_columns import ExplicitColumns, JoinedColumns, ProductColumns, monomial_columns
from ngrc.readout.dual_cost import check_columns, check_design, check_rows, choose_solver
from ngrc.readout.dual_penalty import choose_dual_penalty, select_dual
from ngrc.readout.dual_readout import raw_products
from ngrc.readout.dual_rows import fit_dual_rows, row_columns
from ngrc.theory.residuals import RidgeResiduals
from tests.readout.twins import example_series

INTERCEPTS: tuple[Intercept, ...] = ("free", "penalised", "none")
KINDS: tuple[Columns, ...] = ("standardised", "raw")


def delays_of(kind: str, count: int, lags: int) -> tuple[FloatArray, FloatArray]:
    """Delay rows of an example series and the values that follow them."""
    x = example_series(kind, count + lags)
    return np.column_stack([x[lags - 1 - lag : count + lags - 1 - lag] for lag in range(lags)]), x[lags:]


def slow_products(rows: FloatArray, low: int, high: int) -> FloatArray:
    degrees = range(low, high + 1)
    lines = [
        [prod(f) for power in degrees for f in combinations_with_replacement(r, power)] for r in rows.tolist()
    ]
    return np.array(lines)


@dataclass(frozen=True)
class Twin:
    """Ridge on explicit columns by a QR decomposition of rows extended by sqrt(n lambda) times the identity."""

    Z: FloatArray
    weights: FloatArray
    constant: float
    triangle: FloatArray
    share: float
    means: FloatArray
    scales: FloatArray
    target: FloatArray

    @classmethod
    def of(cls, design: FloatArray, target: FloatArray, penalty: float, convention: Convention) -> "Twin":
        count, width = design.shape
        centred = convention.intercept != "none"
        means = design.mean(axis=0) if centred else np.zeros(width)
        scales = np.sqrt(np.mean((design - means) ** 2, axis=0))
        scales = np.ones(width) if convention.columns == "raw" else scales
        Z = (design - means) / scales
        share = {"free": 1.0, "penalised": 1.0 / (1.0 + penalty), "none": 0.0}[convention.intercept]
        mean = target.mean() if centred else 0.0
        extended = np.vstack((Z, np.sqrt(count * penalty) * np.eye(width)))
        basis, triangle = np.linalg.qr(extended)
        weights = solve_triangular(triangle, basis[:count].T @ (target - mean))
        return cls(Z, weights, mean * share, triangle, share, means, scales, target)

    def predict(self, design: FloatArray) -> FloatArray:
        return np.asarray(self.constant + (design - self.means) / self.scales @ self.weights)

    def leverage(self, design: FloatArray) -> FloatArray:
        whitened = solve_triangular(self.triangle.T, ((design - self.means) / self.scales).T, lower=True)
        return np.asarray(np.sum(whitened**2, axis=0) + self.share / self.target.size)


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


def test_products_come_in_blocks_as_they_come_at_once() -> None:
    z, _ = delays_of("noise", 30, 5)
    extras = np.ones((30, 3))
    whole = monomials(z, 4, extras)
    for size in (1, 7, 1000):
        blocks = list(monomial_columns(z, 4, extras).blocks(size))
        np.testing.assert_array_equal(np.hstack(blocks), whole)
        assert max(block.shape[1] for block in blocks) <= size
    assert monomial_columns(z, 4, extras).width == whole.shape[1]


@pytest.mark.parametrize("columns", KINDS)
def test_small_blocks_make_no_difference(monkeypatch: pytest.MonkeyPatch, columns: Columns) -> None:
    z, y = delays_of("season", 90, 5)
    source, convention = monomial_columns(z, 3), Convention("free", columns)
    for penalty in (1e-2, 1e-8):
        whole = fit_dual(source, y, penalty, convention)
        predicted, leverages = whole.predict(source), whole.leverage(source)
        with monkeypatch.context() as patch:
            patch.setattr("ngrc.readout.dual_frame.BLOCK", 1)
            patch.setattr("ngrc.readout.dual_frame.block_width", lambda rows: 7)
            patch.setattr("ngrc.readout.dual_readout.block_width", lambda rows: 7)
            patch.setattr("ngrc.readout.dual_readout.BLOCK", 500)
            parts = fit_dual(source, y, penalty, convention)
            np.testing.assert_allclose(parts.predict(source), predicted, atol=1e-9)
            np.testing.assert_allclose(parts.leverage(source), leverages, rtol=1e-8)


def test_cubes_beside_linear_columns_and_products_of_the_first_delays() -> None:
    z, y = delays_of("noise", 60, 6)
    source = JoinedColumns((ExplicitColumns(z), ProductColumns(z[:, :3], 3, 3)))
    design = np.column_stack((z, slow_products(z[:, :3], 3, 3)))
    twin = Twin.of(design[:50], y[:50], 1e-3, Convention(columns="raw"))
    readout = fit_dual(source.part(0, 50), y[:50], 1e-3, Convention(columns="raw"))
    np.testing.assert_allclose(readout.predict(source), twin.predict(design), atol=1e-10)
    np.testing.assert_allclose(readout.leverage(source), twin.leverage(design), rtol=1e-10)
    short = monomial_columns(z, 2, product_lags=2)
    np.testing.assert_allclose(np.hstack(list(short.blocks(9)))[:, 6:], slow_products(z[:, :2], 2, 2))


def rows_of(feature_map: FeatureMap, kind: str, count: int, horizon: int = 1) -> Rows:
    x = example_series(kind, count)
    return Rows.of(feature_map, Inputs({"x": x}), x, horizon)


MAPS = [
    FeatureMap((Delays(5), Products((Delays(5),)))),
    FeatureMap((Delays((1, 2, 5)), Products((Delays(3),), 3), Clock((24.0,), 1), Memory((7.0,)))),
    FeatureMap((Clock((12.0,), 2), Products((Delays(4),), 4, 3), Delays(4))),
]


@pytest.mark.parametrize("feature_map", MAPS)
@pytest.mark.parametrize("intercept", INTERCEPTS)
@pytest.mark.parametrize("columns", KINDS)
def test_the_dual_equals_the_primal(feature_map: FeatureMap, intercept: Intercept, columns: Columns) -> None:
    rows, convention = rows_of(feature_map, "season", 130, 2), Convention(intercept, columns)
    source, design = row_columns(rows), rows.design
    np.testing.assert_array_equal(np.hstack(list(source.blocks(11))), design)
    for penalty in (1.0, 1e-3):
        primal = fit_readout(rows, penalty, convention)
        dual = fit_dual(source, rows.target, penalty, convention)
        np.testing.assert_allclose(dual.predict(source), primal.predict(design), atol=1e-9)
        np.testing.assert_allclose(dual.leverage(source), primal.leverage(design), rtol=1e-8)
        np.testing.assert_allclose(dual.coefficients, primal.coefficients, atol=1e-8)
        assert dual.intercept == pytest.approx(primal.intercept, abs=1e-8)
        assert dual.d_eff == pytest.approx(primal.d_eff, rel=1e-9)
        assert dual.fit_scale == pytest.approx(primal.fit_scale, rel=1e-9)
        assert dual.intercept_penalty == primal.intercept_penalty


@pytest.mark.parametrize("horizon", [1, 4])
@pytest.mark.parametrize("columns", KINDS)
@pytest.mark.parametrize("kind", ["noise", "walk", "season", "zeros"])
def test_the_same_penalty_is_chosen_as_in_the_primal(kind: str, columns: Columns, horizon: int) -> None:
    rows, convention = rows_of(MAPS[1], kind, 200, horizon), Convention("free", columns)
    primal, primal_scores = select_readout(rows, DEFAULT_RIDGES, convention)
    dual, scores = select_dual(row_columns(rows), rows.target, DEFAULT_RIDGES, horizon, convention)
    assert dual.penalty == primal.penalty == scores.best
    assert scores.rows == primal_scores.rows
    # Scores that cannot win are not refined in either.
    large = np.array(DEFAULT_RIDGES) >= 1e-5
    np.testing.assert_allclose(scores.scores[large], primal_scores.scores[large], rtol=1e-6)


@pytest.mark.parametrize("columns", KINDS)
@pytest.mark.parametrize("intercept", INTERCEPTS)
def test_scores_are_those_of_inner_fits(intercept: Intercept, columns: Columns) -> None:
    """More columns than rows, guards left out, columns standardised on the inner rows alone."""
    z, y = delays_of("season", 50, 6)
    ridges, convention = (np.inf, 10.0, 0.1, 1e-3), Convention(intercept, columns)
    found = choose_dual_penalty(monomial_columns(z, 3), y, ridges, 3, convention)
    design = slow_products(z, 1, 3)
    for ridge, score in zip(ridges[1:], found.scores[1:], strict=True):
        errors = y[42:] - Twin.of(design[:40], y[:40], ridge, convention).predict(design[42:])
        assert score == pytest.approx(np.sqrt(np.mean(errors**2)), rel=1e-9)
    mean = y[:40].mean() if intercept == "free" else 0.0
    assert found.scores[0] == pytest.approx(np.sqrt(np.mean((y[42:] - mean) ** 2)))
    assert found.rows == 8


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


@pytest.mark.parametrize(("lags", "degree", "width"), [(80, 3, 91_880), (40, 4, 135_750)])
def test_a_hundred_thousand_products_are_never_made(
    lags: int, degree: int, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    z, y = delays_of("season", 340, lags)
    source = monomial_columns(z, degree)
    assert source.width == width
    with monkeypatch.context() as patch:

        def made(self: ProductColumns, size: int) -> None:
            raise AssertionError("a product was made")

        patch.setattr(ProductColumns, "blocks", made)
        # Threads that wait for each other on a busy machine count as work.
        with one_thread():
            begin = process_time()
            readout, _ = select_dual(
                source.part(0, 300), y[:300], DEFAULT_RIDGES, 1, Convention(columns="raw")
            )
            predicted, leverages = readout.predict(source), readout.leverage(source)
            # 0.06 s were measured.
            assert process_time() - begin < 3.0
    assert readout.solver == "kernel"
    # The same forecasts from explicit weights of explicit columns, made block by block after all.
    slow = readout.intercept + raw_products(source, readout.coefficients)
    np.testing.assert_allclose(predicted, slow, atol=1e-8)
    assert leverages[:300].sum() == pytest.approx(readout.d_eff, rel=1e-8)


def test_standardised_columns_outnumber_rows_a_hundred_times() -> None:
    z, y = delays_of("season", 130, 40)
    source, design = monomial_columns(z, 3), monomials(z, 3)
    readout = fit_dual(source.part(0, 120), y[:120], 1e-2)
    fit = design[:120]
    Z = (design - fit.mean(axis=0)) / fit.std(axis=0)
    alpha = np.linalg.solve(Z[:120] @ Z[:120].T + 1.2 * np.eye(120), y[:120] - y[:120].mean())
    np.testing.assert_allclose(readout.predict(source), y[:120].mean() + Z @ Z[:120].T @ alpha, atol=1e-8)
    np.testing.assert_allclose(readout.coefficients * fit.std(axis=0), Z[:120].T @ alpha, atol=1e-8)


def test_horizons_and_channels_share_a_decomposition(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.column_stack((example_series("season", 90), example_series("walk", 90)))
    inputs = Inputs({"a": x[:, 0], "b": x[:, 1]})
    delays = (Delays(3, channel="a"), Delays(3, channel="b"))
    fixed = FeatureMap((*delays, Products(delays, 3)))
    made: list[int] = []
    original = Decomposition.of

    def counted(columns: JoinedColumns, convention: Convention) -> Decomposition:
        made.append(columns.count)
        return original(columns, convention)

    monkeypatch.setattr(Decomposition, "of", counted)
    for feature_map, decompositions in ((fixed, 2), (FeatureMap((*fixed.groups, Clock((12.0,)))), 4)):
        made.clear()
        tasks = [
            Rows(feature_map, inputs, x[:, channel], horizon, 5 + horizon, 80 + horizon)
            for horizon in (1, 3)
            for channel in (0, 1)
        ]
        readouts, validations = fit_dual_rows(tasks, (1.0, 1e-3))
        assert len(made) == decompositions
        assert validations is not None
        for task, readout, validation in zip(tasks, readouts, validations, strict=True):
            alone, scores = select_dual(row_columns(task), task.target, (1.0, 1e-3), task.horizon)
            np.testing.assert_array_equal(
                readout.predict(row_columns(task)), alone.predict(row_columns(task))
            )
            np.testing.assert_array_equal(validation.scores, scores.scores)
    given, none = fit_dual_rows(tasks, (), fixed=0.5)
    assert none is None
    assert [readout.penalty for readout in given] == [0.5] * 4


@pytest.mark.parametrize("intercept", INTERCEPTS)
@pytest.mark.parametrize("columns", KINDS)
def test_the_noise_is_read_from_the_same_residuals(intercept: Intercept, columns: Columns) -> None:
    rows, convention = rows_of(MAPS[0], "season", 120), Convention(intercept, columns)
    found = []
    for readout in (
        fit_readout(rows, 0.01, convention),
        fit_dual(row_columns(rows), rows.target, 0.01, convention),
    ):
        residuals = RidgeResiduals.of_fit(
            readout.regression(), 0.01, readout.fit_scale**2, intercept=readout.intercept_penalty == 0
        )
        found.append([residuals.squares(ridge) for ridge in (1e-3, 0.01, 1.0)])
    np.testing.assert_allclose(found[1], found[0], rtol=1e-7)


@pytest.mark.parametrize("columns", KINDS)
@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize(
    "shape", [{"degree": 3}, {"degree": 2, "horizon": 2, "path": True, "periods": (24,)}]
)
def test_the_model_says_the_same_by_either_solver(
    shape: dict[str, Any], channels: int, columns: Columns
) -> None:
    y = np.column_stack((example_series("season", 150), example_series("walk", 150)))[:, :channels]
    y = y[:, 0] if channels == 1 else y
    primal = NGRC(3, **shape, columns=columns, solver="primal").fit(y)
    dual = NGRC(3, **shape, columns=columns, solver="dual").fit(y)
    assert {type(readout).__name__ for readout in dual.fitted_.readouts} == {"DualReadout"}
    np.testing.assert_array_equal(dual.ridge_, primal.ridge_)
    np.testing.assert_allclose(dual.d_eff_, primal.d_eff_, rtol=1e-8)
    np.testing.assert_allclose(dual.predict(y), primal.predict(y), atol=1e-8)
    np.testing.assert_allclose(dual.leverage(y), primal.leverage(y), rtol=1e-7)
    np.testing.assert_allclose(dual.forecast(y), primal.forecast(y), atol=1e-8)
    np.testing.assert_allclose(dual.coefficients().values, primal.coefficients().values, atol=1e-8)
    if dual.path:
        np.testing.assert_allclose(dual.predict_path(y), primal.predict_path(y), atol=1e-8)
    else:
        np.testing.assert_allclose(dual.free_run(y, 3), primal.free_run(y, 3), atol=1e-8)


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


@pytest.mark.parametrize(
    ("count", "columns", "degree", "solver"),
    [(5_000, 300, 2, "primal"), (600, 285, 3, "primal"), (600, 1_329, 3, "dual"), (600, 1_325, 2, "dual"),
     (300, 91_880, 3, "dual"), (50_000, 5_000, 2, "primal"), (12_000, 19_000, 2, "primal")],
)  # fmt: skip
def test_the_cheaper_form_is_chosen(count: int, columns: int, degree: int, solver: str) -> None:
    assert choose_solver(count, columns, degree) == solver


def test_what_does_not_fit_into_memory_is_refused_in_one_line() -> None:
    with pytest.raises(
        ValueError, match=r"91,880 columns over 50,000 fit rows .* product_lags or a lower degree"
    ):
        choose_solver(50_000, 91_880, 3)
    with pytest.raises(ValueError, match=r"11,000 fit rows; at most 10,000 .* fit fewer rows"):
        check_rows(11_000)
    with pytest.raises(ValueError, match=r"5,000 fit rows; at most 2,800"):
        check_rows(5_000, kept=48)
    check_rows(2_800, kept=48)
    with pytest.raises(ValueError, match=r"30,000 columns; at most 20,000 .* solver='dual'"):
        check_columns(30_000)
    check_columns(20_000)
    with pytest.raises(ValueError, match=r"10,000 rows of 50,000 explicit columns .* fewer lags"):
        check_design(10_000, 50_000)
    many = ExplicitColumns(np.broadcast_to(0.0, (11_000, 1)))
    with pytest.raises(ValueError, match=r"11,000 fit rows"):
        fit_dual(many, np.zeros(11_000), 0.1)


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
