"""Delay features and readout of scikit-learn: the mathematics of `NGRC`, and scikit-learn's own machinery."""

import pickle
import sys
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from ngrc import NGRC
from ngrc.features import Inputs, Rows
from ngrc.features.standard import Shape, standard_map

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV, TimeSeriesSplit
from sklearn.pipeline import make_pipeline

from ngrc.adapters.checks import sklearn_count, sklearn_estimators
from ngrc.adapters.sklearn import DelayFeatures, RidgeReadout, delay_rows


def series(size: int = 300, channels: int | None = None) -> Any:
    rng = np.random.default_rng(1)
    shape = size if channels is None else (size, channels)
    return (
        20 + 3 * np.sin(np.arange(size) / 3).reshape(-1, *([1] * (np.ndim(shape)))) + rng.normal(size=shape)
    )


@pytest.mark.parametrize("estimator", sklearn_estimators(), ids=lambda one: " ".join(repr(one).split()))
def test_every_check_of_scikit_learn_passes(estimator: Any) -> None:
    count = sklearn_count(estimator)
    assert count.failures == ()
    # Array namespaces are checked where SCIPY_ARRAY_API was set before SciPy was imported.
    assert count.skipped <= 1
    assert count.ran >= 46


def test_a_check_that_fails_is_counted() -> None:
    class Forgetful(RidgeReadout):
        def predict(self, X: Any) -> Any:
            return np.zeros(len(X) + 1)

    count = sklearn_count(Forgetful())
    assert any("check_" in failure for failure in count.failures)
    assert f"{len(count.failures)} failed" in str(count)


SHAPES: list[dict[str, Any]] = [
    {"lags": 4},
    {"lags": (1, 3, 8), "degree": 3},
    {"lags": 4, "spacing": 3, "product_lags": 2},
    {"lags": 3, "periods": (12,), "seasonal": 2},
    {"lags": 2, "degree": 1},
]


@pytest.mark.parametrize("horizon", [1, 5])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_columns_are_those_of_the_feature_map(shape: dict[str, Any], horizon: int) -> None:
    y, width = series(), 40
    rows = delay_rows(y, width, horizon)
    features = DelayFeatures(**shape, horizon=horizon).fit(rows.X)
    feature_map = standard_map(Shape(**shape, harmonics=0))
    x = features.scales_[0].standardise(y)
    first = width - 1 + horizon
    design = Rows(feature_map, Inputs({"x": x}), x, horizon, first, y.size).design
    np.testing.assert_allclose(features.transform(rows.X), design, rtol=1e-13, atol=1e-13)
    assert features.get_feature_names_out().tolist() == list(feature_map.names(horizon)[1:])


@pytest.mark.parametrize("across", [True, False])
def test_columns_of_several_channels_are_those_of_the_feature_map(across: bool) -> None:
    y, width = series(channels=2), 6
    rows = delay_rows(y, width)
    assert rows.X.shape == (294, 12)
    assert rows.y.shape == (294, 2)
    features = DelayFeatures(3, channels=2, across=across).fit(rows.X)
    feature_map = standard_map(Shape(3, harmonics=0, across=across), ("x0", "x1"))
    x = {f"x{place}": features.scales_[place].standardise(y[:, place]) for place in range(2)}
    design = Rows(feature_map, Inputs(x), x["x0"], 1, width, len(y)).design
    np.testing.assert_allclose(features.transform(rows.X), design, rtol=1e-13, atol=1e-13)
    assert features.get_feature_names_out().tolist() == list(feature_map.names(1)[1:])


@pytest.mark.parametrize("ridge", [None, 0.1])
@pytest.mark.parametrize("horizon", [1, 3])
@pytest.mark.parametrize(
    "shape",
    [{"lags": 5}, {"lags": 3, "periods": (12,), "seasonal": 1}, {"lags": (1, 4), "degree": 3}],
    ids=str,
)
def test_the_pipeline_forecasts_as_ngrc_does(
    shape: dict[str, Any], horizon: int, ridge: float | None
) -> None:
    y = series()
    reach = standard_map(Shape(**shape, harmonics=0)).reach(horizon)
    rows = delay_rows(y, reach + 1, horizon)
    scale = (float(y.mean()), float(y.std()))
    pipeline = make_pipeline(
        DelayFeatures(**shape, horizon=horizon, scale=scale), RidgeReadout(ridge, horizon=horizon)
    ).fit(rows.X, rows.y)
    model = NGRC(**shape, harmonics=0, horizon=horizon, ridge=ridge).fit(y)
    assert pipeline[-1].ridge_ == model.ridge_
    assert pipeline[-1].d_eff_ == pytest.approx(model.d_eff_, rel=1e-7)
    assert pipeline[-1].fit_scale_ == pytest.approx(model.fit_scale_, rel=1e-9)
    np.testing.assert_allclose(pipeline.predict(rows.X), model.predict(y)[-len(rows.X) :], rtol=1e-8)
    np.testing.assert_allclose(pipeline.predict(rows.coming), model.forecast(y), rtol=1e-8)
    design = pipeline[0].transform(rows.coming)
    np.testing.assert_allclose(pipeline[-1].leverage(design), model.forecast_leverage(y), rtol=1e-6)
    assert pipeline[-1].noise_scale().scale == pytest.approx(model.noise_scale().scale, rel=1e-6)


def test_inputs_that_are_known_ahead_pass_beside_the_delays() -> None:
    rng = np.random.default_rng(5)
    heat = rng.normal(size=303)
    y = series(300) + 2 * heat[:300]
    rows = delay_rows(y, 4, 3)
    X = np.column_stack([rows.X, heat[6:300]])
    columns = ColumnTransformer(
        [("delays", DelayFeatures(scale=(y.mean(), y.std())), slice(0, 4)), ("heat", "passthrough", [4])]
    )
    pipeline = make_pipeline(columns, RidgeReadout(0.01, horizon=3)).fit(X, rows.y)
    model = NGRC(lags=4, horizon=3, known=["heat"], ridge=0.01).fit(y, exog={"heat": heat[:300]})
    coming = np.column_stack([rows.coming, heat[300:]])
    np.testing.assert_allclose(pipeline.predict(coming), model.forecast(y, exog={"heat": heat}), rtol=1e-8)


def test_the_raw_readout_with_a_penalised_intercept_is_that_of_ngrc() -> None:
    y = series()
    y = (y - y.mean()) / y.std()
    rows = delay_rows(y, 3)
    arguments: Any = {"ridge": 0.3, "intercept": "penalised", "columns": "raw"}
    features = DelayFeatures(scale=(0.0, 1.0)).fit(rows.X)
    readout = RidgeReadout(**arguments).fit(features.transform(rows.X), rows.y / rows.y.std())
    model = NGRC(lags=3, **arguments).fit(y, scale=(0.0, 1.0))
    said = readout.predict(features.transform(rows.coming)) * rows.y.std()
    np.testing.assert_allclose(said, model.forecast(y), rtol=1e-8)


@pytest.mark.parametrize("intercept", ["free", "penalised", "none"])
@pytest.mark.parametrize("columns", ["standardised", "raw"])
def test_kernel_and_moments_agree_and_coefficients_are_of_the_columns_as_they_came(
    intercept: Any, columns: Any
) -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 9)) * 10.0 ** rng.uniform(-2, 2, 9) + rng.normal(size=9)
    y = 7 + X @ rng.normal(size=9) + rng.normal(size=60)
    fits = [
        RidgeReadout(0.2, intercept=intercept, columns=columns, solver=solver).fit(X, y)
        for solver in ("primal", "dual")
    ]
    for fit in fits:
        np.testing.assert_allclose(fit.predict(X), fit.intercept_ + X @ fit.coef_, rtol=1e-9)
        np.testing.assert_allclose(fit.predict(X), fits[0].predict(X), rtol=1e-8)
        np.testing.assert_allclose(fit.leverage(X), fits[0].leverage(X), rtol=1e-6)
    if (intercept, columns) == ("penalised", "raw"):
        # w = (R'R/n + lambda I)^-1 R'y/n with a column of ones among R's.
        R = np.column_stack([X, np.ones(60)])
        exact = np.linalg.solve(R.T @ R / 60 + 0.2 * np.eye(10), R.T @ y / 60)
        np.testing.assert_allclose([*fits[0].coef_, fits[0].intercept_], exact, rtol=1e-6)


@pytest.mark.parametrize("unit", [1e-30, 1e30])
def test_columns_of_any_unit_are_read(unit: float) -> None:
    """The readout takes a column smaller than 1e-13 for rounding, as those of a standardised series are."""
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(60, 3)), rng.normal(size=60)
    plain = RidgeReadout().fit(X, y).predict(X)
    scaled = RidgeReadout().fit(X * unit, y).predict(X * unit)
    np.testing.assert_allclose(scaled, plain, rtol=1e-9)


def test_intervals_hold_what_they_say() -> None:
    rng = np.random.default_rng(7)
    X = rng.normal(size=(4400, 20))
    y = X @ rng.normal(size=20) + 0.5 * rng.normal(size=4400)
    model = RidgeReadout(1e-3).fit(X[:400], y[:400])
    for level in (0.8, 0.95):
        lower, upper = model.predict_interval(X[400:], level).T
        held = np.mean((lower <= y[400:]) & (y[400:] <= upper))
        # 4,000 rows: a standard error of sqrt(level (1 - level) / 4000), at most 0.0064; the scale, estimated from 400
        # rows, moves all of them together by 2.5 % of the width, up to 0.014 of coverage at 80 %. Three of both.
        error = np.sqrt(level * (1 - level) / 4000)
        assert abs(held - level) < 3 * (error + 0.014)
    narrow = model.predict_interval(X[400:], 0.95, noise="fit")
    assert np.all(np.diff(narrow) < np.diff(model.predict_interval(X[400:], 0.95)))


def test_a_search_over_lags_and_penalty_works_as_do_copies() -> None:
    y = series(200)
    rows = delay_rows(y, 12)
    pipeline = make_pipeline(DelayFeatures(degree=1), RidgeReadout())
    grid = {"delayfeatures__lags": [1, 12], "ridgereadout__ridge": [1e-3, 1e3]}
    search = GridSearchCV(pipeline, grid, cv=TimeSeriesSplit(3), scoring="neg_root_mean_squared_error")
    search.fit(rows.X, rows.y)
    assert search.best_params_ == {"delayfeatures__lags": 12, "ridgereadout__ridge": 1e-3}
    best = search.best_estimator_
    again = pickle.loads(pickle.dumps(best))
    assert again.predict(rows.coming).tolist() == best.predict(rows.coming).tolist()
    assert clone(best).fit(rows.X, rows.y).predict(rows.coming).tolist() == best.predict(rows.coming).tolist()


def test_a_frame_comes_out_where_one_is_asked_for() -> None:
    pytest.importorskip("pandas")
    rows = delay_rows(series(50), 4)
    frame = DelayFeatures(2).set_output(transform="pandas").fit_transform(rows.X)
    assert frame.columns.tolist() == ["x[t]", "x[t-1]", "x[t]^2", "x[t]*x[t-1]", "x[t-1]^2"]
    assert DelayFeatures(2).set_output(transform="polars").fit_transform(rows.X).shape == (46, 5)


def test_rows_hold_nothing_after_their_origin() -> None:
    y = series(80)
    other = y.copy()
    other[60:] += 1.0
    for horizon in (1, 4):
        rows, changed = delay_rows(y, 5, horizon), delay_rows(other, 5, horizon)
        # Row i ends at the origin i + 4, and its outcome lies `horizon` steps after.
        assert np.array_equal(rows.X[:56], changed.X[:56])
        assert not np.array_equal(rows.X[56], changed.X[56])
        assert rows.y.tolist() == y[4 + horizon :].tolist()
        assert len(rows.X) == len(rows.y) == 80 - 4 - horizon
        assert rows.coming[-1].tolist() == y[-5:].tolist()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: delay_rows([1.0, 2.0], 2), "need 3 observations, got 2"),
        (lambda: DelayFeatures(9).fit(np.zeros((5, 4))), "read 9 values back and a row has 4"),
        (lambda: DelayFeatures(channels=3).fit(np.zeros((5, 4))), "3 channels have as many columns of each"),
        (lambda: DelayFeatures(channels=2, scale=((0, 1),) * 3).fit(np.zeros((5, 4))), "or 2, got 3"),
        (lambda: RidgeReadout().set_params(solver="fast").fit(np.eye(3), np.ones(3)), "solver must be"),
        (lambda: RidgeReadout(-1.0).fit(np.eye(3), np.ones(3)), "got -1"),
        (lambda: RidgeReadout(horizon=4).fit(np.eye(9), np.ones(9)), "needs 16 fit rows, got 9"),
        (
            lambda: RidgeReadout(np.inf).fit(np.eye(3), np.arange(3)).predict_interval(np.eye(3)),
            "infinite penalty",
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words) as error:
        call()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("module", ["delay_features", "ridge_readout"])
def test_a_missing_scikit_learn_is_said_in_one_line(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.delitem(sys.modules, f"ngrc.adapters.{module}")
    with pytest.raises(ImportError, match=r'needs sklearn.*pip install "ngrc\[sklearn\]"'):
        import_module(f"ngrc.adapters.{module}")
