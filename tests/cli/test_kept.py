"""`ngrc forecast --save` and `--model`: what is kept is gone on from, and nothing is fitted."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from ngrc import cli

RNG = np.random.default_rng(0)
LOAD = 50 + 10 * np.sin(np.arange(400) * 2 * np.pi / 24) + RNG.normal(0, 1, 400)


def write(path: Path, rows: int) -> str:
    times = pl.datetime_range(
        pl.datetime(2024, 1, 1), pl.datetime(2024, 1, 1) + pl.duration(hours=rows - 1), "1h", eager=True
    )
    pl.DataFrame({"time": times, "load": LOAD[:rows]}).write_csv(path)
    return str(path)


FIT = ("--lags", "6", "--method", "adaptive", "--horizon", "3")


@pytest.fixture
def kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    model = str(tmp_path / "load.ngrc")
    assert cli.run(["forecast", write(tmp_path / "load.csv", 350), *FIT, "--save", model, "-q"]) == 0
    capsys.readouterr()
    return model


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err


def test_the_same_rows_give_the_same_forecast(
    tmp_path: Path, kept: str, capsys: pytest.CaptureFixture[str]
) -> None:
    same = write(tmp_path / "same.csv", 350)
    assert cli.run(["forecast", same, *FIT, "-q"]) == 0
    fitted = capsys.readouterr().out
    assert cli.run(["forecast", same, "--model", kept, "-q"]) == 0
    assert capsys.readouterr().out == fitted


def test_newer_rows_are_forecast_with_fewer_steps(
    tmp_path: Path, kept: str, capsys: pytest.CaptureFixture[str]
) -> None:
    newer = write(tmp_path / "newer.csv", 400)
    assert cli.run(["forecast", newer, "--model", kept, "--horizon", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [step["step"] for step in report["steps"]] == [1, 2]
    assert report["steps"][0]["time"].startswith("2024-01-17T16")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--lags", "4"], "--lags would shape another"),
        (["--method", "split"], "--method would shape another"),
        (["--refit-every", "9"], "--refit-every would shape another"),
        (["--horizon", "9"], "the kept model forecasts 3 steps ahead"),
    ],
)
def test_what_contradicts_a_kept_model_is_one_line(
    tmp_path: Path, kept: str, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    newer = write(tmp_path / "newer.csv", 400)
    assert cli.run(["forecast", newer, "--model", kept, *words]) == 2
    assert message in said(capsys)


def test_a_series_that_does_not_continue_is_one_line(
    tmp_path: Path, kept: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["forecast", write(tmp_path / "old.csv", 300), "--model", kept]) == 2
    assert said(capsys).count("ngrc: error:") == 1


def test_a_foreign_file_and_an_input_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load = write(tmp_path / "load.csv", 350)
    assert cli.run(["forecast", load, "--model", load]) == 2
    assert "ngrc: error:" in said(capsys)
    before = Path(load).read_bytes()
    assert cli.run(["forecast", load, *FIT, "--save", load]) == 2
    assert "would replace the input" in said(capsys)
    assert Path(load).read_bytes() == before
    assert cli.run(["forecast", load, "--model", str(tmp_path / "none.ngrc")]) == 2
    assert "none.ngrc" in said(capsys)
