"""`Store`: a database of series, opened and checked, and read without a lock."""

from pathlib import Path
from typing import Self

from ngrc.durable.observation import Reply


class Store:
    """A database of durable series. Reading works from any thread, beside a writer."""

    @classmethod
    def open(cls, url: str | Path, *, write: bool = True) -> Self:
        """Open, and make where it is not there and `write`; `LockedError` where another process writes (SQLite)."""

    def names(self) -> tuple[str, ...]:
        """Names of all series, in alphabetic order."""

    def recent(self, name: str, count: int = 100) -> tuple[Reply, ...]:
        """The newest replies, oldest first, with forecasts and what matured."""

    def reply(self, name: str, seq: int) -> Reply:
        """One reply, as it was given."""

    def verify_all(self) -> int:
        """Check every row of every series; how many there are."""

    def close(self) -> None:
        """Close all connections."""
