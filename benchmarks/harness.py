"""Timing of two sides in one run, with their outputs compared before any ratio is believed.

Seconds are those of the processor: both sides run on one thread, where they equal those of the clock on an idle
machine and are spoiled less on a busy one.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import process_time
from typing import Any

# The best of three: what a busy machine adds is never negative, so that the least is nearest to the truth.
ROUNDS = 3
LONG = 12.0
"""Seconds after which a side is timed once instead of three times."""
ITSELF = "the goal itself"
"""Reference of a row that has a goal and no peer."""
SHORT = 0.05
"""Calls are repeated within a round until it lasts this long, and a round's mean counts."""


@dataclass(frozen=True, slots=True)
class ScaledRun:
    """Output of a side that ran a stated sample of its steps and scaled its own seconds to all of them."""

    seconds: float
    output: Any
    sample: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is compared, against what, and how far outputs must agree.

    `ours` and `reference` are called without arguments and return outputs; `agree` looks at both and says in
    words to what they were compared, or raises. A reference too slow to run whole returns `ScaledRun`.
    """

    name: str
    against: str
    goal: float
    ours: Callable[[], Any]
    reference: Callable[[], Any]
    agree: Callable[[Any, Any], str]

    def measure(self) -> "Measurement":
        """Time both sides in turn, round by round, so that a busy moment of the machine falls on both."""
        self.ours()  # loads or compiles what a first call needs
        ours, theirs = Stopwatch(self.ours), Stopwatch(self.reference)
        for _ in range(ROUNDS):
            ours.round()
            theirs.round()
        # Raises where the outputs differ: then there is no ratio to report.
        words = self.agree(ours.output, theirs.output)
        if theirs.sample:
            words += f"; reference timed on {theirs.sample}"
        return Measurement(
            name=self.name,
            reference=self.against,
            ours_s=ours.seconds,
            reference_s=theirs.seconds,
            ratio=theirs.seconds / ours.seconds,
            goal=self.goal,
            agrees=words,
        )


@dataclass(frozen=True, slots=True)
class Measurement:
    """One row of build/bench.json; both sides are in seconds where `unit` says nothing else."""

    name: str
    reference: str
    ours_s: float
    reference_s: float
    ratio: float
    goal: float
    agrees: str
    unit: str = "s"

    @property
    def met(self) -> bool:
        """Whether the ratio reaches the goal."""
        return self.ratio >= self.goal

    def row(self) -> dict[str, Any]:
        """The row as plain numbers."""
        return asdict(self)


class Stopwatch:
    """Best seconds per call over the rounds so far, and the last output."""

    def __init__(self, side: Callable[[], Any]) -> None:
        self.side = side
        self.seconds = float("inf")
        self.output: Any = None
        self.sample = ""

    def round(self) -> None:
        """One more round, unless a call takes long and has been timed already."""
        if LONG < self.seconds < float("inf"):
            return
        calls, elapsed = 0, 0.0
        while elapsed < SHORT:
            begin = process_time()
            output = self.side()
            seconds = process_time() - begin
            # Its own clock counts: setting up is not part of the steps that were scaled.
            if isinstance(output, ScaledRun):
                self.output, self.sample = output.output, output.sample
                self.seconds = min(self.seconds, output.seconds)
                return
            self.output = output
            calls, elapsed = calls + 1, elapsed + seconds
        self.seconds = min(self.seconds, elapsed / calls)


def stopped(side: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of one call, and its output."""
    begin = process_time()
    output = side()
    return process_time() - begin, output
