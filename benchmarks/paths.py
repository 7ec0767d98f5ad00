"""All horizons from one decomposition against one fit each; seasonal and clock columns against scikit-learn."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.harness import Comparison
from benchmarks.scene import DAY, Scene
from ngrc import NGRC, look_ahead
from ngrc._shares import share
from ngrc._types import FloatArray
from ngrc.ahead import Outlook
from ngrc.intervals import Adaptive, History, Stream
from ngrc.intervals.tuning import HISTORY_SHARE
from ngrc.observed import observe

STEPS, LAGS, FIT = 48, 24, 0.6  # a day of half hours, the default lags, the default share of `look_ahead`
QUICK_STEPS = 6
PENALTY = 1e-5  # what validation selects for the seasonal map on Solar


def comparisons(scene: Scene) -> Iterator[Comparison]:
    """Rows of the path and of the seasonal map."""
    steps = QUICK_STEPS if scene.quick else STEPS
    yield Comparison(
        name=f"forecast of {steps} steps with intervals",
        against=f"{steps} single fits, each with its interval",
        # On one thread, where single fits waste nothing by waiting for each other; `children.single_fits` has the rest.
        goal=3,
        ours=lambda: look_ahead(scene.scaled, NGRC(LAGS), steps=steps, fit=FIT, method="adaptive"),
        reference=lambda: one_by_one(scene.scaled, steps),
        agree=agree_steps,
    )
    yield Comparison(
        name="map with seasonal and clock columns, one penalty",
        against="scikit-learn Ridge on the same columns, made by PolynomialFeatures and numpy",
        goal=4,
        ours=lambda: seasonal_model(scene).fit(scene.fit_values, scale=(0.0, 1.0)),
        reference=lambda: sklearn_columns(scene),
        agree=lambda model, peer: agree_columns(model, scene),
    )


def one_by_one(values: FloatArray, steps: int) -> FloatArray:
    """Forecast and ends of every step, shape (steps, 3), as one would write them with a model per horizon."""
    first = LAGS - 1 + steps
    end = first + share(FIT, values.size - first)
    scale = (float(values[:end].mean()), float(values[:end].std()))
    rows = []
    for step in range(1, steps + 1):
        # The same origins for every step, so that the outputs can be compared.
        model = NGRC(LAGS, horizon=step).fit(values[: end - (steps - step)], scale=scale)
        residuals = (values - model.predict(values))[end + step - 1 :]
        history = History(residuals, step)
        method = Adaptive().tuned(history, 0.95)
        known = max(share(HISTORY_SHARE, residuals.size), step)
        stream = Stream(np.concatenate([residuals, np.zeros(step)]), known, step)
        offsets = method.run(stream, 0.95)
        middle = float(model.forecast(values)[-1])
        rows.append((middle, middle + offsets.lower[-1], middle + offsets.upper[-1]))
    return np.array(rows)


def agree_steps(outlook: Outlook, peer: FloatArray) -> str:
    """Forecasts and ends of every step."""
    ours = np.column_stack((outlook.forecast, outlook.lower, outlook.upper))
    apart = np.abs(ours - peer).max()
    assert apart < 1e-7, apart
    return f"forecasts and ends of all steps equal to {apart:.0e} of the series' deviation"


def seasonal_model(scene: Scene) -> NGRC:
    """The paper's lags and products of Solar, values one and two days back, and six lags that turn with the hour."""
    return NGRC(scene.lags, periods=(DAY,), seasonal=2, clock_lags=6, ridge=PENALTY)


def explicit_columns(x: FloatArray, scene: Scene) -> tuple[FloatArray, FloatArray]:
    """The same columns by hand: what scikit-learn's user would write."""
    from sklearn.preprocessing import PolynomialFeatures

    begin = 2 * DAY + 1
    targets = np.arange(begin, x.size)
    delays = np.stack([x[targets - lag] for lag in range(1, scene.lags + 1)], axis=1)
    products = PolynomialFeatures(include_bias=False).fit_transform(delays)[:, scene.lags :]
    seasonal = np.stack([x[targets - step] for step in _seasonal_steps()], axis=1)
    angles = [2 * np.pi * harmonic * targets / DAY for harmonic in (1, 2)]
    clock = np.stack([wave(angle) for angle in angles for wave in (np.sin, np.cos)], axis=1)
    turning = (delays[:, :6, None] * clock[:, None, :]).reshape(targets.size, -1)
    return np.hstack((delays, products, seasonal, clock, turning)), x[begin:]


def _seasonal_steps() -> list[int]:
    return [cycle * DAY + near for cycle in (1, 2) for near in (-1, 0, 1)]


def sklearn_columns(scene: Scene) -> Any:
    """No column scaling, which would only make it slower."""
    from sklearn.linear_model import Ridge

    design, target = explicit_columns(scene.fit_values, scene)
    return Ridge(target.size * PENALTY).fit(design, target)


def agree_columns(model: NGRC, scene: Scene) -> str:
    """The timed ridge penalises raw columns; the same with a StandardScaler must forecast as ours does."""
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    design, target = explicit_columns(scene.scaled, scene)
    fit = scene.fit_values.size - (2 * DAY + 1)
    rows = model.fitted_.see(observe(scene.fit_values)).rows(1)
    columns_apart = np.abs(np.sort(rows.design[-1]) - np.sort(design[fit - 1])).max()
    assert columns_apart < 1e-9, columns_apart
    scaled = make_pipeline(StandardScaler(), Ridge(fit * PENALTY)).fit(design[:fit], target[:fit])
    apart = np.abs(model.predict(scene.scaled)[2 * DAY + 1 + fit :] - scaled.predict(design[fit:])).max()
    assert apart < 1e-6, apart
    return (
        f"{model.n_features_} features; out-of-sample forecasts equal to {apart:.0e} of the series' deviation to "
        "scikit-learn's with a StandardScaler, which is not timed"
    )
