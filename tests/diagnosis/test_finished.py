"""A finished backtest is diagnosed as a series is."""

from dataclasses import fields

import numpy as np
import pytest

from ngrc import NGRC, backtest, diagnose
from ngrc.diagnosis import diagnose_backtest


def test_the_diagnosis_of_a_backtest_is_that_of_its_series() -> None:
    rng = np.random.default_rng(2)
    y = np.zeros(500)
    for t in range(1, y.size):
        y[t] = 0.7 * y[t - 1] + rng.normal() * (1.0 + 0.5 * np.sin(t / 40))
    model = NGRC(lags=2, degree=1)
    # Other methods and further levels change nothing of what is said at one of them.
    finished = diagnose_backtest(backtest(y, model, methods=["adaptive"], level=[0.5, 0.9]), level=90)
    fresh = diagnose(y, model, level=0.9)
    for one in fields(fresh):
        if one.name in {
            "advice",
            "evidence",
            "forecast",
            "shape",
            "diagnostics",
            "predicted_coverage",
            "level",
        }:
            assert repr(getattr(finished, one.name)) == repr(getattr(fresh, one.name)), one.name


def test_a_level_that_was_not_run_is_refused() -> None:
    result = backtest(np.sin(np.arange(200.0)), NGRC(lags=2, degree=1), methods=["split"], level=0.9)
    with pytest.raises(ValueError, match=r"this backtest holds the levels 0.9, got 0.95; name one of them"):
        diagnose_backtest(result, level=0.95)
