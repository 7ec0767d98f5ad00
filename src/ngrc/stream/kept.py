"""One series of a database, as the loop takes it."""

from typing import Any, Self

from ngrc.archive import loads
from ngrc.durable import Session, Store
from ngrc.durable.observation import Observation
from ngrc.live import OnlineForecaster
from ngrc.stream.answers import answer
from ngrc.stream.said import Said

DEFAULT = "series"
"""Name of a series that nobody named."""


class Kept:
    """A series that survives, known or still to be created.

    Parameters
    ----------
    session
        The writer of its database.
    name
        Its name there.
    """

    def __init__(self, session: Session, name: str) -> None:
        self._session, self.name = session, name

    @classmethod
    def open(cls, url: str, name: str | None) -> Self:
        """Be the writer of a database; without a name its only series is meant."""
        session = Session(Store.open(url))
        try:
            return cls(session, chosen(session.names(), name))
        except BaseException:
            session.close()
            raise

    @property
    def known(self) -> bool:
        """Whether it is in the database already."""
        return self.name in self._session.names()

    def plan(self) -> tuple[OnlineForecaster, int]:
        """The forecaster that it began with, not started, and how many observations it starts from."""
        store = self._session.store
        with store.reading() as connection:
            row = store.row(connection, self.name)
        return loads(row.plan), row.read_settings(store.address.shown)["history"]

    def create(self, forecaster: OnlineForecaster, history: Any) -> None:
        """Begin it, at once durable."""
        self._session.create(self.name, forecaster, history)

    def recover(self) -> tuple[str, ...]:
        """Stand where the rows end; remarks for people."""
        self._session.latest(self.name)
        return self._session.notes()

    def take(self, observation: Observation) -> Said:
        """Take in one observation, or answer again what is known."""
        reply = self._session.take(self.name, observation)
        return Said(answer(reply), reply.again)

    def commit(self) -> None:
        """Make what was taken durable."""
        self._session.commit()

    def close(self) -> None:
        """Give up the database."""
        self._session.close()


def chosen(names: tuple[str, ...], name: str | None) -> str:
    """The series that is meant.

    Examples
    --------
    >>> chosen((), None), chosen(("north",), None), chosen(("north",), "south")
    ('series', 'north', 'south')
    """
    if name is not None:
        return name
    if len(names) > 1:
        raise ValueError(f"the state holds several series, {', '.join(names)}; choose one with --series")
    return names[0] if names else DEFAULT
