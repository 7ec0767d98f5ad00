"""Columns of the dual readout: products in blocks, or never made."""

import numpy as np
import pytest

from ngrc.features.monomials import monomials
from ngrc.readout import DEFAULT_RIDGES
from ngrc.readout.convention import Columns, Convention
from ngrc.readout.dual import fit_dual
from ngrc.readout.dual_columns import ExplicitColumns, JoinedColumns, ProductColumns, monomial_columns
from ngrc.readout.dual_penalty import select_dual
from ngrc.readout.dual_readout import raw_products
from tests.readout.dual_twin import KINDS, Twin, delays_of, slow_products


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
        readout, _ = select_dual(source.part(0, 300), y[:300], DEFAULT_RIDGES, 1, Convention(columns="raw"))
        predicted, leverages = readout.predict(source), readout.leverage(source)
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
