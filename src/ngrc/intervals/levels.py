"""One method at several levels: one pass where the method serves them together, else one per level."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from ngrc.intervals.base import IntervalMethod, Offsets, Stream, nested


@dataclass(frozen=True, slots=True)
class Pass:
    """One level's offsets, the tuned method that they are of, and the seconds of tuning and running it."""

    level: float
    tuned: IntervalMethod
    offsets: Offsets
    seconds: float


def passes(method: IntervalMethod, stream: Stream, levels: Sequence[float]) -> tuple[Pass, ...]:
    """Every level tuned and run, in the order given.

    A method that serves all levels together is tuned once, at the highest of them, and its seconds are shared out
    evenly; its ends are nested. Any other is tuned and run for each level as if it were the only one.
    """
    if not (method.joint and len(levels) > 1):
        return tuple(_single(method, stream, level) for level in levels)
    begin = perf_counter()
    tuned = method.tuned(stream.history, max(levels))
    offsets = tuned.run_levels(stream, levels)
    seconds = (perf_counter() - begin) / len(levels)
    return tuple(Pass(level, tuned, one, seconds) for level, one in zip(levels, offsets, strict=True))


def nested_passes(method: IntervalMethod, stream: Stream, levels: Sequence[float]) -> tuple[Pass, ...]:
    """The same with the ends of a higher level never inside those of a lower one, whatever the method."""
    separate = passes(method, stream, levels)
    together = nested([one.offsets for one in separate], levels)
    return tuple(replace(one, offsets=offsets) for one, offsets in zip(separate, together, strict=True))


def _single(method: IntervalMethod, stream: Stream, level: float) -> Pass:
    begin = perf_counter()
    tuned = method.tuned(stream.history, level)
    offsets = tuned.run(stream, level)
    return Pass(level, tuned, offsets, perf_counter() - begin)
