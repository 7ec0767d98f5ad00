"""`ngrc report`: a page from a file, and one clear line where there can be none."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from ngrc import NGRC, make_report
from ngrc._progress import Progress, listening
from ngrc.cli import run
from ngrc.report.page import GENERATOR

from .conftest import hourly

pytest.importorskip("plotly")
QUICK = ["--lags", "2", "--degree", "1", "--method", "split", "--level", "0.8", "--level", "0.9"]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "plant load.csv"
    series = hourly(260)
    assert series.times is not None
    lines = [
        f"{str(time).replace('T', ' ')}:00,{value:.3f}"
        for time, value in zip(series.times, series.values, strict=True)
    ]
    lines[40] = lines[40].partition(",")[0] + ","
    path.write_text("\n".join(["time,load", *lines]))
    return path


@pytest.mark.parametrize("split", [[], ["--split", "fixed"]])
@pytest.mark.parametrize("gap", [[110], range(130, 148)])
def test_missing_values_of_a_short_series(
    split: list[str], gap: Sequence[int], table: Path, tmp_path: Path
) -> None:
    lines = table.read_text().splitlines()[:151]
    for place in gap:
        lines[place] = lines[place].partition(",")[0] + ","
    table.write_text("\n".join(lines))
    words = ["--lags", "2", "--degree", "1", "--method", "split,rolling,gaussian", *split]
    assert run(["report", str(table), "--out", str(tmp_path / "page.html"), *words]) == 0


def test_a_page_from_a_file(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "page.html"
    assert run(["report", str(table), "--horizon", "4", "--out", str(out), *QUICK]) == 0
    captured = capsys.readouterr()
    page = out.read_text(encoding="utf-8")
    assert re.search(rf"^wrote {re.escape(str(out))} \([\d.]+ MB\)$", captured.out, flags=re.MULTILINE)
    assert "The next value, 2024-03-09 01:00, is expected to be" in captured.out
    assert "missing value" in captured.err
    # Ready to be typed again, the blank in the file's name quoted.
    assert f"ngrc report &#x27;{table}&#x27; --horizon 4 --out {out} --lags 2" in page
    assert "4 steps ahead" in page


def test_how_far_it_is_can_be_heard() -> None:
    heard = list[Progress]()
    wave = np.sin(np.arange(200.0) / 3) + np.random.default_rng(0).normal(0, 0.1, 200)
    with listening(heard.append):
        make_report(wave, NGRC(lags=2, degree=1), methods=["split"], level=0.9)
    stages = [event.value for event in heard if event.stage == "report"]
    assert stages == ["backtest", "coming values", "diagnosis", "calibration", "page"]


def test_the_numbers_as_json(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "page.html"
    assert run(["report", str(table), "--json", "--out", str(out), *QUICK]) == 0
    captured = capsys.readouterr()
    said = json.loads(captured.out)
    assert [row["level"] for row in said["intervals"]][:1] == [0.8]
    assert said["quality"]["filled"] == 1
    assert "wrote" in captured.err


def test_a_page_that_nobody_named_replaces_only_ours(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "report.html"
    page.write_text("<html>mine</html>")
    assert run(["report", str(table), *QUICK]) == 2
    assert capsys.readouterr().err == (
        "ngrc: error: report.html is there and is no report of ours; name another file with --out\n"
    )
    assert page.read_text() == "<html>mine</html>"
    page.write_text(f"<head>{GENERATOR}</head>")
    assert run(["report", str(table), *QUICK]) == 0
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--out", "page.csv"], "a report is an HTML page, got 'page.csv'; name it .html"),
        (["--out", "nowhere/page.html"], "there is no folder nowhere; make it first"),
        (["--target", "a", "--target", "b"], "ngrc report looks at one target"),
        (["--level", "7"], "level must be in (0, 1)"),
        (["--preset", "paper", "--lags", "3"], "leave --lags out"),
    ],
)
def test_what_cannot_be_done_is_one_line_before_any_work(
    options: list[str],
    words: str,
    table: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ngrc.cli.report.open_recording", lambda request: pytest.fail("work was done"))
    assert run(["report", str(table), *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert words in captured.err


def test_the_input_is_never_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "data.html"
    path.write_text("time,load\n")
    assert run(["report", str(path), "--out", str(path)]) == 2
    assert "would replace the input" in capsys.readouterr().err


def test_without_plotly_one_line_names_the_extra(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(module: str, extra: str, purpose: str) -> None:
        raise ImportError(f'{purpose} needs plotly, which is not installed; run: pip install "ngrc[{extra}]"')

    from ngrc.web import assets

    assets.plotly_script.cache_clear()
    monkeypatch.setattr(assets, "load", missing)
    assert run(["report", str(table), "--out", str(tmp_path / "page.html")]) == 2
    assert capsys.readouterr().err == (
        'ngrc: error: a page with charts needs plotly, which is not installed; run: pip install "ngrc[report]"\n'
    )
