"""`Session`: many durable series over one store; take observations, then commit them together."""

from collections.abc import Sequence
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
        self.commit()
        lent = self.lend(name)
        try:
            return lent.create(forecaster, history)
        finally:
            self.give_back(lent)

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
        if lost:
            taken_over = {one.name: lost[one.number] for one in self._series.values() if one.number in lost}
            for name in taken_over:
                self._series[name].lose()
            raise LostSeriesError(taken_over)

    def latest(self, name: str) -> Reply | None:
        """The newest reply of a series; None before its first observation."""
        return self._open(name).latest()

    def slow(self, name: str, observations: Sequence[Observation], before: int = 0) -> bool:
        """Whether taking these may take long: the series has to be recovered, a fit is due, or a long gap comes.

        Parameters
        ----------
        before
            Observations of the series that are to be taken first.
        """
        series = self._series.get(name)
        return series is None or series.slow(observations, before)

    def lend(self, name: str) -> "Lent":
        """One series for another thread, nothing of which waits for a commit; others are taken and committed meanwhile.

        What is taken of it becomes durable with the first commit after `give_back`.
        """
        return Lent(self.store, name, self._series.pop(name, None))

    def give_back(self, lent: "Lent") -> None:
        """Take a series back from the thread that had it."""
        if lent.series is not None:
            self._series[lent.name] = lent.series

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

            series = self._series[name] = resumed(self.store, name)
        return series

    def _gathered(self) -> "Batch":
        from ngrc.durable.writer import Batch

        batch = Batch()
        for series in self._series.values():
            if series.unsaved:
                batch.entries[series.number] = list(series.unsaved)
                snapshot = series.snapshot()
                if snapshot is not None:
                    batch.snapshots[series.number] = snapshot
        return batch


class Lent:
    """One series of a session in the hands of one thread, known, unknown or still to be created."""

    def __init__(self, store: Store, name: str, series: "DurableSeries | None") -> None:
        self.store, self.name, self.series = store, name, series

    def create(self, forecaster: Any, history: Any) -> Reply | None:
        """As `Session.create`."""
        from ngrc.durable.creation import create

        create(self.store, self.name, forecaster, history)
        return self._opened().latest()

    def take(self, observation: Observation) -> Reply:
        """As `Session.take`."""
        return self._opened().take(observation)

    def _opened(self) -> "DurableSeries":
        if self.series is None:
            from ngrc.durable.resumption import resumed

            self.series = resumed(self.store, self.name)
        return self.series
