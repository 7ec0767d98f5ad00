"""What stands at a forecast's origin: forecasts and clock, checked once and cut without losing the clock."""

import numpy as np
import pytest

from ngrc.intervals import History, Stream
from ngrc.intervals.context import Context


def test_parts_keep_their_places_on_the_clock() -> None:
    context = Context(np.arange(10.0), (168.0, 24.0), phase=5)
    assert context.periods == (24.0, 168.0)
    head, tail = context.until(4), context.since(4)
    assert (head.forecasts.tolist(), head.phase) == ([0.0, 1.0, 2.0, 3.0], 5)
    assert (tail.forecasts.tolist(), tail.phase, tail.periods) == (
        [4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
        9,
        (24.0, 168.0),
    )


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_forecasts_and_periods_must_be_finite(bad: float) -> None:
    with pytest.raises(ValueError, match="forecasts"):
        Context(np.array([1.0, bad]))
    with pytest.raises(ValueError, match="period"):
        Context(np.zeros(3), (bad,))


@pytest.mark.parametrize("period", [0.0, -24.0])
def test_periods_must_be_positive(period: float) -> None:
    with pytest.raises(ValueError, match="period"):
        Context(np.zeros(3), (period,))


def test_one_forecast_per_position() -> None:
    with pytest.raises(ValueError, match=r"a context needs one forecast for each of .*, 5 in all, got 4"):
        Stream(np.zeros(5), 2, context=Context(np.zeros(4)))
    # A history knows the forecasts of the H - 1 pending targets too.
    with pytest.raises(ValueError, match="7 in all, got 5"):
        History(np.zeros(5), 3, context=Context(np.zeros(5)))
    assert Stream(np.zeros(9), 6, 3, context=Context(np.arange(9.0))).history.context is not None
