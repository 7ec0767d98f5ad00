"""Models after loading: equal to the bit in everything that they say, and no file makes one whose parts do not fit."""

from typing import Any

import numpy as np
import pytest

from ngrc import NGRC, AutoNGRC
from ngrc.archive import dumps, loads
from ngrc.features import Clock, Delays, Memory, Products
from tests.archive.forging import forged, with_array

SIZE = 300
TIMES = np.datetime64("2024-01-01T00", "h") + np.arange(SIZE)
NOISE = np.random.default_rng(0).normal(size=(3, SIZE))
WAVE = 3.0 + np.sin(np.arange(SIZE) / 4.0) + 0.1 * NOISE[0]
BESIDE = {"a": NOISE[1], "b": NOISE[2]}

MODELS: dict[str, tuple[NGRC, dict[str, Any]]] = {
    "plain": (NGRC(lags=4), {}),
    "of one horizon": (NGRC([1, 2, 24], horizon=3, target="increment", intercept="none", columns="raw"), {}),
    "of all horizons": (NGRC(lags=4, horizon=3, path=True), {}),
    "of groups": (NGRC(map=[Delays(3), Products((Delays(2),)), Memory((5.0,)), Clock((24.0,))]), {}),
    "of parameters of any kind": (
        NGRC(lags=range(1, 4), periods=np.array([12]),  # type: ignore[arg-type]
            ridges=[0.1, 1.0], spacing=int(np.int64(2))),
        {},
    ),
    "with all columns": (
        NGRC(
            lags=3, periods=(24,), seasonal=1, clock_lags=2, calendar=("hour", "weekday"), zone="Europe/Berlin",
            half_lives=(5.0,), exog=("a",), known=("b",), target="seasonal", clip=0.1, transform="log", lower=0.0,
        ),
        {"exog": BESIDE, "times": TIMES},
    ),
    "with a transform": (NGRC(lags=3, transform=("boxcox", 0.5), upper=9.0), {}),
    "with a root": (NGRC(lags=3, transform="root"), {}),
    "of a kernel": (NGRC(lags=12, degree=3, solver="dual"), {}),
    "of a raw kernel": (NGRC(lags=8, degree=3, solver="dual", columns="raw", intercept="penalised"), {}),
    "without weights": (NGRC(lags=3, ridge=np.inf), {}),
}  # fmt: skip


def same(first: Any, second: Any) -> bool:
    return bool(np.array_equal(first, second, equal_nan=True))


@pytest.mark.parametrize("name", MODELS)
def test_a_model_says_the_same_after_loading(name: str) -> None:
    model, beside = MODELS[name]
    assert repr(loads(dumps(model))) == repr(model)
    with pytest.raises(ValueError, match="not fitted yet"):
        loads(dumps(model)).equation()
    model.fit(WAVE, **beside)
    loaded = loads(dumps(model))
    assert dumps(loaded) == dumps(model)
    assert repr(loaded) == repr(model)
    assert loaded.equation() == model.equation()
    assert loaded.facts() == model.facts()
    assert loaded.link() == model.link()
    assert same(loaded.predict(WAVE, **beside), model.predict(WAVE, **beside))
    assert same(loaded.leverage(WAVE, **beside), model.leverage(WAVE, **beside))
    if model.ridge is None:
        assert loaded.noise_scale() == model.noise_scale()
    for one in ("ridge_", "d_eff_", "fit_scale_", "n_features_", "n_rows_"):
        assert same(getattr(loaded, one), getattr(model, one))
    if not beside:
        assert same(loaded.forecast(WAVE), model.forecast(WAVE))
    if model.path:
        assert same(loaded.predict_path(WAVE), model.predict_path(WAVE))


def test_a_model_of_several_series_runs_on_the_same() -> None:
    both = np.stack([WAVE, WAVE[::-1]], axis=1)
    model = NGRC(lags=3, across=False).fit(both)
    loaded = loads(dumps(model))
    assert same(loaded.predict(both), model.predict(both))
    assert same(loaded.free_run(both, 20), model.free_run(both, 20))


def test_a_loaded_model_can_be_fitted_again() -> None:
    model = NGRC(lags=4).fit(WAVE)
    assert same(loads(dumps(model)).fit(WAVE[:200]).predict(WAVE), model.fit(WAVE[:200]).predict(WAVE))


@pytest.mark.parametrize("horizon", [1, 3])
def test_an_automatic_model_keeps_what_it_selected(horizon: int) -> None:
    model = AutoNGRC(horizon, path=horizon > 1)
    assert repr(loads(dumps(model))) == repr(model)
    model.fit(WAVE)
    loaded = loads(dumps(model))
    assert dumps(loaded) == dumps(model)
    assert same(loaded.predict(WAVE), model.predict(WAVE))
    assert same(loaded.forecast(WAVE), model.forecast(WAVE))
    assert same(loaded.leverage(WAVE), model.leverage(WAVE))
    assert loaded.report() == model.report()
    assert loaded.record() == model.record()
    assert loaded.equation() == model.equation()
    assert loaded.selections_ == model.selections_


@pytest.fixture(scope="module")
def fitted() -> NGRC:
    return NGRC(lags=3, horizon=2, path=True).fit(WAVE)


@pytest.mark.parametrize(
    ("field", "array", "words"),
    [
        ("coefficients", np.zeros(8), "coefficients should have the shape"),
        ("coefficients", np.full(9, np.nan), "coefficients are finite"),
        (
            "coefficients",
            np.zeros(9, dtype=np.int64),
            "'coefficients' of readout/TaskReadout is not of its type",
        ),
        ("coefficients", np.zeros((9, 1)), "coefficients should have the shape"),
    ],
)
def test_weights_that_do_not_fit_the_columns_are_refused(
    fitted: NGRC, field: str, array: Any, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        loads(with_array(fitted, field, array))


def fit_of(tree: Any) -> Any:
    return tree["fields"]["fit"]["fields"]


def fewer_readouts(tree: Any) -> None:
    fit_of(tree)["readouts"]["tuple"].pop()


def falling_horizons(tree: Any) -> None:
    fit_of(tree)["horizons"]["tuple"].reverse()


def other_map(tree: Any) -> None:
    groups = fit_of(tree)["feature_map"]["fields"]["groups"]["tuple"]
    groups[0]["fields"]["lags"] = {"tuple": [1, 2]}


def no_links(tree: Any) -> None:
    fit_of(tree)["preparation"]["fields"]["links"]["tuple"].clear()


@pytest.mark.parametrize("change", [fewer_readouts, falling_horizons, other_map, no_links])
def test_a_fit_whose_parts_do_not_fit_is_refused(fitted: NGRC, change: Any) -> None:
    with pytest.raises(ValueError, match="not valid"):
        loads(forged(fitted, change))
