"""The group itself: exit codes, one-line failures, and the library's log at the terminal."""

import logging
import subprocess
import sys

import pytest

from ngrc.cli import COMMANDS, run


def test_no_arguments_show_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert run(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in COMMANDS)


def test_a_first_compilation_is_spoken_of(capsys: pytest.CaptureFixture[str]) -> None:
    run(["demo", "--help"])
    logging.getLogger("ngrc").info("compiling")
    assert capsys.readouterr().err == "ngrc: compiling\n"


def test_interruption_is_one_line_and_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ngrc.cli.cli.main", interrupt)
    assert run(["demo"]) == 130
    assert capsys.readouterr().err.count("\n") == 1


def test_memory_runs_out_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def exhaust(*arguments: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr("ngrc.cli.cli.main", exhaust)
    assert run(["demo"]) == 2
    assert capsys.readouterr().err.startswith("ngrc: error: not enough memory")


def test_the_console_script_runs_and_import_stays_light() -> None:
    code = (
        "import sys, ngrc; print(sorted({'numpy', 'numba', 'scipy', 'polars', 'pandas'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
