"""Targets, exogenous and known columns on the command line, and the options of the map."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc import NGRC, backtest
from ngrc.ahead import look_ahead
from ngrc.cli import run
from ngrc.cli.grammar import words_of
from ngrc.cli.shape import build_model, lag_list, region, transform

ROWS, FUTURE = 420, 6
SHORT = ["--lags", "3", "--degree", "1", "--method", "split", "--level", "0.8"]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Load that follows the temperature of its own hour; the last hours know the temperature alone."""
    rng = np.random.default_rng(5)
    size = ROWS + FUTURE
    temperature = rng.normal(0, 1, size)
    wind = rng.normal(0, 1, size)
    load = np.zeros(size)
    for t in range(1, size):
        load[t] = 0.5 * load[t - 1] + temperature[t] + 0.3 * wind[t - 1] + 0.05 * rng.normal()
    frame = pd.DataFrame(
        {
            "hour_start": pd.date_range("2024-01-01", periods=size, freq="h"),
            "wind": wind,
            "temperature": temperature,
            "load": load,
        }
    )
    frame.loc[ROWS:, ["load", "wind"]] = np.nan
    path = tmp_path / "load.csv"
    frame.to_csv(path, index=False)
    return path


def said(capsys: pytest.CaptureFixture[str], words: list[str]) -> str:
    assert run(words) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], words: list[str]) -> str:
    assert run(words) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("ngrc: error: ")
    assert captured.err.count("\n") == 1
    return captured.err


def frame_of(path: Path) -> Any:
    return pl.read_csv(path, try_parse_dates=True)


def test_forecast_with_a_known_input_is_that_of_the_library(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["forecast", str(table), "--target", "load", "--known", "temperature", "--exog", "wind"]
    text = said(capsys, [*arguments, "--steps", str(FUTURE), *SHORT])
    rows = list(csv.DictReader(io.StringIO(text)))
    assert rows[0]["time"] == "2024-01-18 12:00:00"
    frame = frame_of(table)
    outlook = look_ahead(
        frame["load"].head(ROWS), NGRC(lags=3, degree=1), exog=frame.select("wind", "temperature"),
        known=["temperature"], steps=FUTURE, method="split", level=0.8,
    )  # fmt: skip
    np.testing.assert_allclose([float(row["forecast"]) for row in rows], outlook.forecast)
    np.testing.assert_allclose([float(row["upper"]) for row in rows], outlook.upper)


def test_known_inputs_help(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compare", str(table), "--column", "load", "--json", *SHORT]
    # Without known inputs the last rows of the file would be carried forward.
    plain = json.loads(said(capsys, [*arguments, "--exog", "temperature"]))
    known = json.loads(said(capsys, [*arguments, "--known", "temperature"]))
    both = json.loads(said(capsys, [*arguments, "--known", "temperature", "--exog", "wind"]))
    assert both["rmse"] < known["rmse"] < 0.5 * plain["rmse"]
    assert known["features"] == 1 + 3 + 1
    assert both["features"] == known["features"] + 3


def test_compare_is_that_of_the_library(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(
        said(capsys, ["compare", str(table), "--target", "load", "--known", "temperature", "--json", *SHORT])
    )
    frame = frame_of(table).head(ROWS)
    result = backtest(
        frame["load"], NGRC(lags=3, degree=1), exog=frame.select("temperature"), known=["temperature"],
        methods=["split"], level=0.8,
    )  # fmt: skip
    assert report["rmse"] == pytest.approx(result.runs[0].rmse)


def test_diagnose_takes_channels(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["diagnose", str(table), "--target", "load", "--known", "temperature", "--exog", "wind"]
    report = json.loads(said(capsys, [*arguments, "--lags", "3", "--degree", "1", "--json"]))
    assert report["series"] == "load"
    # Many columns: the estimates of high dimension read the channels too.
    wide = json.loads(said(capsys, [*arguments, "--lags", "40", "--degree", "1", "--json"]))
    assert wide["dimension"] is not None


def test_several_targets_are_forecast_together(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["forecast", str(table), "--target", "load", "--target", "wind", "--known", "temperature"]
    rows = list(csv.DictReader(io.StringIO(said(capsys, [*arguments, "--steps", "2", *SHORT]))))
    assert [(row["series"], row["step"]) for row in rows] == [
        ("load", "1"), ("wind", "1"), ("load", "2"), ("wind", "2"),
    ]  # fmt: skip
    report = json.loads(said(capsys, [*arguments, "--steps", "2", *SHORT, "--json"]))
    assert report["series"] == ["load", "wind"]
    for row, step in zip(rows, report["steps"], strict=True):
        assert row["series"] == step["series"]
        assert float(row["forecast"]) == pytest.approx(step["forecast"])
    # The same readouts as those of the vector series, by hand.
    frame = frame_of(table)
    values = frame.head(ROWS).select("load", "wind").to_numpy()
    model = NGRC(lags=3, degree=1, horizon=2, path=True, known=("temperature",))
    end = model.first_target + int(0.3 * (ROWS - model.first_target))
    ends = [end + (ROWS - end) * step // 8 for step in range(9)]
    *_, last = model.fits(values, ends, exog=frame.select("temperature").head(ROWS))
    by_hand = last.forecast(values, exog=frame.select("temperature").head(ROWS + 2))
    np.testing.assert_allclose([step["forecast"] for step in report["steps"]], by_hand.ravel())


@pytest.mark.parametrize("command", ["compare", "diagnose"])
def test_one_target_elsewhere(command: str, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = refused(capsys, [command, str(table), "--target", "load", "--target", "wind"])
    assert f"ngrc {command} looks at one target, got load, wind; give one --target" in error


def test_the_options_of_the_map_reach_the_model(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "compare",
        str(table),
        "--column",
        "load",
        "--known",
        "temperature",
        "--method",
        "split",
        "--json",
    ]
    arguments += [
        "--lags",
        "1,2,24",
        "--period",
        "24",
        "--seasonal",
        "1",
        "--clock-lags",
        "2",
        "--harmonics",
        "1",
    ]
    arguments += [
        "--product-lags",
        "2",
        "--difference",
        "increment",
        "--clip",
        "0.5",
        "--calendar",
        "hour,weekday",
    ]
    report = json.loads(said(capsys, arguments))
    frame = frame_of(table).head(ROWS)
    model = NGRC(
        (1, 2, 24), periods=(24,), seasonal=1, clock_lags=2, harmonics=1, product_lags=2, target="increment",
        clip=0.5, calendar=("hour", "weekday"), known=("temperature",),
    )  # fmt: skip
    run_by_hand = backtest(frame[["hour_start", "load"]], model, exog=frame, methods=["split"]).runs[0]
    assert report["features"] == run_by_hand.facts.features
    assert report["rmse"] == pytest.approx(run_by_hand.rmse)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--column", "load", "--target", "load"], "--column and --target name the same thing"),
        (["--target", "load", "--exog", "load"], "'load' is asked for both as target and as exog"),
        (["--target", "load", "--known", "heat"], "no column 'heat'; there are"),
        (["--target", "load", "--lags", "1,x"], "a list such as 1,2,3,24 is expected, got '1,x'"),
        (["--target", "load", "--calendar", "year"], "calendar parts are hour, weekday, month, got 'year'"),
        (
            ["--target", "load", "--known", "temperature", "--steps", "9"],
            "temperature' must reach 9 rows beyond",
        ),
        (["--target", "load", "--transform", "log:x"], "a name such as log or log:1 is expected"),
    ],
)
def test_bad_words_are_one_line(
    words: list[str], message: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(capsys, ["forecast", str(table), *words])


def test_a_missing_future_value_names_its_hour(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = table.read_text().splitlines()
    # The third hour of the future loses its temperature.
    fields = lines[ROWS + 3].split(",")
    lines[ROWS + 3] = ",".join([fields[0], "", "", ""])
    table.write_text("\n".join(lines))
    arguments = ["forecast", str(table), "--target", "load", "--known", "temperature", *SHORT, "--steps"]
    assert run([*arguments, "2"]) == 0
    capsys.readouterr()
    error = refused(capsys, [*arguments, "3"])
    assert "the known input 'temperature' has no value at future row 3, 2024-01-18 14:00; give it" in error


def test_the_preset_refuses_the_new_options(capsys: pytest.CaptureFixture[str]) -> None:
    error = refused(capsys, ["compare", "exchange", "--preset", "paper", "--seasonal", "2", "--clip", "1"])
    assert "leave --seasonal, --clip out" in error


def test_datasets_have_no_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert "are for files; 'exchange' is a dataset" in refused(
        capsys, ["forecast", "exchange", "--exog", "a"]
    )


def test_words_of_options() -> None:
    assert lag_list("24") == 24
    assert lag_list("24,") == (24,)
    assert lag_list("1,2,24") == (1, 2, 24)
    assert words_of(["hour, weekday"]) == ("hour", "weekday")
    assert region("DE") == "DE"
    assert region("US-CA") == ("US", "CA")
    assert transform("log") == "log"
    assert transform("boxcox:0.5") == ("boxcox", 0.5)


def test_what_is_not_asked_for_stays_the_models_own() -> None:
    shape: dict[str, Any] = {"lags": 4, "spacing": 1, "period": (), "seasonal": None, "clip": None}
    assert repr(build_model("a.csv", "a", 100, horizon=2, preset=None, **shape)) == "NGRC(lags=4, horizon=2)"
    shape |= {"lags": None, "difference": "increment", "period": (24.0,), "clip": 0.0}
    model = build_model("a.csv", "a", 100, horizon=1, preset=None, **shape)
    assert isinstance(model, NGRC)
    assert (model.target, model.periods, model.clip) == ("increment", (24.0,), 0.0)


def test_transform_and_bounds_reach_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(7)
    values = np.exp(1 + 0.5 * np.sin(np.arange(300) / 4) + 0.3 * rng.normal(size=300))
    path = tmp_path / "sales.csv"
    path.write_text("y\n" + "\n".join(f"{value:.9f}" for value in values))
    arguments = ["forecast", str(path), "--transform", "log:1", "--lower", "0", "--upper", "8"]
    arguments += ["--steps", "3", "--json"]
    report = json.loads(said(capsys, [*arguments, *SHORT]))
    model = NGRC(lags=3, degree=1, transform=("log", 1.0), lower=0.0, upper=8.0)
    outlook = look_ahead(np.round(values, 9), model, steps=3, method="split", level=0.8)
    assert [step["upper"] for step in report["steps"]] == outlook.upper.tolist()
    assert all(0.0 <= step["lower"] <= step["forecast"] <= step["upper"] <= 8.0 for step in report["steps"])
