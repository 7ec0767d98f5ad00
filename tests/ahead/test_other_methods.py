"""Another method around the same forecasts: what a look ahead with it says, without a fit."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ngrc import NGRC, look_ahead
from ngrc.ahead.outlook import Outlook
from ngrc.forecasters.naive import SeasonalNaive
from ngrc.intervals import Rolling

from .test_continuation import FRAME, KEPT, MODEL, STEPS, same

SERIES = FRAME[:KEPT]


@pytest.mark.parametrize("method", ["adaptive", "student", "scaled", Rolling(window=40)], ids=str)
@pytest.mark.parametrize("band", ["pointwise", "path"])
def test_it_is_what_look_ahead_says(method: Any, band: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"steps": STEPS, "level": [0.8, 0.95], "band": band}
    expected = look_ahead(SERIES, MODEL, method=method, **options)
    first = look_ahead(SERIES, MODEL, method="split", **options)
    monkeypatch.setattr(NGRC, "fit", lambda *_, **__: pytest.fail("fitted"))
    other = first.with_method(method)
    assert same(other, expected)
    assert isinstance(other.table, pd.DataFrame)
    assert other.table.equals(expected.table)
    assert first.method == "split"


def test_any_forecaster_and_fewer_steps_than_were_fitted() -> None:
    outlook = look_ahead(SERIES, SeasonalNaive(24), steps=3, method="split")
    other = outlook.with_method("adaptive")
    assert other.method == "adaptive"
    assert np.array_equal(other.forecast, outlook.forecast)
    kept = look_ahead(SERIES, MODEL, steps=STEPS, method="split").continuation()
    short = kept.look_ahead(SERIES, steps=2)
    assert short.with_method("rolling").forecast.size == 2
    assert np.array_equal(short.with_method("split").lower, short.lower)


def test_where_nothing_is_kept_it_says_so() -> None:
    outlook = look_ahead(SERIES, MODEL, method="split")
    bare = Outlook(**{name: getattr(outlook, name) for name in (
        "level", "method", "times", "forecast", "lower", "upper", "selected", "guarantee", "levels", "band",
        "bands", "factors",
    )})  # fmt: skip
    with pytest.raises(
        ValueError, match="holds no residuals to calibrate on; take one that look_ahead returned"
    ):
        bare.with_method("adaptive")


def test_a_method_that_the_library_chose_obeys_bounds_that_the_series_shows() -> None:
    """Closed on Sundays: nothing is sold, and no interval reaches below nothing."""
    rng = np.random.default_rng(0)
    sales = np.where(np.arange(280) % 7 == 6, 0.0, rng.gamma(3.0, 30.0, 280))
    few = look_ahead(sales, NGRC(lags=7), steps=24, level=0.95)
    assert few.method == "student"
    assert few.lower.min() == 0.0
    # One that was named stays as it is.
    assert look_ahead(sales, NGRC(lags=7), steps=24, method="student").lower.min() < 0.0
