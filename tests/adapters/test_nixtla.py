"""The model for StatsForecast: its conventions without the package, and beside its models where it is installed."""

from typing import Any

import numpy as np
import pytest

from ngrc import NGRC, look_ahead
from ngrc.adapters.nixtla import NGRCModel

MODEL = NGRC(lags=3, degree=1, ridge=0.01)


def wave(size: int = 120, seed: int = 0) -> Any:
    return 5 + np.sin(np.arange(size) / 3) + 0.2 * np.random.default_rng(seed).normal(size=size)


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return list(one) == list(other) and all(
        np.array_equal(one[key], other[key], equal_nan=True) for key in one
    )


def test_forecasts_and_intervals_are_those_of_look_ahead() -> None:
    y = wave()
    answer = NGRCModel(MODEL, "split").forecast(y, h=3, level=[95, 80])
    assert list(answer) == ["mean", "lo-95", "lo-80", "hi-80", "hi-95"]
    outlook = look_ahead(y, MODEL, steps=3, method="split", level=[0.8, 0.95])
    assert answer["mean"].tolist() == outlook.forecast.tolist()
    for level in (80, 95):
        lower, upper = outlook.bands[level / 100]
        assert answer[f"lo-{level}"].tolist() == lower.tolist()
        assert answer[f"hi-{level}"].tolist() == upper.tolist()
    fitted = NGRCModel(MODEL, "split").fit(y)
    assert same(fitted.predict(h=3, level=[95, 80]), answer)
    assert list(fitted.predict(h=2)) == ["mean"]
    assert list(fitted.predict(h=2, level=[])) == ["mean"]


def test_columns_are_known_ahead() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(124, 2))
    y = 2 * X[:120, 0] - X[:120, 1] + 0.1 * rng.normal(size=120)
    answer = NGRCModel(MODEL, "split").forecast(y, h=4, X=X[:120], X_future=X[120:], level=[90])
    frame = {"exog0": X[:, 0], "exog1": X[:, 1]}
    outlook = look_ahead(y, MODEL, exog=frame, known=["exog0", "exog1"], steps=4, method="split", level=0.9)
    assert answer["mean"].tolist() == outlook.forecast.tolist()
    assert answer["hi-90"].tolist() == outlook.upper.tolist()
    with pytest.raises(ValueError, match="4 rows"):
        NGRCModel(MODEL).forecast(y, h=4, X=X[:120])


def test_values_inside_the_sample_know_earlier_rows_alone() -> None:
    y = wave()
    answer = NGRCModel(MODEL, "split").fit(y).predict_in_sample(level=[90])
    assert list(answer) == ["fitted", "fitted-lo-90", "fitted-hi-90"]
    other = y.copy()
    other[100:] += 7.0
    changed = NGRCModel(MODEL, "split").fit(other).predict_in_sample(level=[90])
    for name, part in answer.items():
        assert part.shape == y.shape
        np.testing.assert_array_equal(part[:101], changed[name][:101])
        assert not np.array_equal(part[101:], changed[name][101:], equal_nan=True)
        assert np.isfinite(part[100:]).all()
    lower, upper = answer["fitted-lo-90"], answer["fitted-hi-90"]
    first = np.flatnonzero(np.isfinite(lower))[0]
    assert np.all(np.isnan(lower[:first]))
    assert np.all((lower < answer["fitted"])[first:] & (answer["fitted"] < upper)[first:])
    together = NGRCModel(MODEL, "split").forecast(y, h=3, level=[90], fitted=True)
    assert same({name: together[name] for name in answer}, answer)


def test_missing_values_keep_their_rows() -> None:
    y = wave()
    y[:2] = np.nan
    fitted = NGRCModel(MODEL).fit(y).predict_in_sample()["fitted"]
    assert fitted.shape == y.shape
    np.testing.assert_array_equal(fitted[2:], NGRCModel(MODEL).fit(y[2:]).predict_in_sample()["fitted"])


def test_a_longer_series_is_forecast_by_the_old_fit() -> None:
    y = wave(140)
    model = NGRCModel(MODEL, "split").fit(y[:110])
    answer = model.forward(y, h=3, level=[90], fitted=True)
    fitted = model._courses[3].paths.model
    assert answer["mean"].tolist() == fitted.forecast(y).tolist()
    one = model._courses[1].paths.model
    assert answer["fitted"][110:].tolist() == one.predict_path(y)[110:, 0].tolist()
    assert answer["fitted"].shape == y.shape
    # A window of the same series, as cross-validation with an input size gives it, has the same past.
    window = model.forward(y[20:], h=3, level=[90], fitted=True)
    assert window["fitted"].tolist()[50:] == answer["fitted"].tolist()[70:]
    for name in ("mean", "lo-90", "hi-90"):
        assert window[name].tolist() == answer[name].tolist()


def test_another_series_is_forecast_by_the_old_fit_and_calibrates_itself() -> None:
    y, other = wave(), 3 * wave(90, seed=5)
    model = NGRCModel(MODEL, "split").fit(y)
    answer = model.forward(other, h=2, level=[80], fitted=True)
    fitted = model._courses[2].paths.model
    assert answer["mean"].tolist() == fitted.forecast(other).tolist()
    # Its residuals are three times as large, and so is the interval: that of the old series would be far too narrow.
    old = model.predict(h=2, level=[80])
    width = answer["hi-80"] - answer["lo-80"]
    assert np.all(width > 2 * (old["hi-80"] - old["lo-80"]))
    assert np.isfinite(answer["fitted"][2:]).sum() == 87
    with pytest.raises(ValueError, match="too short to be forecast by a model that was fitted elsewhere"):
        model.forward(other[:5], h=2)


def test_a_copy_is_another_model_and_names_are_aliases() -> None:
    model = NGRCModel(MODEL, alias="mine")
    copy = model.new().fit(wave())
    assert repr(copy) == "mine"
    assert copy.uses_exog
    assert not hasattr(model, "_fitted")
    with pytest.raises(ValueError, match="not fitted yet"):
        model.predict(h=1)
    assert model.get_params()["model"] is MODEL


def panel(pd: Any, size: int = 80) -> Any:
    days = pd.date_range("2024-01-01", periods=size, freq="D")
    return pd.concat(
        pd.DataFrame({"unique_id": name, "ds": days, "y": wave(size, seed)}) for seed, name in enumerate("ab")
    )


# StatsForecast warns of its own coming changes.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("refit", [True, False, 2])
@pytest.mark.parametrize("input_size", [None, 50])
def test_it_stands_beside_the_models_of_statsforecast(refit: Any, input_size: int | None) -> None:
    reason = "statsforecast is not installed; run: make test-peers"
    statsforecast = pytest.importorskip("statsforecast", reason=reason)
    pd = pytest.importorskip("pandas")
    from statsforecast.models import AutoETS

    frame = panel(pd)
    models = [
        AutoETS(season_length=1),
        NGRCModel(MODEL, "split"),
        NGRCModel(NGRC(lags=2), "split", alias="two"),
    ]
    forecasts = statsforecast.StatsForecast(models=models, freq="D")
    table = forecasts.forecast(df=frame, h=3, level=[80, 95], fitted=True)
    own = NGRCModel(MODEL, "split").forecast(frame[frame["unique_id"] == "b"]["y"], h=3, level=[80, 95])
    for name, column in own.items():
        title = "NGRC" if name == "mean" else f"NGRC-{name}"
        np.testing.assert_allclose(table[table["unique_id"] == "b"][title], column, rtol=1e-6)
    assert "two-hi-95" in table.columns
    inside = forecasts.forecast_fitted_values()
    assert np.isfinite(inside.groupby("unique_id")["NGRC-lo-80"].last()).all()
    cross = forecasts.cross_validation(
        df=frame, h=2, n_windows=3, level=[90], refit=refit, input_size=input_size
    )
    assert len(cross) == 2 * 3 * 2
    assert np.isfinite(cross[["NGRC", "NGRC-lo-90", "NGRC-hi-90"]].to_numpy()).all()
    fitted = forecasts.fit(df=frame).predict(h=3, level=[80, 95])
    np.testing.assert_allclose(fitted["NGRC-hi-95"], table["NGRC-hi-95"], rtol=1e-6)


def test_another_series_that_begins_as_the_fitted_one_ends_is_no_continuation() -> None:
    """Nights are zero: a single value, or a run of equal ones, says nothing about where a series goes on."""
    rng = np.random.default_rng(0)
    nights = np.where(np.arange(240) % 24 < 12, 0.0, 5.0 + rng.normal(size=240))
    nights[-12:] = 0.0
    other = np.concatenate([np.zeros(12), rng.normal(50.0, 9.0, 200)])
    model = NGRCModel(NGRC(lags=3)).fit(nights)
    answer = model.forward(other, h=1, level=[90])
    alone = model.forward(other[11:], h=1, level=[90])
    # Calibrated on its own errors of 9 and not on those of the nights.
    assert answer["hi-90"] - answer["lo-90"] > 20.0
    assert np.allclose(answer["mean"], alone["mean"])


@pytest.mark.parametrize("shape", [(2, 3), (4, 2), (3, 1), (6,)])
def test_columns_of_the_coming_steps_in_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    y, columns = rng.normal(size=120), rng.normal(size=(120, 2))
    with pytest.raises(ValueError, match="3 rows, one per step, of 2 columns"):
        NGRCModel(NGRC(lags=2)).forecast(y, 3, columns, np.zeros(shape))


@pytest.mark.parametrize("level", [[0.95], [100], [-5]])
def test_levels_are_in_per_cent(level: list[float]) -> None:
    with pytest.raises(ValueError, match="per cent"):
        NGRCModel(NGRC(lags=2)).forecast(np.random.default_rng(0).normal(size=120), 1, level=level)
