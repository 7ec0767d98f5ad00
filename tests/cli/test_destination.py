"""`--out` never costs the user a file: refused before any work, in every command that writes."""

import gzip
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ngrc.cli import run
from ngrc.cli.destination import check_out, same_file

COMMANDS = {
    "forecast": ["--lags", "3", "--method", "split", "--level", "0.8"],
    "intervals": ["--method", "split", "--level", "0.8"],
    "compare": ["--lags", "3", "--method", "split", "--level", "0.8"],
}


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    """A file that both commands can read."""
    rng = np.random.default_rng(4)
    y = np.sin(np.arange(150) / 5) + rng.normal(0, 0.1, 150)
    rows = "".join(f"{value:.6f},{value + 0.1:.6f}\n" for value in y)
    path = tmp_path / "in.csv"
    path.write_text("y,forecast\n" + rows)
    return path


def arguments(command: str, csv: Path | str, *more: str) -> list[str]:
    column = [] if command == "intervals" else ["--column", "y"]
    return [command, str(csv), *column, *COMMANDS[command], *more]


def refused(capsys: pytest.CaptureFixture[str], words: list[str]) -> str:
    assert run(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("ngrc: error: ")
    assert captured.err.count("\n") == 1
    return captured.err


@pytest.fixture
def _no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever gets as far as reading the input has worked too long."""

    def work(*arguments: Any, **options: Any) -> None:
        raise AssertionError("work was done before --out was checked")

    monkeypatch.setattr("ngrc.cli.forecast.open_recording", work)
    monkeypatch.setattr("ngrc.cli.compare.open_recording", work)
    monkeypatch.setattr("ngrc.cli.intervals.read_forecasts", work)


@pytest.mark.usefixtures("_no_work")
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("way", ["same", "detour", "symbolic", "hard", "folder link", "backwards"])
def test_the_input_is_never_the_output(
    command: str, way: str, csv: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = csv.read_bytes()
    source, out = csv, csv
    if way == "detour":
        (tmp_path / "sub").mkdir()
        out = tmp_path / "sub" / ".." / "in.csv"
    elif way == "symbolic":
        out = tmp_path / "link.csv"
        out.symlink_to(csv)
    elif way == "hard":
        out = tmp_path / "hard.csv"
        os.link(csv, out)
    elif way == "folder link":
        (tmp_path / "there").symlink_to(tmp_path)
        out = tmp_path / "there" / "in.csv"
    elif way == "backwards":
        source = tmp_path / "link.csv"
        source.symlink_to(csv)
    error = refused(capsys, arguments(command, source, "--out", str(out)))
    assert f"--out {out} would replace the input {source}; name another file" in error
    assert csv.read_bytes() == before


@pytest.mark.usefixtures("_no_work")
@pytest.mark.parametrize("name", ["exchange_rate.txt", "link.csv"])
def test_a_datasets_own_file_is_an_input(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    original = tmp_path / "exchange_rate.txt"
    original.write_text("1,2\n")
    (tmp_path / "link.csv").symlink_to(original)
    monkeypatch.setenv("NGRC_DATA", str(tmp_path))
    error = refused(capsys, ["forecast", "exchange", "--out", str(tmp_path / name)])
    assert "would replace the input" in error
    assert original.read_text() == "1,2\n"


@pytest.mark.usefixtures("_no_work")
@pytest.mark.parametrize("command", COMMANDS)
def test_hopeless_outputs_are_refused_before_any_work(
    command: str, csv: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "nowhere.csv").symlink_to(tmp_path / "absent.csv")
    for name, message in (
        ("folder", "folder"),
        ("no/out.csv", "there is no folder"),
        ("nowhere.csv", "which is not there"),
        ("out.xlsx", "--out writes CSV, Parquet, JSON, got 'out.xlsx'; name it .csv or .parquet or .json"),
        ("out.parqet", "did you mean '.parquet'?"),
        ("in.csv/out.csv", "there is no folder"),
    ):
        listing = sorted(tmp_path.iterdir())
        error = refused(capsys, arguments(command, csv, "--out", str(tmp_path / name)))
        # click itself speaks of directories.
        assert message in error.replace("directory", "folder")
        assert sorted(tmp_path.iterdir()) == listing


@pytest.mark.usefixtures("_no_work")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_that_takes_no_file_is_refused_before_any_work(
    command: str,
    csv: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def denied(*arguments: Any, **options: Any) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("ngrc._atomic.os.open", denied)
    error = refused(capsys, arguments(command, csv, "--out", str(tmp_path / "out.csv")))
    assert "takes no new file (Permission denied)" in error


@pytest.mark.parametrize("command", ["forecast", "intervals"])
def test_the_file_holds_what_would_be_printed(
    command: str, csv: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments(command, csv)) == 0
    printed = capsys.readouterr().out
    for name in ("out.csv", "OTHER.CSV", "plain"):
        assert run(arguments(command, csv, "--out", str(tmp_path / name))) == 0
        assert (tmp_path / name).read_bytes() == printed.encode()
    assert f"wrote {tmp_path / 'plain'}" in capsys.readouterr().out
    # An earlier result may be replaced, also where it is the input's neighbour.
    assert run(arguments(command, csv, "--out", str(tmp_path / "out.csv"))) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["OTHER.CSV", "in.csv", "out.csv", "plain"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_one_line_and_leaves_the_old_file(
    command: str,
    csv: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    out = tmp_path / "out.csv"
    out.write_text("old")
    monkeypatch.setattr("ngrc._atomic.os.fsync", full)
    assert run(arguments(command, csv, "--out", str(out))) == 2
    captured = capsys.readouterr()
    assert "wrote" not in captured.out
    assert captured.err.splitlines()[-1] == (
        f"ngrc: error: cannot write {out}: No space left on device; what was there before is untouched"
    )
    assert out.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "out.csv"]


def test_standard_output_is_not_written_over(csv: Path, tmp_path: Path) -> None:
    """`ngrc ... --out all.csv >> all.csv` would lose what all.csv held."""
    kept = tmp_path / "all.csv"
    kept.write_text("kept\n")
    for out in (str(kept), "/dev/stdout"):
        with kept.open("a") as stream:
            process = subprocess.run(
                [
                    sys.executable,
                    "-c",
                    "from ngrc.cli import main; main()",
                    *arguments("forecast", csv, "--out", out),
                ],
                stdout=stream,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        assert process.returncode == 2
        assert "is where standard output already goes" in process.stderr
        assert kept.read_text() == "kept\n"


def test_devices_are_no_files(csv: Path) -> None:
    check_out(Path(os.devnull), [Path(os.devnull)])
    check_out(None, [csv])
    assert not same_file(Path(os.devnull), Path(os.devnull))
    assert same_file(csv, csv)
    assert not same_file(csv, csv.with_name("other.csv"))


def test_gzipped_inputs_count_too(csv: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = csv.with_name("in.csv.gz")
    packed.write_bytes(gzip.compress(csv.read_bytes()))
    before = packed.read_bytes()
    error = refused(capsys, arguments("forecast", packed, "--out", str(packed)))
    assert "would replace the input" in error
    assert packed.read_bytes() == before
