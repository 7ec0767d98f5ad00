"""A service over a session in memory, asked in this process."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Thread
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the service is not installed: pip install 'ngrc[serve]'")

import httpx

from ngrc.serve.app import Service, make_app
from ngrc.serve.board import Board
from ngrc.serve.tally import Tally
from ngrc.serve.worker import Worker
from tests.serve.fakes import FakeSession


class Client:
    """Requests to an application without a network, from any thread; its event loop is a thread of its own."""

    def __init__(self, app: Any, *, raising: bool) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        transport = httpx.ASGITransport(app, raise_app_exceptions=raising)
        self.client = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=30.0)

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        asked = self.client.request(method, path, **more)
        return asyncio.run_coroutine_threadsafe(asked, self.loop).result(30.0)

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.request("GET", path, **more)

    def put(self, path: str, **more: Any) -> httpx.Response:
        return self.request("PUT", path, **more)

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self.request("POST", path, **more)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self.client.aclose(), self.loop).result(10.0)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10.0)
        self.loop.close()


@dataclass
class Desk:
    """Everything of one service."""

    session: FakeSession
    board: Board
    tally: Tally
    worker: Worker
    client: Client

    def send(self, name: str, *values: float | None) -> list[dict[str, Any]]:
        """Observations of a series, which are taken."""
        answer = self.client.post(f"/series/{name}/observations", json=[{"value": one} for one in values])
        assert answer.status_code == 200, answer.text
        said: list[dict[str, Any]] = answer.json()
        return said


Opener = Callable[..., Desk]


@pytest.fixture
def opened() -> Iterator[Opener]:
    made: list[Desk] = []

    def make(*, patience: float = 10.0, waiting: int = 20_000, raising: bool = True, **access: Any) -> Desk:
        session, tally = FakeSession(), Tally()
        board = Board(session.recent)
        worker = Worker(session, board, tally, waiting=waiting)  # type: ignore[arg-type]
        worker.start()
        app = make_app(Service(board, tally, worker, patience), **access)
        made.append(Desk(session, board, tally, worker, Client(app, raising=raising)))
        return made[-1]

    yield make
    for desk in made:
        desk.session.trouble = None
        desk.session.gate.set()
        desk.worker.stop()
        desk.client.close()


@pytest.fixture
def desk(opened: Opener) -> Desk:
    """A service with one series, `load`, two steps ahead."""
    made = opened()
    assert made.client.put("/series/load", json={"model": {"lags": 2}, "horizon": 2}).status_code == 201
    return made
