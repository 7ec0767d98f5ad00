"""Results in files by their ending, as pictures, and as JSON of every command; words of the command line."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from ngrc.cli import run
from ngrc.cli.assumed import file_name, periods_of, reading, sentence, title
from ngrc.cli.reproduce import unexplained
from ngrc.cli.wording import OPTIONS, as_typed
from ngrc.model import NGRC
from ngrc.series import Series
from ngrc.series.frequency import frequency
from ngrc.study.harness.record import Check

SHORT = ["--column", "load", "--lags", "3", "--degree", "1"]


@pytest.fixture
def csv(tmp_path: Path) -> str:
    rng = np.random.default_rng(4)
    hours = np.arange("2024-01-01T00", 240, dtype="M8[h]")
    load = 20 + 5 * np.sin(2 * np.pi * np.arange(240) / 24) + rng.normal(0, 1, 240)
    path = tmp_path / "load.csv"
    path.write_text(
        "time,load,forecast\n"
        + "".join(
            f"{str(t).replace('T', ' ')}:00,{y:.5f},{y + 0.5:.5f}\n" for t, y in zip(hours, load, strict=True)
        )
    )
    return str(path)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run([*words]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_a_forecast_by_ending(csv: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["forecast", csv, *SHORT, "--method", "split", "--horizon", "3", "--level", "80,95"]
    text, report = printed(capsys, *words), json.loads(printed(capsys, *words, "--json"))
    for ending in ("csv", "parquet", "json"):
        said = printed(capsys, *words, "--out", str(tmp_path / f"out.{ending}"))
        assert said == f"wrote {tmp_path / f'out.{ending}'}\n"
    assert (tmp_path / "out.csv").read_text() == text
    table = pl.read_parquet(tmp_path / "out.parquet")
    assert table.schema["time"].is_temporal()
    assert table.columns == text.splitlines()[0].split(",")
    assert table["upper_95"].to_list() == pl.read_csv(tmp_path / "out.csv")["upper_95"].to_list()
    assert json.loads((tmp_path / "out.json").read_text()) == report
    assert report["read"] == {
        "source": "load.csv",
        "column": "load",
        "times": "column 'time'",
        "observations": 240,
        "frequency": "every hour",
        "first": "2024-01-01 00:00",
        "last": "2024-01-10 23:00",
        "filled": 0,
        "periods": [],
    }
    # With --json the words about the file leave standard output alone.
    assert json.loads(printed(capsys, *words, "--json", "--out", str(tmp_path / "again.json"))) == report


def test_a_comparison_by_ending(csv: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", csv, *SHORT, "--method", "split,adaptive", "--level", "80,95"]
    for ending in ("csv", "parquet", "json"):
        printed(capsys, *words, "--out", str(tmp_path / f"out.{ending}"))
    table, typed = pl.read_csv(tmp_path / "out.csv"), pl.read_parquet(tmp_path / "out.parquet")
    assert table["method"].to_list() == typed["method"].to_list() == ["split", "adaptive"] * 2
    report = json.loads((tmp_path / "out.json").read_text())
    assert report["methods"]["split"]["coverage"] == pytest.approx(table["coverage"][0])
    assert report["left_out"] == []


def test_intervals_by_ending(csv: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["intervals", csv, "--y", "load", "--method", "split", "--level", "0.8"]
    text = printed(capsys, *words)
    for ending in ("parquet", "json"):
        assert f"wrote {tmp_path / f'out.{ending}'}" in printed(
            capsys, *words, "--out", str(tmp_path / f"out.{ending}")
        )
    rows = json.loads((tmp_path / "out.json").read_text())["intervals"]
    table = pl.read_parquet(tmp_path / "out.parquet")
    assert len(rows) == table.height == len(text.splitlines()) - 1
    assert rows[-1]["upper"] == table["upper"][-1]
    assert rows[0]["time"] == text.splitlines()[1].split(",")[0]


def test_a_diagnosis_is_json(csv: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["diagnose", csv, *SHORT]
    report = json.loads(printed(capsys, *words, "--json"))
    assert printed(capsys, *words, "--out", str(tmp_path / "out.json")) == f"wrote {tmp_path / 'out.json'}\n"
    assert json.loads((tmp_path / "out.json").read_text()) == report
    for finding in report["forecast"]["findings"]:
        assert finding["options"] == as_typed(finding["remedy"])


@pytest.mark.parametrize(("ending", "first"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("PNG", b"\x89PNG")])
def test_a_picture(
    ending: str, first: bytes, csv: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    plot = tmp_path / f"band.{ending}"
    words = ["forecast", csv, *SHORT, "--method", "split", "--horizon", "2", "--level", "80,95"]
    text = printed(capsys, *words)
    assert printed(capsys, *words, "--plot", str(plot)) == text
    assert plot.read_bytes().startswith(first)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([plot.name, "load.csv"])


def test_a_picture_of_several_series_without_times(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    rows = np.random.default_rng(0).normal(size=(80, 2)).cumsum(axis=0)
    path = tmp_path / "two.csv"
    path.write_text("a,b\n" + "".join(f"{one:.5f},{two:.5f}\n" for one, two in rows))
    words = ["forecast", str(path), "--target", "a,b", "--lags", "2", "--degree", "1", "--method", "split"]
    printed(capsys, *words, "--plot", str(tmp_path / "two.svg"))
    picture = (tmp_path / "two.svg").read_text()
    assert "<svg" in picture


def test_a_picture_needs_matplotlib(
    csv: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run(["forecast", csv, *SHORT, "--plot", str(tmp_path / "x.png")]) == 2
    captured = capsys.readouterr()
    assert captured.err == (
        'ngrc: error: a figure needs matplotlib, which is not installed; run: pip install "ngrc[plot]"\n'
    )
    assert not (tmp_path / "x.png").exists()


def test_a_slow_method_is_left_out_and_can_be_asked_for(
    csv: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ngrc.cli.slow.SLOW", {"rescp": 100})
    assert run(["compare", csv, *SHORT, "--json"]) == 0
    captured = capsys.readouterr()
    report = json.loads(captured.out)
    assert report["left_out"] == ["rescp"]
    assert "rescp" not in report["methods"]
    assert "rescp was left out, as its time grows" in captured.err
    assert "--method rescp" in captured.err
    asked = json.loads(printed(capsys, "compare", csv, *SHORT, "--method", "rescp", "--json"))
    assert list(asked["methods"]) == ["rescp"]
    assert asked["left_out"] == []


def test_what_a_source_is_called() -> None:
    one = Series(np.ones(3), name="load")
    assert title("data/load.csv", one) == "load.csv"
    assert title("data/grid.csv", one) == "grid.csv, load"
    assert title("-", one) == "standard input, load"
    assert title("solar", Series(np.ones(3), name="solar")) == "solar"
    assert file_name("-") == "standard input"


@pytest.mark.parametrize(
    ("times", "words"),
    [
        (np.arange("2024-01-01", "2024-02-01", dtype="M8[D]"), "every day"),
        (np.arange("2024-01", "2026-01", dtype="M8[M]"), "every month"),
        (np.arange("2024-01", "2026-01", 3, dtype="M8[M]"), "every 3 months"),
        (np.busday_offset(np.datetime64("2024-01-01"), np.arange(30), roll="forward"), "every weekday"),
        (np.arange("2024-01-01T00:00", "2024-01-02T00:00", 10, dtype="M8[m]"), "every 10 minutes"),
        (np.arange(0, 50, 7).astype("M8[D]"), "every week"),
        (np.arange(5.0), "one step of 1 apart"),
        (None, None),
    ],
)
def test_frequencies_in_words(times: Any, words: str | None) -> None:
    assert frequency(times) == words


def test_frequency_and_ends_are_said_once(csv: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["forecast"], ["compare", "--method", "split"], ["diagnose"]):
        assert run([words[0], csv, *SHORT, *words[1:]]) == 0
        said = capsys.readouterr().err
        assert said.count("every hour") == 1
        assert (
            "took: column 'load', times from column 'time', 240 values, every hour from 2024-01-01 00:00"
            in said
        )
        assert "note: values from column" not in said


def test_what_was_taken_in_a_line() -> None:
    series = Series(np.arange(30.0), name="y")
    model = NGRC(lags=2, periods=(12.0, 4.0))
    taken = reading("a.csv", series, model)
    assert sentence(taken) == "column 'y', 30 values; periods of 4, 12 steps"
    assert periods_of(object()) == []


def test_every_option_that_stands_for_an_argument_exists() -> None:
    from ngrc.cli.compare import compare
    from ngrc.cli.forecast import forecast

    known = {name for one in (compare, forecast) for option in one.params for name in option.opts}
    assert set(OPTIONS.values()) <= known


def test_words_of_python_become_those_of_the_command_line() -> None:
    assert as_typed("x[t-23] (lags=24, or seasonal=1 with periods=(24,))") == (
        "x[t-23] (--lags 24, or --seasonal 1 with --period 24)"
    )
    assert as_typed("periods=(24, 168) with harmonics=3") == "--period 24,168 with --harmonics 3"
    assert as_typed('transform="log"; refit_every=50, with window=300') == (
        "--transform log; --refit-every 50, with --window 300"
    )
    assert as_typed("clip=0.1 keeps them") == "--clip 0.1 keeps them"
    assert as_typed("nothing to do") == "nothing to do"


def test_reproduce_lists_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    targets = json.loads(printed(capsys, "reproduce", "--list", "--json"))["targets"]
    assert {"name", "title"} == set(targets[0])


@pytest.mark.parametrize(("reason", "code"), [("", 1), ("the paper rounds", 0)])
def test_a_row_that_differs_without_a_reason_is_a_failure(
    reason: str,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    check = Check("phase", "fig", "a", "printed", 1.0, 2.0, 0.1, 0.2, "digits", "different", reason)
    assert unexplained([check]) == ([] if reason else [check])
    row = {"name": "phase", "title": "t", "seconds": 0.5, "page": "p", "checks": [check]}
    monkeypatch.setattr("ngrc.cli.reproduce._run", lambda name, settings: row)
    monkeypatch.setattr("ngrc.cli.reproduce.write_index", lambda out: out / "index.html")
    assert run(["reproduce", "phase", "--json", "--out", str(tmp_path)]) == code
    (target,) = json.loads(capsys.readouterr().out)["targets"]
    assert target["checks"]["different"] == 1
    assert target["different"][0]["paper"] == 2.0
    assert run(["reproduce", "phase", "--out", str(tmp_path)]) == code
    assert "different: fig, a: 1, paper 2." in capsys.readouterr().out


def test_the_demonstration_as_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    from ngrc.backtesting.entry import backtest
    from ngrc.study.volterra.demonstration import Demonstration

    values = np.sin(np.arange(300.0) / 3) + np.random.default_rng(0).normal(0, 0.1, 300)
    made = Demonstration(values, backtest(values, NGRC(lags=3), methods=["split"]))
    monkeypatch.setattr("ngrc.cli.demo.demonstrate", lambda seed: made)
    monkeypatch.setattr("ngrc.cli.demo._page", lambda *_: None)
    monkeypatch.setattr("ngrc.cli.demo.write", lambda demonstration, out, page: [out / "table.csv"])
    report = json.loads(printed(capsys, "demo", "--out", str(tmp_path), "--json"))
    assert report["files"] == [str(tmp_path / "table.csv")]
    assert list(report["methods"]) == ["split"]


def test_notes_of_several_targets_are_told_once_and_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = np.random.default_rng(0).normal(size=(80, 2)).cumsum(axis=0)
    lines = [f"{one:.5f},{two:.5f}" for one, two in rows]
    lines[30] = lines[30].split(",")[0] + ","
    path = tmp_path / "two.csv"
    path.write_text("a,b\n" + "\n".join(lines) + "\n")
    words = ["forecast", str(path), "--target", "a,b", "--lags", "2", "--degree", "1", "--method", "split"]
    assert run(words) == 0
    told = [line for line in capsys.readouterr().err.splitlines() if "carried forward" in line]
    assert told[0].startswith("ngrc: note: b: 1 missing value")
    assert all(line.startswith("ngrc: note: b: ") for line in told)
