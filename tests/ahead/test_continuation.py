"""Going on from a kept forecast: what `look_ahead` would have said with the same last fit, and nothing fitted."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ngrc
from ngrc import NGRC, AutoNGRC, look_ahead
from ngrc._types import FloatArray
from ngrc.ahead import Continuation, Outlook, load_continuation
from ngrc.ahead.paths import Paths
from ngrc.ahead.steps import Calibrator
from ngrc.archive import dumps, loads
from ngrc.forecasters.beside import Beside
from ngrc.forecasters.naive import SeasonalNaive
from ngrc.intervals import Rolling, Scaled, Split
from tests.archive.forging import with_array

SIZE, KEPT, STEPS = 360, 300, 4
RNG = np.random.default_rng(0)
WAVE = np.sin(np.arange(SIZE) / 3.8) + RNG.normal(0.0, 0.2, SIZE)
TIMES = pd.date_range("2024-01-01", periods=SIZE, freq="h")
FRAME = pd.Series(WAVE, TIMES, name="wave")
MODEL = NGRC(lags=5, ridge=1e-3)
METHODS = ["split", "adaptive", Rolling(window=40), "student", Scaled(Split())]
WAYS: list[dict[str, Any]] = [{}, {"fit": 0.6}, {"refit_every": 50}, {"window": 120}]


def kept(series: Any = None, model: Any = MODEL, **options: Any) -> Continuation:
    series = FRAME[:KEPT] if series is None else series
    outlook = look_ahead(series, model, steps=STEPS, **{"method": "split", **options})
    continuation = outlook.continuation()
    assert isinstance(continuation, Continuation)
    return continuation


def same(first: Outlook, second: Outlook) -> bool:
    """All that two outlooks say, to the bit."""
    return (
        bool(np.array_equal(first.forecast, second.forecast))
        and first.method == second.method
        and all(np.array_equal(first.bands[one], second.bands[one]) for one in first.levels)
        and first.levels == second.levels
        and repr(first.selected) == repr(second.selected)
        and first.factors == second.factors
        and bool(np.array_equal(first.samples(5), second.samples(5)))
        and repr(first.times) == repr(second.times)
    )


@pytest.mark.parametrize("method", METHODS, ids=str)
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_without_newer_rows_it_says_the_same(method: Any, way: dict[str, Any]) -> None:
    first = look_ahead(FRAME[:KEPT], MODEL, steps=STEPS, method=method, level=[0.8, 0.95], **way)
    again = loads(dumps(first.continuation())).look_ahead(FRAME[:KEPT], level=[0.8, 0.95])
    assert same(first, again)


def one_origin_at_a_time(values: FloatArray, late: list[tuple[int, Any]], end: int) -> FloatArray:
    """Paths of every origin by the last of the fits that were made before it; the twin of all bookkeeping."""
    said = np.full((len(values) + STEPS, STEPS), np.nan)
    for origin in range(end - 1, len(values)):
        fitted = [model for first, model in late if first <= origin][-1]
        for step, value in enumerate(fitted.forecast(values[: origin + 1]), start=1):
            said[origin + step, step - 1] = value
    return said


@pytest.mark.parametrize("newer", [1, 3, 60])
@pytest.mark.parametrize("method", ["split", Scaled(Split())], ids=str)
def test_newer_rows_count_as_if_each_had_been_forecast_at_its_time(newer: int, method: Any) -> None:
    values = WAVE[: KEPT + newer]
    going = kept(method=method)
    ends = [40, KEPT // 2, KEPT - 2, KEPT]
    fits = [(end - 1, fitted) for end, fitted in zip(ends, path().fits(values, ends), strict=True)]
    going = replaced(going, fits, values[:KEPT])
    said = one_origin_at_a_time(values, fits, ends[0])
    # As `look_ahead` itself would calibrate, with the same fits and none after the last kept row.
    paths = Paths(fits[-1][1], said[: len(values), :, None], ends[0], 3, tuple(fits))
    (calibrated,) = Calibrator(method, 0).channels(
        values, [TIMES[: KEPT + newer].to_numpy()], paths, Beside()
    )
    (wanted,) = calibrated.ends([0.9])
    outlook = going.look_ahead(FRAME[: KEPT + newer], level=0.9)
    assert np.array_equal(outlook.forecast, fits[-1][1].forecast(values))
    # Many rows in one product, or one by one: alike to rounding.
    np.testing.assert_allclose(outlook.lower, wanted.lower, rtol=1e-10)
    np.testing.assert_allclose(outlook.upper, wanted.upper, rtol=1e-10)


def path() -> NGRC:
    return NGRC(lags=5, ridge=1e-3, horizon=STEPS, path=True)


def replaced(going: Continuation, fits: list[tuple[int, Any]], values: FloatArray) -> Continuation:
    """The continuation of fits that the test has made itself."""
    end = fits[0][0] + 1
    said = one_origin_at_a_time(values, fits, end)
    pending = [
        [model for first, model in fits if first <= origin][-1].forecast(values[: origin + 1])
        for origin in range(len(values) - STEPS, len(values) - 1)
    ]
    return Continuation(
        model=fits[-1][1],
        calibrator=going.calibrator,
        values=values,
        times=going.times,
        name=going.name,
        channels=None,
        said=said[end : len(values)],
        pending=np.array(pending),
        end=end,
        refits=3,
    )


@pytest.mark.parametrize("method", ["adaptive", Scaled(Split())], ids=str)
def test_in_two_steps_or_in_one(method: Any) -> None:
    going = kept(method=method)
    at_once = going.look_ahead(FRAME)
    for first in (KEPT, KEPT + 2, KEPT + 30):
        halfway = loads(dumps(going.look_ahead(FRAME[:first]).continuation()))
        twice = halfway.look_ahead(FRAME)
        assert np.array_equal(twice.forecast, at_once.forecast)
        # Newer rows are forecast in products of other sizes, which round otherwise.
        np.testing.assert_allclose(twice.lower, at_once.lower, rtol=1e-10)
        np.testing.assert_allclose(twice.upper, at_once.upper, rtol=1e-10)


def test_the_model_is_not_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    going = kept()
    monkeypatch.setattr(NGRC, "fit", None)
    monkeypatch.setattr(NGRC, "fits", None)
    outlook = going.look_ahead(FRAME)
    assert outlook.model is going.model
    assert np.array_equal(outlook.forecast, going.model.forecast(WAVE))


def test_rows_that_are_still_to_come_change_nothing() -> None:
    going = kept()
    spoilt = FRAME.copy()
    spoilt.iloc[KEPT + 20 :] = 1e6
    assert same(going.look_ahead(FRAME[: KEPT + 20]), going.look_ahead(spoilt[: KEPT + 20]))
    assert not same(going.look_ahead(FRAME), going.look_ahead(spoilt))


def test_newer_errors_widen_the_intervals() -> None:
    worse = FRAME.copy()
    worse.iloc[KEPT:] += RNG.normal(0.0, 2.0, SIZE - KEPT)
    before, after = kept().look_ahead(FRAME[:KEPT]), kept().look_ahead(worse)
    assert np.all(after.upper - after.lower > 1.5 * (before.upper - before.lower))


@pytest.mark.parametrize("begin", [0, 100, KEPT - 1, KEPT])
def test_the_series_may_begin_at_any_kept_row(begin: int) -> None:
    assert same(kept().look_ahead(FRAME[begin:]), kept().look_ahead(FRAME))


def test_what_lies_before_the_kept_rows_is_left_out() -> None:
    assert same(kept(FRAME[40:KEPT]).look_ahead(FRAME), kept(FRAME[40:KEPT]).look_ahead(FRAME[40:]))


def test_without_times_all_rows_are_given_again() -> None:
    going = kept(WAVE[:KEPT])
    assert same(going.look_ahead(WAVE[:KEPT]), look_ahead(WAVE[:KEPT], MODEL, steps=STEPS, method="split"))
    assert going.look_ahead(WAVE).times is None
    with pytest.raises(ValueError, match=r"row 1 .*without times all rows are to be given again"):
        going.look_ahead(WAVE[5:])


@pytest.mark.parametrize("steps", [1, 2, 3])
@pytest.mark.parametrize("band", ["pointwise", "path"])
def test_fewer_steps_than_were_kept(steps: int, band: Any) -> None:
    going = kept()
    some, every = going.look_ahead(FRAME, steps=steps, band=band), going.look_ahead(FRAME)
    assert np.array_equal(some.forecast, every.forecast[:steps])
    assert len(some.table) == steps
    if band == "pointwise":
        assert np.array_equal(some.lower, every.lower[:steps])
        assert np.array_equal(some.upper, every.upper[:steps])
    else:
        assert np.all(some.upper - some.lower >= every.upper[:steps] - every.lower[:steps])


def test_a_band_of_fewer_steps_rests_on_paths_of_as_many() -> None:
    values = kept().look_ahead(FRAME, steps=2, band="path")
    assert values.factors[0.95] <= kept().look_ahead(FRAME, band="path").factors[0.95]


def test_columns_beside_the_series_go_on_too() -> None:
    beside = pd.DataFrame({"a": RNG.normal(size=SIZE), "b": RNG.normal(size=SIZE)}, TIMES)
    model = NGRC(lags=3, exog=("a",), known=("b",), exog_lags=2, calendar=("hour",), ridge=1e-3)
    going = kept(FRAME[:KEPT], model, exog=beside[: KEPT + STEPS])
    going = loads(dumps(going))
    at_once = going.look_ahead(FRAME[: KEPT + 40], exog=beside[: KEPT + 40 + STEPS])
    for begin in (50, KEPT):
        later = going.look_ahead(FRAME[begin : KEPT + 40], exog=beside[begin : KEPT + 40 + STEPS])
        assert same(later, at_once)
    forecast = going.model.forecast(
        WAVE[: KEPT + 40], exog=beside[: KEPT + 40 + STEPS], times=TIMES[: KEPT + 40 + STEPS].to_numpy()
    )
    assert np.array_equal(at_once.forecast, forecast)
    with pytest.raises(ValueError, match="no exog came"):
        going.look_ahead(FRAME[: KEPT + 40])


def test_an_automatic_model_goes_on() -> None:
    going = kept(FRAME[:KEPT], AutoNGRC(), method=None)
    loaded = loads(dumps(going))
    assert same(loaded.look_ahead(FRAME), going.look_ahead(FRAME))
    assert loaded.look_ahead(FRAME).method == going.look_ahead(FRAME[:KEPT]).method
    assert loaded.model.report() == going.model.report()


def shifted(by: str) -> pd.Series:
    return pd.Series(WAVE, TIMES + pd.Timedelta(by))


def revised() -> pd.Series:
    series = FRAME.copy()
    series.iloc[250] = 7.5
    return series


WRONG: dict[str, tuple[Any, str]] = {
    "another spacing": (FRAME[::2], "does not continue the kept one: row 2 .*2024-01-01 01:00"),
    "an earlier end": (
        FRAME[: KEPT - 5],
        "ends at 2024-01-13 06:00.* before the kept one does, after 295 of its 300",
    ),
    "a gap": (FRAME[KEPT + 1 :], "does not continue the kept one"),
    "another clock": (shifted("30min"), "does not continue the kept one"),
    "other days": (shifted("9000D"), "does not continue the kept one"),
    "earlier days": (shifted("-9000D"), "before the kept one does|does not continue"),
    "a revised value": (revised(), r"time 2024-01-11 10:00.* was .*, and is 7\.5; give the same series"),
    "another series": (pd.Series(WAVE + 1.0, TIMES), "does not continue the kept one: time 2024-01-01"),
    "no times": (WAVE, "has no times, and the kept one has; give both alike"),
    "numbers for times": (pd.Series(WAVE, np.arange(SIZE)), "dates and the other numbers|has no times"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_series_that_does_not_continue_is_refused(name: str) -> None:
    series, words = WRONG[name]
    with pytest.raises(ValueError, match=words) as caught:
        kept().look_ahead(series)
    assert "\n" not in str(caught.value)


def test_times_where_none_were_kept_are_refused() -> None:
    with pytest.raises(ValueError, match="has times, and the kept one has none"):
        kept(WAVE[:KEPT]).look_ahead(FRAME)


def test_more_steps_than_were_kept_are_refused() -> None:
    with pytest.raises(ValueError, match="forecasts 4 steps ahead, got steps=5"):
        kept().look_ahead(FRAME, steps=5)
    with pytest.raises(ValueError, match="band must be"):
        kept().look_ahead(FRAME, band="all")  # type: ignore[arg-type]


def test_only_one_series_can_be_gone_on_from() -> None:
    both = ngrc.ahead.look_ahead_together([WAVE[:200], WAVE[:200] ** 2], NGRC(lags=2), steps=2)
    with pytest.raises(ValueError, match="together with others"):
        both[0].continuation()


def test_another_forecaster_goes_on_and_cannot_be_saved(tmp_path: Path) -> None:
    going = look_ahead(FRAME[:KEPT], SeasonalNaive(24), steps=2, method="split").continuation()
    assert np.array_equal(going.look_ahead(FRAME).forecast, WAVE[-24:-22])
    with pytest.raises(ValueError, match="a continuation of SeasonalNaive goes on in this process alone"):
        going.save(tmp_path / "naive.ngrc")


def test_a_file_of_something_else_is_told(tmp_path: Path) -> None:
    kept().save(tmp_path / "wave.ngrc")
    assert repr(load_continuation(tmp_path / "wave.ngrc")).startswith(
        "Continuation(4 steps after 300 rows of 'wave', NGRC(lags=5"
    )
    Split().save(tmp_path / "split.ngrc")
    with pytest.raises(ValueError, match="holds Split, and no continuation"):
        load_continuation(tmp_path / "split.ngrc")


@pytest.mark.parametrize(
    ("field", "array"),
    [
        ("said", np.ones((3, 4))), ("pending", np.ones((1, 4))), ("values", np.ones(3)),
        ("values", np.full(300, np.nan)), ("times", np.arange(3)), ("times", np.arange(300)[::-1].copy()),
    ],
)  # fmt: skip
def test_a_file_whose_rows_do_not_fit_is_refused(field: str, array: Any) -> None:
    with pytest.raises(ValueError, match="not valid"):
        loads(with_array(kept(), field, array))
