"""`ngrc intervals` as a user types it."""

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from ngrc.cli import COMMANDS, run
from ngrc.external import around
from ngrc.intervals import METHODS, Offsets, Split, Stream


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "intervals", "Put intervals around forecasts of any model.")


def frame(count: int = 120, future: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(8)
    forecast = 10 + np.sin(np.arange(count) / 5)
    y = (forecast + rng.normal(0, 0.5, count)).tolist()
    y[count - future :] = [None] * future
    days = np.arange("2024-03-01", count, dtype="datetime64[D]").astype(str)
    return pl.DataFrame({"time": days, "y": y, "forecast": forecast})


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    path = tmp_path / "mine.csv"
    frame(120, 2).write_csv(path)
    return path


def test_csv_on_standard_output_with_future_rows(csv: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["intervals", str(csv), "--horizon", "2", "--method", "adaptive"]) == 0
    captured = capsys.readouterr()
    table = pl.read_csv(io.StringIO(captured.out))
    assert table.columns == ["time", "y", "forecast", "lower", "upper"]
    source = frame(120, 2)
    found = around(source["y"].to_numpy(), source["forecast"].to_numpy(), "adaptive", horizon=2)
    np.testing.assert_allclose(table["lower"].to_numpy(), found.lower)
    np.testing.assert_allclose(table["upper"].to_numpy(), found.upper)
    assert table["time"].to_list() == source["time"].to_list()[found.start :]
    assert table["y"].to_list()[-2:] == [None, None]
    assert "2 in the future" in captured.err


def test_all_options_and_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "mine.csv", tmp_path / "bands.csv"
    renamed = frame().rename({"time": "when", "y": "sold", "forecast": "plan"})
    renamed.write_csv(path)
    arguments = [
        "intervals",
        str(path),
        "--time",
        "when",
        "--y",
        "sold",
        "--forecast",
        "plan",
        "--method",
        "weighted",
    ]
    arguments += ["--horizon", "3", "--level", "90", "--calibration", "0.7", "--out", str(out)]
    assert run(arguments) == 0
    captured = capsys.readouterr()
    assert f"wrote {out}" in captured.out
    found = around(
        renamed["sold"].to_numpy(),
        renamed["plan"].to_numpy(),
        "weighted",
        horizon=3,
        level=0.9,
        calibration=0.7,
    )
    table = pl.read_csv(out)
    np.testing.assert_allclose(table["upper"].to_numpy(), found.upper)
    assert f"coverage {found.coverage:.3f}" in captured.out
    assert [item.name for item in tmp_path.iterdir() if item.name.endswith(".part")] == []


def test_json_is_one_object(csv: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "bands.csv"
    assert (
        run(
            [
                "intervals",
                str(csv),
                "--json",
                "--horizon",
                "2",
                "--method",
                "rescp",
                "--seed",
                "4",
                "--out",
                str(out),
            ]
        )
        == 0
    )
    report = json.loads(capsys.readouterr().out)
    assert report["rows"] == {"calibration": 59, "scored": 59, "future": 2}
    assert report["method"] == "rescp"
    assert report["level"] == 0.95
    assert report["horizon"] == 2
    assert set(report["selected"]) == {"temperature", "window"}
    assert 0 < report["coverage"] <= 1
    assert out.is_file()
    source = frame(120, 2)
    other = around(source["y"].to_numpy(), source["forecast"].to_numpy(), "rescp", horizon=2, seed=4)
    assert report["winkler"] == pytest.approx(other.winkler)


def test_json_alone_prints_no_rows_and_infinite_is_none(
    csv: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        run(["intervals", str(csv), "--json", "--horizon", "2", "--method", "split", "--level", "0.995"]) == 0
    )
    captured = capsys.readouterr()
    report = json.loads(captured.out)
    assert report["width"] is None
    assert report["infinite"] == 61
    assert any("infinite" in note for note in report["notes"])


def test_parquet_typed_times_and_no_time_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.parquet"
    frame().with_columns(pl.col("time").str.to_date()).write_parquet(path)
    assert run(["intervals", str(path), "--method", "split"]) == 0
    first = capsys.readouterr().out.splitlines()[1]
    assert first.startswith("2024-04-30,")
    frame().drop("time").write_parquet(path)
    assert run(["intervals", str(path), "--method", "split"]) == 0
    assert capsys.readouterr().out.startswith("y,forecast,lower,upper\n")


def test_gaps_in_time_and_late_forecasts_are_remarked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.csv"
    gappy = pl.concat([frame()[:50], frame()[53:]]).with_row_index()
    gappy = gappy.with_columns(
        pl.when(pl.col("index") < 4).then(None).otherwise(pl.col("forecast")).alias("forecast")
    )
    gappy.drop("index").write_csv(path)
    assert run(["intervals", str(path), "--method", "rolling"]) == 0
    notes = capsys.readouterr().err
    assert "not evenly spaced" in notes
    assert "4 row(s) before the first forecast" in notes


@pytest.mark.parametrize("words", [["--level", "0.8", "--level", "97.5"], ["--level", "80,0.975"]])
def test_several_levels_have_a_pair_of_columns_each(
    words: list[str], csv: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["intervals", str(csv), "--horizon", "2", "--method", "split", *words]) == 0
    captured = capsys.readouterr()
    table = pl.read_csv(io.StringIO(captured.out))
    ends = ["lower_80", "upper_80", "lower_97.5", "upper_97.5"]
    assert table.columns == ["time", "y", "forecast", *ends]
    source = frame(120, 2)
    y, forecast = source["y"].to_numpy(), source["forecast"].to_numpy()
    found = around(y, forecast, "split", horizon=2, level=[0.8, 0.975])
    np.testing.assert_allclose(table["lower_97.5"].to_numpy(), found.band(0.975).lower)
    np.testing.assert_allclose(table["upper_80"].to_numpy(), found.upper)
    for said in ("split at 80 %", "split at 97.5 %", f"from the ends of 2 levels: {found.crps:.4g}"):
        assert said in captured.err
    assert run(["intervals", str(csv), "--horizon", "2", "--method", "split", "--json", *words]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [one["level"] for one in report["levels"]] == [0.8, 0.975]
    assert report["level"] == 0.8
    assert report["winkler"] == report["levels"][0]["winkler"] == found.winkler
    assert report["levels"][1]["coverage"] == found.band(0.975).coverage
    assert report["crps"] == pytest.approx(found.crps)


def test_bounds_cut_the_ends(csv: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bounds = ["--lower", "8.0", "--upper", "13"]
    assert (
        run(["intervals", str(csv), "--horizon", "2", "--method", "split", "--level", "0.95", *bounds]) == 0
    )
    table = pl.read_csv(io.StringIO(capsys.readouterr().out))
    assert table["lower"].min() == 8.0
    assert run(["intervals", str(csv), "--horizon", "2", "--method", "split", "--json", *bounds]) == 0
    assert json.loads(capsys.readouterr().out)["bounds"] == {"lower": 8.0, "upper": 13.0}


@dataclass(frozen=True)
class Keeping(Split):
    """Split that reads the clock and keeps to bounds it finds."""

    name: ClassVar[str] = "keeping"
    bounded: ClassVar[bool] = True
    sees: ClassVar[tuple[str, ...]] = ("residuals", "clock")

    def run(self, stream: Stream, level: float) -> Offsets:
        assert stream.context is not None
        # Days by their time stamps: the outcomes have no week in them.
        assert 7.0 in stream.context.periods
        return Split().run(stream, level)


def test_the_times_reach_the_clock_and_a_found_bound_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(METHODS, "keeping", Keeping)
    path = tmp_path / "mine.csv"
    floor = pl.when(pl.col("y") < 9.5).then(9.5).otherwise(pl.col("y")).alias("y")
    frame().with_columns(floor).write_csv(path)
    assert run(["intervals", str(path), "--method", "keeping"]) == 0
    captured = capsys.readouterr()
    assert "pile up on 9.5, their least" in captured.err
    assert pl.read_csv(io.StringIO(captured.out))["lower"].min() == 9.5


TEXT = "time,y,forecast\n" + "".join(f"2024-01-{day:02d},{day}.5,{day}\n" for day in range(1, 29))
BAD = {
    "bayes": (TEXT, ["--method", "bayes"], "leverage"),
    "method": (TEXT, ["--method", "magic"], "magic"),
    "missing y": (TEXT.replace("5.5,5", ",5", 1), [], "data row 5 (file line 6) has no outcome"),
    "missing forecast": (TEXT.replace("6.5,6", "6.5,", 1), [], "data row 6 (file line 7) has no forecast"),
    "too much future": (TEXT + "2024-01-29,,29\n2024-01-30,,30\n", [], "at most 1 future row"),
    "no such column": (TEXT, ["--y", "yy"], "did you mean 'y'"),
    "no such forecast": (TEXT.replace("forecast", "plan"), [], "no column 'forecast'"),
    "no such time": (TEXT, ["--time", "date"], "no column 'date'"),
    "not a number": (TEXT.replace("7.5,7", "seven,7", 1), [], "'seven' where a number belongs"),
    "unsorted": (TEXT + "2024-01-02,1,1\n", [], "does not come after"),
    "repeated": (TEXT + "2024-01-28,1,1\n", [], "does not come after"),
    "level": (TEXT, ["--level", "7"], "level must be in"),
    "no level": (TEXT, ["--level", "high"], "--level takes numbers such as 0.95 or 0.5,0.8,0.95, got 'high'"),
    "level twice": (TEXT, ["--level", "0.9,90"], "level 0.9 is given twice"),
    "empty level": (TEXT, ["--level", "0.9,"], "--level takes numbers"),
    "nan level": (TEXT, ["--level", "nan"], "level must be in"),
    "bound": (
        TEXT,
        ["--lower", "4"],
        "3 outcomes below lower=4, the first 1.5 in data row 1 (file line 2); mend",
    ),
    "infinite bound": (TEXT, ["--upper", "inf"], "upper must be a finite number"),
    "horizon": (TEXT, ["--horizon", "0"], "'--horizon': a whole number from 1 on"),
    "share": (TEXT, ["--calibration", "2"], "above 0 and at most 1"),
    "empty": ("", [], "empty"),
    "header only": ("time,y,forecast\n", [], "no rows"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_leaves_no_file(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, options, expected = BAD[case]
    path, out = tmp_path / "mine.csv", tmp_path / "out.csv"
    path.write_text(text)
    assert run(["intervals", str(path), "--out", str(out), *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("ngrc: error: ")
    assert captured.err.count("\n") == 1
    assert expected in captured.err
    assert not out.exists()


def test_a_folder_that_is_not_there(csv: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["intervals", str(csv), "--horizon", "2", "--out", str(tmp_path / "nowhere" / "out.csv")]) == 2
    assert "nowhere" in capsys.readouterr().err
    assert run(["intervals", str(tmp_path / "absent.csv")]) == 2
    assert "no such file" in capsys.readouterr().err


def test_help_names_every_method_but_bayes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["intervals", "--help"]) == 0
    out = capsys.readouterr().out
    for name in METHODS:
        assert (name in out) == (name != "bayes")
    for option in (
        "--time",
        "--y",
        "--forecast",
        "--horizon",
        "--level",
        "--lower",
        "--upper",
        "--calibration",
        "--out",
        "--json",
        "--seed",
    ):
        assert option in out


def test_the_input_is_never_replaced_and_foreign_endings_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "given.csv"
    path.write_text("y,forecast\n" + "1.0,0.9\n2.0,2.2\n" * 40)
    before = path.read_text()
    assert run(["intervals", str(path), "--method", "split", "--out", str(path)]) == 2
    assert "would replace the input" in capsys.readouterr().err
    assert path.read_text() == before
    assert run(["intervals", str(path), "--method", "split", "--out", str(tmp_path / "x.xlsx")]) == 2
    assert "writes CSV, Parquet, JSON" in capsys.readouterr().err
