"""Timing of two sides in one run, with their outputs compared before any ratio is believed."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

LONG = 5.0
"""Seconds after which a side is timed once instead of three times."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is compared, against what, and how far outputs must agree.

    `ours` and `reference` are called without arguments and return outputs; `agree` looks at both and says in
    words to what they were compared, or raises. `share` is the part of the work the reference does, for
    references so slow that they run on a sample of the steps: its time is divided by it.
    """

    name: str
    reference_name: str
    goal: float
    ours: Callable[[], Any]
    reference: Callable[[], Any]
    agree: Callable[[Any, Any], str]
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Measurement:
    """One row of build/bench.json."""

    name: str
    reference: str
    ours_s: float
    reference_s: float
    ratio: float
    goal: float
    agrees: str

    def row(self) -> dict[str, Any]:
        """The row as plain numbers."""
        return asdict(self)


def best(side: Callable[[], Any], tries: int = 3) -> tuple[float, Any]:
    """Best seconds of `tries` calls (one, where the first takes longer than `LONG`), and the output."""
    begin = perf_counter()
    output = side()
    seconds = perf_counter() - begin
    for _ in range(0 if seconds > LONG else tries - 1):
        begin = perf_counter()
        side()
        seconds = min(seconds, perf_counter() - begin)
    return seconds, output


def measure(comparison: Comparison) -> Measurement:
    """Time both sides; ours is warmed up once first, so that a cold compile cache is not counted."""
    comparison.ours()
    ours_seconds, ours = best(comparison.ours)
    reference_seconds, reference = best(comparison.reference)
    reference_seconds /= comparison.share
    words = comparison.agree(ours, reference)
    if comparison.share < 1.0:
        words += f"; reference timed on {comparison.share:.1%} of its steps"
    return Measurement(
        comparison.name,
        comparison.reference_name,
        ours_seconds,
        reference_seconds,
        reference_seconds / ours_seconds,
        comparison.goal,
        words,
    )
