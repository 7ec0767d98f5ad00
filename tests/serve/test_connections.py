"""Connections that only wait: they end in time, and make room for those that ask."""

import asyncio
import resource
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any, NamedTuple

import httpx
import pytest
import uvicorn

from ngrc.serve import connections
from ngrc.serve.connections import Connection
from tests.serve.processes import running

HALF = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Never"


BEGUN: list[Any] = []
"""Slow requests that have come."""


async def _app(scope: Any, receive: Any, send: Any) -> None:
    """Answers without reading a body, and `/slow` only when the client has gone."""
    if scope["path"] == "/slow":
        BEGUN.append(scope["client"])
        while (await receive())["type"] != "http.disconnect":
            pass
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


class Place(NamedTuple):
    """Where a server listens, and the connections that it has."""

    address: tuple[str, int]
    connections: set[Any]


@pytest.fixture
def place() -> Iterator[Place]:
    """A server in this process; the limits of a connection are those of the test."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        bound.listen(100)
        BEGUN.clear()
        config = uvicorn.Config(_app, log_config=None, lifespan="off", ws="none", http=Connection)
        server = uvicorn.Server(config)
        thread = Thread(target=lambda: asyncio.run(server.serve(sockets=[bound])), daemon=True)
        thread.start()
        yield Place(bound.getsockname(), server.server_state.connections)
        server.should_exit = server.force_exit = True
        thread.join(20.0)


def _ended(connection: socket.socket) -> bool:
    """Whether the server closed it within a while, whatever it said before."""
    connection.settimeout(20.0)
    try:
        while connection.recv(1000):
            pass
    except ConnectionError:
        pass
    except TimeoutError:
        return False
    return True


def _open(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return bool(connection.recv(1000))
    except BlockingIOError:
        return True
    except ConnectionError:
        return False


def _wait_until(holds: Callable[[], bool]) -> None:
    end = monotonic() + 20.0
    while not holds():
        assert monotonic() < end, "it did not come"
        sleep(0.01)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        HALF,
        # After an answer: the rest of a body that nobody reads, and half of a second head.
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n123",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" + HALF,
    ],
)
def test_a_head_has_to_come_in_time(place: Place, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    with socket.create_connection(place.address) as connection:
        for byte in (sent[:-1], sent[-1:]):
            connection.sendall(byte)
            sleep(0.05)
        assert _ended(connection)


def test_a_request_that_is_being_answered_takes_as_long_as_it_takes(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 1.0)
    with socket.create_connection(place.address) as connection:
        connection.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        _wait_until(lambda: len(BEGUN) == 1)
        sleep(1.3)
        assert _open(connection)


def test_who_waits_longest_makes_room(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PER_ADDRESS", 5)
    made = []
    for _ in range(5):
        made.append(socket.create_connection(place.address))
        made[-1].sendall(HALF)
    _wait_until(lambda: len(place.connections) == 5)
    made[0].sendall(b": 1\r\n\r\n")
    assert made[0].recv(1000).startswith(b"HTTP/1.1 200")
    # The first has asked for something since; the second waits longest.
    assert httpx.get("http://{}:{}/".format(*place.address)).text == "ok"
    assert _ended(made[1])
    assert [_open(one) for one in made] == [True, False, True, True, True]
    for one in made:
        one.close()


@pytest.mark.parametrize(("limit", "refused"), [("PER_ADDRESS", True), ("MOST", False)])
def test_requests_that_are_being_answered_are_not_ended_for_others(
    place: Place, monkeypatch: pytest.MonkeyPatch, limit: str, refused: bool
) -> None:
    monkeypatch.setattr(connections, limit, 2)
    busy = [socket.create_connection(place.address) for _ in range(2)]
    for one in busy:
        one.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
    _wait_until(lambda: len(BEGUN) == 2)
    with socket.create_connection(place.address) as third:
        third.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        try:
            said = third.recv(1000)
        except ConnectionError:
            said = b""
        # Of the address that has too many; where all together have, uvicorn answers, with 503 at its own limit.
        assert (said == b"") is refused
    assert all(_open(one) for one in busy)
    for one in busy:
        one.close()


def test_a_thousand_half_sent_heads_stop_nobody(tmp_path: Path) -> None:
    wanted = 1_200
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        pytest.skip(f"this system lets a process have {hard} files")
    with running(tmp_path / "state.db") as process:
        host, port = process.url.removeprefix("http://").split(":")
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
        made = []
        try:
            for _ in range(1_100):
                made.append(socket.create_connection((host, int(port)), timeout=20.0))
                made[-1].sendall(HALF)
            assert process.ask("GET", "/health")["status"] == "ok"
            settings = {"model": {"lags": 2}, "method": "rolling", "gather": 50}
            assert process.ask("PUT", "/series/load", settings)["created"] is True
            assert process.ask("POST", "/series/load/observations", {"value": 1.0})["seq"] == 1
        finally:
            for one in made:
                one.close()
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert process.end() == 0


def test_a_client_that_hangs_up_in_a_body_leaves_no_traceback(tmp_path: Path) -> None:
    with running(tmp_path / "state.db") as process:
        settings = {"model": {"lags": 2}, "method": "rolling", "gather": 50}
        process.ask("PUT", "/series/load", settings)
        host, port = process.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(
                b"POST /series/load/observations HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                b'Content-Length: 100\r\n\r\n{"value'
            )
        _wait_until(
            lambda: 'ngrc_errors_total{kind="request"} 1.0' in httpx.get(process.url + "/metrics").text
        )
        assert process.ask("GET", "/health")["status"] == "ok"
        assert process.end() == 0
        assert process.errors() == ""
