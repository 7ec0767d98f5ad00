"""The quadratic fit and the Bayesian interval against scikit-learn and reservoirpy."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.harness import Comparison
from benchmarks.scene import Scene
from ngrc import NGRC
from ngrc._types import FloatArray
from ngrc.features import Inputs, Rows
from ngrc.features.delays import delay_columns
from ngrc.features.fourier import fourier_columns
from ngrc.readout import PAPER_RIDGES
from ngrc.readout.spectrum import Spectrum

PENALTY = 0.001  # what the paper selects on Solar


def comparisons(scene: Scene) -> Iterator[Comparison]:
    """Rows of one penalty, of the grid, of reservoirpy and of the Bayesian interval."""
    yield from one_penalty(scene)
    yield from grid(scene)
    yield bayesian(scene)


def one_penalty(scene: Scene) -> Iterator[Comparison]:
    """Fits at a given penalty, without Fourier columns on either side."""
    x, lags = scene.fit_values, scene.lags

    def ours() -> NGRC:
        return NGRC(lags, ridge=PENALTY).fit(x, scale=(0.0, 1.0))

    yield Comparison(
        name="quadratic NGRC fit, one penalty",
        against="scikit-learn PolynomialFeatures + Ridge on the lag matrix",
        goal=3,
        ours=ours,
        reference=lambda: sklearn_ridge(x, lags),
        agree=lambda model, peer: agree_sklearn(model, peer, scene),
    )
    yield Comparison(
        name="quadratic NGRC fit with Fourier columns, one penalty",
        against="scikit-learn PolynomialFeatures + Ridge, Fourier columns beside",
        goal=3,
        ours=lambda: NGRC(lags, periods=scene.periods, ridge=PENALTY).fit(x, scale=(0.0, 1.0)),
        reference=lambda: seasonal_ridge(x, scene),
        agree=lambda model, peer: agree_seasonal(model, peer, scene),
    )
    yield Comparison(
        name="quadratic NGRC fit, one penalty",
        against="reservoirpy NVAR + Ridge",
        goal=8,
        ours=ours,
        reference=lambda: reservoirpy_ridge(x, lags),
        agree=lambda model, peer: agree_reservoirpy(model, peer, scene),
    )


def grid(scene: Scene) -> Iterator[Comparison]:
    """Fits with the penalty chosen on the last fifth of the fit rows."""
    x, lags = scene.fit_values, scene.lags

    def ours() -> NGRC:
        return NGRC(lags, ridges=PAPER_RIDGES).fit(x, scale=(0.0, 1.0))

    yield Comparison(
        name="quadratic NGRC fit, 9-penalty chronological validation",
        against="scikit-learn GridSearchCV of PolynomialFeatures + StandardScaler + Ridge",
        goal=10,
        ours=ours,
        reference=lambda: sklearn_search(x, lags),
        agree=lambda model, peer: agree_grid(model, peer.best_params_["ridge__alpha"], peer, scene),
    )
    yield Comparison(
        name="quadratic NGRC fit, 9-penalty chronological validation",
        against="scikit-learn Ridge in a loop on features made once",
        goal=10,
        ours=ours,
        reference=lambda: sklearn_loop(x, lags),
        agree=lambda model, peer: agree_grid(model, peer[0], peer[1], scene),
    )


def bayesian(scene: Scene) -> Comparison:
    """Fit with the penalty chosen, then forecasts and their standard deviations over the test block."""
    x, lags = scene.fit_values, scene.lags
    test = scene.scaled[scene.blocks.test.start - lags : scene.blocks.test.stop]

    def ours() -> tuple[FloatArray, FloatArray]:
        model = NGRC(lags, ridges=PAPER_RIDGES).fit(x, scale=(0.0, 1.0))
        deviation = model.fit_scale_ * np.sqrt(1.0 + model.leverage(test))
        return model.predict(test)[lags:], deviation[lags:]

    return Comparison(
        name="Bayesian predictive intervals, fit and predict",
        against="scikit-learn PolynomialFeatures + BayesianRidge with std",
        goal=5,
        ours=ours,
        reference=lambda: sklearn_bayes(x, test, lags),
        agree=lambda _, peer: agree_bayes(peer, scene, test),
    )


def lag_matrix(x: FloatArray, lags: int) -> tuple[FloatArray, FloatArray]:
    """Delay vectors and their targets, one step ahead."""
    return delay_columns(x, lags - 1, x.size - 1, lags), x[lags:]


def sklearn_ridge(x: FloatArray, lags: int) -> Any:
    """No column scaling: what the row names, and quicker than with it."""
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures

    rows, target = lag_matrix(x, lags)
    model = make_pipeline(PolynomialFeatures(include_bias=False), Ridge(target.size * PENALTY))
    return model.fit(rows, target)


def seasonal_design(x: FloatArray, scene: Scene) -> tuple[FloatArray, FloatArray]:
    """scikit-learn's products with the Fourier columns of the targets beside them: 711 features with Solar's."""
    from sklearn.preprocessing import PolynomialFeatures

    rows, target = lag_matrix(x, scene.lags)
    products = PolynomialFeatures(include_bias=False).fit_transform(rows)
    return np.hstack((products, fourier_columns(scene.lags, x.size, scene.periods))), target


def seasonal_ridge(x: FloatArray, scene: Scene) -> Any:
    """No column scaling here either."""
    from sklearn.linear_model import Ridge

    design, target = seasonal_design(x, scene)
    return Ridge(target.size * PENALTY).fit(design, target)


def sklearn_scaled(penalty: float) -> Any:
    """Pipeline whose ridge penalises standardised columns, as ours does; alpha is n lambda."""
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures, StandardScaler

    return make_pipeline(PolynomialFeatures(include_bias=False), StandardScaler(), Ridge(penalty))


def sklearn_search(x: FloatArray, lags: int) -> Any:
    """The way scikit-learn's guide writes it; alpha is n lambda of the inner rows, and of all for the refit."""
    from sklearn.model_selection import GridSearchCV, PredefinedSplit

    rows, target = lag_matrix(x, lags)
    inner = target.size * 4 // 5
    fold = np.where(np.arange(target.size) < inner, -1, 0)
    # scikit-learn does not divide by n: its alpha is n lambda.
    alphas = [inner * penalty for penalty in PAPER_RIDGES]
    search = GridSearchCV(
        sklearn_scaled(1.0),
        {"ridge__alpha": alphas},
        scoring="neg_root_mean_squared_error",
        cv=PredefinedSplit(fold),
    )
    return search.fit(rows, target)


def sklearn_loop(x: FloatArray, lags: int) -> tuple[float, Any]:
    """By hand, so that features are made once for the inner rows and once for all."""
    from sklearn.linear_model import Ridge
    from sklearn.preprocessing import PolynomialFeatures, StandardScaler

    rows, target = lag_matrix(x, lags)
    inner = target.size * 4 // 5
    features = PolynomialFeatures(include_bias=False).fit_transform(rows)
    scaler = StandardScaler().fit(features[:inner])
    head, tail = scaler.transform(features[:inner]), scaler.transform(features[inner:])
    errors = []
    for penalty in PAPER_RIDGES:
        forecasts = Ridge(inner * penalty).fit(head, target[:inner]).predict(tail)
        errors.append(np.mean((target[inner:] - forecasts) ** 2))
    best = PAPER_RIDGES[int(np.argmin(errors))]
    scaler = StandardScaler().fit(features)
    return inner * best, Ridge(target.size * best).fit(scaler.transform(features), target)


def reservoirpy_ridge(x: FloatArray, lags: int) -> Any:
    """NVAR fills its delay line while it warms up, so its rows are ours."""
    from reservoirpy.nodes import NVAR, Ridge

    model = NVAR(delay=lags, order=2) >> Ridge(ridge=(x.size - lags) * PENALTY)
    return model.fit(x[:-1, None], x[1:, None], warmup=lags - 1)


def sklearn_bayes(x: FloatArray, test: FloatArray, lags: int) -> Any:
    """Forecasts, deviations and the fitted pipeline."""
    from sklearn.linear_model import BayesianRidge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures, StandardScaler

    rows, target = lag_matrix(x, lags)
    model = make_pipeline(PolynomialFeatures(include_bias=False), StandardScaler(), BayesianRidge())
    model.fit(rows, target)
    return *model.predict(lag_matrix(test, lags)[0], return_std=True), model[-1]


def agree_sklearn(model: NGRC, peer: Any, scene: Scene) -> str:
    """The timed pipeline penalises raw columns; the same with a StandardScaler must forecast as ours does."""
    rows, target = lag_matrix(scene.fit_values, scene.lags)
    scaled = sklearn_scaled(target.size * PENALTY).fit(rows, target)
    return (
        f"{forecasts_apart(model, scaled, scene)} to scikit-learn's with a StandardScaler, which is not timed"
    )


def agree_seasonal(model: NGRC, peer: Any, scene: Scene) -> str:
    """As without Fourier columns."""
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    design, target = seasonal_design(scene.scaled, scene)
    fit = scene.blocks.fit_rows
    scaled = make_pipeline(StandardScaler(), Ridge(fit * PENALTY)).fit(design[:fit], target[:fit])
    apart = np.abs(model.predict(scene.scaled)[scene.lags + fit :] - scaled.predict(design[fit:])).max()
    assert apart < 1e-6, apart
    return (
        f"{model.n_features_} features; out-of-sample forecasts equal to {apart:.0e} of the series' deviation to "
        "scikit-learn's with a StandardScaler, which is not timed"
    )


def agree_reservoirpy(model: NGRC, peer: Any, scene: Scene) -> str:
    """Its ridge penalises raw columns: our explicit ridge on those must give its readout."""
    readout = peer.nodes[-1]
    target = scene.fit_values[scene.lags :]
    values = scene.fit_values
    design = Rows.of(model.feature_map, Inputs({"x": values}), values, 1).design
    theirs = readout.bias.ravel() + design @ readout.Wout.ravel()
    apart = np.abs(free_intercept_ridge(design, target, PENALTY) - theirs).max()
    assert apart < 1e-6, apart
    ours = np.sqrt(np.mean((model.predict(scene.fit_values)[scene.lags :] - target) ** 2))
    peers = np.sqrt(np.mean((theirs - target) ** 2))
    return (
        f"conventions differ (it penalises raw columns): our explicit ridge on raw columns forecasts as it does "
        f"to {apart:.0e} of the series' deviation; fit RMSE {ours:.4f} ours, {peers:.4f} its"
    )


def free_intercept_ridge(design: FloatArray, target: FloatArray, penalty: float) -> FloatArray:
    """Fitted values of ridge on raw columns: a free intercept is the same as centring both sides."""
    centred, mean = design - design.mean(axis=0), target.mean()
    moments = centred.T @ (target - mean)[:, None] / target.size
    return np.asarray(mean + centred @ Spectrum.of_design(centred).solve(moments, penalty)[:, 0])


def agree_grid(model: NGRC, alpha: float, peer: Any, scene: Scene) -> str:
    """The choice of penalty, and the refitted forecasts at it."""
    inner = (scene.fit_values.size - scene.lags) * 4 // 5
    assert np.isclose(alpha, inner * model.ridge_), (alpha / inner, model.ridge_)
    rows, target = lag_matrix(scene.fit_values, scene.lags)
    scaled = sklearn_scaled(target.size * model.ridge_).fit(rows, target)
    return f"same penalty chosen ({model.ridge_:g}); refitted at it, {forecasts_apart(model, scaled, scene)}"


def forecasts_apart(model: NGRC, peer: Any, scene: Scene) -> str:
    """Largest difference of the forecasts over calibration and test, in the series' deviation."""
    begin = scene.blocks.calibration.start
    rows, _ = lag_matrix(scene.scaled[begin - scene.lags :], scene.lags)
    apart = np.abs(model.predict(scene.scaled)[begin:] - peer.predict(rows)).max()
    assert apart < 1e-6, apart
    return f"out-of-sample forecasts equal to {apart:.0e} of the series' deviation"


def agree_bayes(peer: Any, scene: Scene, test: FloatArray) -> str:
    """At the penalty of its evidence our forecasts and leverages must be its own; the noise scales differ."""
    forecasts, deviations, fitted = peer
    x, lags = scene.fit_values, scene.lags
    count = x.size - lags
    model = NGRC(lags, ridge=fitted.lambda_ / fitted.alpha_ / count).fit(x, scale=(0.0, 1.0))
    apart = np.abs(model.predict(test)[lags:] - forecasts).max()
    # Its variance is (1 + l) / alpha_ without the intercept's share 1 / n.
    theirs = deviations**2 * fitted.alpha_ - 1.0 + 1.0 / count
    leverage_apart = np.abs(model.leverage(test)[lags:] / theirs - 1.0).max()
    assert apart < 1e-5, apart
    assert leverage_apart < 1e-3, leverage_apart
    return (
        f"at its evidence's penalty our forecasts equal its to {apart:.0e} and our leverages to {leverage_apart:.0e}; "
        "timed, ours chooses among 9 penalties by validation and takes the fit's RMS as noise scale"
    )
