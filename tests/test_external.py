"""Intervals around forecasts from elsewhere: against the methods' own streams, a slow twin, and the future."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.external import ExternalIntervals, around
from ngrc.intervals import METHODS, Adaptive, Bayes, ResCP, Split, Stream
from ngrc.intervals.context import Context
from ngrc.metrics import coverage, winkler
from ngrc.online import Online
from ngrc.order import conformal_quantile
from ngrc.origins import clock_periods

NAMES = [name for name in METHODS if name != "bayes"]


def rows(count: int, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    forecasts = np.cumsum(rng.normal(size=count))
    return forecasts + rng.normal(size=count) * (1 + np.arange(count) / count), forecasts


def test_split_is_the_corrected_quantile_of_the_known_scores() -> None:
    y, forecasts = rows(90)
    found = around(y, forecasts, "split", horizon=4, level=0.8, calibration=0.5)
    radius = conformal_quantile(np.abs(y - forecasts)[: 45 - 3], 0.8)
    assert found.start == 45
    np.testing.assert_allclose(found.upper, forecasts[45:] + radius)
    np.testing.assert_allclose(found.lower, forecasts[45:] - radius)
    residuals = (y - forecasts)[45:]
    ends = np.full(45, -radius), np.full(45, radius)
    assert found.coverage == coverage(residuals, *ends)
    assert found.winkler == pytest.approx(winkler(residuals, *ends, 0.8))
    assert found.width == pytest.approx(2 * radius)
    assert (found.scored, found.first, found.infinite, found.level, found.horizon) == (45, 0, 0, 0.8, 4)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("horizon", [1, 3])
def test_every_method_as_if_forecasts_were_issued_one_by_one(name: str, horizon: int) -> None:
    """The twin issues an interval, waits `horizon` rows, and only then learns the outcome."""
    y, forecasts = rows(130)
    found = around(y, forecasts, name, horizon=horizon, level=0.9, calibration=0.6, seed=3)
    stream = Stream(y - forecasts, found.start, horizon)
    if set(METHODS[name].sees) != {"residuals"}:
        stream = replace(stream, context=Context(forecasts, clock_periods(y[: stream.known])))
    kind = METHODS[name](seed=3) if name == "rescp" else METHODS[name](**_window(name, stream.known))  # type: ignore[call-arg]
    pending = forecasts[stream.known : found.start]
    online = Online(kind, stream.history, 0.9, pending)
    for t in range(found.start, y.size):
        if t > found.start:
            online.observe(y[t - horizon])
        issued = online.issue(forecasts[t])
        assert issued.lower == pytest.approx(found.lower[t - found.start], rel=1e-9)
        assert issued.upper == pytest.approx(found.upper[t - found.start], rel=1e-9)
    # A block also tells what it leaned on; parameters are those of the method online.
    assert dict(found.selected).items() >= online.selected.items()


def _window(name: str, known: int) -> dict[str, int]:
    return {"window": min(100, known)} if name in ("rolling", "gaussian") else {}


@pytest.mark.parametrize("name", NAMES)
@given(horizon=st.integers(1, 4), row=st.integers(45, 79), shift=st.floats(-50, 50))
@settings(deadline=None, max_examples=8)
def test_an_outcome_reaches_no_interval_before_it_is_observed(
    name: str, horizon: int, row: int, shift: float
) -> None:
    y, forecasts = rows(80, seed=5)
    before = around(y, forecasts, small(name), horizon=horizon)
    y[row] += shift
    after = around(y, forecasts, small(name), horizon=horizon)
    untouched = slice(0, row + horizon - before.start)
    np.testing.assert_array_equal(before.lower[untouched], after.lower[untouched])
    np.testing.assert_array_equal(before.upper[untouched], after.upper[untouched])


@pytest.mark.parametrize("name", NAMES)
@given(horizon=st.integers(1, 4), future=st.integers(1, 4))
@settings(deadline=None, max_examples=6)
def test_future_rows_get_the_interval_they_would_have_got(name: str, horizon: int, future: int) -> None:
    """Hiding the last outcomes changes no interval: only the scores lose rows."""
    future = min(future, horizon)
    y, forecasts = rows(84, seed=future)
    share = 40 / (84 - future)
    hidden = np.where(np.arange(84) < 84 - future, y, np.nan)
    found, whole = (
        around(hidden, forecasts, small(name), horizon=horizon, calibration=share),
        _from(y, forecasts, name, horizon),
    )
    assert found.start == whole.start == 40
    np.testing.assert_array_equal(found.lower, whole.lower)
    np.testing.assert_array_equal(found.upper, whole.upper)
    assert found.scored == whole.scored - future


def _from(y: Any, forecasts: Any, name: str, horizon: int) -> ExternalIntervals:
    return around(y, forecasts, small(name), horizon=horizon, calibration=40 / 84)


def small(name: str) -> str | ResCP:
    """The method's name, or a ResCP whose reservoir is quick."""
    return ResCP(size=24, seed=1) if name == "rescp" else name


def test_rows_before_the_first_forecast_are_left_out() -> None:
    y, forecasts = rows(60)
    late = np.concatenate([np.full(7, np.nan), forecasts[7:]])
    early = np.concatenate([np.full(3, np.nan), y[3:]])
    found = around(early, late, Split())
    plain = around(y[7:], forecasts[7:], Split())
    assert (found.first, found.start) == (7, 7 + plain.start)
    np.testing.assert_array_equal(found.lower, plain.lower)


def test_only_the_future_is_wanted() -> None:
    y, forecasts = rows(50)
    y[-2:] = np.nan
    found = around(list(y), list(forecasts), Adaptive(rate=0.01), horizon=2, calibration=1.0)
    assert (found.start, found.scored, found.lower.size) == (48, 0, 2)
    assert np.isnan(found.coverage)
    assert np.isnan(found.winkler)
    assert found.width > 0


def test_too_few_rows_for_the_level_give_infinite_intervals() -> None:
    y, forecasts = rows(20)
    found = around(y, forecasts, "split", level=0.99)
    assert found.infinite == found.lower.size == 10
    assert found.width == np.inf


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "bayes": ({"method": "bayes"}, "leverage of a fitted readout"),
    "noise": ({"method": Bayes(noise="gcv")}, "leverage of a fitted readout"),
    "unknown": ({"method": "magic"}, "unknown interval method 'magic'"),
    "level": ({"level": 1.5}, "level must be in"),
    "horizon": ({"horizon": 0}, "horizon must be at least 1"),
    "no share": ({"calibration": 0.0}, "above 0 and at most 1"),
    "large share": ({"calibration": 1.2}, "above 0 and at most 1"),
    "everything": ({"calibration": 1.0}, "none is left"),
    "few": ({"horizon": 30}, "too few rows to calibrate: 20 of the 40"),
    "seed": ({"method": "rescp", "seed": -1}, "seed"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_parameters(case: str) -> None:
    y, forecasts = rows(40)
    options, expected = BAD[case]
    with pytest.raises(ValueError, match=expected) as error:
        around(y, forecasts, **options)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("outcome", "forecast", "expected"),
    [
        ({5: np.nan}, {}, r"row 6 \(counting from 1\) has no outcome"),
        ({}, {8: np.nan}, r"row 9 \(counting from 1\) has no forecast"),
        ({}, {39: np.nan}, r"row 40 \(counting from 1\) has no forecast"),
        ({38: np.nan, 39: np.nan}, {}, r"row 40 .* at most 1 future row"),
        ({3: np.inf}, {}, "infinite"),
        ({}, {3: -np.inf}, "infinite"),
        (dict.fromkeys(range(40), np.nan), {}, "no row has both"),
        ({}, dict.fromkeys(range(40), np.nan), "no row has a forecast"),
    ],
)
def test_bad_rows_are_named(outcome: dict[int, float], forecast: dict[int, float], expected: str) -> None:
    y, forecasts = rows(40)
    for column, changes in ((y, outcome), (forecasts, forecast)):
        for row, value in changes.items():
            column[row] = value
    with pytest.raises(ValueError, match=expected):
        around(y, forecasts)


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="39 forecasts of 40 outcomes"):
        around(np.zeros(40), np.zeros(39))


def test_other_words_for_a_row() -> None:
    y, forecasts = rows(40)
    y[4] = np.nan
    with pytest.raises(ValueError, match="line 6 has no outcome"):
        around(y, forecasts, where=lambda row: f"line {row + 2}")
