"""The dual readout of a map's rows says what the primal says: penalties, horizons, channels, noise, the model."""

from typing import Any

import numpy as np
import pytest

from ngrc import NGRC
from ngrc.features import Clock, Delays, FeatureMap, Inputs, Products, Rows
from ngrc.readout import DEFAULT_RIDGES, fit_readout, select_readout
from ngrc.readout.convention import Columns, Convention, Intercept
from ngrc.readout.dual import Decomposition, fit_dual
from ngrc.readout.dual_columns import JoinedColumns, monomial_columns
from ngrc.readout.dual_penalty import choose_dual_penalty, select_dual
from ngrc.readout.dual_rows import fit_dual_rows, row_columns
from ngrc.theory.residuals import RidgeResiduals
from tests.readout.dual_twin import INTERCEPTS, KINDS, MAPS, Twin, delays_of, rows_of, slow_products
from tests.readout.twins import example_series


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
