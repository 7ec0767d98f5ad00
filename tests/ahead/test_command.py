"""`ngrc forecast` with several levels, quantiles, and a band of the whole path."""

import json
from pathlib import Path

import numpy as np
import pytest

from ngrc.cli import run


@pytest.fixture
def series(tmp_path: Path) -> str:
    path = tmp_path / "y.csv"
    values = 10 + 3 * np.sin(np.arange(400) / 7) + np.random.default_rng(0).normal(0, 0.5, 400)
    path.write_text(
        "y,z\n" + "\n".join(f"{value:.6f},{value / 2 + 1:.6f}" for value in np.round(values, 4)) + "\n"
    )
    return str(path)


OPTIONS = ["--column", "y", "--steps", "3", "--lags", "3", "--method", "split"]


def test_levels_by_commas_and_by_repetition(series: str, capsys: pytest.CaptureFixture[str]) -> None:
    tables = []
    for levels in (["--level", "0.8,95"], ["--level", "0.8", "--level", "0.95"]):
        assert run(["forecast", series, *OPTIONS, *levels]) == 0
        tables.append(capsys.readouterr().out)
    assert tables[0] == tables[1]
    assert tables[0].splitlines()[0] == "step,forecast,lower_80,upper_80,lower_95,upper_95"
    assert run(["forecast", series, *OPTIONS, "--quantiles", "0.1,0.5,0.975"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "step,forecast,lower,upper,q10,q50,q97.5"
    row = dict(zip(lines[0].split(","), map(float, lines[1].split(",")), strict=True))
    assert row["upper"] == pytest.approx(row["q97.5"])


def test_the_object_holds_every_level_and_says_which_band(
    series: str, capsys: pytest.CaptureFixture[str]
) -> None:
    reports = {}
    for band in ("pointwise", "path"):
        command = [
            "forecast", series, *OPTIONS, "--level", "0.9,0.5", "--quantiles", "0.25", "--band", band, "--json",
        ]  # fmt: skip
        assert run(command) == 0
        reports[band] = json.loads(capsys.readouterr().out)
        assert reports[band]["band"] == band
    for point, path in zip(reports["pointwise"]["steps"], reports["path"]["steps"], strict=True):
        assert [*point["intervals"]] == ["0.9", "0.5"]
        assert point["intervals"]["0.9"] == {"lower": point["lower"], "upper": point["upper"]}
        assert point["q25"] == path["q25"] == pytest.approx(point["intervals"]["0.5"]["lower"])
        assert path["lower"] < point["lower"] < path["forecast"] < point["upper"] < path["upper"]
    assert reports["path"]["levels"] == [0.9, 0.5]
    assert reports["path"]["level"] == 0.9
    assert "whole path" in reports["path"]["guarantee"]


def test_notes_of_bands_and_of_every_infinite_level(series: str, capsys: pytest.CaptureFixture[str]) -> None:
    short = Path(series).with_name("short.csv")
    short.write_text("\n".join(Path(series).read_text().splitlines()[:41]) + "\n")
    command = [
        "forecast",
        str(short),
        *OPTIONS[:-1],
        "adaptive",
        "--degree",
        "1",
        "--level",
        "0.99",
        "--band",
        "path",
    ]
    assert run(command) == 0
    assert "too few past paths for a band of level 0.99" in capsys.readouterr().err
    assert run(["forecast", str(short), *OPTIONS, "--degree", "1", "--level", "0.5,0.99,0.98"]) == 0
    said = capsys.readouterr().err
    assert "for level 0.99" in said
    assert "for level 0.98" in said
    assert "for level 0.5" not in said


def test_several_targets_have_their_quantiles(series: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["forecast", series, "--target", "y", "--target", "z", *OPTIONS[2:], "--quantiles", "0.5"]
    assert run(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "series,step,forecast,lower,upper,q50"
    assert len(lines) == 7


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--level", "0.9;0.5"], "--level takes numbers such as"),
        (["--level", "0.9,0.9"], "level 0.9 is given twice"),
        (["--quantiles", "0.9,0.1"], "--quantiles takes rising numbers"),
        (["--quantiles", "some"], "--quantiles takes rising numbers"),
        (["--band", "whole"], "--band"),
    ],
)
def test_mistakes_are_told_in_one_line(
    options: list[str], words: str, series: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["forecast", series, *OPTIONS, *options]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.startswith("ngrc: error: ")


def test_steps_are_told_and_rescp_keeps_to_its_newest_residuals(
    series: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ngrc import NGRC
    from ngrc._progress import Progress, listening
    from ngrc.ahead import look_ahead
    from ngrc.ahead import steps as room
    from ngrc.intervals import ResCP

    values = 10 + 3 * np.sin(np.arange(400) / 7) + np.random.default_rng(0).normal(0, 0.5, 400)
    method = ResCP(temperature=0.1, window="all", size=32)
    heard: list[Progress] = []
    with listening(heard.append):
        free = look_ahead(values, NGRC(lags=3), steps=3, method=method)
    assert [event.done for event in heard if event.stage == "steps"] == [1, 2, 3]
    assert [event.done for event in heard if event.stage == "fits"] == list(range(1, 10))
    monkeypatch.setattr(room, "LONGEST", {"rescp": 60})
    cut = look_ahead(values, NGRC(lags=3), steps=3, method=method)
    assert np.array_equal(cut.forecast, free.forecast)
    assert not np.array_equal(cut.upper, free.upper)
    # Other methods use all of them.
    monkeypatch.setattr(room, "LONGEST", {})
    same = look_ahead(values, NGRC(lags=3), steps=3, method=method)
    assert np.array_equal(same.upper, free.upper)
