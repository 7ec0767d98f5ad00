"""`ngrc compare` as a user types it: one JSON object, one readable table, one-line errors."""

import json
from pathlib import Path

import numpy as np
import pytest

from ngrc.cli import run
from ngrc.intervals.defaults import COMPARED

TEXT = "time,y\n"


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    rng = np.random.default_rng(3)
    values = 20 + 5 * np.sin(np.arange(400) / 4) + rng.normal(0, 1, 400)
    days = np.arange("2024-01-01", 400, dtype="datetime64[D]")
    path = tmp_path / "load.csv"
    path.write_text(
        "date,load\n" + "".join(f"{day},{value:.6f}\n" for day, value in zip(days, values, strict=True))
    )
    return path


def test_no_options_at_all(csv: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", str(csv)]) == 0
    out = capsys.readouterr().out
    for name in COMPARED:
        assert name in out
    assert "student" not in out
    assert "load.csv: 400 observations" in out


@pytest.mark.parametrize("rows", [30, 120, 200])
def test_one_missing_value_of_a_short_series(
    rows: int, csv: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = csv.read_text().splitlines()[: rows + 1]
    lines[rows * 6 // 10] = lines[rows * 6 // 10].partition(",")[0] + ","
    csv.write_text("\n".join(lines))
    assert run(["compare", str(csv), "--lags", "2", "--degree", "1", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert sorted(report["methods"]) == sorted(COMPARED)


def test_json_is_one_object_with_the_agreed_keys(csv: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compare", str(csv), "--lags", "5", "--spacing", "2", "--degree", "3", "--period", "7"]
    arguments += ["--horizon", "2", "--level", "90", "--method", "split", "--method", "adaptive", "--json"]
    assert run(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["series"] == "load"
    assert report["horizon"] == 2
    assert report["level"] == 0.9
    rows = 400 - 8 - 2
    test = rows - 2 * int(0.4 * rows)
    assert report["rows"] == {
        "fit": int(0.3 * rows),
        "calibration": rows - int(0.3 * rows) - test,
        "test": test,
    }
    assert report["refits"] == 12
    assert report["features"] == 1 + 5 + 15 + 35 + 4
    assert set(report["scale"]) == {"mean", "std"}
    assert set(report["diagnostics"]) == {
        "tau_fit",
        "tau_cal",
        "tau_test",
        "q_cal",
        "shape",
        "scale",
        "rho_q",
    }
    assert list(report["methods"]) == ["split", "adaptive"]
    for method in report["methods"].values():
        assert {"coverage", "width", "winkler", "seconds", "selected"} <= set(method)
    assert report["methods"]["adaptive"]["selected"]["rate"] > 0
    assert report["diagnostics"]["tau_test"] == pytest.approx(report["rmse"])


def test_several_levels_have_a_table_each(csv: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compare", str(csv), "--lags", "2", "--method", "split", "--method", "adaptive"]
    arguments += ["--level", "0.5,0.8", "--level", "95"]
    assert run(arguments) == 0
    out = capsys.readouterr().out
    for title in ("Intervals at 50 %", "Intervals at 80 %", "Intervals at 95 %"):
        assert out.count(title) == 1
    assert out.count("rho_q") == 3
    assert "CRPS from the ends of 3 levels: split " in out
    assert run([*arguments, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [one["level"] for one in report["levels"]] == [0.5, 0.8, 0.95]
    assert report["level"] == 0.5
    assert report["methods"] == report["levels"][0]["methods"]
    assert report["diagnostics"] == report["levels"][0]["diagnostics"]
    assert set(report["crps"]) == {"split", "adaptive"}
    assert f"split {report['crps']['split']:.4g}, adaptive" in out
    alone = ["compare", str(csv), "--lags", "2", "--method", "split", "--level", "80", "--json"]
    assert run(alone) == 0
    single = json.loads(capsys.readouterr().out)
    assert single["crps"] == {}
    timed = [methods["split"] for methods in (single["methods"], report["levels"][1]["methods"])]
    for numbers in timed:
        numbers.pop("seconds")
    assert timed[0] == timed[1]


def test_one_fit_or_many(csv: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quick = ["compare", str(csv), "--lags", "2", "--method", "split"]
    for words, refits, said in (
        (["--split", "fixed"], 0, "fitted once, at the end of the fit block"),
        (
            ["--refit-every", "40", "--window", "90"],
            6,
            "with 6 refits, each time to the last 90 observations",
        ),
        (["--split", "walk"], 12, "walked forward with 12 refits"),
    ):
        assert run([*quick, *words]) == 0
        assert said in " ".join(capsys.readouterr().out.split())
        assert run([*quick, *words, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["refits"] == refits


def test_infinite_intervals_are_reported_and_json_stays_valid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "short.csv"
    path.write_text("y\n" + "\n".join(str(value) for value in np.random.default_rng(0).normal(size=60)))
    assert run(["compare", str(path), "--method", "split", "--level", "0.99", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["methods"]["split"]["width"] is None
    assert report["methods"]["split"]["infinite"] == report["rows"]["test"]
    assert any("too few for level 0.99" in note for note in report["notes"])


def test_a_constant_series_is_said_to_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "flat.csv"
    path.write_text("y\n" + "4.0\n" * 120)
    assert run(["compare", str(path)]) == 0
    notes = capsys.readouterr().err
    assert "constant" in notes
    assert "width zero" in notes


BAD = {
    "missing file": (["compare", "nowhere.csv"], "nowhere.csv"),
    "no such dataset": (["compare", "moonlight"], "neither a file nor a dataset"),
    "unknown column": (["compare", "CSV", "--column", "prize"], "prize"),
    "level": (["compare", "CSV", "--level", "1.7"], "level must be in"),
    "levels": (["compare", "CSV", "--level", "0.5,0.5"], "level 0.5 is given twice"),
    "no level": (["compare", "CSV", "--level", "most"], "got 'most'"),
    "lags": (["compare", "CSV", "--lags", "0"], "lags must be at least 1, got 0"),
    "spacing": (
        ["compare", "CSV", "--spacing", "0"],
        "'--spacing': a whole number from 1 on is expected, got '0'",
    ),
    "degree": (
        ["compare", "CSV", "--degree", "0"],
        "'--degree': a whole number from 1 on is expected, got '0'",
    ),
    "horizon": (
        ["compare", "CSV", "--horizon", "-1"],
        "'--horizon': a whole number from 1 on is expected, got '-1'",
    ),
    "too short": (["compare", "CSV", "--lags", "395"], "observations are needed"),
    "method": (["compare", "CSV", "--method", "magic"], "magic"),
    "option": (["compare", "CSV", "--speling", "2"], "--speling"),
    "not a number": (["compare", "CSV", "--horizon", "two"], "two"),
    "preset of a file": (["compare", "CSV", "--preset", "paper"], "preset exists for"),
    "preset and lags": (["compare", "exchange", "--preset", "paper", "--lags", "3"], "leave --lags"),
    "refits of one fit": (
        ["compare", "CSV", "--split", "fixed", "--refit-every", "9"],
        "--split fixed fits once",
    ),
    "refits of the paper": (
        ["compare", "exchange", "--preset", "paper", "--window", "9"],
        "--preset paper fits once",
    ),
    "refit every": (
        ["compare", "CSV", "--refit-every", "0"],
        "a whole number from 1 on is expected, got '0'",
    ),
    "command": (["compute"], "compute"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_exit_2(case: str, csv: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, expected = BAD[case]
    assert run([str(csv) if word == "CSV" else word for word in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("ngrc: error: ")
    assert captured.err.count("\n") == 1
    assert expected in captured.err


CONTENT = {
    "empty": ("", "empty"),
    "header only": ("time,y\n", ""),
    "text": ("y\n1\n2\nthree\n4\n", "three"),
    "all missing": ("y\nNA\nNA\nNA\n", "missing"),
    "infinite": ("y\n1\n2\ninf\n4\n", "inf"),
    "duplicate": ("date,y\n2024-01-01,1\n2024-01-01,2\n2024-01-02,3\n2024-01-03,3\n", "--resample"),
    "irregular": (
        "date,y\n2024-01-01,1\n2024-01-02,2\n2024-01-03,3\n2024-01-07,3\n2024-01-08,3\n",
        "--resample",
    ),
}


@pytest.mark.parametrize("case", CONTENT)
def test_bad_files(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, expected = CONTENT[case]
    path = tmp_path / "bad.csv"
    path.write_text(text)
    assert run(["compare", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("ngrc: error: ") == 1
    assert captured.err.count("\n") == 1
    assert expected in captured.err


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert run(["--help"]) == 0
    assert run(["compare", "--help"]) == 0
    out = capsys.readouterr().out
    for option in (
        "--column",
        "--time",
        "--lags",
        "--spacing",
        "--degree",
        "--period",
        "--horizon",
        "--level",
    ):
        assert option in out
    for option in ("--method", "--preset", "--seed", "--json", "--resample"):
        assert option in out
