"""The aggregate as an interval method: block and tracker, for any of the families of members."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, ClassVar

import numpy as np

from ngrc._kernels.auto import walk_block, walk_fits, walk_learn, walk_look
from ngrc._types import FloatArray
from ngrc.archive import check_shape, check_that
from ngrc.intervals.auto import walk
from ngrc.intervals.auto.members import FAMILIES
from ngrc.intervals.auto.walk import Slots, State
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.validation import check_level


@dataclass(frozen=True, slots=True)
class Aggregate(IntervalMethod):
    """Members of some families, aggregated online and controlled; `Auto` takes all of them."""

    feedback: ClassVar[bool] = True
    sees: ClassVar[tuple[str, ...]] = ("residuals", "forecasts", "clock")
    joint: ClassVar[bool] = True
    bounded: ClassVar[bool] = True
    families: ClassVar[tuple[str, ...]] = FAMILIES
    """Which members take part."""

    def leaned(self, trace: Mapping[str, FloatArray]) -> dict[str, float]:
        """Mean weight of each family of members, where there are several."""
        return {name: round(float(np.mean(trace[name])), 2) for name in trace if trace[name].size}

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block; the trace holds the weight of each family of members."""
        return self.run_each(stream, (level,))[0]

    def assumes_normal(self, history: History) -> bool:
        """While residuals are few."""
        return history.residuals.size < walk.FEW * history.horizon

    def run_each(self, stream: Stream, levels: Sequence[float]) -> tuple[Offsets, ...]:
        """All levels in one pass."""
        checked = np.array([check_level(level) for level in levels])
        count = checked.size
        ends = np.empty((stream.steps, 2 * count))
        leaned = np.empty((stream.steps, 2 * count, len(FAMILIES)))
        history, context = stream.history, stream.context
        state = walk.start_state(history.residuals, history.context, stream.horizon, checked, self.families)
        forecasts = np.zeros(stream.residuals.size) if context is None else context.forecasts
        walk_block(
            state, walk.start_slots(state, stream.horizon), stream.residuals, forecasts,
            0 if context is None else context.phase, stream.horizon, stream.start, ends, leaned,
        )  # fmt: skip
        return tuple(_offsets(ends, leaned, place, count, self.families) for place in range(count))

    def begin(self, history: History, level: float) -> Tracker:
        """Everything as it stands after the known history."""
        context, horizon = history.context, history.horizon
        known = history.residuals.size
        levels = np.array([check_level(level)])
        state = walk.start_state(history.residuals, context, horizon, levels, self.families)
        slots = walk.start_slots(state, horizon)
        positions = known + horizon - 1
        forecasts = np.zeros(positions) if context is None else context.forecasts
        phase = 0 if context is None else context.phase
        nothing = np.empty((0, 2)), np.empty((0, 2, len(FAMILIES)))
        walk_block(state, slots, history.residuals, forecasts, phase, horizon, positions, *nothing)
        walk_learn(state, slots, (known - 1) % horizon, history.residuals[-1])
        return AggregateTracker(
            state,
            slots,
            context is not None,
            phase + positions,
            deque(position % horizon for position in range(known, positions)),
            [(known - 1) % horizon],
        )


@dataclass(slots=True)
class AggregateTracker(Tracker):
    """The state, slots of targets that wait for their residuals, oldest first, and slots that are free."""

    state: State
    slots: Slots
    sighted: bool
    index: int
    waiting: deque[int]
    free: list[int] = field(default_factory=list)

    def check_kept(self) -> None:
        """Refuse slots that are not there, or of another state."""
        for name, part in walk.start_slots(self.state, 0)._asdict().items():
            check_shape(getattr(self.slots, name), (self.slots.sizes.size, *part.shape[1:]), name)
        check_that(walk_fits(self.state, self.slots), "arrays are those that the kernels read in place")
        places = sorted([*self.waiting, *self.free])
        check_that(places == list(range(self.slots.sizes.size)), "every slot waits or is free")

    def issue(self, leverage: float = 0.0, forecast: float = 0.0) -> tuple[float, float]:
        """Offsets of the next target, which takes a slot."""
        if not self.free:
            self._grow()
        slot = self.free.pop()
        # Without a context in the history forecasts are no business of ours: the columns were made without any.
        ends = walk_look(self.state, self.slots, slot, forecast if self.sighted else 0.0, self.index)
        self.index += 1
        self.waiting.append(slot)
        return ends

    def observe(self, residual: float, missed: bool | None) -> None:
        """The residual of the oldest waiting target."""
        if not isfinite(residual):
            raise ValueError(f"a residual must be a finite number, got {residual!r}; skip the target")
        slot = self.waiting.popleft()
        walk_learn(self.state, self.slots, slot, residual)
        self.free.append(slot)

    def skip(self) -> None:
        """The oldest waiting target is forgotten; the clock went on when it was issued."""
        self.free.append(self.waiting.popleft())

    def _grow(self) -> None:
        """As many slots again: outcomes may come later than H steps."""
        held = self.slots.sizes.size
        more = walk.start_slots(self.state, held)
        self.slots = Slots(*(np.concatenate(pair) for pair in zip(self.slots, more, strict=True)))
        self.free = list(range(held, 2 * held))


def _offsets(
    ends: FloatArray, leaned: FloatArray, place: int, count: int, families: tuple[str, ...]
) -> Offsets:
    """One level of a block; the trace holds the weight of each family, where there are several."""
    weights = 0.5 * (leaned[:, place] + leaned[:, count + place])
    several = families if len(families) > 1 else ()
    trace: dict[str, Any] = {name: weights[:, FAMILIES.index(name)] for name in several}
    return Offsets(ends[:, place].copy(), ends[:, count + place].copy(), trace)
