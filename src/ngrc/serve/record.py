"""The newest outcomes of one series beside their forecasts, in arrays of a fixed size."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.durable import Issued, Reply
from ngrc.serve.alarms import WINDOW, Judgement, ladder
from ngrc.serve.answers import number
from ngrc.serve.trail import Trail

MOST, LEAST, CELLS = 1024, 2 * WINDOW, 1_000_000
"""Rows kept per series: 1,024, fewer where many steps and levels would take more than some eight megabytes, and
always enough for a trailing coverage in front of every row that is shown."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Forecasts that met their outcomes: axes are the row, the step and the level."""

    mean: FloatArray
    lower: FloatArray
    upper: FloatArray
    covered: AnyArray


class Record:
    """A ring of rows, one per observation in the order in which they came.

    Examples
    --------
    >>> record = Record()
    >>> record.add(Reply(1, 0, 2.5, history=1))
    >>> record.newest.value, record.rows(step=1, level=0.9)[0]["value"]
    (2.5, 2.5)
    """

    def __init__(self) -> None:
        self.newest: Reply | None = None
        self.levels: tuple[float, ...] = ()
        self.steps = 0
        self.heard = 0.0
        self._replies: list[tuple[int, Any, float | None]] = []
        self._first = 0
        self._outcomes: Outcomes | None = None
        self._trail: Trail | None = None
        self.judged: tuple[tuple[int, float, Judgement], ...] = ()
        """The trailing coverage at the last `judge`, of every step and level that has outcomes."""

    @property
    def coming(self) -> Issued | None:
        """The newest forecasts."""
        return None if self.newest is None else self.newest.coming

    def add(self, reply: Reply) -> None:
        """One more row; a reply that was given before changes nothing."""
        if self.newest is not None and reply.seq <= self.newest.seq:
            return
        if self._outcomes is None and reply.coming is not None:
            self._begin(reply.coming)
        size = MOST if self._outcomes is None else len(self._outcomes.mean)
        self._replies.append((reply.seq, reply.time, number(reply.value)))
        # Twice the size at most, then cut: a list that loses its first entry each time would be copied each time.
        if len(self._replies) > 2 * size:
            self._first += len(self._replies) - size
            del self._replies[:-size]
        self.newest = reply
        self._fill(reply)
        if self._trail is not None:
            self._trail.add(reply)

    def rows(self, *, step: int, level: float, after: int = 0, count: int = MOST) -> list[dict[str, Any]]:
        """The newest rows behind the observation `after`, oldest first, with the forecast of one step and level."""
        size, last = self._size(), len(self._replies)
        seqs = [reply[0] for reply in self._replies[last - size :]]
        begin = max(0, size - count, bisect_right(seqs, after))
        flags = self._flags(step, level)
        judged = [None] * (size - begin) if flags is None else trailing(flags, level, step, begin)
        return [
            self._row(last - size + place, step, level, judged[place - begin]) for place in range(begin, size)
        ]

    def judge(self) -> None:
        """Work out the trailing coverages; for the writer, so that readers find them ready."""
        if self._trail is not None:
            self.judged = self._trail.judgements()

    def _begin(self, coming: Issued) -> None:
        self.steps, self.levels = len(coming.mean), tuple(coming.lower)
        self._trail = Trail(self.steps, self.levels)
        cells = self.steps * (1 + 2 * len(self.levels))
        size = min(MOST, max(LEAST, CELLS // cells))
        shape = (size, self.steps, len(self.levels))
        self._outcomes = Outcomes(
            np.full(shape[:2], np.nan),
            np.full(shape, np.nan),
            np.full(shape, np.nan),
            np.full(shape, -1, dtype=np.int8),
        )

    def _fill(self, reply: Reply) -> None:
        if self._outcomes is None:
            return
        kept, slot = self._outcomes, self._slot(len(self._replies) - 1)
        kept.mean[slot], kept.lower[slot], kept.upper[slot], kept.covered[slot] = np.nan, np.nan, np.nan, -1
        for one in reply.matured:
            kept.mean[slot, one.step - 1] = one.mean
            for place, level in enumerate(self.levels):
                lower, upper, covered = one.lower.get(level), one.upper.get(level), one.covered.get(level)
                kept.lower[slot, one.step - 1, place] = np.nan if lower is None else lower
                kept.upper[slot, one.step - 1, place] = np.nan if upper is None else upper
                kept.covered[slot, one.step - 1, place] = -1 if covered is None else covered

    def _slot(self, place: Any) -> Any:
        """Where in the ring the reply at that place of the list is kept; places may be many."""
        assert self._outcomes is not None
        return (self._first + place) % len(self._outcomes.mean)

    def _size(self) -> int:
        kept = len(self._replies)
        return kept if self._outcomes is None else min(kept, len(self._outcomes.mean))

    def _flags(self, step: int, level: float) -> AnyArray | None:
        """1 covered, 0 missed, -1 neither: of every row, oldest first."""
        if self._outcomes is None:
            return None
        last = len(self._replies)
        slots = self._slot(np.arange(last - self._size(), last))
        return np.asarray(self._outcomes.covered[slots, step - 1, self.levels.index(level)])

    def _row(self, place: int, step: int, level: float, judged: Judgement | None) -> dict[str, Any]:
        reply = self._replies[place]
        row: dict[str, Any] = {"seq": reply[0], "time": reply[1], "value": reply[2]}
        if self._outcomes is None:
            return row
        slot = self._slot(place)
        kept, at = self._outcomes, (slot, step - 1, self.levels.index(level))
        if np.isfinite(kept.mean[slot, step - 1]):
            row["mean"] = float(kept.mean[slot, step - 1])
            row["lower"], row["upper"] = number(float(kept.lower[at])), number(float(kept.upper[at]))
            row["covered"] = None if kept.covered[at] < 0 else bool(kept.covered[at])
        if judged is not None:
            row["coverage"], row["low"], row["high"] = judged.coverage, judged.low, judged.high
            row["outcomes"] = judged.outcomes
        return row


def trailing(flags: AnyArray, level: float, step: int, begin: int = 0) -> list[Judgement | None]:
    """The trailing coverage at every row from `begin` on; None before the first outcome.

    Examples
    --------
    >>> [judged and judged.coverage for judged in trailing(np.array([-1, 1, 0, -1]), 0.9, 1)]
    [None, 1.0, 0.5, 0.5]
    """
    seen = flags >= 0
    ranks, hits = np.cumsum(seen)[begin:], np.concatenate([[0], np.cumsum(flags[seen])])
    sizes = np.minimum(ranks, WINDOW)
    shares = (hits[ranks] - hits[ranks - sizes]) / np.maximum(sizes, 1)
    low, high = (ends[np.maximum(sizes, 1) - 1] for ends in ladder(level, step))
    found = zip(sizes.tolist(), shares.tolist(), low.tolist(), high.tolist(), strict=True)
    return [Judgement(*one) if one[0] else None for one in found]
