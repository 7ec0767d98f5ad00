"""Files as people have them, from the command line to the table that comes out."""

import csv
import io
import json
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from ngrc.cli import run

HOURS = np.datetime64("2024-02-25T00", "h") + np.arange(200)
VALUES = np.round(1500 + 400 * np.sin(np.arange(200) / 4) + np.random.default_rng(0).normal(0, 20, 200), 1)
OPTIONS = ["--lags", "3", "--steps", "2", "--method", "split"]


def german() -> str:
    """An export with a title, a row of units, decimal commas, groups of digits and a total."""
    rows = [
        f"{hour.astype('M8[s]').item():%d.%m.%Y %H:%M};" + f"{value:,.1f}".translate({44: 46, 46: 44})
        for hour, value in zip(HOURS, VALUES, strict=True)
    ]
    return (
        "\n".join(["Lastgang Halle 3", "", "Zeitpunkt;Größe", ";[kW]", *rows, "Summe;1.234,5", ";", ";"])
        + "\n"
    )


def plain() -> str:
    return "time,y\n" + "".join(f"{hour},{value}\n" for hour, value in zip(HOURS, VALUES, strict=True))


def forecast(path: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[list[dict[str, str]], str]:
    out = folder / "out.csv"
    assert run(["forecast", path, *OPTIONS, "--out", str(out)]) == 0
    with out.open(newline="") as file:
        return list(csv.DictReader(file)), capsys.readouterr().err


def numbers(rows: list[dict[str, str]]) -> list[list[float]]:
    return [[float(row[name]) for name in row if name not in ("step", "time")] for row in rows]


def test_a_messy_file_is_forecast_as_its_plain_twin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plain.csv").write_text(plain())
    expected, _ = forecast(str(tmp_path / "plain.csv"), tmp_path, capsys)
    assert [row["time"] for row in expected] == ["2024-03-04T08", "2024-03-04T09"]
    (tmp_path / "halle.csv").write_bytes(german().encode("windows-1252"))
    rows, notes = forecast(str(tmp_path / "halle.csv"), tmp_path, capsys)
    assert numbers(rows) == numbers(expected)
    # Times go out as they came in.
    assert [row["time"] for row in rows] == ["04.03.2024 08:00", "04.03.2024 09:00"]
    for words in (
        "text read as Windows-1252",
        "times from column 'Zeitpunkt', 200 values, every hour from 25.02.2024 00:00 to 04.03.2024 07:00",
        "row of units left out: '[kW]'",
        "1 line above the header left out",
        "decimal commas and thousands separators",
        "1 last row left out: 'Summe'",
    ):
        assert words in notes
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("halle.csv", german().encode("utf-16"))
    (tmp_path / "halle.zip").write_bytes(packed.getvalue())
    assert numbers(forecast(str(tmp_path / "halle.zip"), tmp_path, capsys)[0]) == numbers(expected)


def test_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain.csv").write_text(plain())
    expected, _ = forecast(str(tmp_path / "plain.csv"), tmp_path, capsys)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(german().encode())))
    rows, notes = forecast("-", tmp_path, capsys)
    assert numbers(rows) == numbers(expected)
    assert "took: column 'Größe', times from column 'Zeitpunkt'" in notes
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"%PDF-1.7")))
    assert run(["forecast", "-", *OPTIONS]) == 2
    assert capsys.readouterr().err == (
        "ngrc: error: standard input: this is a PDF document, not a table; copy its table into a CSV file\n"
    )


def test_trading_days_are_compared_without_a_grid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    days = np.arange("2023-01-02", "2024-01-01", dtype="M8[D]")
    trading = days[np.is_busday(days, holidays=["2023-01-16", "2023-04-07", "2023-07-04", "2023-12-25"])]
    values = 100 + np.cumsum(np.random.default_rng(1).normal(size=trading.size))
    (tmp_path / "stock.csv").write_text(
        "Date,Close\n"
        + "".join(f"{d:%m/%d/%Y},{v:.2f}\n" for d, v in zip(trading.tolist(), values, strict=True))
    )
    assert run(["compare", str(tmp_path / "stock.csv"), "--lags", "2", "--method", "split", "--json"]) == 0
    answer = capsys.readouterr()
    assert any(
        "4 working days without a row taken as holidays" in note for note in json.loads(answer.out)["notes"]
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x89PNG\r\n\x1a\n", "this is a PNG picture"),
        (b"", "the file is empty"),
        (b"id,2024-01,2024-02,2024-03\na,1,2,3\n", "the columns are named by times"),
        (b"date,y\n2024-01-01,1\n2024-01-02,oops\n2024-01-03,3\n", "file line 3): column 'y' holds 'oops'"),
    ],
)
def test_what_cannot_be_read_is_one_line_and_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, words: str
) -> None:
    (tmp_path / "bad.csv").write_bytes(content)
    for command in ("forecast", "compare", "diagnose"):
        assert run([command, str(tmp_path / "bad.csv")]) == 2
        error = capsys.readouterr().err
        assert error.startswith("ngrc: error: ")
        assert error.count("\n") == 1
        assert words in error
