"""A series without a model: what is needed to see what the loop does."""

import os
import sys
from collections.abc import Callable, Iterator
from math import isnan
from threading import Thread

if sys.platform == "linux":
    import fcntl

from ngrc.durable.errors import StoreError
from ngrc.durable.observation import Observation, Reply
from ngrc.stream.answers import answer
from ngrc.stream.intake import Intake
from ngrc.stream.lines import Lines
from ngrc.stream.outlet import Outlet
from ngrc.stream.patience import Patience
from ngrc.stream.run import Loop
from ngrc.stream.said import Said
from ngrc.stream.sources import of_stream
from ngrc.stream.stopping import Stopping


class Counter:
    """Answers with a count; remembers what was taken and what was committed."""

    def __init__(self, *, failures: int = 0, temporary: bool = True) -> None:
        self.taken: list[Observation] = []
        self.committed: list[int] = []
        self.failures, self.temporary = failures, temporary
        self.on_commit: Callable[[], None] = lambda: None

    def take(self, observation: Observation) -> Said:
        assert observation.value is not None
        if observation.value == 13.0:
            raise ValueError("thirteen is refused")
        again = observation.time is not None and observation.time in [one.time for one in self.taken]
        if not again:
            self.taken.append(observation)
        value = None if isnan(observation.value) else observation.value
        reply = Reply(
            len(self.taken), observation.time or len(self.taken) - 1, value, again, history=len(self.taken)
        )
        return Said(answer(reply), again)

    def commit(self) -> None:
        if self.failures:
            self.failures -= 1
            raise StoreError("the disk is full", temporary=self.temporary)
        self.committed.append(len(self.taken))
        self.on_commit()


def smallest(*pipes: int) -> None:
    """Let pipes hold a page each where that can be asked for: how much they hold depends on the machine."""
    if sys.platform == "linux":
        for pipe in pipes:
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, os.sysconf("SC_PAGE_SIZE"))


class Pipes:
    """A loop between two pipes, run in a thread: what is written in comes out as lines."""

    def __init__(self, served: Counter, lines: Lines | None = None, **options: object) -> None:
        self.served = served
        self.said: list[str] = []
        self.error: BaseException | None = None
        here, self._in = os.pipe()
        self._out, there = os.pipe()
        self._source = os.fdopen(here, "rb", buffering=0)
        self._sink = os.fdopen(there, "w")
        self.stopping = Stopping()
        self.patience = float(str(options.pop("patience", 60.0)))
        intake = Intake(of_stream(self._source))
        self.stopping.listen(intake.wake)
        self.loop = Loop(
            intake, lines or Lines(), served, Outlet(self._sink, self.stopping), self.stopping,
            Patience(self.patience, self.stopping, self.said.append), self.said.append, **options,  # type: ignore[arg-type]
        )  # fmt: skip
        self._thread = Thread(target=self._run, daemon=True)

    def start(self) -> "Pipes":
        self._thread.start()
        return self

    def _run(self) -> None:
        try:
            self.loop.run()
        except BaseException as error:
            self.error = error
        finally:
            self._sink.close()

    def send(self, content: bytes) -> None:
        os.write(self._in, content)

    def end(self) -> None:
        os.close(self._in)

    def answers(self) -> Iterator[str]:
        with open(self._out) as reader:
            yield from reader
        self._thread.join(60)
        assert not self._thread.is_alive()
        self._source.close()


def talk(
    content: bytes, served: Counter | None = None, lines: Lines | None = None, **options: object
) -> Pipes:
    """All of an input at once; what came out is in `said_back`."""
    pipes = Pipes(served or Counter(), lines, **options).start()
    pipes.send(content)
    pipes.end()
    pipes.said_back = list(pipes.answers())  # type: ignore[attr-defined]
    return pipes
