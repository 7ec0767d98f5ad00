from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from ngrc.features import FeatureMap
from ngrc.readout import fit_readout
from ngrc.readout.convention import Convention, Intercept
from tests.readout.twins import example_rows, paper_map, slow_ridge

MAPS = [paper_map(4), paper_map(3, 5, 1), paper_map(3, degree=3), paper_map(3, 2, 2, (24.0,), 1, (7.0,))]


@pytest.mark.parametrize("feature_map", MAPS)
@pytest.mark.parametrize("intercept", ["free", "penalised"])
@pytest.mark.parametrize("penalty", [3.0, 1e-4, 0.0])
def test_readout_equals_the_twin(feature_map: FeatureMap, intercept: Intercept, penalty: float) -> None:
    rows = example_rows(feature_map, "season", 260, horizon=2)
    readout = fit_readout(rows, penalty, Convention(intercept))
    design, target = rows.design, rows.target
    twin = slow_ridge(design, target, penalty, intercept)
    np.testing.assert_allclose(readout.predict(design), twin.predict(design), atol=1e-10)
    np.testing.assert_allclose(readout.leverage(design), twin.leverage(design), rtol=1e-8)
    np.testing.assert_allclose(readout.coefficients * readout.scales, readout.standardised, rtol=1e-12)
    assert readout.d_eff == pytest.approx(twin.d_eff, abs=1e-8)
    assert readout.fit_scale == pytest.approx(
        np.sqrt(np.mean((target - twin.predict(design)) ** 2)), rel=1e-9
    )


@pytest.mark.parametrize("penalty", [0.5, 1e-5])
@pytest.mark.parametrize("intercept", ["free", "penalised"])
def test_mean_leverage_is_the_effective_dimension(penalty: float, intercept: Intercept) -> None:
    rows = example_rows(paper_map(5), "walk", 300)
    readout = fit_readout(rows, penalty, Convention(intercept))
    assert readout.leverage(rows.design).sum() == pytest.approx(readout.d_eff, rel=1e-9)


def test_penalised_intercept_is_shrunk_and_counts_for_less() -> None:
    rows = example_rows(paper_map(2), "walk", 100)
    free, penalised = fit_readout(rows, 1.0), fit_readout(rows, 1.0, Convention("penalised"))
    np.testing.assert_allclose(free.standardised, penalised.standardised)
    difference = free.predict(rows.design) - penalised.predict(rows.design)
    np.testing.assert_allclose(difference, rows.target.mean() / 2.0, atol=1e-12)
    assert free.d_eff - penalised.d_eff == pytest.approx(0.5)


def test_a_long_series_is_exact_too() -> None:
    rows = example_rows(paper_map(6), "season", 6000)
    readout, twin = fit_readout(rows, 1e-5), slow_ridge(rows.design, rows.target, 1e-5)
    np.testing.assert_allclose(readout.predict(rows.design), twin.predict(rows.design), atol=1e-10)


def test_the_limit_of_no_penalty_is_reached_smoothly() -> None:
    rows = example_rows(paper_map(4), "walk", 300)
    limit = fit_readout(rows, 0.0).predict(rows.design)
    gaps = [
        np.abs(fit_readout(rows, ridge).predict(rows.design) - limit).max() for ridge in (1e-6, 1e-9, 1e-12)
    ]
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 1e-7


def test_a_readout_is_frozen_and_prints_briefly() -> None:
    readout = fit_readout(example_rows(paper_map(4), "walk", 300), 0.1)
    with pytest.raises(FrozenInstanceError):
        readout.penalty = 2.0  # type: ignore[misc]
    assert "penalty=0.1" in repr(readout)
    assert "array" not in repr(readout)


@pytest.mark.parametrize("penalty", [0.0, 1e-6, 0.3, 30.0])
@pytest.mark.parametrize("intercept", ["free", "penalised"])
def test_the_spectrum_comes_back_from_the_root(penalty: float, intercept: Intercept) -> None:
    rows = example_rows(paper_map(lags=3), "season", 200)
    readout = fit_readout(rows, penalty, Convention(intercept))
    fit = readout.regression()
    Z = (rows.design - readout.means) / readout.scales
    free = intercept == "free" or penalty == 0
    columns = Z if free else np.column_stack([Z, np.ones(len(Z))])
    S, c = columns.T @ columns / len(Z), columns.T @ (rows.target - rows.target.mean() * free) / len(Z)
    np.testing.assert_allclose((fit.vectors * fit.values) @ fit.vectors.T, S, atol=1e-9)
    np.testing.assert_allclose(fit.vectors @ fit.projection, c, atol=1e-9)
    np.testing.assert_allclose(
        fit.path(np.array([penalty]))[: Z.shape[1], 0], readout.standardised, atol=1e-8
    )
