"""Bad input ends in one line that says what to change."""

from typing import Any

import numpy as np
import pytest

from ngrc import NGRC
from ngrc.features import Delays, Known, Seasonal

SIZE = 120
SERIES = np.random.default_rng(61).standard_normal(SIZE).cumsum()
WIND = np.random.default_rng(62).standard_normal(SIZE)


def one_line(error: pytest.ExceptionInfo[ValueError]) -> None:
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"periods": (7, 121)},
            "the period 121 is longer than the fit block's 120 observations; give more or leave",
        ),
        ({"periods": (121,), "harmonics": 0, "seasonal": 1}, "longer than the fit block's 120 observations"),
        ({"lags": 0}, "lags must be at least 1"),
        ({"lags": (1, 0)}, "lags .1 is the newest observation. must be at least 1, got 0"),
        ({"lags": (1, 24, 24)}, "lags must all differ, got .1, 24, 24.; name each once"),
        ({"lags": ()}, "lags must name at least one lag, got none; write lags=1"),
        ({"lags": 3, "product_lags": 4}, "the first 4 delays are asked for and there are 3; use more lags"),
        (
            {"lags": 3, "clock_lags": 4, "periods": (7,)},
            "the first 4 delays are asked for and there are 3; use more",
        ),
        (
            {"clock_lags": 2},
            "clock products need a period, got none; give periods=.24,. or leave clock_lags out",
        ),
        (
            {"clock_lags": 2, "periods": (7,), "harmonics": 0},
            "harmonics is 0; use harmonics=1 or more, or leave",
        ),
        (
            {"seasonal": 2},
            "seasonal delays need a period, got none; give periods=.24,. or leave seasonal out",
        ),
        ({"target": "growth"}, "target must be one of level, increment, seasonal, both, got 'growth'"),
        ({"target": "seasonal"}, "a seasonal target needs a period, got none; give periods"),
        ({"clip": -0.5}, "clip must be the share of the fit block's range"),
        ({"intercept": None}, "intercept must be 'free', 'penalised' or 'none', got None"),
        ({"columns": "plain"}, "columns must be 'standardised' or 'raw', got 'plain'"),
        ({"ridge": float("nan")}, "a ridge penalty must be a number, zero or above, got nan"),
        ({"ridges": (0.1, float("nan"))}, "each value of ridges"),
        ({"map": ()}, "a map needs at least one group of columns, got none; begin with"),
        ({"map": (24,)}, "a map is made of groups such as Delays.24. or Clock..24,.., got 24"),
        (
            {"map": (Delays(2, channel="wind"),)},
            "reads the channel 'wind', and the data has x; give it as a column",
        ),
        (
            {"map": (Delays(2), Known(("sun",)))},
            "the known input 'sun', and the data has none; give it as a column",
        ),
        (
            {"map": (Seasonal((12,), move=False),), "horizon": 13},
            "12 steps before the target is not observable at hori",
        ),
        ({"map": (Delays((1, 120)),)}, "give more, or use fewer lags"),
        ({"calendar": ("hour",)}, "calendar columns need the series' times, and there are none; give dates"),
        ({"horizon": 30, "path": True}, "need at least 187 observations, got 120"),
    ],
)
@pytest.mark.parametrize("path", [False, True], ids=["alone", "path"])
def test_fit_refuses(settings: dict[str, Any], message: str, path: bool) -> None:
    with pytest.raises(ValueError, match=message) as error:
        NGRC(**{"ridges": (0.1, 1.0), "path": path, **settings}).fit(SERIES)
    one_line(error)


@pytest.mark.parametrize(
    ("settings", "exog", "message"),
    [
        ({"exog": ("rain",)}, {"wind": WIND}, "exog has no column 'rain'; there are 'wind'"),
        ({"known": ("sun",)}, {"wind": WIND}, "exog has no column 'sun'; there are 'wind'"),
        (
            {"exog": ("wind",), "known": ("wind",)},
            {"wind": WIND},
            "declared both as exog and as known; declare it once",
        ),
        ({"exog": ("wind",)}, {"wind": WIND[:-1]}, "exog has 119 rows beside a series of 120 observations"),
        (
            {},
            {"wind": WIND, "rain": WIND[:-3]},
            "exog columns must have one length, got 120 rows of 'wind' and 117 of 'rain'; give one value per time",
        ),
        (
            {"exog": ("wind",)},
            None,
            "wind is declared, and fit got no exog; give exog with that column, or do not",
        ),
        ({"exog": ("wind",), "known": ("sun",)}, None, "wind, sun are declared, and fit got no exog"),
        (
            {"known": ("sun",)},
            {"sun": np.where(np.arange(SIZE) == 9, np.nan, WIND)},
            r"the known input 'sun' has no value at row 10 \(counting from 1\); give it, or declare the column as exog",
        ),
    ],
)
def test_fit_refuses_what_stands_beside(settings: dict[str, Any], exog: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        NGRC(2, **settings, ridge=0.1).fit(SERIES, exog=exog)
    one_line(error)


def test_predict_needs_what_the_fit_had() -> None:
    model = NGRC(2, exog=("wind",), known=("sun",), horizon=3, ridge=0.1)
    model.fit(SERIES, exog={"wind": WIND, "sun": WIND})
    for call in (model.predict, model.leverage):
        with pytest.raises(
            ValueError, match="the model was fitted with wind, sun beside the series; give exog with it"
        ) as error:
            call(SERIES)
        one_line(error)
    with pytest.raises(ValueError, match="exog has no column 'sun'; there are 'wind'") as error:
        model.predict(SERIES, exog={"wind": WIND})
    one_line(error)


@pytest.mark.parametrize("path", [False, True])
@pytest.mark.parametrize("short", [1, 3])
def test_a_known_input_without_future_values_is_no_guess(path: bool, short: int) -> None:
    sun = np.concatenate((WIND, np.ones(3)))
    model = NGRC(2, known=("sun",), horizon=3, path=path, ridge=0.1).fit(SERIES, exog={"sun": WIND})
    assert np.isfinite(model.forecast(SERIES, exog={"sun": sun})).all()
    with pytest.raises(
        ValueError,
        match=f"'sun' must reach 3 rows beyond the series' {SIZE} observations, got {3 - short}; give",
    ) as error:
        model.forecast(SERIES, exog={"sun": sun[: SIZE + 3 - short]})
    one_line(error)
    with pytest.raises(
        ValueError, match="the known input 'sun' has no value at future row 3; give it"
    ) as error:
        model.forecast(SERIES, exog={"sun": np.append(sun[:-1], np.nan)})
    one_line(error)
