"""The group itself: exit codes, one-line failures, and the library's log at the terminal."""

import logging
import os
import signal
import subprocess
import sys
from pathlib import Path
from pickle import UnpicklingError

import click
import pytest

from ngrc.cli import COMMANDS, run


def test_no_arguments_show_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert run(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in COMMANDS)


def test_what_the_library_logs_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    run(["demo", "--help"])
    logging.getLogger("ngrc").info("working")
    assert capsys.readouterr().err == "ngrc: working\n"


def test_interruption_is_one_line_and_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ngrc.cli.cli.main", interrupt)
    assert run(["demo"]) == 130
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("error", [EOFError("Ran out of input"), EOFError(), UnpicklingError("bad opcode")])
def test_a_file_that_ends_early_is_no_interruption(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Click takes any EOFError for Ctrl-D."""

    @click.command("demo")
    def damaged() -> None:
        raise error

    monkeypatch.setattr("ngrc.cli.demo.demo", damaged)
    assert run(["demo"]) == 2
    message = capsys.readouterr().err
    assert message.startswith("ngrc: error: a file is damaged")
    assert str(error) in message
    assert message.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_an_interruption(number: signal.Signals) -> None:
    program = (
        "import os, click, ngrc.cli, ngrc.cli.demo\n"
        f"ngrc.cli.demo.demo = click.Command('demo', callback=lambda: os.kill(os.getpid(), {int(number)}))\n"
        "ngrc.cli.main(['demo'])"
    )
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert child.returncode == 130
    assert child.stderr.strip() == "ngrc: interrupted; nothing half-written was left"


def test_a_reader_that_leaves_early_is_not_spoken_of(tmp_path: Path) -> None:
    """As in `ngrc forecast series.csv | head -1`."""
    series = tmp_path / "series.csv"
    series.write_text("y\n" + "\n".join(str((7 * step) % 11) for step in range(200)))
    read, write = os.pipe()
    os.close(read)
    child = subprocess.run(
        [sys.executable, "-c", f"from ngrc.cli import main; main(['forecast', {str(series)!r}])"],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(write)
    assert child.returncode == 1
    assert "Traceback" not in child.stderr
    assert "error" not in child.stderr
    assert "interrupted" not in child.stderr


@pytest.mark.parametrize("command", ["forecast", "diagnose"])
def test_a_closed_standard_output_is_one_line_and_2(command: str, tmp_path: Path) -> None:
    """As in `ngrc forecast series.csv >&-`: what was asked for would go nowhere, and nobody would know."""
    series = tmp_path / "series.csv"
    series.write_text("y\n" + "\n".join(str((7 * step) % 11) for step in range(200)))
    program = f"from ngrc.cli import main; main([{command!r}, {str(series)!r}])"
    child = subprocess.run(
        ["sh", "-c", 'exec "$0" -c "$1" >&-', sys.executable, program], capture_output=True, text=True
    )
    assert child.returncode == 2
    assert child.stderr == "ngrc: error: standard output is closed; leave it open, or send it to a file\n"


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
        "import sys, ngrc; print(sorted({'numpy', 'scipy', 'polars', 'pandas'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
