"""Bad input is told in one clear line that says what was expected, what came and what to do."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ngrc import NGRC, AutoNGRC

Y = np.cumsum(np.random.default_rng(0).normal(size=120))
WIND = {"wind": np.random.default_rng(1).normal(size=120)}
DAYS = np.datetime64("2024-01-01") + np.arange(150)


def with_(value: float) -> Any:
    broken = Y.copy()
    broken[5] = value
    return broken


def fits(*ends: Any, **options: Any) -> list[AutoNGRC]:
    return list(AutoNGRC(1).fits(Y, ends, **options))


ERRORS: dict[str, tuple[Callable[[], Any], str]] = {
    "vector": (
        lambda: AutoNGRC().fit(np.stack([Y, Y], axis=1)),
        "one series, got a table of 2 channels; give it as",
    ),
    "table of one": (
        lambda: AutoNGRC().fit(Y[:, None]),
        "one series, got a table of 1 channel; give it as a plain",
    ),
    "nothing": (lambda: AutoNGRC().fit([]), "needs at least one observation, got none; give a series"),
    "words": (lambda: AutoNGRC().fit(["a", "b"]), "y must hold numbers: got values of type"),
    "nan": (lambda: AutoNGRC().fit(with_(np.nan)), "y must be finite, got nan at position 5"),
    "infinity": (lambda: AutoNGRC().fit(with_(np.inf)), "y must be finite, got inf at position 5"),
    "nan later": (
        lambda: AutoNGRC().fit(Y).predict(with_(np.nan)),
        "y must be finite, got nan at position 5",
    ),
    "horizon zero": (lambda: AutoNGRC(0).fit(Y), "horizon must be at least 1, got 0"),
    "horizon half": (lambda: AutoNGRC(2.5).fit(Y), "horizon must be a whole number"),  # type: ignore[arg-type]
    "horizon true": (lambda: AutoNGRC(True).fit(Y), "horizon must be a whole number of at least 1, got True"),
    "period of one": (
        lambda: AutoNGRC(periods=(1,)).fit(Y),
        "a period must be at least 2 steps, got 1; give it in",
    ),
    "period twice": (
        lambda: AutoNGRC(periods=(24, 24)).fit(Y),
        r"periods must all differ, got \(24.0, 24.0\)",
    ),
    "period alone": (lambda: AutoNGRC(periods=24).fit(Y), r"sequence of numbers, got 24; write \(24,\)"),  # type: ignore[arg-type]
    "period nan": (
        lambda: AutoNGRC(periods=(np.nan,)).fit(Y),
        "each value of periods must be a finite number",
    ),
    "transform": (lambda: AutoNGRC(transform="sqrt").fit(Y), "transform must be None, 'log'"),  # type: ignore[arg-type]
    "domain": (
        lambda: AutoNGRC(transform="log").fit(Y - 100),
        "transform 'log' needs values above 0, got 120 of 120",
    ),
    "bounds": (
        lambda: AutoNGRC(lower=3, upper=1).fit(Y),
        "lower must be below upper, got lower=3 and upper=1",
    ),
    "below": (
        lambda: AutoNGRC(lower=1e3).fit(Y),
        "lower=1000, but 120 of the 120 values of the series are below",
    ),
    "scale": (lambda: AutoNGRC().fit(Y, scale=(0, 0)), "with std above zero, got std 0"),
    "few times": (
        lambda: AutoNGRC().fit(Y, times=DAYS[:31]),
        "one entry per observation, got 31 times for 120 obs",
    ),
    "path": (lambda: AutoNGRC(3).fit(Y).predict_path(Y), r"fit AutoNGRC\(horizon=H, path=True\)"),
    "other horizon": (lambda: AutoNGRC(3).fit(Y).coefficients(2), "no readout of horizon 2; the model has"),
    "short history": (
        lambda: AutoNGRC(3).fit(Y).forecast(Y[:1]),
        "forecasting needs at least .* observations, got 1",
    ),
    "two channels": (
        lambda: AutoNGRC().fit(Y).predict(np.stack([Y, Y], axis=1)),
        "fitted to one scalar series, got the channels x0, x1; give the same channels",
    ),
    "ends fall": (
        lambda: fits(80, 50),
        r"ends must rise and be at most the 120 observations given, got \(80, 50\)",
    ),
    "ends twice": (lambda: fits(50, 50), "ends must rise"),
    "ends beyond": (lambda: fits(50, 500), "ends must rise and be at most the 120 observations given"),
    "end zero": (lambda: fits(0, 50), "each of the ends must be at least 1, got 0"),
    "window": (lambda: fits(50, 80, window=0), "window must be at least 1, got 0"),
    "both": (
        lambda: AutoNGRC(exog=("wind",), known=("wind",)).fit(Y, exog=WIND),
        "column 'wind' is declared both as exog and as known; declare it once",
    ),
    "one name": (
        lambda: AutoNGRC(exog="wind").fit(Y, exog=WIND),
        "exog must be a sequence of column names, got 'wind'",
    ),
    "name of the series": (
        lambda: AutoNGRC().fit(Y, exog={"x": Y}),
        "the exog column 'x' has the name of the series' own channel in the map; rename the column",
    ),
    "name of its double": (
        lambda: AutoNGRC().fit(Y, exog={"clip(x)": WIND["wind"]}),
        r"the exog column 'clip\(x\)' has the name of the series' clipped channel in the map; rename the column",
    ),
    "the series itself": (
        lambda: AutoNGRC(known=("answer",)).fit(Y, exog={"answer": np.append(Y, 0.0)}),
        "the known input 'answer' holds the series itself, which nobody knows ahead; leave it out",
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_say_what_came_and_what_to_do(name: str) -> None:
    act, message = ERRORS[name]
    with pytest.raises(ValueError, match=message) as caught:
        act()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    "name",
    ["predict", "predict_path", "leverage", "forecast", "forecast_leverage", "facts", "equation", "coefficients",
     "report", "link", "noise_scale"],
)  # fmt: skip
def test_nothing_is_said_before_a_fit(name: str) -> None:
    given = (Y,) if name in ("predict", "predict_path", "leverage", "forecast", "forecast_leverage") else ()
    with pytest.raises(ValueError, match="this AutoNGRC is not fitted yet; call fit first"):
        getattr(AutoNGRC(), name)(*given)


def test_inputs_without_a_declaration_are_read_as_those_of_ngrc() -> None:
    """All columns of exog are read through the origin where none is named."""
    model = AutoNGRC().fit(Y, exog=WIND)
    assert list(model.state_.preparation.beside) == ["wind"]
    assert list(NGRC(lags=2).fit(Y, exog=WIND).fitted_.preparation.beside) == ["wind"]
    with pytest.raises(
        ValueError, match="the model was fitted with wind beside the series; give exog with it"
    ):
        model.predict(Y)


def test_a_failed_fit_leaves_no_half_fitted_model() -> None:
    model = AutoNGRC()
    with pytest.raises(ValueError, match="must be finite"):
        model.fit(with_(np.nan))
    assert not hasattr(model, "state_")
    model.fit(Y)
    said = model.predict(Y)
    with pytest.raises(ValueError, match="must be finite"):
        model.fit(with_(np.nan))
    np.testing.assert_array_equal(model.predict(Y), said)


def test_good_arguments_of_any_kind() -> None:
    assert AutoNGRC(int(np.int64(2)), periods=[7, 30.5]).fit(Y.tolist(), times=DAYS).horizon == 2
    assert [model.n_rows_ > 0 for model in fits(50, 80, window=1)] == [True, True]
    assert AutoNGRC(periods=(1e9,)).fit(Y).selections_[0].periods[0].steps == 1e9
    assert fits() == []
