"""The forecaster of sktime: the numbers of `look_ahead`, nothing from the future, and sktime's own checks."""

import pickle
import sys
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from ngrc import NGRC, AutoNGRC, look_ahead

pytest.importorskip("sktime", reason="sktime is not installed")
pd = pytest.importorskip("pandas")

from ngrc.adapters.checks import sktime_count  # noqa: E402
from ngrc.adapters.sktime import NGRCForecaster  # noqa: E402

MODEL = NGRC(lags=3, degree=1, ridge=0.01)


def wave(size: int = 120, seed: int = 0, **index: Any) -> Any:
    rng = np.random.default_rng(seed)
    return pd.Series(5 + np.sin(np.arange(size) / 3) + 0.2 * rng.normal(size=size), **index)


@pytest.mark.parametrize("index", ["range", "day", "month", "period"])
def test_forecasts_and_intervals_are_those_of_look_ahead(index: str) -> None:
    kinds = {
        "range": None,
        "day": pd.date_range("2024-01-01", periods=120, freq="D"),
        "month": pd.date_range("2010-01-31", periods=120, freq="ME"),
        "period": pd.period_range("2010-01", periods=120, freq="M"),
    }
    y = wave(index=kinds[index], name="load")
    forecaster = NGRCForecaster(MODEL, "split").fit(y, fh=[1, 4])
    outlook = look_ahead(y, MODEL, steps=4, method="split", level=[0.8, 0.95])
    steps = [0, 3]
    forecast = forecaster.predict()
    assert forecast.to_numpy().tolist() == outlook.forecast[steps].tolist()
    assert forecast.name == "load"
    assert forecast.index[0] == (
        y.index[-1] + 1 if index in ("range", "period") else y.index[-1] + y.index.freq
    )
    table = forecaster.predict_interval(coverage=[0.95, 0.8])
    for level in (0.8, 0.95):
        lower, upper = outlook.bands[level]
        assert table[("load", level, "lower")].tolist() == lower[steps].tolist()
        assert table[("load", level, "upper")].tolist() == upper[steps].tolist()
    assert table.columns.get_level_values(1).tolist() == [0.95, 0.95, 0.8, 0.8]
    quantiles = forecaster.predict_quantiles(alpha=[0.9, 0.1, 0.5])
    expected = outlook.quantiles([0.1, 0.5, 0.9]).to_numpy()[steps]
    assert quantiles.to_numpy().tolist() == expected[:, [2, 0, 1]].tolist()


def test_the_automatic_model_stands_where_none_is_given() -> None:
    y = wave(60)
    forecaster = NGRCForecaster(method="student", refit_every=1000).fit(y, fh=[1, 2])
    outlook = look_ahead(y, steps=2, method="student", refit_every=1000)
    assert forecaster.predict().tolist() == outlook.forecast.tolist()
    assert isinstance(forecaster._courses[2].paths.model, AutoNGRC)


def test_a_horizon_given_late_is_that_given_early() -> None:
    y = wave()
    late = NGRCForecaster(MODEL, "split").fit(y)
    early = NGRCForecaster(MODEL, "split").fit(y, fh=[2, 3])
    assert late.predict(fh=[2, 3]).tolist() == early.predict().tolist()
    assert late.predict_interval(fh=[2, 3]).equals(early.predict_interval())


def driven() -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    inputs = pd.DataFrame({"heat": rng.normal(size=126), "sun": rng.normal(size=126)})
    level = 2.0 * inputs["heat"] - inputs["sun"] + 0.1 * rng.normal(size=126)
    return level.iloc[:120], inputs


def test_columns_are_known_ahead() -> None:
    y, inputs = driven()
    forecaster = NGRCForecaster(MODEL, "split").fit(y, X=inputs.iloc[:120], fh=[1, 2, 3, 4, 5, 6])
    forecast = forecaster.predict(X=inputs.iloc[120:])
    outlook = look_ahead(y, MODEL, exog=inputs, known=["heat", "sun"], steps=6, method="split")
    assert forecast.tolist() == outlook.forecast.tolist()
    ends = forecaster.predict_interval(X=inputs.iloc[120:], coverage=0.95)
    assert ends.to_numpy().tolist() == np.stack([outlook.lower, outlook.upper], axis=1).tolist()
    truth = 2.0 * inputs["heat"].iloc[120:] - inputs["sun"].iloc[120:]
    # The noise has a deviation of 0.1, the inputs' part one of 2.2.
    assert np.abs(forecast - truth).max() < 0.2


def test_columns_that_the_model_reads_through_the_origin_need_no_coming_rows() -> None:
    y, inputs = driven()
    model = NGRC(lags=2, exog=["heat"], exog_lags=2, ridge=0.1)
    forecaster = NGRCForecaster(model, "split").fit(y, X=inputs.iloc[:120], fh=[1, 2])
    outlook = look_ahead(y, model, exog=inputs.iloc[:120], steps=2, method="split", level=0.9)
    assert forecaster.predict().tolist() == outlook.forecast.tolist()
    assert forecaster.predict_interval().iloc[:, 0].tolist() == outlook.lower.tolist()
    inputs.loc[0, "heat"] = np.nan
    with pytest.raises(ValueError, match="heat"):
        # The first value of a column that is observed only is not known ahead, and nothing stands for it.
        NGRCForecaster(model).fit(y, X=inputs.iloc[:120], fh=[1])


def test_coming_rows_that_are_not_given_are_asked_for() -> None:
    y, inputs = driven()
    forecaster = NGRCForecaster(MODEL).fit(y, X=inputs.iloc[:120], fh=[1, 2])
    with pytest.raises(ValueError, match="fitted with X"):
        forecaster.predict()
    with pytest.raises(ValueError, match="give X with the new rows"):
        forecaster.update(inputs["sun"].iloc[120:123])


def test_rows_of_x_that_no_step_asks_for_may_be_missing() -> None:
    y, inputs = driven()
    forecaster = NGRCForecaster(MODEL).fit(y, X=inputs.iloc[:120], fh=[2, 5])
    whole = forecaster.predict(X=inputs.iloc[120:])
    assert forecaster.predict(X=inputs.iloc[[121, 124]]).tolist() == whole.tolist()


def test_missing_values_are_carried_forward() -> None:
    y, inputs = driven()
    holes, filled = y.copy(), y.copy()
    holes.iloc[[0, 1, 50, 119]] = np.nan
    filled.iloc[50], filled.iloc[119] = y.iloc[49], y.iloc[118]
    gaps, complete = inputs.copy(), inputs.copy()
    gaps.loc[[0, 60, 121], "heat"] = np.nan
    complete.loc[[0, 60, 121], "heat"] = inputs["heat"].loc[[1, 59, 120]].to_numpy()
    found = NGRCForecaster(MODEL).fit(holes, X=gaps.iloc[:120], fh=[1, 2]).predict(X=gaps.iloc[120:])
    expected = NGRCForecaster(MODEL).fit(filled.iloc[2:], X=complete.iloc[2:120], fh=[1, 2])
    assert found.tolist() == expected.predict(X=complete.iloc[120:]).tolist()


def test_forecasts_inside_the_sample_know_earlier_rows_alone() -> None:
    y = wave()
    forecaster = NGRCForecaster(MODEL).fit(y, fh=[1])
    inside = forecaster.predict(fh=list(range(-119, 1)))
    assert inside.index.tolist() == y.index.tolist()
    begin = int(np.flatnonzero(inside.notna())[0])
    assert 0 < begin < 60
    assert inside.iloc[begin:].notna().all()
    other = y.copy()
    other.iloc[100:] += 7.0
    changed = NGRCForecaster(MODEL).fit(other, fh=[1]).predict(fh=list(range(-119, 1)))
    # Row 100 itself is forecast from row 99; the fits' ends depend on the number of rows alone.
    assert changed.iloc[:101].equals(inside.iloc[:101])
    assert not changed.iloc[101:].equals(inside.iloc[101:])
    mixed = forecaster.predict(fh=[-1, 0, 2])
    assert mixed.tolist()[:2] == inside.tolist()[-2:]


def test_an_update_without_a_fit_forecasts_newer_rows_by_the_old_one() -> None:
    y = wave(140)
    forecaster = NGRCForecaster(MODEL, "split").fit(y.iloc[:110], fh=[1, 2, 3])
    fitted, one = forecaster._courses[3].paths.model, NGRCForecaster(MODEL).fit(y.iloc[:110])._courses[1]
    before = forecaster.predict(fh=list(range(-109, 1)))
    forecaster.update(y.iloc[110:], update_params=False)
    assert forecaster._courses[3].paths.model is fitted
    assert forecaster.cutoff[0] == 139
    assert forecaster.predict(fh=[1, 2, 3]).tolist() == fitted.forecast(y.to_numpy()).tolist()
    inside = forecaster.predict(fh=list(range(-139, 1)))
    assert inside.iloc[:110].equals(before)
    assert inside.iloc[110:].tolist() == one.paths.model.predict_path(y.to_numpy())[110:, 0].tolist()


def test_the_residuals_after_an_update_are_those_of_every_step_out_of_sample() -> None:
    """Rows after the fit have, at every step, the forecast of the fit that spoke at its origin."""
    y = wave(140)
    once = NGRCForecaster(MODEL, "split").fit(y.iloc[:110], fh=[1, 2, 3])
    often = NGRCForecaster(MODEL, "split").fit(y.iloc[:110], fh=[1, 2, 3])
    once.update(y.iloc[110:], update_params=False)
    for first, stop in ((110, 111), (111, 125), (125, 140)):
        often.update(y.iloc[first:stop], update_params=False)
    said = once._courses[3].paths.said
    assert said.shape == (140, 3, 1)
    start = once._courses[3].paths.end
    for step in (1, 2, 3):
        assert np.isfinite(said[start - 1 + step :, step - 1]).all()
    np.testing.assert_array_equal(said, often._courses[3].paths.said)
    assert once.predict_interval().equals(often.predict_interval())
    # The forecast of row 110 two steps before was made at row 108, by the last fit before it and not by the last.
    early = [fitted for first, fitted in once._courses[3].paths.late if first <= 108][-1]
    assert said[110, 1, 0] == pytest.approx(early.predict_path(y.to_numpy()[:111])[110, 1], abs=1e-12)


def test_an_update_with_a_fit_is_a_fit_of_all_rows() -> None:
    y, inputs = driven()
    forecaster = NGRCForecaster(MODEL, "split").fit(y.iloc[:100], X=inputs.iloc[:100], fh=[1, 2])
    forecaster.update(y.iloc[100:], X=inputs.iloc[100:120])
    fresh = NGRCForecaster(MODEL, "split").fit(y, X=inputs.iloc[:120], fh=[1, 2])
    coming = inputs.iloc[120:]
    assert forecaster.predict_interval(X=coming).equals(fresh.predict_interval(X=coming))


def test_parameters_of_the_model_are_reached_by_name_and_copies_forecast_alike() -> None:
    forecaster = NGRCForecaster(NGRC(lags=2, degree=1)).set_params(model__lags=5)
    assert forecaster.model.lags == 5
    y = wave()
    fitted = forecaster.clone().fit(y, fh=[1, 2])
    again = pickle.loads(pickle.dumps(fitted))
    assert again.predict_interval().equals(fitted.predict_interval())


def test_a_short_series_and_a_foreign_model_are_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match="too short for 9 steps"):
        NGRCForecaster(MODEL).fit(wave(30), fh=[9])
    with pytest.raises(ValueError, match="unfitted NGRC or AutoNGRC, got 'lags'"):
        NGRCForecaster("lags").fit(wave(30), fh=[1])


# Of sktime's other classes, which have not taken up its coming default.
@pytest.mark.filterwarnings("ignore:The default of config:FutureWarning")
def test_a_grid_search_over_the_model_works() -> None:
    from sktime.forecasting.model_selection import ForecastingGridSearchCV
    from sktime.split import ExpandingWindowSplitter

    cv = ExpandingWindowSplitter(fh=[1, 2], initial_window=80, step_length=20)
    forecaster = NGRCForecaster(NGRC(degree=1, ridge=0.01))
    search = ForecastingGridSearchCV(forecaster, cv=cv, param_grid={"model__lags": [1, 6]}, backend=None)
    search.fit(pd.Series(5 + np.sin(np.arange(120) / 3)), fh=[1, 2])
    assert search.best_params_ == {"model__lags": 6}


LONG = (
    "test_update_predict_predicted_index",
    "test_predict_time_index",
    "test_predict_time_index_with_X",
    "test_hierarchical_with_exogenous",
    "test_predict_interval",
)
"""Half of sktime's checks and four fifths of their time: `make test-peers` runs them with the others."""


def test_the_checks_of_sktime_pass() -> None:
    count = sktime_count(NGRCForecaster(**NGRCForecaster.get_test_params()[0]), exclude=LONG)
    assert count.failures == ()
    assert count.ran > 150


def test_a_check_of_sktime_that_fails_is_counted() -> None:
    class Forgetful(NGRCForecaster):
        """A forecaster that forgets the name of its series."""

        def _predict(self, fh: Any, X: Any = None) -> Any:
            return super()._predict(fh, X).rename("other")

    fast = Forgetful(**NGRCForecaster.get_test_params()[0])
    name = "test_predict_series_name_preserved"
    count = sktime_count(fast, only=[name])
    assert [failure.split("[")[0] for failure in count.failures] == [name]


def test_a_missing_sktime_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sktime", None)
    monkeypatch.delitem(sys.modules, "ngrc.adapters.sktime")
    with pytest.raises(ImportError, match=r'NGRCForecaster needs sktime.*pip install "ngrc\[sktime\]"'):
        import_module("ngrc.adapters.sktime")
