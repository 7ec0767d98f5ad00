"""`Session`: many durable series over one store; take observations, then commit them together."""

from typing import Any, Self

from ngrc.durable.observation import Observation, Reply
from ngrc.durable.store import Store
from ngrc.live import OnlineForecaster  # type: ignore[attr-defined]


class Session:
    """The one writer of a store.  Not for several threads at once; readers use `Store`."""

    def __init__(self, store: Store) -> None: ...

    @property
    def waiting(self) -> int:
        """Observations that were taken and are not committed."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on recovery, for people: a snapshot that was damaged, and the like."""

    def names(self) -> tuple[str, ...]:
        """Names of all series in the store."""

    def create(self, name: str, forecaster: OnlineForecaster, history: Any) -> Reply | None:
        """Begin a series, at once durable; `history` is how many observations to gather first, or a series.

        Returns the reply to the last observation of a history that was given, else None. A series that is there
        already with the same settings stays as it is.
        """

    def take(self, name: str, observation: Observation) -> Reply:
        """Take in one observation, in memory; `ValueError` changes nothing.

        Raises
        ------
        UnknownSeriesError, ConflictError, ValueError
            What was sent cannot be taken.
        StoreError
            The database cannot be read, or a commit failed and was not repeated.
        """

    def commit(self) -> None:
        """Make all that was taken durable, in one transaction; after a `StoreError` it can be repeated."""

    def latest(self, name: str) -> Reply | None:
        """The newest reply of a series; None before its first observation."""

    def close(self) -> None:
        """Give up the lock; what was taken and not committed is forgotten."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
