"""No choice is made on what it is judged by: penalties, parameters of methods, refits, in a backtest and ahead."""

from typing import Any

import numpy as np
import pytest

from ngrc import NGRC, FixedOrigin, ShiftedWindows, WalkForward, backtest, look_ahead
from ngrc._types import FloatArray
from ngrc.intervals import METHODS
from ngrc.testing import assert_no_lookahead
from tests.testing.leaks import drawn

TUNED = ["adaptive", "weighted"]
SPLITS: dict[str, Any] = {
    "walk": WalkForward(),
    "walk, refits and a window": WalkForward(refit_every=60, window=160),
    "one fit": FixedOrigin(),
    "windows": ShiftedWindows((0.0, 0.1)),
}


@pytest.mark.parametrize("horizon", [1, 3, 7, 24])
@pytest.mark.parametrize("name", SPLITS)
def test_backtests_that_choose_penalties_and_parameters(name: str, horizon: int) -> None:
    def function(y: FloatArray) -> Any:
        model = NGRC(lags=3, degree=1, ridges=(1e-6, 1e-2, 1.0, 100.0))
        return backtest(y, model, horizon=horizon, methods=TUNED, split=SPLITS[name])

    assert_no_lookahead(function, drawn(540), cuts=1)


def test_a_backtest_over_every_method() -> None:
    names = [name for name in METHODS if name not in ("rescp", "quantile", "auto")]

    def function(y: FloatArray) -> Any:
        return backtest(y, NGRC(lags=3, degree=1, ridge=0.1), horizon=3, methods=names)

    assert_no_lookahead(function, drawn(240), cuts=2)


def test_a_look_ahead_depends_on_nothing_but_what_it_is_given() -> None:
    def function(y: FloatArray) -> Any:
        return look_ahead(y, NGRC(lags=3, ridges=(0.01, 1.0)), steps=3, method="adaptive")

    assert_no_lookahead(function, drawn(), cuts=2)


def test_a_penalty_chosen_on_the_block_it_is_judged_by_is_found() -> None:
    def best(y: FloatArray) -> FloatArray:
        end = 60
        models = [NGRC(lags=3, ridge=ridge).fit(y[:end]) for ridge in (1e-9, 1e-3, 1.0, 1e3)]
        forecasts = [model.predict(y) for model in models]
        return min(forecasts, key=lambda one: float(np.mean((one - y)[end:] ** 2)))

    with pytest.raises(AssertionError, match="best looks ahead"):
        assert_no_lookahead(best, drawn(), horizon=1, cuts=[61, 70, 90])
