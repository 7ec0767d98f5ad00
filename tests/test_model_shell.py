"""What the shell of the model promises beyond its numbers: counts, settled fits, and no argument ignored."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from ngrc import NGRC, backtest, look_ahead
from ngrc._types import FloatArray
from ngrc.features import Clock, Delays, FeatureMap, Inputs, Products
from ngrc.features.standard import Shape, standard_map

SERIES = np.sin(np.arange(300) / 4) + np.random.default_rng(5).normal(0, 0.1, 300)


@pytest.mark.parametrize(
    ("settings", "count"),
    [({}, 2), ({"intercept": "none"}, 1), ({"columns": "raw", "intercept": "penalised"}, 2)],
)
def test_features_are_those_that_have_coefficients(settings: dict[str, str], count: int) -> None:
    model = NGRC(1, degree=1, ridge=0.1, **settings).fit(SERIES)  # type: ignore[arg-type]
    assert model.n_features_ == count == len(model.coefficients().names)
    assert model.facts().features == count


def test_whether_it_is_a_path_was_settled_by_the_fit() -> None:
    single, path = NGRC(2, ridge=0.1).fit(SERIES), NGRC(2, ridge=0.1, horizon=3, path=True).fit(SERIES)
    with pytest.raises(ValueError, match="predict_path needs a model of all horizons"):
        single.set_params(path=True).predict_path(SERIES)
    assert path.set_params(path=False).predict_path(SERIES).shape == (300, 3)


def test_a_map_leaves_no_other_argument_that_says_which_columns_there_are() -> None:
    with pytest.raises(ValueError, match="leave degree, half_lives out, or put it in the map"):
        NGRC(degree=3, half_lives=(2.0,), map=(Delays(3),)).fit(SERIES)
    # Periods also say what a seasonal target is measured from.
    NGRC(map=(Delays(3),), target="seasonal", periods=(25,), ridge=0.1).fit(SERIES)


def test_a_period_in_a_map_is_compared_with_the_fit_block_too() -> None:
    with pytest.raises(ValueError, match="the period 5000 is longer than the fit block's 300 observations"):
        NGRC(map=(Delays(3), Clock((5000,)))).fit(SERIES)


def test_exog_for_a_model_without_any_is_refused() -> None:
    model = NGRC(2, ridge=0.1).fit(SERIES)
    with pytest.raises(ValueError, match="was fitted without exog; leave exog out"):
        model.predict(SERIES, exog={"wind": SERIES})


def test_the_products_of_a_vector_series_are_summed_in_blocks() -> None:
    """All of them thin columns beside a core of one channel's delays would be held at once, several times over."""
    assert standard_map(Shape(24), ("a", "b", "c")).core is None
    assert standard_map(Shape(24)).core is not None
    assert standard_map(Shape(4, degree=1), ("a", "b", "c")).core is not None


def test_the_dual_is_not_chosen_where_its_decompositions_would_not_fit() -> None:
    from ngrc.readout.dual_cost import choose_solver, most_rows

    assert choose_solver(3_000, 5_000, 3) == "dual"
    assert choose_solver(3_000, 5_000, 3, kept=48) == "primal"
    assert most_rows(1) == 10_000
    assert most_rows(48) < 3_000


def test_columns_that_would_take_days_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match=r"standardised columns over 2,800 fit rows .*use columns='raw'"):
        NGRC(lags=200, degree=4).fit(np.random.default_rng(0).normal(size=3000))


def test_irregular_times_have_no_coming_time() -> None:
    hours = np.sort(np.random.default_rng(1).choice(2000, 300, replace=False)) * np.timedelta64(1, "h")
    times = np.datetime64("2024-01-01") + hours
    model = NGRC(2, degree=1, calendar=("hour",), ridge=0.01).fit(SERIES, times=times)
    assert np.isfinite(model.predict(SERIES, times=times)[2:]).all()
    with pytest.raises(ValueError, match="regular"):
        model.forecast(SERIES, times=times)


def test_the_series_itself_is_no_known_input() -> None:
    with pytest.raises(ValueError, match="the known input 'load' holds the series itself"):
        NGRC(2, known=("load",), ridge=0.1).fit(SERIES, exog={"load": SERIES})
    with pytest.raises(ValueError, match="holds the series itself"):
        backtest(SERIES, NGRC(2, ridge=0.1), exog={"load": SERIES}, known=("load",), methods=["split"])


def test_dates_with_a_zone_do_not_stand_beside_dates_without() -> None:
    hours = pd.date_range("2024-01-01", periods=300, freq="h")
    series = pd.Series(SERIES, index=hours)
    wind = pd.DataFrame({"wind": SERIES[::-1]}, index=hours.tz_localize("UTC"))
    with pytest.raises(ValueError, match="times without a time zone and exog times with a time zone"):
        NGRC(2, ridge=0.1).fit(series, exog=wind)
    with pytest.raises(ValueError, match="give both alike"):
        backtest(series, NGRC(2, ridge=0.1), exog=wind, methods=["split"])
    with pytest.raises(ValueError, match="zone='Europe/Berlin' is for times with a zone"):
        NGRC(2, calendar=("hour",), zone="Europe/Berlin", ridge=0.1).fit(series)


def test_one_name_is_no_sequence_of_names() -> None:
    with pytest.raises(ValueError, match=r"known must be a sequence of column names, got 'sun'; write"):
        backtest(SERIES, NGRC(2), exog={"sun": SERIES[::-1]}, known="sun", methods=["split"])


def test_what_reaches_far_back_is_named_where_steps_are_too_many() -> None:
    with pytest.raises(ValueError, match="with a map that reads 50 steps back"):
        look_ahead(SERIES[:150], NGRC(2, periods=(25,), seasonal=2, degree=1), steps=40)


@dataclass(frozen=True)
class Noon:
    """A group of a user's own: one where the target's hour is noon."""

    moving = True
    dated = True

    def names(self, horizon: int) -> tuple[str, ...]:
        return ("noon(t')",)

    def count(self, horizon: int) -> int:
        return 1

    def reach(self, horizon: int) -> int:
        return 0

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        assert inputs.times is not None
        hours = inputs.times[first:stop].astype("M8[h]").astype(np.int64) % 24
        return np.asarray((hours == 12)[:, None], dtype=np.float64)


@dataclass(frozen=True)
class Last(Noon):
    """Another that reads a channel in a way that no free run knows."""

    dated = False

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        return inputs.channel("x")[first - horizon : stop - horizon, None]


def test_a_group_of_ones_own_gets_the_times_it_asks_for() -> None:
    times = np.datetime64("2024-01-01") + np.arange(300) * np.timedelta64(1, "h")
    model = NGRC(map=(Delays(3), Noon()), horizon=2, ridge=0.1)
    assert model.wants_times
    assert model.fit(SERIES, times=times).forecast(SERIES, times=times).shape == (2,)
    with pytest.raises(ValueError, match="need the series' times, and there are none"):
        model.fit(SERIES)


def test_a_free_run_names_the_group_that_it_cannot_continue() -> None:
    model = NGRC(map=FeatureMap((Delays(3), Products((Delays(2),)), Last())), ridge=0.1).fit(SERIES)
    with pytest.raises(
        ValueError, match="free running cannot continue Last, which reads more than the clock"
    ):
        model.free_run(SERIES, 3)
