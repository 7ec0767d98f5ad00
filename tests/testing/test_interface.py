"""What `assert_no_lookahead` takes, and what it refuses."""

from typing import Any

import numpy as np
import pytest

from ngrc import NGRC, as_series
from ngrc.intervals import Adaptive, Split
from ngrc.testing import assert_no_lookahead
from tests.testing.leaks import Persistence, delayed, drawn

REFUSED: dict[str, tuple[Any, Any, dict[str, Any], str]] = {
    "a class": (NGRC, drawn(), {}, "give an object, not the class NGRC"),
    "a number": (3, drawn(), {}, "forecaster must be a point forecaster"),
    "no horizon": (lambda y: y, drawn(), {}, "returns one row per observation: say horizon="),
    "a horizon of -1": (lambda y: y, drawn(), {"horizon": -1}, "horizon"),
    "a horizon of zero": (NGRC(lags=2), drawn(), {"horizon": 0}, "horizon"),
    "text": (Persistence(), np.array(["a", "b"]), {}, "could not convert|numbers"),
    "an infinite value": (Persistence(), np.array([1.0, np.inf, 3.0]), {}, "none of them infinite"),
    "three axes": (Persistence(), np.zeros((4, 4, 4)), {}, "shape"),
    "too short": (NGRC(lags=30, ridge=0.1), drawn(40), {}, "30 lags|observations"),
    "no cut": (Persistence(), drawn(), {"cuts": 0}, "cuts"),
    "a cut in the fit block": (Persistence(), drawn(), {"cuts": [5]}, "cuts must lie between 89 and 148"),
    "no cuts": (Persistence(), drawn(), {"cuts": []}, "cuts must lie"),
    "all fitted": (Persistence(), drawn(), {"fit": 150}, "fit must leave observations behind it"),
    "exog of a model without": (
        Persistence(),
        drawn(),
        {"exog": {"a": drawn()}},
        "exog is for a model that takes it",
    ),
    "exog named as the series": (NGRC(lags=2), drawn(), {"exog": {"y": drawn()}}, "named 'y'"),
    "an empty range": (Persistence(), drawn(), {"within": (2.0, 1.0)}, "within must be"),
    "a result without numbers": (lambda y: "text", drawn(), {}, "no numbers in str"),
    "neither kind of answer": (lambda y: y[1:], drawn(), {}, "return one row per observation, or a forecast"),
    "a level of two": (Split(), drawn(), {"level": 2.0}, "level"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    forecaster, series, options, match = REFUSED[name]
    with pytest.raises(ValueError, match=match):
        assert_no_lookahead(forecaster, series, **options)


def test_series_of_every_kind() -> None:
    import pandas as pd
    import polars as pl

    times = pd.date_range("2024-01-01", periods=150, freq="h")
    frame = pd.Series(drawn(), index=times)
    model = NGRC(lags=2, ridge=0.1, calendar=("hour",))
    for series in (frame, as_series(frame)):
        assert_no_lookahead(model, series, cuts=2)
    assert_no_lookahead(model, drawn(), times=times.to_numpy(), cuts=2)
    kinds: list[Any] = [pl.Series(drawn()), drawn().tolist(), drawn().astype(np.float32), np.arange(150) % 7]
    for kind in kinds:
        assert_no_lookahead(NGRC(lags=2, ridge=0.1), kind, cuts=2)


def test_the_forecaster_and_the_series_are_left_alone() -> None:
    series, model = drawn(), NGRC(lags=2, ridge=0.1)
    before = series.copy()
    assert_no_lookahead(model, series, horizon=4, cuts=2)
    np.testing.assert_array_equal(series, before)
    assert model.horizon == 1
    assert not hasattr(model, "fitted_")


def test_the_changes_keep_to_the_range_that_the_series_may_take() -> None:
    seen: list[float] = []

    def watching(y: Any) -> Any:
        seen.extend((float(np.min(y)), float(np.max(y))))
        return delayed(y, 1)

    assert_no_lookahead(watching, drawn(), horizon=1)
    assert 0.0 < min(seen) < max(seen)
    assert max(seen) > 1e6
    seen.clear()
    assert_no_lookahead(watching, drawn(), horizon=1, within=(20.0, 60.0))
    assert 20.0 <= min(seen) < max(seen) <= 60.0
    seen.clear()
    assert_no_lookahead(watching, drawn() - 40.0, horizon=1)
    assert max(seen) > 1e6


def test_an_error_of_the_forecaster_says_during_which_change() -> None:
    def narrow(y: Any) -> Any:
        if np.max(y) > 1000.0:
            raise RuntimeError("out of range")
        return delayed(y, 1)

    with pytest.raises(RuntimeError) as caught:
        assert_no_lookahead(narrow, drawn(), horizon=1)
    assert "when y after 45 got a spike" in caught.value.__notes__[0]


def test_a_forecaster_without_a_seed_is_told_so() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(AssertionError, match="does not repeat itself: asked the same at once"):
        assert_no_lookahead(lambda y: delayed(y, 1) + rng.normal(), drawn(), horizon=1)


def test_rounding_can_be_allowed() -> None:
    def nearly(y: Any) -> Any:
        return delayed(y, 1) + 1e-12 * np.mean(y)

    assert_no_lookahead(nearly, drawn(), horizon=1, tolerance=1e-3)
    with pytest.raises(AssertionError, match="looks ahead"):
        assert_no_lookahead(nearly, drawn(), horizon=1)


def test_a_split_by_share_of_the_length_is_no_look_ahead_where_it_is_said_so() -> None:
    def fitted_on_a_share(y: Any) -> Any:
        end = int(0.3 * y.size)
        result = delayed(y, 1)
        return np.where(np.arange(y.size) < end, np.nan, result - y[:end].mean())

    with pytest.raises(AssertionError, match="it knows what follows, or how much"):
        assert_no_lookahead(fitted_on_a_share, drawn(), horizon=1)
    assert_no_lookahead(fitted_on_a_share, drawn(), horizon=1, shorten=False)


def test_other_seeds_and_cuts_find_the_same_honest() -> None:
    for seed in range(3):
        assert_no_lookahead(Adaptive(rate=0.05), drawn() - 40.0, horizon=2, seed=seed, cuts=2)
