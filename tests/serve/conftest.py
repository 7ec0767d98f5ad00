"""A service over a session in memory, asked in this process."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the service is not installed: pip install 'ngrc[serve]'")

from starlette.testclient import TestClient

from ngrc.serve.app import Service, make_app
from ngrc.serve.board import Board
from ngrc.serve.tally import Tally
from ngrc.serve.worker import Worker
from tests.serve.fakes import FakeSession


@dataclass
class Desk:
    """Everything of one service."""

    session: FakeSession
    board: Board
    tally: Tally
    worker: Worker
    client: TestClient

    def send(self, name: str, *values: float | None) -> list[dict[str, Any]]:
        """Observations of a series, which are taken."""
        answer = self.client.post(f"/series/{name}/observations", json=[{"value": one} for one in values])
        assert answer.status_code == 200, answer.text
        said: list[dict[str, Any]] = answer.json()
        return said


Opener = Callable[..., Desk]


@pytest.fixture
def opened() -> Iterator[Opener]:
    workers = []

    def make(
        *, patience: float = 10.0, waiting: int = 20_000, raising: bool = True, **access: Any
    ) -> Desk:
        session, board, tally = FakeSession(), Board(), Tally()
        worker = Worker(session, board, tally, restore=session.recent, waiting=waiting)  # type: ignore[arg-type]
        worker.start()
        workers.append((worker, session))
        app = make_app(Service(board, tally, worker, patience), **access)
        client = TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=raising)
        return Desk(session, board, tally, worker, client)

    yield make
    for worker, session in workers:
        session.trouble = None
        session.gate.set()
        worker.stop()


@pytest.fixture
def desk(opened: Opener) -> Desk:
    """A service with one series, `load`, two steps ahead."""
    made = opened()
    assert made.client.put("/series/load", json={"model": {"lags": 2}, "horizon": 2}).status_code == 201
    return made
