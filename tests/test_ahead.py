"""The future: against a plain re-computation, honest at every step, blind to how the series goes on."""

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ngrc import NGRC, backtest, look_ahead
from ngrc._frames import columns_in
from ngrc.ahead import outlook as outlook_room
from ngrc.backtesting.summary import summary
from ngrc.cli import run
from ngrc.intervals import METHODS, Split


def wave(n: int = 500, seed: int = 0) -> np.ndarray:
    return 10 + 3 * np.sin(np.arange(n) / 7) + np.random.default_rng(seed).normal(0, 0.5, n)


@pytest.mark.parametrize("step", [1, 2, 4])
def test_each_step_is_a_direct_model_with_its_own_residuals(step: int) -> None:
    y, lags, level, steps = wave(), 5, 0.9, 4
    outlook = look_ahead(y, NGRC(lags=lags, ridge=0.1), steps=steps, method=Split(), level=level, fit=0.5)
    first = lags - 1 + steps
    end = first + (y.size - first) // 2
    # All steps are fitted at the same origins: those from which the farthest target lies before the end.
    scale = (y[:end].mean(), y[:end].std())
    model = NGRC(lags=lags, ridge=0.1, horizon=step).fit(y[: end - (steps - step)], scale=scale)
    scores = np.sort(np.abs((y - model.predict(y))[end + step - 1 :]))
    radius = scores[int(np.ceil((scores.size + 1) * level)) - 1]
    middle = model.forecast(y)[-1]
    assert outlook.forecast[step - 1] == pytest.approx(middle)
    assert outlook.upper[step - 1] == pytest.approx(middle + radius)
    assert outlook.lower[step - 1] == pytest.approx(middle - radius)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_looks_ahead(method: str) -> None:
    outlook = look_ahead(wave(300), NGRC(lags=3), steps=2, method=method, level=0.8)
    assert (outlook.lower <= outlook.upper).all()
    assert outlook.method == method
    assert outlook.selected[0]["ridge"] > 0


def test_coverage_of_the_coming_step_is_near_nominal() -> None:
    hits = []
    for seed in range(150):
        y = wave(241, seed)
        outlook = look_ahead(y[:-1], NGRC(lags=3, degree=1, ridge=1e-3), method="split", level=0.8)
        hits.append(outlook.lower[0] <= y[-1] <= outlook.upper[0])
    # Binomial error of 150 draws at 0.8.
    assert abs(np.mean(hits) - 0.8) < 3 * np.sqrt(0.8 * 0.2 / 150)


def test_times_go_on_and_the_table_comes_in_the_users_library() -> None:
    months = pd.date_range("2010-01-31", periods=120, freq="ME")
    outlook = look_ahead(pd.Series(wave(120), index=months), NGRC(lags=2), steps=2, method="split")
    assert isinstance(outlook.table, pd.DataFrame)
    assert [str(time)[:10] for time in outlook.times] == ["2020-01-31", "2020-02-29"]  # type: ignore[union-attr]


def test_too_short_and_bad_arguments() -> None:
    with pytest.raises(ValueError, match="too short for 1 step"):
        look_ahead(wave(8), NGRC(lags=4))
    with pytest.raises(ValueError, match="steps must be at least 1, got 0"):
        look_ahead(wave(), NGRC(lags=2), steps=0)
    with pytest.raises(ValueError, match="share of the rows"):
        look_ahead(wave(), NGRC(lags=2), fit=1.0)


def test_too_many_steps_are_refused_before_anything_is_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    most, most_once = 82, 53
    assert _possible(wave(500), most)
    assert not _possible(wave(500), most + 1)
    assert _possible(wave(500), most_once, fit=0.6)
    assert not _possible(wave(500), most_once + 1, fit=0.6)
    monkeypatch.setattr(NGRC, "fit", lambda self, y: pytest.fail("fitted before the check"))
    with pytest.raises(ValueError, match=f"too short for 5000 steps ahead .*at most {most} steps can be had"):
        look_ahead(wave(500), NGRC(lags=4, ridge=0.1), steps=5000)
    with pytest.raises(ValueError, match=f"at most {most} steps can be had"):
        look_ahead(wave(500), NGRC(lags=4, ridge=0.1), steps=most + 1)
    with pytest.raises(ValueError, match=f"at most {most_once} steps can be had"):
        look_ahead(wave(500), NGRC(lags=4, ridge=0.1), steps=most, fit=0.6)


def _possible(y: np.ndarray, steps: int, fit: float | None = None) -> bool:
    try:
        look_ahead(y, NGRC(lags=4, ridge=0.1, horizon=1), steps=steps, method="split", level=0.5, fit=fit)
    except ValueError:
        return False
    return True


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "x [1].csv", tmp_path / "coming.csv"
    path.write_text(
        "date,load [MW]\n"
        + "".join(f"2020-01-{1 + i // 24:02}T{i % 24:02}:00,{v:.4f}\n" for i, v in enumerate(wave(600)))
    )
    assert run(["forecast", str(path), "--steps", "3", "--lags", "4", "--method", "split", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["steps"][0]["time"].startswith("2020-01-26T00:00")
    assert (
        run(["forecast", str(path), "--steps", "3", "--lags", "4", "--method", "split", "--out", str(out)])
        == 0
    )
    lines = out.read_text().splitlines()
    assert lines[0] == "step,time,forecast,lower,upper"
    assert float(lines[1].split(",")[2]) == pytest.approx(report["steps"][0]["forecast"])
    assert run(["forecast", str(path), "--out", str(tmp_path / "nowhere" / "x.csv")]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_an_infinite_penalty_is_null_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "walk.csv"
    values = np.cumsum(np.random.default_rng(3).normal(size=40))
    path.write_text("y\n" + "\n".join(f"{value:.6f}" for value in values))
    assert look_ahead(values, NGRC(lags=2, ridge=np.inf), method="split").selected[0]["ridge"] == np.inf
    assert run(["forecast", str(path), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["steps"]) == 1
    result = backtest(values, NGRC(lags=2, ridge=np.inf), methods=["split"])
    assert json.loads(json.dumps(summary(result, 0.95), allow_nan=False))["ridge"] is None


def test_adaptive_has_practised_before_it_looks_ahead() -> None:
    rng = np.random.default_rng(5)
    scale = np.where(np.arange(1500) < 1250, 1.0, 4.0)
    y = scale * rng.normal(size=1500)
    widths = {}
    for method in ("split", "adaptive"):
        outlook = look_ahead(y, NGRC(lags=2, degree=1, ridge=1e-3), method=method, level=0.9)
        widths[method] = float(outlook.upper[0] - outlook.lower[0])
    # The misses of the last 250 steps have moved the level; a frozen quantile has not heard of them.
    assert widths["adaptive"] > 1.3 * widths["split"]


def test_a_table_is_made_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def counted(columns: Any, pandas: bool) -> Any:
        made.append(1)
        return columns_in(columns, pandas)

    monkeypatch.setattr(outlook_room, "columns_in", counted)
    outlook = look_ahead(wave(200), NGRC(lags=2), steps=2, method="split")
    assert not made
    assert outlook.table.shape == (2, 4)
    assert len(made) == 1


@pytest.mark.parametrize(("method", "times"), [("adaptive", 0), ("bayes", 1)])
def test_leverages_are_made_once_and_only_for_a_method_that_reads_them(
    method: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    whole = NGRC.forecast_leverage

    def counted(*args: Any, **options: Any) -> Any:
        asked.append(1)
        return whole(*args, **options)

    monkeypatch.setattr(NGRC, "forecast_leverage", counted)
    look_ahead(wave(200), NGRC(lags=2), steps=3, method=method, level=[0.8, 0.9])
    assert len(asked) == times


def test_an_outlook_can_be_sent_to_another_process() -> None:
    outlook = look_ahead(wave(200), NGRC(lags=2), steps=2, method="bayes")
    again = pickle.loads(pickle.dumps(outlook))
    np.testing.assert_array_equal(again.samples(5), outlook.samples(5))
