"""At a terminal: a table for people, a picture in three lines, bars after two seconds; narrow ones too."""

import io
import logging
import re
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from ngrc._progress import listening, tell
from ngrc.cli import progress, run
from ngrc.cli.digits import decimals, shown
from ngrc.cli.progress import Screen, watched
from ngrc.cli.sparkline import BLOCKS, PLAIN, fan, marks_of, sparkline
from ngrc.cli.speech import LogOnTerminal, remark
from tests.waiting import wait_until

FIRST = ["--column", "load", "--lags", "3", "--degree", "1"]


@pytest.fixture
def csv(tmp_path: Path) -> str:
    rng = np.random.default_rng(2)
    hours = np.arange("2024-01-01T00", 400, dtype="M8[h]")
    load = 1200 + 300 * np.sin(2 * np.pi * np.arange(400) / 24) + rng.normal(0, 20, 400)
    load[150] += 5000
    path = tmp_path / "grid load.csv"
    path.write_text(
        "time,load\n"
        + "".join(f"{t.item():%d.%m.%Y %H:%M},{y:.5f}\n" for t, y in zip(hours, load, strict=True))
    )
    return str(path)


class Terminal(io.StringIO):
    """Standard output or error that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def seen(words: list[str], width: int) -> list[str]:
    """Lines that a command shows at a terminal so wide."""
    stream = Terminal()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        for name in ("FORCE_COLOR", "NO_COLOR"):
            patch.delenv(name, raising=False)
        patch.setenv("TERM", "xterm")
        patch.setenv("COLUMNS", str(width))
        assert run(words) == 0
    return plain(stream.getvalue()).splitlines()


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def test_a_forecast_for_people(csv: str) -> None:
    lines = seen(["forecast", csv, *FIRST, "--method", "split", "--horizon", "5"], 60)
    assert lines[0].startswith("grid load.csv, load: the next 5 values, split intervals")
    text = "\n".join(lines)
    assert "8 refits, the last on every row" in " ".join(text.split())
    assert re.search(rf"^series [{BLOCKS}]+\|[{BLOCKS}]{{5}}$", text, flags=re.MULTILINE)
    assert re.search(rf"^upper +[{BLOCKS}]{{5}}$", text, flags=re.MULTILINE)
    # Times as they came in, and numbers without digits that nobody can tell apart.
    rows = re.findall(r"^(\d+) +(17\.01\.2024 \d\d:00) +(\S+) +(\S+) +(\S+)$", text, flags=re.MULTILINE)
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5"]
    assert all(re.fullmatch(r"\d{3,4}(\.\d)?", number) for row in rows for number in row[2:])
    assert max(map(len, lines)) <= 60


@pytest.mark.parametrize(("width", "levels", "tables"), [(80, "90", 1), (60, "80,95", 2), (40, "90", 1)])
def test_intervals_around_forecasts_for_people(tmp_path: Path, width: int, levels: str, tables: int) -> None:
    rng = np.random.default_rng(5)
    days = np.datetime64("2024-01-01") + np.arange(203)
    path = tmp_path / "plan.csv"
    sold, off = rng.normal(50, 9, 203), rng.normal(0, 2, 203)
    lines = [f"{day},{y:.4f},{y + e:.4f}" for day, y, e in zip(days, sold, off, strict=True)]
    # The last three outcomes are to come.
    lines[-3:] = [f"{line.split(',')[0]},,{line.split(',')[2]}" for line in lines[-3:]]
    path.write_text("time,y,forecast\n" + "\n".join(lines) + "\n")
    text = seen(["intervals", str(path), "--horizon", "3", "--method", "split", "--level", levels], width)
    joined = " ".join(" ".join(text).split())
    assert joined.startswith(
        "plan.csv: split intervals, horizon 3; 100 rows calibrated, 100 scored, 3 in the future"
    )
    assert "the newest 15 of 103 rows; --out FILE has all of them" in joined
    rows = [line for line in text if line.startswith("2024-")]
    assert len(rows) == 15 * tables
    assert rows[-1].startswith("2024-07-21")
    # Numbers to the digits that tell ends apart, and no outcome where none has come.
    assert all(re.fullmatch(r"-?\d+\.\d\d?", number) for row in rows for number in row.split()[1:])
    assert len(rows[-1].split()) == len(rows[0].split()) - (width > 40)
    assert max(map(len, text)) <= width
    assert (
        sum(line.split()[0] in ("80", "90", "95") for line in text if line.split()) == levels.count(",") + 1
    )


@pytest.mark.parametrize("width", [60, 40])
@pytest.mark.parametrize("command", ["forecast", "compare", "diagnose"])
def test_everything_fits_a_narrow_terminal(command: str, width: int, csv: str) -> None:
    words = [] if command == "diagnose" else ["--level", "80,95", "--method"]
    words += {"compare": ["split,adaptive,bayes"], "forecast": ["split"]}.get(command, [])
    lines = seen([command, csv, *FIRST, *words], width)
    assert len(lines) > 5
    assert max(map(len, lines)) <= width


def test_compare_in_a_pipe_keeps_to_columns_too(
    csv: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert run(["compare", csv, *FIRST, "--method", "split,adaptive"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 60
    monkeypatch.delenv("COLUMNS")
    assert run(["compare", csv, *FIRST, "--method", "split,adaptive"]) == 0
    assert "rate 0." in capsys.readouterr().out


def test_compare_names_file_rows_and_spikes(csv: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", csv, *FIRST, "--method", "split,adaptive,bayes"]) == 0
    captured = capsys.readouterr()
    out = captured.out
    assert out.startswith("grid load.csv, load: 400 observations, horizon 1")
    for row in ("NGRC", "naive", "seasonal naive"):
        assert re.search(rf"^{row}\*? +\S+ +\S+ +\S+$", out, flags=re.MULTILINE)
    assert "MASE: MAE over the mean change over a season of 24 steps in the fit block" in out
    # One star in the table of forecasts, one in that of the methods.
    assert len(re.findall(r"^\S+( naive)?\* ", out, flags=re.MULTILINE)) == 2
    assert "1 isolated spike(s) that may be data errors, at 07.01.2024 06:00; scores" in captured.err


def test_remarks_are_wrapped_where_a_person_reads_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "a remark of many words that is longer than a narrow terminal is wide"
    remark(text)
    assert capsys.readouterr().err == f"ngrc: note: {text}\n"
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("COLUMNS", "40")
    LogOnTerminal().emit(logging.makeLogRecord({"msg": "working on %s", "args": ("kernels",)}))
    remark(text, "model")
    lines = stream.getvalue().splitlines()
    assert lines[0] == "ngrc: working on kernels"
    assert max(map(len, lines)) <= 40
    assert " ".join(line.strip() for line in lines[1:]) == f"ngrc: model: {text}"


def test_digits_for_people() -> None:
    assert decimals([1234.5678], 50.0) == 1
    assert decimals([5.0], float("nan")) == 3
    assert decimals([0.0], 0.0) == 0
    assert decimals([1e9], 1.0) == 0
    assert shown(float("nan"), 2) == "none"
    assert [shown(value, 0) for value in (-0.4, 0.4, 12.5)] == ["0", "0", "12"]


def test_sparklines() -> None:
    assert sparkline(np.arange(8.0), 0.0, 7.0) == BLOCKS
    assert sparkline(np.array([2.0, np.nan, 2.0]), 2.0, 2.0) == "▅ ▅"
    assert sparkline(np.array([9.0, -9.0]), 0.0, 1.0) == "█▁"
    lines = fan(np.arange(500.0), np.full(9, 3.0), np.full(9, -np.inf), np.full(9, np.inf), 40).lines
    assert max(map(len, lines)) <= 40
    assert lines[0] == "upper"
    many = fan(np.arange(500.0), np.zeros(90), np.zeros(90), np.linspace(0.0, 9000.0, 90), 40)
    assert max(map(len, many.lines)) <= 40
    # The scale is of what is drawn: the end of the series, and the coming steps that have room.
    assert many.low == 0.0
    assert many.high == pytest.approx(9000.0 * 15 / 89)
    assert marks_of("utf-8") == BLOCKS
    assert marks_of("ascii") == marks_of(None) == marks_of("no such") == PLAIN
    assert len(PLAIN) == len(BLOCKS)


def test_bars_come_after_a_while_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "DELAY", 0.05)
    heard: list[Any] = []
    with watched(heard.append, lambda: "so far"):
        tell("fits", 1, 3)
        wait_until(lambda: "1/3" in plain(stream.getvalue()))
        tell("fits", 2, 3, value="x")
    drawn = plain(stream.getvalue())
    assert "fits" in drawn
    assert "so far" in drawn
    assert "1/3" in drawn
    assert [event.value for event in heard] == [None, "x"]
    # The last thing drawn is the removal: the cursor is back, and the line is empty.
    assert stream.getvalue().rstrip().endswith("\x1b[2K")


def test_what_is_quick_or_unseen_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "DELAY", 3600.0)
    with watched():
        tell("fits", 1, 3)
    assert stream.getvalue() == ""
    monkeypatch.setattr(progress, "DELAY", 0.0)
    for unseen in (io.StringIO(), Terminal()):
        monkeypatch.setattr(sys, "stderr", unseen)
        if unseen.isatty():
            monkeypatch.setenv("TERM", "dumb")
        heard: list[Any] = []
        with watched(heard.append):
            tell("fits", 1, 3)
            time.sleep(0.1)
        assert unseen.getvalue() == ""
        assert len(heard) == 1


def test_a_full_bar_goes_and_may_come_again() -> None:
    screen = Screen(Console(file=io.StringIO()))
    assert [*screen.stages] == ["working"]
    with listening(screen.hear):
        tell("fits", 1, 2)
        assert [*screen.stages] == ["fits"]
        tell("methods", 1, 2)
        tell("fits", 2, 2)
        assert [*screen.stages] == ["methods"]
        tell("methods", 2, 2)
        assert [*screen.stages] == ["working"]
        tell("fits", 1, 2)
    assert [*screen.stages] == ["fits"]
    screen.end()
    screen.begin()
    assert not screen.live.is_started
