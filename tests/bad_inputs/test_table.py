"""Bad inputs by name, each with the one line that a person reads: exactly that line, exit code 2, and nothing else."""

import io
import re
import shlex
import sys
from pathlib import Path

import pytest

import ngrc
from ngrc.archive.kinds import name_of
from ngrc.cli import COMMANDS as NAMES
from ngrc.cli import run
from ngrc.datasets import names
from ngrc.intervals import METHODS, Adaptive
from tests.bad_inputs.archives import ARCHIVES
from tests.bad_inputs.calls import CALLS
from tests.bad_inputs.commands import COMMANDS
from tests.bad_inputs.files import FILES
from tests.bad_inputs.lines import LINES
from tests.bad_inputs.making import furnish
from tests.fuzz.wording import check_line

# What grows with the library, and would otherwise stand in many of the lines.
LISTS = {
    "{methods}": ", ".join(METHODS),
    "{datasets}": ", ".join(names()),
    "{commands}": ", ".join(NAMES),
    "{version}": ngrc.__version__,
    "{kind}": str(name_of(Adaptive)),
}
SMALL = ("--lags", "2", "--degree", "1", "--method", "split", "--quiet")


def check(said: str, expected: str) -> None:
    """Compare word by word; `*` stands for what another library or the system adds."""
    check_line(said)
    for name, text in LISTS.items():
        expected = expected.replace(name, text)
    pattern = ".*".join(re.escape(part) for part in expected.split("*"))
    assert re.fullmatch(pattern, said), f"said     {said}\nexpected {expected}"


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The line that a command ends with."""
    code = run(words)
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.count("\n") == 1, err
    assert err.startswith("ngrc: error: ")
    return err.removeprefix("ngrc: error: ").rstrip("\n")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, so that paths in messages are short."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("furnished")
    furnish(path)
    return path


@pytest.mark.parametrize("name", FILES)
def test_files(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content, expected = FILES[name]
    (folder / "data.csv").write_bytes(content)
    check(refused(["forecast", "data.csv", *SMALL], capsys), f"data.csv: {expected}")
    assert [path.name for path in folder.iterdir()] == ["data.csv"]


@pytest.mark.parametrize(("typed", "expected"), COMMANDS, ids=[typed for typed, _ in COMMANDS])
def test_commands(
    typed: str,
    expected: str,
    furnished: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(furnished)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1\n")))
    before = _content(furnished)
    check(refused(shlex.split(typed), capsys), expected)
    assert _content(furnished) == before


@pytest.mark.parametrize("name", LINES)
def test_lines_of_a_stream(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sent, expected = LINES[name]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sent)))
    code = run(["stream", "--lags", "2", "--degree", "1", "--method", "rolling", "--gather", "30", "-q"])
    out, err = capsys.readouterr()
    assert code == 2
    # What came before the bad line is answered, one line each.
    assert all(line.startswith("{") for line in out.splitlines())
    assert err.count("\n") == 1
    check(err.removeprefix("ngrc: error: ").rstrip("\n"), expected)


@pytest.mark.parametrize("name", ARCHIVES)
def test_archives(
    name: str,
    furnished: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    make, expected = ARCHIVES[name]
    make(folder / "FILE")
    with pytest.raises((ValueError, OSError)) as raised:
        ngrc.load("FILE")
    check(str(raised.value), expected)
    # The same from the command line.
    check(refused(["forecast", str(furnished / "y.csv"), "--model", "FILE"], capsys), expected)


@pytest.mark.parametrize("name", CALLS)
def test_calls(name: str) -> None:
    call, expected = CALLS[name]
    with pytest.raises(ValueError) as raised:
        call()
    check(str(raised.value), expected)


def test_how_many_there_are() -> None:
    counts = {
        "files": len(FILES),
        "commands": len(COMMANDS),
        "lines": len(LINES),
        "archives": len(ARCHIVES),
        "calls": len(CALLS),
    }
    print(f"{sum(counts.values())} bad inputs: {counts}")
    assert len({typed for typed, _ in COMMANDS}) == len(COMMANDS)
    # Every command has some.
    assert {typed.split()[0] for typed, _ in COMMANDS} >= set(NAMES) - {"serve"}
    assert sum(counts.values()) >= 250


def _content(folder: Path) -> dict[str, bytes]:
    """All but locks, which stay beside what was opened."""
    files = (path for path in folder.iterdir() if path.is_file() and path.suffix != ".lock")
    return {path.name: path.read_bytes() for path in files}
