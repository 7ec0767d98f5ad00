"""What fuzzing found, each by name: refused in one line, or read, and never again anything else."""

import bz2
import gzip
import io
import json
import lzma
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

pytest.importorskip("resource", reason="time and memory are bounded by what Unix offers")

from ngrc.archive import dumps, loads
from ngrc.model import NGRC
from ngrc.series import read_series, room
from ngrc.series.panics import PanicError, unpanicked
from tests.archive.forging import forged
from tests.bad_inputs.making import parquet, workbook
from tests.fuzz import seeds, streams
from tests.fuzz.rules import judge
from tests.fuzz.targets import read
from tests.fuzz.wording import check_error

Refusal = Callable[[bytes], str]


@pytest.fixture
def refused(tmp_path: Path) -> Refusal:
    def refusal(content: bytes) -> str:
        path = tmp_path / "input"
        path.write_bytes(content)
        with pytest.raises(ValueError) as raised:
            read_series(path)
        check_error(raised.value)
        return str(raised.value).removeprefix(f"{path}: ")

    return refusal


class PanicException(BaseException):
    """As a library in Rust raises it."""


def test_a_panic_is_an_exception_and_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    def panic(words: str) -> None:
        os.write(2, b"thread 'main' panicked at lib.rs:5:9\n")
        raise PanicException(words)

    with pytest.raises(PanicError, match="slice"):
        unpanicked(panic, "slice out of range")
    assert capfd.readouterr().err == ""
    # What is no panic passes as it is, and so does what was said meanwhile.
    with pytest.raises(KeyError):
        unpanicked({}.__getitem__, "x")
    unpanicked(os.write, 2, b"a warning\n")
    assert capfd.readouterr().err == "a warning\n"


def test_a_panic_where_standard_error_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(number: int) -> int:
        raise OSError("closed")

    monkeypatch.setattr("os.dup", closed)
    assert unpanicked(len, "abc") == 3


def test_arrow_files_with_a_piece_cut_out(capfd: pytest.CaptureFixture[str]) -> None:
    """Polars panicked on some, past every handler, and printed traces; of the others the format has no checksum."""
    data = seeds.binary_seeds()[3]
    for start in range(100, len(data) - 200, 60):
        judge(read, data[:start] + data[start + 100 :])
    assert capfd.readouterr().err == ""


def test_a_zip_archive_whose_content_does_not_unpack(refused: Refusal) -> None:
    data = bytearray(seeds.packed_seeds()[0])
    data[60:90] = bytes(30)
    assert "the zip archive or Excel workbook is damaged (" in refused(bytes(data))


def test_a_zip_archive_with_a_name_that_is_no_text(refused: Refusal) -> None:
    data = bytearray(seeds.packed_seeds()[0])
    # The name is said to be UTF-8, and is not.
    for place in (data.index(b"data.csv"), data.rindex(b"data.csv")):
        data[place] = 0xFF
    data[7] |= 8
    data[data.index(b"PK\x01\x02") + 9] |= 8
    assert "is damaged" in refused(bytes(data))


def test_a_workbook_whose_sheet_is_damaged(refused: Refusal) -> None:
    """It opens, and only the sheet fails to load."""
    target = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(seeds.workbook_seeds()[0])) as source,
        zipfile.ZipFile(target, "w") as archive,
    ):
        for name in source.namelist():
            content = source.read(name)
            archive.writestr(
                name, content.replace(b'<c r="B3"', b'<c r="B#"') if "sheet1" in name else content
            )
    assert "the Excel workbook is damaged or locked" in refused(target.getvalue())


def test_a_workbook_with_a_cell_in_the_last_corner(refused: Refusal) -> None:
    """Two cells span a rectangle of 17 thousand million, for which the reader made room, and died."""
    rows: list[list[Any]] = [["t", "y"], *([step, step % 3] for step in range(20))]
    data = workbook(rows)
    target = io.BytesIO()
    far = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(target, "w") as archive:
        for name in source.namelist():
            archive.writestr(name, source.read(name).replace(b"</sheetData>", far))
    said = refused(target.getvalue())
    assert "would take 549,755,813,888 bytes of memory out of a file of" in said
    assert said.endswith("; delete what stands far from the table, or save the table as CSV")


def test_a_wide_sheet_is_no_bomb(tmp_path: Path) -> None:
    rows: list[list[Any]] = [[step * place for place in range(60)] for step in range(9)]
    rows.insert(0, [f"c{place}" for place in range(60)])
    (tmp_path / "wide.xlsx").write_bytes(workbook(rows))
    assert len(read_series(tmp_path / "wide.xlsx", column="c59")) == 9


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_file_that_unpacks_without_end(
    pack: Callable[[bytes], bytes], refused: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = pack(bytes(3 << 20))
    assert "no table of text" in refused(data)
    monkeypatch.setattr(room, "FREE", 1 << 20)
    assert "unpacks to more than 1,048,576, which no table does; unpack it yourself" in refused(data)


def test_a_zip_member_and_a_parquet_file_that_unpack_without_end(
    refused: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data.csv", "1\n" * (1 << 20))
    constant = parquet(pl.DataFrame({"y": pl.repeat(1.5, 1 << 20, eager=True)}))
    monkeypatch.setattr(room, "FREE", 1 << 20)
    assert "'data.csv' in the zip archive would take 2,097,152 bytes of memory" in refused(target.getvalue())
    assert "the Parquet file would take 8,388,608 bytes of memory" in refused(constant)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_files_of_several_parts_are_read_whole(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(pack(b"y\n1\n2\n") + pack(b"4\n"))
    assert read_series(tmp_path / "data").values.tolist() == [1, 2, 4]


def test_a_zip_archive_whose_members_lead_elsewhere(tmp_path: Path) -> None:
    """Nothing is unpacked to the disk: a name is a name."""
    for name in ("../../escape.csv", "/tmp/escape.csv", "C:\\escape.csv"):
        with zipfile.ZipFile(tmp_path / "data.zip", "w") as archive:
            archive.writestr(name, "y\n1\n2\n4\n")
        assert read_series(tmp_path / "data.zip").values.tolist() == [1, 2, 4]
    link = zipfile.ZipInfo("data.csv")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(ValueError, match="a header and no rows: /etc/passwd"):
        read_series(tmp_path / "data.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["data.zip"]


def test_json_nested_without_end_and_digits_without_end(refused: Refusal) -> None:
    assert "nested too deeply" in refused(b'{"a":' * 100_000)
    assert "is damaged" in refused(b'[{"y": ' + b"1" * 5000 + b"}]")
    assert "line 2 is no JSON object" in refused(b'{"y": 1}\n{"y": ' + b"[" * 100_000)


def test_json_with_half_of_a_sign(refused: Refusal) -> None:
    for text in (b'[{"y": 1}, {"y": "\\ud800"}]', b'[{"\\ud800": 1}, {"\\ud800": 2}]'):
        assert refused(text) == "the JSON text holds '\\ud800', half of a sign; spell the whole sign"


def test_numbers_near_the_largest_are_read_without_a_warning(tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text('{"load": [-1.25, 1e308, -0.5, 1.25], "wind": [0, 1, -1, 2]}')
    assert read_series(tmp_path / "data.json").values.tolist() == [-1.25, 1e308, -0.5, 1.25]


@pytest.mark.parametrize("moment", [2**62, -(2**62)])
def test_times_outside_the_calendar(moment: int, refused: Refusal) -> None:
    """Their differences did not fit into 64 bits: rows were taken as sorted that were not."""
    times = pl.Series([0, moment, 1], dtype=pl.Int64).cast(pl.Datetime("us"))
    said = refused(parquet(pl.DataFrame({"t": times, "y": [1.0, 2.0, 3.0]})))
    assert said.startswith("row 2 (counting from 1): the time ")
    assert "is outside the years 1 to 9999; correct it" in said


def test_names_that_steer_a_terminal_and_names_without_end(refused: Refusal) -> None:
    assert "\\u202e" in refused("date,l\u202eoad\n".encode())
    long = "x" * 3000
    assert refused(f"{long},b\nu,v\n".encode()).endswith("; add one")
    assert len(refused(f"y,{long}\n1,2\n3,4\na,5\n2,2\n7,3\n".encode())) < 500


def test_a_kept_range_that_nobody_can_count() -> None:
    model = NGRC(lags=range(1, 4)).fit(np.sin(np.arange(60)))
    assert loads(dumps(model)).lags == range(1, 4)

    def endless(tree: dict[str, object]) -> dict[str, object]:
        text = json.dumps(tree)
        changed: dict[str, object] = json.loads(text.replace("[1, 4, 1]", "[1, 1000000000000000000, 1]"))
        assert changed != tree
        return changed

    with pytest.raises(ValueError, match="marked 'range' and is none"):
        loads(forged(model, endless))


def test_a_state_whose_text_is_no_text() -> None:
    """It was taken for a lost connection, and waited for."""
    pytest.importorskip("sqlalchemy")
    data = streams.state()
    place = data.rindex(b"+00:00")
    spoilt = data[: place - 3] + b"\xff\xff" + data[place - 1 :]
    with pytest.raises(ValueError, match="it is damaged; keep a copy of it and restore a backup"):
        streams.go_on(spoilt)
