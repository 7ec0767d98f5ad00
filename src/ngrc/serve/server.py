"""The process: open the state, bind the address, run until told to stop, finish what waits."""

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import uvicorn

from ngrc.durable import Session, Store
from ngrc.durable.reading import read_received
from ngrc.serve.access import is_loopback
from ngrc.serve.app import Service, make_app
from ngrc.serve.board import Board
from ngrc.serve.connections import BUSY, Connection
from ngrc.serve.tally import Tally
from ngrc.serve.worker import Worker

RESTORED = 500
"""Replies per series that are read back, for pages and trailing coverages."""
GRACE = 10
"""Seconds that requests have to be answered in once the service is told to stop."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Address:
    """Where the service listens, to whom, and under which names."""

    host: str = "127.0.0.1"
    port: int = 0
    token: str | None = None
    allowed: tuple[str, ...] = ()

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names that a Host header may hold; none where any may."""
        if is_loopback(self.host):
            return (*LOOPBACK, self.host, *self.allowed)
        return (*self.allowed, *LOOPBACK) if self.allowed else ()


def serve(state: str | Path, address: Address, ready: Callable[[str], None]) -> int:
    """Serve until a signal; 0 where everything that was taken is kept, else 1.

    Parameters
    ----------
    state
        The database, as `Store.open` takes it.
    address
        Where to listen.
    ready
        Called with the service's address once it answers.
    """
    with _bound(address) as listening, Store.open(state) as store, Session(store) as session:
        return _run(session, kept_board(store), address, listening, ready)


def kept_board(store: Store) -> Board:
    """All series of a store, each read when it is first asked for; and recovered when its first observation comes."""
    board = Board(lambda name: store.recent(name, RESTORED))
    with store.reading() as connection:
        for name, received in read_received(connection):
            # Seconds since 1970, of the newest observation.
            heard = None if received is None else datetime.fromisoformat(received).timestamp()
            board.announce(name, heard=heard)
    return board


def _run(
    session: Session,
    board: Board,
    address: Address,
    listening: socket.socket,
    ready: Callable[[str], None],
) -> int:
    tally = Tally()
    servers: list[Server] = []

    def end() -> None:
        for server in servers:
            server.should_exit = True

    worker = Worker(session, board, tally, failed=end)
    app = make_app(Service(board, tally, worker), token=address.token, hosts=address.hosts)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, server_header=False, lifespan="off",
        proxy_headers=False, ws="none", http=Connection, limit_concurrency=BUSY, timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=65,
    )  # fmt: skip
    servers.append(Server(config, lambda: ready(_url(listening))))
    worker.start()
    try:
        asyncio.run(servers[0].serve(sockets=[listening]))
    finally:
        worker.stop()
    return 1 if worker.broken else 0


class Server(uvicorn.Server):
    """Uvicorn's server, which says when it answers, and for which a signal is the usual end."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, then say so."""
        await super().startup(sockets)
        self.ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on SIGTERM and SIGINT; not raised again afterwards, as the work was finished."""
        before = {
            number: signal.signal(number, self.handle_exit) for number in (signal.SIGTERM, signal.SIGINT)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def _bound(address: Address) -> Iterator[socket.socket]:
    """A socket that listens soon; one line where the address cannot be had."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, OverflowError) as error:
        raise ValueError(f"--host {address.host} is no address of this machine ({_reason(error)})") from None
    with listening:
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(place)
        except OSError as error:
            raise ValueError(
                f"cannot listen on {address.host} port {address.port} ({_reason(error)}); choose another --port, or "
                "0 for any that is free"
            ) from None
        yield listening


def _reason(error: Any) -> str:
    return str(getattr(error, "strerror", None) or error)


def _url(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
