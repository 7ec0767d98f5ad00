"""The one thread that writes: requests wait in a bounded queue, are committed together, then answered.

What takes long (a fit, the recovery of a series) is done by other threads, one series each; the others go on.
"""

import logging
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Condition, Thread
from time import monotonic, perf_counter, time

from ngrc.durable import LockedError, LostSeriesError, Observation, Reply, Session, StoreError
from ngrc.durable.session import Lent
from ngrc.durable.times import read_time
from ngrc.serve.board import Board
from ngrc.serve.orders import Creation
from ngrc.serve.tally import Tally

LOG = logging.getLogger("ngrc.serve")
WAITING = 20_000
"""Observations that may wait: a few seconds of work, and a few megabytes."""
TOGETHER = 2_000
"""Observations in one commit: beyond some hundred the flush to the disk is no longer what takes the time."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
"""Seconds between attempts to commit; doubled each time, so that a database that comes back is soon found."""
LANES = 4
"""Series that are fitted or recovered at once."""
LAST_ATTEMPTS = 5.0
"""Seconds in which a service that is told to stop still tries to commit."""


class BusyError(Exception):
    """The queue is full, or the service is stopping: nothing was taken, ask again later."""


@dataclass(slots=True)
class Answered:
    """What came of a request: the replies, and why it went no further where it did not."""

    replies: list[Reply] = field(default_factory=list)
    error: Exception | None = None
    created: bool = False


@dataclass(slots=True)
class Job:
    """A request: observations of a series, or its creation."""

    name: str
    order: tuple[Observation, ...] | Creation
    promise: "Future[Answered]" = field(default_factory=Future)
    answered: Answered = field(default_factory=Answered)
    taken: bool = False

    @property
    def weight(self) -> int:
        """How many observations it counts for in the queue."""
        if isinstance(self.order, tuple):
            return len(self.order)
        return 1 if isinstance(self.order.history, int) else len(self.order.history)


class Worker(Thread):
    """Takes from the queue what is there, commits once, shows it on the board, then answers.

    Parameters
    ----------
    session
        The writer; nobody else touches it while the thread runs.
    board, tally
        What readers see, and the counts.
    failed
        Called once where the thread cannot go on; the service then ends, and its next start recovers from the rows.
    """

    def __init__(
        self,
        session: Session,
        board: Board,
        tally: Tally,
        *,
        failed: Callable[[], None] = lambda: None,
        waiting: int = WAITING,
    ) -> None:
        super().__init__(name="ngrc-serve-writer", daemon=True)
        self.session, self.board, self.tally = session, board, tally
        self.failed, self.most = failed, waiting
        self.away: str | None = None
        """Why nothing can be committed now."""
        self.lost: dict[str, str] = {}
        """Series that failed, and why; they are recovered from their rows at the next start."""
        self.broken = False
        self._noted: set[str] = set()
        self._queue: deque[Job] = deque()
        self._weight = 0
        self._lanes = ThreadPoolExecutor(LANES, "ngrc-serve-fit")
        # By series that another thread works on: what it does, and the requests that came after it.
        self._lent: dict[str, tuple[Job, deque[Job]]] = {}
        self._returned: deque[tuple[Job, Lent, Exception | None]] = deque()
        self._stopping = False
        self._deadline = float("inf")
        self._changed = Condition()

    @property
    def length(self) -> int:
        """Observations that wait."""
        return self._weight

    @property
    def trouble(self) -> str | None:
        """What is wrong, in words; None where all is well."""
        return self.away or next((f"series {name}: {why}" for name, why in self.lost.items()), None)

    def submit(self, name: str, order: tuple[Observation, ...] | Creation) -> "Future[Answered]":
        """Put a request into the queue; a future that is cancelled before its turn is not taken."""
        job = Job(name, order)
        with self._changed:
            if self._stopping or self.broken:
                raise BusyError("the service is stopping; send it again to the next one")
            # One that is larger than the whole queue passes where nothing else waits.
            if self._queue and self._weight + job.weight > self.most:
                raise BusyError(f"{self._weight} observations wait already; send it again in a moment")
            self._queue.append(job)
            self._weight += job.weight
            self._changed.notify()
        return job.promise

    def stop(self) -> None:
        """Take nothing new, finish what waits, and end; returns when that is done."""
        with self._changed:
            self._stopping, self._deadline = True, monotonic() + LAST_ATTEMPTS
            self._changed.notify()
        if self.is_alive():
            self.join()

    def run(self) -> None:
        """Batch after batch."""
        batch: list[Job] = []
        try:
            self._note()
            while batch := self._next():
                self._serve(batch)
            self._lanes.shutdown()
        # Whatever it is: a state that nobody understands must not be gone on with.
        except Exception as error:
            self.broken = True
            self.away = str(error) if isinstance(error, StoreError) else "an internal error; see the log"
            if isinstance(error, StoreError):
                LOG.error("%s", error)
            else:
                LOG.exception("the writer failed")
            self._refuse_all(batch, error)
            self.failed()

    def _next(self) -> list[Job]:
        """Everything that waits, up to one commit's worth; nothing where the thread is to end."""
        with self._changed:
            while True:
                batch = self._wanted()
                if batch or (self._stopping and not self._lent):
                    return batch
                self._changed.wait()

    def _wanted(self) -> list[Job]:
        batch = self._collected()
        weights: Counter[str] = Counter()
        while self._queue and (not batch or weights.total() + self._queue[0].weight <= TOGETHER):
            job = self._queue[0]
            slow = job.name not in self._lent and self._slow(job, weights[job.name])
            if slow and any(one.name == job.name for one in batch):
                # What is taken of its series has to be committed before another thread goes on with it.
                break
            self._queue.popleft()
            if job.name in self._lent:
                self._lent[job.name][1].append(job)
                continue
            self._weight -= job.weight
            # False where the client has given up: it was told so, and sends it again.
            if not job.promise.set_running_or_notify_cancel():
                continue
            if slow:
                self._lend(job)
            else:
                batch.append(job)
                weights[job.name] += job.weight
        return batch

    def _slow(self, job: Job, before: int) -> bool:
        if job.name in self.lost:
            return False
        return isinstance(job.order, Creation) or self.session.slow(job.name, job.order, before)

    def _lend(self, job: Job) -> None:
        """Let another thread take a request."""
        lent = self.session.lend(job.name)
        self._lent[job.name] = job, deque()
        self._lanes.submit(self._work, job, lent)

    def _work(self, job: Job, lent: Lent) -> None:
        """In another thread: one request of one series."""
        self._show(job.name)
        error = self._done(job, lent)
        with self._changed:
            self._returned.append((job, lent, error))
            self._changed.notify()

    def _show(self, name: str) -> None:
        """Read back what was said of a series before this start, ahead of what is said now."""
        try:
            if name in self.board:
                self.board.load(name)
        except StoreError as error:
            LOG.warning("series %s: earlier observations are shown after the next start: %s", name, error)

    def _collected(self) -> list[Job]:
        """Requests that other threads have taken; those that waited for them come first from here on."""
        batch = []
        while self._returned:
            job, lent, error = self._returned.popleft()
            self.session.give_back(lent)
            _, waited = self._lent.pop(job.name)
            self._queue.extendleft(reversed(waited))
            job.taken = True
            self._judge(job, error)
            batch.append(job)
        return batch

    def _serve(self, batch: list[Job]) -> None:
        for job in batch:
            if not job.taken:
                lent = self.session.lend(job.name)
                error = self._done(job, lent)
                self.session.give_back(lent)
                self._judge(job, error)
        if not self._commit(batch):
            raise StoreError(f"stopped before the last observations were kept: {self.away}", temporary=True)
        self._note()
        for job in batch:
            self._publish(job)
            job.promise.set_result(job.answered)

    def _done(self, job: Job, lent: Lent) -> Exception | None:
        """Work in memory; what cannot be taken ends this job and no other."""
        try:
            if job.name in self.lost:
                raise StoreError(f"the series {job.name!r} failed, and waits for a new start of the service")
            if isinstance(job.order, Creation):
                job.answered.created = job.name not in self.session.names()
                reply = lent.create(job.order.forecaster, job.order.history)
                job.answered.replies += [] if reply is None else [reply]
                return None
            for observation in job.order:
                job.answered.replies.append(lent.take(observation))
        except Exception as error:
            return error
        return None

    def _judge(self, job: Job, error: Exception | None) -> None:
        """What a failure means for the series."""
        job.answered.error = error
        # Locked: in PostgreSQL another process may write this series, and none of the others.
        if error is None or isinstance(error, ValueError | MemoryError | LockedError):
            return
        if isinstance(error, StoreError) and error.temporary:
            self._remark(error)
        else:
            # Also a defect, of ours or of a model: the other series are sound, and go on.
            self._lose(job.name, error)

    def _lose(self, name: str, error: Exception) -> None:
        if name not in self.lost:
            kept = isinstance(error, StoreError)
            self.lost[name] = str(error) if kept else "an internal error; see the log"
            LOG.error("series %s is not served any more: %s", name, error, exc_info=None if kept else error)
        self.tally.errors["series"] += 1

    def _commit(self, batch: list[Job]) -> bool:
        """Commit, again and again while the database is away; False where the time to stop has come."""
        pause = FIRST_PAUSE
        while True:
            begin, anything = perf_counter(), self.session.waiting > 0
            try:
                self.session.commit()
            except LostSeriesError as error:
                self._forget(batch, error)
                return True
            except StoreError as error:
                if not error.temporary:
                    raise
                self._remark(error)
            else:
                # Nothing is written of what was known already, or of a series that was made: that is kept at once.
                if anything:
                    self.tally.commits.add(perf_counter() - begin)
                if self.away is not None:
                    LOG.warning("the database takes observations again")
                    self.away = None
                return True
            with self._changed:
                if monotonic() + pause > self._deadline:
                    return False
                self._changed.wait(pause)
            pause = min(2.0 * pause, LONGEST_PAUSE)

    def _forget(self, batch: list[Job], error: LostSeriesError) -> None:
        """Answer for series that another process took over: what was just taken of them is not kept."""
        for name, why in error.reasons.items():
            self._lose(name, StoreError(why))
            for job in batch:
                if job.name == name:
                    job.answered.replies.clear()
                    job.answered.error = StoreError(why)

    def _remark(self, error: StoreError) -> None:
        if self.away is None:
            LOG.warning("nothing can be committed now, trying again: %s", error)
        self.away = str(error)
        self.tally.errors["store"] += 1

    def _note(self) -> None:
        """Log what the session remarks, each once: a snapshot that cannot be written says so at every try."""
        for note in self.session.notes():
            if note not in self._noted:
                self._noted.add(note)
                LOG.warning("%s", note)

    def _publish(self, job: Job) -> None:
        if isinstance(job.order, Creation):
            # Also one that was there before: another process made it, or its first answer was lost.
            if job.answered.error is None and job.name not in self.board:
                came = job.answered.created and job.answered.replies
                self.board.announce(job.name, heard=time() if came else None)
                self._show(job.name)
                self.board.add(job.name, job.answered.replies)
            return
        if job.answered.replies:
            self.board.add(job.name, job.answered.replies, heard=time())
        for reply in job.answered.replies:
            self._count(job.name, reply)

    def _count(self, name: str, reply: Reply) -> None:
        if reply.again:
            self.tally.repeated[name] += 1
            return
        self.tally.observations[name] += 1
        self.tally.missing[name] += reply.value is None
        self.tally.late[name] += is_late(reply)
        self.tally.forecasts[name] += 0 if reply.coming is None else len(reply.coming.mean)

    def _refuse_all(self, batch: list[Job], error: Exception) -> None:
        with self._changed:
            queued = [*self._queue, *(job for _, waited in self._lent.values() for job in waited)]
            waiting = [job for job in queued if job.promise.set_running_or_notify_cancel()]
            lent = [job for job, _ in self._lent.values()]
            self._queue.clear()
            self._weight = 0
        self._lanes.shutdown(wait=False, cancel_futures=True)
        for job in [*batch, *lent, *waiting]:
            if not job.promise.done():
                job.promise.set_exception(error)


def is_late(reply: Reply) -> bool:
    """Whether it is the outcome of an earlier time, which brings no new origin with it.

    Examples
    --------
    >>> from ngrc.durable import Issued
    >>> coming = Issued("2026-01-09T00:00:00", (), (), {}, {})
    >>> is_late(Reply(9, "2026-01-09T00:00:00+01:00", 1.0, coming=coming))
    False
    """
    if reply.coming is None or reply.coming.origin == reply.time:
        return False
    origin, time = read_time(reply.coming.origin), read_time(reply.time)
    # Days across a clock change are counted on the wall clock, and their origin is told without a zone.
    return (time.local if origin.kind == "local" else time.moment) < origin.moment
