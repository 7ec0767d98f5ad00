"""`ngrc diagnose` as a user types it: advice in words, one JSON object without NaN, one-line errors."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from ngrc.cli import run
from ngrc.diagnosis import RULES
from ngrc.diagnosis.evidence import REFERENCE
from ngrc.diagnosis.finding import Kind
from ngrc.intervals import METHODS

DOCUMENT = Path(__file__).parents[2] / "docs" / "cli.md"


def autoregression(scale: Any, n: int = 900) -> np.ndarray:
    shocks = np.random.default_rng(5).normal(size=n) * scale
    y = np.zeros(n)
    for t in range(1, n):
        y[t] = 0.7 * y[t - 1] + shocks[t]
    return y


def written(path: Path, values: np.ndarray) -> Path:
    days = np.arange("2020-01-01", values.size, dtype="datetime64[D]")
    path.write_text(
        "date,load\n"
        + "".join(f"{day},{value!r}\n" for day, value in zip(days, values.tolist(), strict=True))
    )
    return path


@pytest.fixture
def steady(tmp_path: Path) -> Path:
    return written(tmp_path / "steady.csv", autoregression(1.0))


def report_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert run(["diagnose", *arguments, "--json"]) == 0

    def never(name: str) -> None:
        raise AssertionError(f"{name} in the JSON")

    report: dict[str, Any] = json.loads(capsys.readouterr().out, parse_constant=never)
    return report


def test_the_advice_in_words(steady: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diagnose", str(steady), "--lags", "3", "--degree", "1", "--level", "90"]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("steady.csv, load: use bayes at 90 %\n")
    out = " ".join(captured.out.split())
    for words in (
        "because tried on the later 224 calibration residuals, it is the simplest that is as good as",
        "the rules name bayes because no departure",
        "the rules would change with",
        "Tried on 224 calibration residuals at 90 %",
        "dimension: p/n",
        "Bayesian coverage",
    ):
        assert words in out
    assert "nan" not in out


def test_the_evidence_in_a_table_and_in_json(steady: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(steady), "--lags", "3", "--degree", "1"]
    found = report_of(arguments, capsys)
    evidence = found["evidence"]
    scores = [row["winkler"] for row in evidence["rows"]]
    assert scores == sorted(scores)
    assert {row["method"] for row in evidence["rows"]} == set(METHODS)
    assert (evidence["judged"], evidence["blocks"], evidence["left_out"], evidence["why"]) == (
        224,
        20,
        [],
        "",
    )
    assert evidence["reference"] == REFERENCE
    assert found["advice"]["evidence"]
    assert run(["diagnose", *arguments]) == 0
    out = capsys.readouterr().out
    table = out[out.index("above the best") :]
    for row in evidence["rows"]:
        assert f"\n{row['method']}" in table
        assert f"{row['winkler']:.4g}" in table
        assert f"{row['coverage']:.3f}" in table


def test_methods_that_take_long_are_named(
    steady: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ngrc.diagnosis.evidence.LONGEST", {"rescp": 100})
    assert run(["diagnose", str(steady), "--lags", "3", "--degree", "1"]) == 0
    assert "not tried, as so many residuals take long: rescp" in capsys.readouterr().out


def test_no_number_that_is_none_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A handful of residuals has no shape, a series without errors no ratio of scales, and neither has evidence."""
    for name, values in {"few": autoregression(1.0)[:22], "constant": np.full(200, 4.0)}.items():
        path = str(written(tmp_path / f"{name}.csv", values))
        assert run(["diagnose", path, "--lags", "2", "--degree", "1"]) == 0
        out = capsys.readouterr().out
        assert "nan" not in re.findall("[a-z]+", out)
        assert "the rules decide" in " ".join(out.split())
        assert "Tried on" not in out
        assert "calibration residuals show none" in out
        report = report_of([path, "--lags", "2", "--degree", "1"], capsys)
        assert report["evidence"]["rows"] == []
        assert report["evidence"]["why"]


def test_a_forecast_that_leaves_nothing(steady: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diagnose", str(steady), "--lags", "3", "--degree", "1"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "forecast: better than the last value (skill +" in out
    assert "nothing is left in" in out
    assert "remedy:" not in out


def test_a_forecast_with_a_season_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wave = 2.0 * np.sin(2 * np.pi * np.arange(900) / 7) + 1.5 * np.cos(4 * np.pi * np.arange(900) / 7)
    weekly = str(written(tmp_path / "weekly.csv", autoregression(1.0) + wave))
    arguments = [weekly, "--lags", "1", "--degree", "1"]
    found = report_of(arguments, capsys)["forecast"]
    assert found["lags"][0] == 1
    assert {"kind", "statistic", "p", "removed", "words", "remedy", "options"} == set(found["findings"][0])
    assert found["comparisons"][0]["rival"] == "the last value"
    assert run(["diagnose", *arguments]) == 0
    out = " ".join(capsys.readouterr().out.split())
    for finding in found["findings"]:
        assert f"remedy: {finding['options']}" in out
    assert any("periods=(7,) with harmonics=3" in finding["remedy"] for finding in found["findings"])
    assert "--period 7 with --harmonics 3" in out
    assert "periods=" not in out
    cured = report_of([*arguments, "--period", "7", "--harmonics", "3"], capsys)["forecast"]
    assert cured["periods"] == [7.0]
    assert "seasonality" not in {finding["kind"] for finding in cured["findings"]}


def test_the_documented_findings_are_all_there_are() -> None:
    section = DOCUMENT.read_text(encoding="utf-8").split("## `ngrc diagnose`")[1].split("\n## ")[0]
    for kind in get_args(Kind):
        assert f"`{kind}`" in section


def test_too_few_residuals_are_said_to_be_few(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    short = str(written(tmp_path / "short.csv", autoregression(1.0)[:60]))
    assert run(["diagnose", short, "--lags", "2", "--degree", "1"]) == 0
    assert "calibration residuals show nothing: too few" in capsys.readouterr().out
    assert report_of([short, "--lags", "2", "--degree", "1"], capsys)["forecast"]["lags"] is None


def test_the_advice_follows_the_series(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    storm = written(tmp_path / "storm.csv", autoregression(np.where(np.arange(900) < 500, 1.0, 3.0)))
    report = report_of([str(storm), "--lags", "3", "--degree", "1"], capsys)
    assert report["advice"]["by_rules"] == "adaptive"
    assert report["advice"]["rules"][0] == "drifting scale"


def test_the_json_and_its_documented_keys(steady: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = report_of(
        [str(steady), "--lags", "3", "--degree", "1", "--horizon", "2", "--level", "90", "--split", "fixed"],
        capsys,
    )
    assert (report["series"], report["horizon"], report["level"]) == ("load", 2, 0.9)
    advice = report["advice"]
    assert advice["method"] in METHODS
    assert len(advice["reasons"]) == len(advice["rules"]) >= 1
    assert set(advice["rules"]) <= {rule.name for rule in RULES}
    assert 0.8 < report["bayes_coverage"]["predicted"] < 1.0
    assert report["diagnostics"]["p_over_n"] == pytest.approx(4 / int(0.4 * (900 - 2 - 2)))
    assert report["residuals"]["count"] == int(0.4 * 896) - 2
    assert report["dimension"] is None
    section = DOCUMENT.read_text(encoding="utf-8").split("## `ngrc diagnose`")[1].split("\n## ")[0]
    for key in (*report, *report["evidence"], *report["evidence"]["rows"][0], *report["advice"]):
        assert f"`{key}`" in section


def test_many_features_bring_the_dimension(steady: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = report_of([str(steady), "--lags", "60", "--degree", "1", "--split", "fixed"], capsys)
    assert set(report["dimension"]) == {
        "gamma", "noise", "raw_noise", "signal", "boundary", "ordering", "coverage",
    }  # fmt: skip
    assert "high dimension" in report["advice"]["rules"]


@pytest.mark.parametrize("values", [np.full(200, 4.0), np.arange(200.0), np.tile([0.0, 1.0], 20)])
def test_series_without_errors_or_with_few_rows_stay_valid_json(
    values: np.ndarray, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = report_of([str(written(tmp_path / "plain.csv", values)), "--lags", "2"], capsys)
    assert report["advice"]["method"] in METHODS


BAD = {
    "missing file": (["nowhere.csv"], "nowhere.csv"),
    "no such dataset": (["moonlight"], "neither a file nor a dataset"),
    "unknown column": (["CSV", "--column", "prize"], "prize"),
    "level": (["CSV", "--level", "1.7"], "level must be in"),
    "lags": (["CSV", "--lags", "0"], "lags must be at least 1, got 0"),
    "too short": (["CSV", "--lags", "895"], "observations are needed"),
    "far horizon": (["CSV", "--horizon", "1000000"], "horizon 1000000 reaches beyond the series of 900"),
    "option": (["CSV", "--method", "split"], "--method"),
    "preset and lags": (["exchange", "--preset", "paper", "--lags", "3"], "leave --lags"),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_bad_input_is_one_line_and_exit_2(
    case: str, form: list[str], steady: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, expected = BAD[case]
    assert run(["diagnose", *(str(steady) if word == "CSV" else word for word in arguments), *form]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("ngrc: error: ")
    assert captured.err.count("\n") == 1
    assert expected in captured.err
