"""The same table in every kind of file, and files that hold no table."""

import gzip
import io
import json
import os
import pickle
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from ngrc.series import Series, read_channels, read_series
from ngrc.series.forecasts import read_forecasts
from tests.series.dialects import Truth, typed

Reader = Callable[..., Series]
Refusal = Callable[..., str]

DAYS = np.datetime64("2024-01-29") + np.arange(9)
VALUES = np.array([0.1, 2.0, np.nan, -1234.5678, 3e7, 0.30000000000000004, 5, 6, 7])
FILLED = np.array([0.1, 2.0, 2.0, -1234.5678, 3e7, 0.30000000000000004, 5, 6, 7])
TEXT = "when,y\n" + "".join(
    f"{d},{'' if np.isnan(v) else repr(float(v))}\n" for d, v in zip(DAYS, VALUES, strict=True)
)


def check(series: Series, exact: bool = True) -> None:
    np.testing.assert_allclose(series.values, FILLED, rtol=0 if exact else 1e-14)
    assert series.times is not None
    np.testing.assert_array_equal(series.times, DAYS)
    assert series.missing is not None
    assert np.flatnonzero(series.missing).tolist() == [2]
    assert any("times from column 'when': every day, " in note for note in series.notes)


def zipped(**members: str | bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return buffer.getvalue()


@pytest.mark.parametrize("kind", ["parquet", "feather", "stream", "json", "lines", "excel"])
@pytest.mark.parametrize("packed", [False, True])
def test_typed_files(read: Reader, kind: str, packed: bool) -> None:
    if kind == "excel":
        pytest.importorskip("fastexcel")
        pytest.importorskip("xlsxwriter")
    data = typed(Truth(DAYS, VALUES), kind)
    # A workbook holds sixteen digits of a number.
    check(read(gzip.compress(data) if packed else data, "any.thing"), exact=kind != "excel")


def test_json_of_other_shapes(read: Reader, refused: Refusal) -> None:
    days, numbers = [str(day) for day in DAYS], [None if np.isnan(v) else v for v in VALUES.tolist()]
    quoted = [None if v is None else str(v) for v in numbers]
    rows = [{"when": day, "y": v} for day, v in zip(days, numbers, strict=True)]
    for document in (
        {"when": days, "y": numbers},
        {"when": days, "y": quoted},
        {"data": rows, "source": "x"},
        {"when": dict(enumerate(days)), "y": dict(enumerate(numbers))},
        [row if row["y"] is not None else {"when": row["when"]} for row in rows],
    ):
        check(read(json.dumps(document), "data.json"))
    assert "line 2 is no JSON object: '{broken'" in refused('{"y": 1}\n{broken\n', "data.json")
    assert "JSON text is damaged" in refused('[{"y": 1}, {"y": ', "data.json")
    assert "holds '[1, 2]' where one value belongs" in refused('[{"y": [1, 2]}]', "data.json")
    assert "no table" in refused('{"y": 5}', "data.json")
    assert "no table" in refused("[]", "data.json")


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252"]
)
def test_encodings(read: Reader, encoding: str) -> None:
    name = "Größe €" if encoding == "cp1252" else "Größe"
    series = read(TEXT.replace("y\n", f"{name}\n", 1).encode(encoding))
    assert series.name == name
    assert series.values.tolist() == FILLED.tolist()
    usual = encoding in ("utf-8", "utf-8-sig")
    assert any(note.startswith("text read as") for note in series.notes) != usual
    reverse = "utf-16-be" if sys.byteorder == "little" else "utf-16-le"
    marked = ("\ufeff" + TEXT).encode(reverse)
    np.testing.assert_array_equal(read(marked).values, FILLED)


def test_archives(read: Reader, refused: Refusal) -> None:
    check(read(zipped(data_csv=TEXT), "a.zip"))
    check(read(zipped(readme_md="hello", folder__data_csv=TEXT, __MACOSX___data_csv="fork"), "a.zip"))
    check(read(zipped(data=TEXT), "a.zip"))
    check(read(zipped(data_csv_gz=gzip.compress(TEXT.encode())), "a.zip"))
    assert "read 'data.csv' of the zip archive" in read(zipped(readme_md="x", data_csv=TEXT), "a.zip").notes
    assert "holds 'a.csv', 'b.csv'; unpack it and name one" in refused(
        zipped(a_csv=TEXT, b_csv=TEXT), "a.zip"
    )
    assert "holds 'a.md', 'b.md'" in refused(zipped(a_md=TEXT, b_md=TEXT), "a.zip")
    assert "is empty" in refused(zipped(), "a.zip")
    assert "holds another one" in refused(zipped(a_csv=zipped(b_csv=TEXT)), "a.zip")
    assert "damaged" in refused(zipped(a_csv=TEXT)[:80], "a.zip")


def workbook(sheets: dict[str, list[list[Any]]]) -> bytes:
    xlsxwriter = pytest.importorskip("xlsxwriter")
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True, "default_date_format": "dd.mm.yyyy hh:mm"})
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for place, row in enumerate(rows):
            for column, cell in enumerate(row):
                if cell is not None:
                    sheet.write(place, column, cell)
    book.close()
    return buffer.getvalue()


def test_workbooks(read: Reader, refused: Refusal) -> None:
    pytest.importorskip("fastexcel")
    rows = [
        [day.item(), None if np.isnan(v) else v] for day, v in zip(DAYS.astype("M8[s]"), VALUES, strict=True)
    ]
    header = ["when", "y"]
    check(read(workbook({"A": [header, *rows]}), "a.xlsx"), exact=False)
    titled: list[list[Any]] = [
        ["Report of 2024"],
        [],
        ["made by hand", None, "x"],
        [],
        [None, *header],
        [None, None, "kW"],
    ]
    series = read(
        workbook({"Notes": [["see below"]], "Data": titled + [[None, *row] for row in rows], "B": rows}),
        "a.xlsx",
    )
    check(series, exact=False)
    assert series.name == "y"
    assert "read sheet 'Data'; the workbook also has 'Notes', 'B'" in series.notes
    text = [
        [f"{day.item():%d.%m.%Y}", "" if np.isnan(v) else f"{v}".replace(".", ",")]
        for day, v in zip(DAYS, VALUES, strict=True)
    ]
    check(read(workbook({"A": [header, *text, ["", ""], ["Summe", "12"]]}), "a.xlsx"))
    assert "no sheet of the workbook holds a table of numbers" in refused(
        workbook({"A": [["x"], ["y"]]}), "a.xlsx"
    )
    hours = np.datetime64("2024-03-30T22:00", "s") + 900 * np.arange(40)
    quarters = read(
        workbook({"A": [header, *[[hour.item(), 1.5 * k] for k, hour in enumerate(hours)]]}), "a.xlsx"
    )
    np.testing.assert_array_equal(quarters.times, hours)
    damaged = workbook({"A": [header, *rows]})
    assert "damaged" in refused(damaged[:3000] + damaged[3200:], "a.xlsx")


def test_workbooks_without_their_library(refused: Refusal, monkeypatch: pytest.MonkeyPatch) -> None:
    data = workbook({"A": [["y"], [1], [2]]})
    monkeypatch.setitem(sys.modules, "fastexcel", None)
    assert 'pip install "ngrc[files]"' in refused(data, "a.xlsx")


class _Stream:
    """Standard input of bytes that counts how often it is read."""

    def __init__(self, data: bytes) -> None:
        self.buffer = self
        self.data, self.reads = data, 0

    def read(self) -> bytes:
        self.reads += 1
        data, self.data = self.data, b""
        return data


@pytest.mark.parametrize("packed", [False, True])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    data = gzip.compress(TEXT.encode()) if packed else TEXT.encode()
    readers: list[Callable[[], Series]] = [lambda: read_series("-"), lambda: read_channels("-").targets[0]]
    for read in readers:
        stream = _Stream(data)
        monkeypatch.setattr(sys, "stdin", stream)
        check(read())
        # Another look at the same input finds it, though it is read once.
        check(read())
        assert stream.reads == 1
    monkeypatch.setattr(
        sys, "stdin", _Stream(TEXT.replace("y\n", "y,forecast\n", 1).replace("7.0", "7.0,1").encode())
    )
    with pytest.raises(ValueError, match=r"^standard input: line 2 has 2 fields"):
        read_forecasts("-", time=None, outcome="y", forecast="forecast")
    monkeypatch.setattr(sys, "stdin", _Stream(b"1\n2\n4\n"))
    assert read_series("-").name == "standard input"
    monkeypatch.setattr(sys, "stdin", _Stream(b""))
    with pytest.raises(ValueError, match=r"^standard input: the file is empty"):
        read_series("-")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"%PDF-1.7\n%\xe2\xe3", "a PDF document"),
        (b"\x89PNG\r\n\x1a\n\x00", "a PNG picture"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "a JPEG picture"),
        (b"<!DOCTYPE html>\n<html><body>1,2</body></html>", "a web page"),
        (b"\n <html lang='en'>", "a web page"),
        (b"SQLite format 3\x00", "an SQLite database"),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 or NetCDF file"),
        (b"\x93NUMPY\x01\x00", "a numpy array"),
        (b"FEA1....", "a Feather file of the first version"),
        (b"<?xml version='1.0'?><a/>", "an XML document"),
        (b"\x28\xb5\x2f\xfd\x00", "Zstandard"),
        (b"", "the file is empty"),
        (b"\n \n\t\n", "the file is empty"),
        (b",,\n,,\n", "the file is empty"),
        (b"date,y\n", "a header and no rows: date, y"),
        (b"date,y\n,\n", "a header and no rows"),
        (b"y\n1\n\x002\n", "line 3 holds the byte 0x00"),
        (b"y\n1\n2\n\x07\n", "line 4 holds the byte 0x07"),
        (b"\xff\xfey", "breaks off"),
        (b"ARROW1\x00\x00junkjunk", "the Arrow file is damaged"),
        (b"\xd0\xcf\x11\xe0junk", "the Excel workbook is damaged"),
    ],
)
def test_files_that_hold_no_table(refused: Refusal, data: bytes, words: str) -> None:
    message = refused(data)
    assert words in message
    assert "; " in message


class _Trap:
    def __reduce__(self) -> tuple[Any, ...]:
        return (os._exit, (77,))


def test_a_pickle_is_never_loaded(refused: Refusal) -> None:
    for protocol in range(2, 6):
        assert "this is a pickle, which is never loaded" in refused(pickle.dumps(_Trap(), protocol), "a.pkl")
    # The first protocol is text: it is refused as such.
    refused(pickle.dumps(_Trap(), 0), "a.pkl")


def test_places_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, words in (
        (tmp_path, "this is a folder; name a CSV, Excel or Parquet file in it"),
        (tmp_path / "absent.csv", "there is no such file; correct the path"),
        ("https://example.org/a.csv", "this is a web address; download the file"),
    ):
        with pytest.raises(ValueError, match=words):
            read_series(path)

    def denied(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    (tmp_path / "a.csv").write_text(TEXT)
    monkeypatch.setattr(Path, "read_bytes", denied)
    with pytest.raises(ValueError, match=r"a\.csv: the file cannot be read: Permission denied"):
        read_series(tmp_path / "a.csv")


def test_a_huge_line_and_a_huge_field(refused: Refusal) -> None:
    message = refused("when,y\n2024-01-01," + "x" * 3_000_000 + "\n2024-01-02,1\n2024-01-03,2\n")
    assert "3,000,000 characters" in message
    assert len(message) < 400
    wide = ",".join(f"c{k}" for k in range(5_000))
    assert "a header and no rows" in refused(wide + "\n")


@pytest.mark.parametrize("quoted", [False, True])
def test_two_hundred_thousand_rows(read: Reader, quoted: bool) -> None:
    """The fast ways are taken, and give what was written."""
    size = 200_000
    times = np.datetime64("2020-01-01T00:00", "m") + np.arange(size)
    values = np.random.default_rng(0).normal(size=size)
    frame = pl.DataFrame({"time": times.astype("M8[us]"), "note": ["a, b"] * size, "y": values})
    text = frame.write_csv(quote_style="always" if quoted else "necessary", datetime_format="%Y-%m-%d %H:%M")
    with pytest.MonkeyPatch.context() as patch:
        # Nothing that goes row by row may be called.
        patch.setattr("ngrc.series.cells._slowly", None)
        series = read(text)
    np.testing.assert_array_equal(series.values, values)
    np.testing.assert_array_equal(series.times, times)
