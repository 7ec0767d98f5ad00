"""The command as a process: killed and started again, refused, stopped; and what it refuses to begin with."""

import json
import math
import signal
import socket
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from ngrc import NGRC, OnlineForecaster
from ngrc.cli import cli, run
from tests.serve.processes import running

SETTINGS = {"model": {"lags": 2, "degree": 1}, "method": "rolling", "level": [0.8, 0.95], "horizon": 2}
GATHER = 60


def value(seq: int) -> float:
    return 3.0 * math.sin(seq / 4.0) + math.sin(1.7 * seq * seq)


def send_without_waiting(url: str, body: str) -> socket.socket:
    """A request on its way, on a connection that is still open."""
    host, port = url.removeprefix("http://").split(":")
    sent = socket.create_connection((host, int(port)))
    head = f"POST /series/load/observations HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    sent.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
    return sent


def test_killed_and_started_again_it_loses_and_doubles_nothing_and_goes_on_to_the_bit(tmp_path: Path) -> None:
    state = tmp_path / "state.db"
    body = [{"value": value(seq), "seq": seq} for seq in range(1, 101)]
    with running(state, "--port", "0") as first:
        first.ask("PUT", "/series/load", SETTINGS | {"gather": GATHER})
        first.ask("POST", "/series/load/observations", body)
        before = first.ask("GET", "/series/load/recent")
        with running(state, "--port", "0") as second:
            assert second.line == ""
            assert second.child.wait(60) == 2
            said = second.errors()
            assert said.startswith("ngrc: error: another process")
            assert said.count("\n") == 1
        # On its way while the service dies: whether it was kept nobody knows, and it is sent again below.
        with send_without_waiting(first.url, json.dumps({"value": value(101), "seq": 101})):
            assert first.end(signal.SIGKILL) == -signal.SIGKILL
    with running(state, "--port", "0") as third:
        restored = third.ask("GET", "/series/load/recent?count=200")
        assert [row for row in restored["rows"] if row["seq"] <= 100] == before["rows"]
        again = third.ask("POST", "/series/load/observations", body[-5:])
        assert [one["again"] for one in again] == [True] * 5
        last = third.ask("POST", "/series/load/observations", [
            {"value": value(seq), "seq": seq} for seq in range(101, 121)
        ])[-1]  # fmt: skip
        assert third.end() == 0
        assert third.errors() == ""
    with sqlite3.connect(state) as connection:
        kept = connection.execute("select seq, value from observations order by seq").fetchall()
    connection.close()
    assert kept == [(seq, value(seq)) for seq in range(1, 121)]
    live = OnlineForecaster(NGRC(lags=2, degree=1), "rolling", [0.8, 0.95], horizon=2)
    live.start(np.array([value(seq) for seq in range(1, GATHER + 1)]))
    for seq in range(GATHER + 1, 121):
        live.observe(value(seq))
    coming = live.next()
    assert [one["mean"] for one in last["forecasts"]] == coming.mean.tolist()
    for level in (0.8, 0.95):
        ends = [one["intervals"][repr(level)] for one in last["forecasts"]]
        assert ends == np.column_stack([coming.lower[level], coming.upper[level]]).tolist()


REFUSED = {
    "no state": ([], "Missing option '--state'"),
    "open to all": (["--host", "0.0.0.0"], "give --token-file FILE or NGRC_TOKEN, or say --no-token"),
    "no such host": (["--host", "no.such.host.invalid", "--no-token"], "is no address of this machine"),
    "another's address": (["--host", "192.0.2.1", "--no-token"], "cannot listen on 192.0.2.1"),
    "no such port": (["--port", "70000"], "70000 is not in the range"),
    "no token file": (["--token-file", "missing"], "missing"),
    "both": (["--token-file", "missing", "--no-token"], "contradict each other"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_served_is_one_line_and_leaves_no_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options, words = REFUSED[name]
    monkeypatch.delenv("NGRC_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    state = [] if name == "no state" else ["--state", "state.db"]
    assert run(["serve", *state, *options]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("ngrc: error: ")
    assert words in said.err
    assert said.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = CliRunner().invoke(cli, ["serve", "--state", "state.db"])
    assert 'pip install "ngrc[serve]"' in str(result.exception)
