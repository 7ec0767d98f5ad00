"""`ngrc stream` under bytes of strangers: lines that come in, and the database that it goes on from."""

import contextlib
import io
import json
import shutil
import sqlite3
import sys
import tempfile
from functools import cache
from pathlib import Path

from ngrc.cli import run
from tests.fuzz.wording import DefectError

OPTIONS = ("--lags", "2", "--degree", "1", "--method", "rolling", "--gather", "30", "--patience", "0", "-q")
BEGUN, MORE = 40, 3
"""Observations that are in the state, and those that come after."""
LINE_TOKENS = tuple(
    word.encode()
    for word in (
        *(
            "NA",
            "null",
            "nan",
            "inf",
            "-inf",
            "1e999",
            "1e308",
            "-0",
            "",
            " ",
            "1" * 400,
            "1" * 5000,
            "0x1",
            "1_0",
            "1,5",
        ),
        *(
            "time,value",
            "value",
            "seq",
            "2024-02-30",
            "2024-01-01T00:00:00Z",
            "9999-12-31T23:59:59",
            "-1",
            "1e5",
            "true",
        ),
        *(
            '{"value": 1}',
            '{"value": null}',
            '{"value": 1, "seq": 1}',
            '{"time": 3, "value": 1}',
            '{"value": [1]}',
            "{",
        ),
        *(
            '"value"',
            '"time": ',
            '"seq": ',
            "[" * 2000,
            '{"a":' * 1000,
            '"\\ud800"',
            "NaN",
            "\n",
            "\r\n",
            "\x00",
            "\x1a",
        ),
        *("\ufeff", "\u2028", "\u202e", "é", ";", "\t", '"', "'", "#"),
    )
)


def line_seeds() -> list[bytes]:
    """Lines of every form."""
    values = [step * 7 % 11 / 4 for step in range(12)]
    days = [f"2024-01-{day:02d}" for day in range(1, 13)]
    forms = (
        [f"{value}" for value in values],
        ["time,value", *(f"{step},{value}" for step, value in enumerate(values))],
        ["value;time", *(f"{value};{day}" for day, value in zip(days, values, strict=True))],
        [json.dumps({"time": day, "value": value}) for day, value in zip(days, values, strict=True)],
        [json.dumps({"seq": step, "value": value}) for step, value in enumerate(values, 1)],
    )
    return ["\n".join(form).encode() + b"\n" for form in forms]


def take_lines(data: bytes) -> None:
    """A stream of these bytes: every line answered by one of finite numbers, or one error."""
    _answers(data)


def _answers(data: bytes, *more: str) -> list[str]:
    code, out, err = _run(data, *more)
    for line in out:
        json.loads(line, parse_constant=_refuse)
    if code == 2:
        if len(err) != 1 or not err[0].startswith("ngrc: error: "):
            raise DefectError(f"no single line of error: {err!r}")
        raise ValueError(err[0])
    if code or err:
        raise DefectError(f"exit code {code}: {err!r}")
    return out


def _refuse(name: str) -> None:
    raise DefectError(f"{name} in an answer")


def _run(data: bytes, *words: str) -> tuple[int, list[str], list[str]]:
    out, err, own = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(["stream", *OPTIONS, *words])
    finally:
        sys.stdin = own
    return code, out.getvalue().splitlines(), err.getvalue().splitlines()


def _lines(first: int, stop: int) -> bytes:
    return "".join(f"{7 * step % 11}\n" for step in range(first, stop)).encode()


@cache
def state() -> bytes:
    """The database of a stream that was ended in good order."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.db"
        _answers(_lines(0, BEGUN), "--state", str(path))
        return path.read_bytes()


@cache
def _expected() -> list[str]:
    return go_on(state())


def go_on(database: bytes, log: bytes | None = None) -> list[str]:
    """What a stream answers to the next observations when it goes on from these bytes, and a log beside them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.db"
        path.write_bytes(database)
        if log is not None:
            path.with_name("state.db-wal").write_bytes(log)
        try:
            return _answers(_lines(BEGUN, BEGUN + MORE), "--state", str(path))
        except ValueError as error:
            raise ValueError(str(error).replace(folder, "")) from None


def take_log(data: bytes) -> None:
    """A log of these bytes beside the database of a killed stream: refused, or one of the states that there were."""
    if go_on(interrupted()[0], data) not in _states():
        raise DefectError("a state that never was")


def log_seeds() -> list[bytes]:
    """The one log."""
    return [interrupted()[1]]


@cache
def _states() -> list[list[str]]:
    """What is answered after each of the observations that the log may or may not hold."""
    found = []
    for count in range(BEGUN, BEGUN + MORE + 1):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "state.db"
            _answers(_lines(0, count), "--state", str(path))
            found.append(go_on(path.read_bytes()))
    return found


def take_state(data: bytes) -> None:
    """A database of these bytes is refused, or goes on exactly as the one that was written."""
    if go_on(data) != _expected():
        raise DefectError("another state than the one that was kept")


def state_seeds() -> list[bytes]:
    """The one database, so that chunks that are moved or doubled are its own."""
    return [state()]


STATE_TOKENS = (
    b"SQLite format 3\0",
    b"\0" * 64,
    b"\xff" * 64,
    b"observations",
    b"history",
    b"missing",
    b"observed",
    b"1",
)


@cache
def interrupted() -> tuple[bytes, bytes]:
    """Database and log of a stream that was killed: copied while a reader keeps the log from being taken over."""
    with tempfile.TemporaryDirectory() as folder:
        path, copy = Path(folder) / "state.db", Path(folder) / "copy"
        path.write_bytes(state())
        with contextlib.closing(sqlite3.connect(path)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM observations").fetchone()
            _answers(_lines(BEGUN, BEGUN + MORE), "--state", str(path))
            shutil.copytree(folder, copy, ignore=lambda *_: {"copy"})
        return (copy / "state.db").read_bytes(), (copy / "state.db-wal").read_bytes()
