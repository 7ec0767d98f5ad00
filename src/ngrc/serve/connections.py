"""Connections over which no request is answered: closed after a while, and sooner where others need their place."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""In which the head of a request has to come, from the connection or from its first byte on."""
PER_ADDRESS = 400
"""Connections of one address at once; beyond, the one that has waited longest is closed."""
MOST = 700
"""Connections of all addresses at once, the same: some systems let a process have 1,024 files and sockets."""
BUSY = 800
"""Connections at which requests are answered 503: where no connection only waits."""


class Connection(H11Protocol):
    """A connection of uvicorn's, which has to say something."""

    waits_since = 0.0
    deadline: asyncio.TimerHandle | None = None

    @property
    def waits(self) -> bool:
        """Whether no request of it is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: Any) -> None:
        """Wait for a head, and make room for it."""
        super().connection_made(transport)
        self.waits_since = self.loop.time()
        self._limit()
        self._make_room()

    def data_received(self, data: bytes) -> None:
        """Go on; the rest of a head, or of a body that nobody reads any more, has to come in time."""
        super().data_received(data)
        if not self.waits:
            self._unlimit()
        elif self.deadline is None:
            self._limit()

    def on_response_complete(self) -> None:
        """Wait for the next request, as long as uvicorn lets an idle connection be."""
        self.waits_since = self.loop.time()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._unlimit()
        super().connection_lost(exc)

    def _limit(self) -> None:
        self.deadline = self.loop.call_later(HEAD_SECONDS, self._end)

    def _unlimit(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def _end(self) -> None:
        self.deadline = None
        if self.waits:
            self.transport.abort()

    def _make_room(self) -> None:
        """Close the connection that has waited longest; this one where its address has none that waits."""
        every = [one for one in self.connections if not one.transport.is_closing()]
        own = [one for one in every if isinstance(one, Connection) and _address(one) == _address(self)]
        crowd = own if len(own) > PER_ADDRESS else every if len(every) > MOST else []
        waiting = [one for one in crowd if isinstance(one, Connection) and one.waits and one is not self]
        if waiting:
            min(waiting, key=lambda one: one.waits_since).transport.abort()
        elif crowd is own:
            self.transport.abort()


def _address(connection: Connection) -> str | None:
    return None if connection.client is None else connection.client[0]
