"""`Session`: many durable series over one store; take observations, then commit them together."""

from typing import TYPE_CHECKING, Any, Self

from ngrc.durable.errors import LostSeriesError, StoreError
from ngrc.durable.observation import Observation, Reply
from ngrc.durable.store import Store

if TYPE_CHECKING:
    from ngrc.durable.series import DurableSeries
    from ngrc.durable.writer import Batch


class Session:
    """The one writer of a store, for one thread; others may read from the store meanwhile.

    Observations are taken in memory and become durable together: a reply may leave the process only after the commit.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from ngrc import NGRC, OnlineForecaster
    >>> y = np.sin(np.arange(60) / 3)
    >>> with TemporaryDirectory() as folder, Session(Store.open(f"{folder}/state.db")) as session:
    ...     forecaster = OnlineForecaster(NGRC(lags=2), "split", level=0.9)
    ...     _ = session.create("demo", forecaster, history=y[:50])
    ...     replies = [session.take("demo", Observation(value)) for value in y[50:]]
    ...     session.commit()
    >>> replies[-1].seq, replies[-1].time, replies[-1].coming.targets
    (60, 59, (60,))
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._series: dict[str, DurableSeries] = {}
        self._numbers: dict[str, int] = {}
        self._batch: Batch | None = None
        # Refused here, not at the first commit, where it was opened for reading.
        self._writer = store.writer

    @property
    def waiting(self) -> int:
        """Observations that were taken and are not committed."""
        return sum(len(series.unsaved) for series in self._series.values())

    def notes(self) -> tuple[str, ...]:
        """Remarks for people since the last call: a snapshot that was damaged, or too large to be written, and such."""
        found = tuple(note for series in self._series.values() for note in series.notes)
        for series in self._series.values():
            series.notes.clear()
        return found

    def names(self) -> tuple[str, ...]:
        """Names of all series in the store."""
        return self.store.names()

    def create(self, name: str, forecaster: Any, history: Any) -> Reply | None:
        """Begin a series, at once durable; what was taken before is committed with it.

        Parameters
        ----------
        name
            Any name of one line without a slash.
        forecaster
            An `OnlineForecaster` that has not started.
        history
            How many observations are gathered before it starts; or the history itself, anything `as_series` takes.

        Returns
        -------
        Reply or None
            What is said after the last observation of a history that was given. A series that is there already with
            the same settings stays as it is, and is answered by its newest reply.

        Raises
        ------
        ConflictError
            There is a series of the name with other settings.
        """
        from ngrc.durable.creation import create

        self.commit()
        create(self.store, name, forecaster, history)
        return self.latest(name)

    def take(self, name: str, observation: Observation) -> Reply:
        """Take in one observation, in memory; whatever is refused changes nothing.

        Raises
        ------
        UnknownSeriesError, ConflictError, ValueError
            What was sent cannot be taken.
        StoreError
            The database cannot be read, or a commit failed and was not repeated with success.
        """
        if self._batch is not None:
            raise StoreError(
                f"the last commit to {self.store.address.shown} failed; repeat it before taking more",
                temporary=True,
            )
        return self._open(name).take(observation)

    def commit(self) -> None:
        """Make all that was taken durable, in one transaction; after a `StoreError` it can be repeated.

        Raises
        ------
        LostSeriesError
            Another process took over a series; the rest is durable, and the next commit is about what comes then.
        StoreError
            Nothing was committed; `temporary` says whether to try again.
        """
        if self._batch is None:
            self._batch = self._gathered()
        lost = self._writer.commit(self._batch) if self._batch.entries else {}
        self._batch = None
        for series in self._series.values():
            series.unsaved.clear()
        names = {number: name for name, number in self._numbers.items()}
        for number in lost:
            self._series[names[number]].lose()
        if lost:
            raise LostSeriesError({names[number]: why for number, why in lost.items()})

    def latest(self, name: str) -> Reply | None:
        """The newest reply of a series; None before its first observation."""
        return self._open(name).latest()

    def close(self) -> None:
        """Close the store; what was taken and not committed is forgotten."""
        self._series.clear()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, name: str) -> "DurableSeries":
        series = self._series.get(name)
        if series is None:
            from ngrc.durable.resumption import resumed

            number, series = resumed(self.store, name)
            self._series[name], self._numbers[name] = series, number
        return series

    def _gathered(self) -> "Batch":
        from ngrc.durable.writer import Batch

        batch = Batch()
        for name, series in self._series.items():
            if series.unsaved:
                number = self._numbers[name]
                batch.entries[number] = list(series.unsaved)
                snapshot = series.snapshot()
                if snapshot is not None:
                    batch.snapshots[number] = snapshot
        return batch
