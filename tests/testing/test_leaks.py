"""Planted leaks are found, whatever they are, and honest forecasters pass: else the probe would prove nothing."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from ngrc import NGRC, backtest
from ngrc._types import FloatArray
from ngrc.intervals import History, IntervalMethod, Offsets, Split, Stream, Tracker
from ngrc.intervals.fixed import FixedTracker
from ngrc.order import conformal_quantile
from ngrc.testing import assert_no_lookahead
from tests.testing import leaks
from tests.testing.leaks import drawn

GAPS = drawn()
GAPS[[20, 61, 62, 63, 100]] = np.nan


@pytest.mark.parametrize("horizon", [1, 3, 7, 24])
@pytest.mark.parametrize(
    "model",
    [
        leaks.OneStepTooMany(),
        leaks.ScaledByAll(),
        leaks.Centred(),
        leaks.CutTail(),
        leaks.RefitBeyond(),
        leaks.LeverageBeyond(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_point_forecaster_that_looks_ahead_is_caught(model: Any, horizon: int) -> None:
    assert_no_lookahead(leaks.Persistence(), drawn(), horizon=horizon)
    with pytest.raises(AssertionError, match=rf"{type(model).__name__} looks ahead: entry \d+ of "):
        assert_no_lookahead(model, drawn(), horizon=horizon)


def test_one_step_too_many_is_told_to_the_step() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_no_lookahead(leaks.OneStepTooMany(), drawn(), horizon=3, cuts=[100])
    line, more = str(caught.value).split("\n")
    assert line.startswith(
        "OneStepTooMany looks ahead: entry 103 of predict may read y[..100], and changed from "
    )
    assert line.endswith("because y[101] changed.")
    assert more == (
        "The change: one other value after y[100]; 1 such entry moved, and none when only y[102..] changed."
    )
    before, after, by = (float(number) for number in re.findall(r"(?:from|to|by) ([\d.]+)", line))
    assert after - before == pytest.approx(by, rel=1e-2)


def test_a_path_is_held_to_the_horizon_of_each_column() -> None:
    with pytest.raises(AssertionError, match=r"entry \d+, 1 of predict_path may read"):
        assert_no_lookahead(leaks.PathBeyond(), drawn())


def test_a_fit_that_reaches_behind_what_it_is_handed_is_caught() -> None:
    with pytest.raises(AssertionError, match=r"predict of the fit to y\[\.\.\d+\]"):
        assert_no_lookahead(leaks.FitBeyond(), drawn())


def test_a_forecaster_that_learns_when_it_is_asked_is_caught() -> None:
    with pytest.raises(AssertionError, match=r"Learning (looks ahead|does not repeat itself)"):
        assert_no_lookahead(leaks.Learning(), drawn())


HONEST: dict[str, tuple[Callable[..., Any], Callable[..., Any], FloatArray, Any]] = {
    "centred smoothing": (
        lambda y: np.convolve(y, np.ones(3) / 3, "same"),
        lambda y: _trailing(y),
        drawn(),
        0,
    ),
    "scaling by the whole series": (leaks.scaled_by_all, leaks.scaled_so_far, drawn(), 0),
    "tuning on the test block": (leaks.best_window, leaks.honest_window, drawn(), 1),
    "gaps filled from behind": (leaks.filled_backward, leaks.filled_forward, GAPS, 1),
    "one step too many": (lambda y: leaks.delayed(y, 2), lambda y: leaks.delayed(y, 3), drawn(), 3),
    "one column of two": (
        lambda y: {"a": leaks.delayed(y, 3), "b": leaks.delayed(y, 2)},
        lambda y: (leaks.delayed(y, 3), leaks.delayed(y, 4)),
        drawn(),
        3,
    ),
    "one horizon of two": (
        lambda y: np.stack([leaks.delayed(y, 1), leaks.delayed(y, 1)], axis=1),
        lambda y: np.stack([leaks.delayed(y, 1), leaks.delayed(y, 2)], axis=1),
        drawn(),
        (1, 2),
    ),
}


def _trailing(y: FloatArray) -> FloatArray:
    return np.array([y[max(t - 2, 0) : t + 1].mean() for t in range(y.size)])


@pytest.mark.parametrize("name", HONEST)
def test_a_callable_that_looks_ahead_is_caught_and_its_honest_twin_passes(name: str) -> None:
    leaking, honest, series, horizon = HONEST[name]
    assert_no_lookahead(honest, series, horizon=horizon)
    with pytest.raises(AssertionError, match="looks ahead"):
        assert_no_lookahead(leaking, series, horizon=horizon)


def test_a_gap_filled_from_behind_is_seen_only_where_the_cut_is_in_the_gap() -> None:
    with pytest.raises(AssertionError, match=r"because y\[64\] changed"):
        assert_no_lookahead(leaks.filled_backward, GAPS, horizon=1, cuts=[61])
    assert_no_lookahead(leaks.filled_backward, GAPS, horizon=1, cuts=[70])


def test_callables_of_the_past() -> None:
    assert_no_lookahead(lambda past: past[-3:].mean(), drawn())
    assert_no_lookahead(lambda past: {"mean": past[-3:], "upper": past.max()}, drawn())
    with pytest.raises(AssertionError, match="reaching looks ahead"):
        assert_no_lookahead(leaks.reaching, drawn())
    with pytest.raises(AssertionError, match=r"Remembering (looks ahead|does not repeat itself)"):
        assert_no_lookahead(leaks.Remembering(), drawn())


def test_a_backtest_on_forecasts_made_with_the_future_is_caught() -> None:
    def honest(y: FloatArray) -> Any:
        return backtest(y, NGRC(lags=3, degree=1, ridge=0.1), methods=["split"], horizon=2)

    def scaled(y: FloatArray) -> Any:
        return honest((y - y.mean()) / y.std())

    assert_no_lookahead(honest, drawn(), cuts=2)
    with pytest.raises(AssertionError, match=r"scaled looks ahead: entry .* of forecasts may read"):
        assert_no_lookahead(scaled, drawn(), cuts=2)


def test_a_forecaster_in_service_that_reaches_or_rewrites_is_caught() -> None:
    assert_no_lookahead(leaks.Service(), drawn())
    with pytest.raises(AssertionError, match="Service looks ahead: entry 89, 0 of mean may read"):
        assert_no_lookahead(leaks.Service(reaches=True), drawn())
    with pytest.raises(AssertionError, match="Service rewrites the past: entry 89, 0 of mean was"):
        assert_no_lookahead(leaks.Service(rewrites=True), drawn())


@dataclass(frozen=True)
class EarlySplit(IntervalMethod):
    """Split over the residuals through t - H + 1, one too many; or tuned on the wanted block."""

    name: ClassVar[str] = "early"
    guarantee: ClassVar[str] = "None: it is here to be caught."
    tunes: bool = False
    window: int = 10

    def tuned(self, history: History, level: float) -> IntervalMethod:
        whole = history.residuals if history.residuals.base is None else history.residuals.base
        return EarlySplit(self.tunes, int(np.argmax(whole)) + 1) if self.tunes else self

    @property
    def selected(self) -> dict[str, Any]:
        return {"window": self.window}

    def run(self, stream: Stream, level: float) -> Offsets:
        early = 0 if self.tunes else 1
        ends = [
            conformal_quantile(np.abs(stream.residuals[: t - stream.horizon + 1 + early]), level)
            for t in range(stream.start, stream.residuals.size)
        ]
        return Offsets(-np.array(ends), np.array(ends))

    def begin(self, history: History, level: float) -> Tracker:
        whole = history.residuals if history.residuals.base is None else history.residuals.base
        return FixedTracker(-float(np.abs(whole).max()), 1.0)


@pytest.mark.parametrize("horizon", [1, 3, 7, 24])
def test_an_interval_method_that_looks_ahead_is_caught(horizon: int) -> None:
    residuals = np.random.default_rng(3).standard_t(4, 160)
    assert_no_lookahead(Split(), residuals, horizon=horizon)
    with pytest.raises(AssertionError, match=r"entry \d+ of lower at 0.9 may read y"):
        assert_no_lookahead(EarlySplit(), residuals, horizon=horizon)


def test_nothing_stands_behind_a_history_that_a_method_could_reach_for() -> None:
    # A stream and a history hold residuals of their own: a method cannot reach beyond the part that it is handed.
    history = Stream(np.arange(30.0), 20, 2).history
    base = history.residuals.base
    assert base is None or base.size == history.residuals.size
