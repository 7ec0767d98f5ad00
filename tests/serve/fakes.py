"""A session in memory, whose commits can be made to fail or to wait."""

from collections.abc import Mapping
from threading import Event
from typing import Any

from ngrc.durable import (
    ConflictError,
    Issued,
    LostSeriesError,
    Observation,
    Reply,
    Settled,
    StoreError,
    UnknownSeriesError,
)

LEVELS = (0.8, 0.95)
WIDTHS: Mapping[float, float] = {0.8: 1.3, 0.95: 2.0}


class FakeSession:
    """Forecasts the last value, with constant intervals; `kept` holds what was committed."""

    def __init__(self, horizon: int = 2) -> None:
        self.horizon = horizon
        self.series: dict[str, list[Reply]] = {}
        self.kept: dict[str, list[Reply]] = {}
        self.trouble: StoreError | None = None
        self.broken: Exception | None = None
        self.gate = Event()
        self.gate.set()
        self.commits = 0
        self.dirty = False
        self.remarks: tuple[str, ...] = ()
        self.taken_over: dict[str, str] = {}
        self.unread: StoreError | None = None
        self.unanswered: StoreError | None = None
        self.fitting: dict[str, Event] = {}
        """Series whose observations take as long as the event is not set."""

    def notes(self) -> tuple[str, ...]:
        found, self.remarks = self.remarks, ()
        return found

    @property
    def waiting(self) -> int:
        return int(self.dirty)

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self.series))

    def slow(self, name: str, observations: Any, before: int = 0) -> bool:
        return name in self.fitting

    def lend(self, name: str) -> "FakeLent":
        return FakeLent(self, name)

    def give_back(self, lent: "FakeLent") -> None:
        pass

    def create(self, name: str, forecaster: Any, history: Any) -> Reply | None:
        if name in self.series and self.series[name] and not isinstance(history, int):
            raise ConflictError(f"{name} is there with another history")
        self.series.setdefault(name, [])
        self.kept.setdefault(name, [])
        self.horizon = forecaster.horizon
        for value in [] if isinstance(history, int) else history.values:
            self.take(name, Observation(float(value)))
        if self.unanswered is not None:
            raise self.unanswered
        return self.series[name][-1] if self.series[name] else None

    def take(self, name: str, observation: Observation) -> Reply:
        if self.broken is not None:
            raise self.broken
        if name not in self.series:
            raise UnknownSeriesError(f"there is no series {name!r}")
        said = self.series[name]
        if observation.seq is not None and observation.seq <= len(said):
            known = said[observation.seq - 1]
            if known.value != observation.value:
                raise ConflictError(f"observation {observation.seq} is known with another value")
            return Reply(known.seq, known.time, known.value, True, known.history, known.coming, known.matured)
        if observation.seq is not None and observation.seq != len(said) + 1:
            raise ConflictError(f"observation {len(said) + 1} is expected, got {observation.seq}")
        if observation.time is not None and observation.time != len(said):
            raise ValueError(f"time {len(said)} is expected, got {observation.time}")
        said.append(self.reply(said, observation.value))
        self.dirty = True
        return said[-1]

    def reply(self, said: list[Reply], value: float | None) -> Reply:
        at, steps = len(said), range(1, self.horizon + 1)
        level = value if value is not None else 0.0
        ends = {one: tuple(WIDTHS[one] * step**0.5 for step in steps) for one in LEVELS}
        coming = Issued(
            at, tuple(at + step for step in steps), tuple(level for _ in steps),
            {one: tuple(level - width for width in ends[one]) for one in LEVELS},
            {one: tuple(level + width for width in ends[one]) for one in LEVELS},
        )  # fmt: skip
        matured = [] if value is None else [
            self.settled(said[at - step], step, at, value) for step in steps if at >= step
        ]  # fmt: skip
        return Reply(at + 1, at, value, coming=coming, matured=tuple(matured))

    def settled(self, origin: Reply, step: int, at: int, value: float) -> Settled:
        assert origin.coming is not None
        lower = {one: origin.coming.lower[one][step - 1] for one in LEVELS}
        upper = {one: origin.coming.upper[one][step - 1] for one in LEVELS}
        covered = {one: lower[one] <= value <= upper[one] for one in LEVELS}
        return Settled(step, origin.time, at, origin.coming.mean[step - 1], value, covered, lower, upper)

    def commit(self) -> None:
        assert self.gate.wait(60.0)
        if self.trouble is not None:
            raise self.trouble
        self.commits += self.dirty
        self.dirty = False
        self.kept = {
            name: list(said) for name, said in list(self.series.items()) if name not in self.taken_over
        }
        if self.taken_over:
            raise LostSeriesError(self.taken_over)

    def recent(self, name: str) -> tuple[Reply, ...]:
        if self.unread is not None:
            raise self.unread
        return tuple(self.kept[name])


class FakeLent:
    """One series of it."""

    def __init__(self, session: FakeSession, name: str) -> None:
        self.session, self.name = session, name

    def create(self, forecaster: Any, history: Any) -> Reply | None:
        return self.session.create(self.name, forecaster, history)

    def take(self, observation: Observation) -> Reply:
        if self.name in self.session.fitting:
            assert self.session.fitting[self.name].wait(20.0)
        return self.session.take(self.name, observation)
