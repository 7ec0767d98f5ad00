"""Calls from Python that cannot be answered, and what they raise."""

from collections.abc import Callable
from typing import Any

import numpy as np

import ngrc
from ngrc import NGRC
from ngrc.intervals import Adaptive
from ngrc.series import as_series

WAVE = np.sin(np.arange(120) / 3)
# Of no type that the arguments have.
WRONG: dict[str, Any] = {"lags": "many", "degree": 1.5, "late": "maybe"}


CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "series with NaN throughout": (
        lambda: as_series([np.nan] * 5),
        "all 5 values are missing; at least one number is needed",
    ),
    "series with infinity": (
        lambda: as_series([1.0, np.inf, 2.0]),
        "row 2 (counting from 1): inf is infinite; correct it or leave it missing (NaN)",
    ),
    "series of complex numbers": (
        lambda: as_series(np.ones(5, dtype=complex)),
        "the values must be numbers, got complex numbers; take their real part or modulus",
    ),
    "series of objects": (
        lambda: as_series(np.array([1, "a", None], dtype=object)),
        "row 2 (counting from 1): 'a' stands where a number belongs; convert text to numbers first",
    ),
    "series of words": (
        lambda: as_series(["a", "b"]),
        "row 1 (counting from 1): 'a' stands where a number belongs; convert text to numbers first",
    ),
    "masked array, all masked": (
        lambda: as_series(np.ma.masked_array(np.ones(4), mask=True)),
        "all 4 values are missing; at least one number is needed",
    ),
    "empty series": (lambda: as_series([]), "the series is empty; at least one value is needed"),
    "a number": (
        lambda: as_series(5.0),
        "a series is expected: an array, a list, or a pandas or polars column; got a float",
    ),
    "None": (
        lambda: as_series(None),
        "a series is expected: an array, a list, or a pandas or polars column; got a NoneType",
    ),
    "a dictionary": (
        lambda: as_series({"y": [1, 2]}),
        "a series is expected: an array, a list, or a pandas or polars column; got a dict",
    ),
    "a path": (
        lambda: as_series("data.csv"),
        "a series is expected, got the text 'data.csv'; read files with read_series",
    ),
    "two columns": (
        lambda: as_series(np.ones((5, 2))),
        "one series is expected, got an array of shape (5, 2); pass one column, data[:, 0]",
    ),
    "three dimensions": (
        lambda: as_series(np.ones((5, 1, 1))),
        "one series is expected, got an array with 3 dimensions; pass shape (n,)",
    ),
    "ragged list": (
        lambda: as_series([[1, 2], [3]]),
        "the values must be one row of numbers, got nested lists of different length; pass a flat list",
    ),
    "times of another length": (
        lambda: as_series([1.0, 2.0], time=[1, 2, 3]),
        "2 values came with 3 times; give one time per value",
    ),
    "times with NaT": (
        lambda: as_series([1.0, 2.0], time=np.array(["2024-01-01", "NaT"], dtype="M8[D]")),
        "row 2 (counting from 1) has no time; give it one or drop the row",
    ),
    "times backwards": (
        lambda: as_series([1.0, 2.0, 3.0], time=[3, 2, 1]),
        "row 2 (counting from 1): time 2 comes before the time of the row before, 3; sort and "
        "merge, or put the series on the regular grid with resample=True (--resample)",
    ),
    "fit with NaN": (
        lambda: NGRC(lags=2).fit([1.0, np.nan, 2.0] * 20),
        "y must be finite, got nan at position 1",
    ),
    "fit with infinity": (
        lambda: NGRC(lags=2).fit(np.where(np.arange(60) == 5, np.inf, 1.0)),
        "y must be finite, got inf at position 5",
    ),
    "fit too short": (
        lambda: NGRC(lags=10).fit(np.arange(5.0)),
        "lags 10, spacing 1, horizon 1 and first target 10 need at least 12 observations, got 5; "
        "give more, or use fewer lags",
    ),
    "fit of complex": (
        lambda: NGRC(lags=2).fit(np.ones(50, dtype=complex)),
        "y must hold numbers: got values of type complex128",
    ),
    "lags zero": (lambda: NGRC(lags=0).fit(WAVE), "lags must be at least 1, got 0"),
    "lags of a word": (
        lambda: NGRC(lags=WRONG["lags"]).fit(WAVE),
        "each of the lags (1 is the newest observation) must be a whole number of at least 1, got 'm'",
    ),
    "lags empty": (
        lambda: NGRC(lags=()).fit(WAVE),
        "lags must name at least one lag, got none; write lags=1 for the newest observation",
    ),
    "degree 1.5": (
        lambda: NGRC(lags=2, degree=WRONG["degree"]).fit(WAVE),
        "degree must be a whole number of at least 1, got 1.5",
    ),
    "horizon zero": (lambda: NGRC(lags=2, horizon=0).fit(WAVE), "horizon must be at least 1, got 0"),
    "degree true": (
        lambda: NGRC(lags=2, degree=True).fit(WAVE),
        "degree must be a whole number of at least 1, got True",
    ),
    "lower above upper": (
        lambda: NGRC(lags=2, lower=3, upper=1).fit(WAVE),
        "lower must be below upper, got lower=3 and upper=1",
    ),
    "look_ahead steps 0": (
        lambda: ngrc.look_ahead(WAVE, NGRC(lags=2), steps=0),
        "steps must be at least 1, got 0",
    ),
    "look_ahead level 1": (
        lambda: ngrc.look_ahead(WAVE, NGRC(lags=2), level=1.0),
        "level must be in (0, 1), or 50 to below 100 as per cent, got 1.0; use 0.95 for 95 %",
    ),
    "look_ahead level nan": (
        lambda: ngrc.look_ahead(WAVE, NGRC(lags=2), level=np.nan),
        "level must be in (0, 1), or 50 to below 100 as per cent, got nan; use 0.95 for 95 %",
    ),
    "look_ahead no levels": (
        lambda: ngrc.look_ahead(WAVE, NGRC(lags=2), level=[]),
        "give at least one level, got an empty list; use 0.95 for 95 %",
    ),
    "look_ahead method": (
        lambda: ngrc.look_ahead(WAVE, NGRC(lags=2), method="spilt"),
        "unknown interval method 'spilt'; choose from {methods}",
    ),
    "look_ahead short": (
        lambda: ngrc.look_ahead(WAVE[:6], NGRC(lags=2)),
        "the series is too short for 1 step ahead with 2 lags: 6 observations leave too few rows "
        "to fit or to calibrate; give more observations or fewer lags",
    ),
    "look_ahead exog length": (
        lambda: ngrc.look_ahead(WAVE, NGRC(lags=2, exog=("a",)), exog=np.ones((5, 1))),
        "exog has no column 'a'; there are 'exog0'",
    ),
    "backtest two dims": (
        lambda: ngrc.backtest(np.ones((50, 2)), NGRC(lags=2)),
        "one series is expected, got an array of shape (50, 2); pass one column, data[:, 0]",
    ),
    "rate negative": (lambda: Adaptive(rate=-1.0), "rate must be a finite number above zero, got -1.0"),
    "Online nan": (
        lambda: ngrc.OnlineForecaster(NGRC(lags=2), "rolling", horizon=0),
        "horizon must be at least 1, got 0",
    ),
    "Online level": (
        lambda: ngrc.OnlineForecaster(NGRC(lags=2), "rolling", level=0),
        "level must be in (0, 1), or 50 to below 100 as per cent, got 0; use 0.95 for 95 %",
    ),
    "Online method": (
        lambda: ngrc.OnlineForecaster(NGRC(lags=2), "spilt").start(WAVE),
        "unknown interval method 'spilt'; choose from {methods}",
    ),
    "Online late": (
        lambda: ngrc.OnlineForecaster(NGRC(lags=2), "rolling", late=WRONG["late"]),
        "late must be 'refuse' or 'accept', got 'maybe'",
    ),
    "Online not started": (
        lambda: ngrc.OnlineForecaster(NGRC(lags=2), "rolling").next(),
        "next() needs a history; call start(history) first",
    ),
    "Online observe not started": (
        lambda: ngrc.OnlineForecaster(NGRC(lags=2), "rolling").observe(1.0),
        "observe() needs a history; call start(history) first",
    ),
    "Online history short": (
        lambda: ngrc.OnlineForecaster(NGRC(lags=2), "rolling").start(WAVE[:4]),
        "the series is too short for 1 step ahead with 2 lags: 4 observations leave too few rows "
        "to fit or to calibrate; give more observations or fewer lags",
    ),
    "Online refit_every": (
        lambda: ngrc.OnlineForecaster(NGRC(lags=2), "rolling", refit_every=0),
        "refit_every must be at least 1, got 0",
    ),
}
"""By name: the call, and the message of its `ValueError`."""
