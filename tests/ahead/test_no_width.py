"""Intervals where most past errors are exactly zero: no certainty about a forecast that nothing is known of."""

import numpy as np
import pytest

from ngrc import NGRC, look_ahead
from ngrc.ahead.levels import Step, supported
from ngrc.intervals import Split
from ngrc.intervals.base import History, Offsets

RARE = np.where(np.arange(100) == 99, 1e9, 0.0)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95])
@pytest.mark.parametrize("method", [None, "auto", "split", "rolling", "adaptive", "dtaci", "nexcp"])
def test_after_the_first_event_an_interval_has_width(method: str | None, level: float) -> None:
    for model in (None, NGRC(lags=3)):
        outlook = look_ahead(RARE, model, method=method, level=level)
        assert outlook.upper[0] - outlook.lower[0] > 1e6
        assert not any("no width" in note for note in outlook.notes)


def test_where_forecasts_were_exact_there_is_none_and_a_note_says_so() -> None:
    for y in (np.where(np.arange(100) == 3, 1e9, 0.0), np.full(60, 5.0)):
        outlook = look_ahead(y, steps=2, level=[0.8, 0.9])
        np.testing.assert_array_equal(outlook.lower, y[-1])
        np.testing.assert_array_equal(outlook.upper, y[-1])
        assert outlook.notes[-2:] == tuple(
            f"at level {level:g} the interval of 2 steps has no width: that share of the past errors is zero"
            for level in (0.8, 0.9)
        )


def test_only_an_interval_without_width_outside_the_exact_forecasts_is_widened() -> None:
    history = History(np.array([0.0, -3.0, 0.0, 0.0]))
    narrow, wide = (
        Offsets(np.array([-9.0, 0.0]), np.array([9.0, 0.0])),
        Offsets(np.array([-1.0]), np.array([2.0])),
    )

    def at(forecast: float, exact: tuple[float, float] | None) -> tuple[Offsets, ...]:
        step = Step(1, 1, Split(), history, None, forecast, 0.0, lambda: 0.0, exact)
        return supported(step, (narrow, wide))

    for inside in (4.0, 5.0, 6.0):
        assert at(inside, (4.0, 6.0)) == (narrow, wide)
    for forecast, exact in ((7.0, (4.0, 6.0)), (5.0, None)):
        widened, same = at(forecast, exact)
        assert (widened.lower.tolist(), widened.upper.tolist()) == ([-9.0, -3.0], [9.0, 3.0])
        assert same is wide
