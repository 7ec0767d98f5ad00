"""The trailing coverage of every step and level, kept up to date outcome by outcome."""

import numpy as np

from ngrc.durable import Reply
from ngrc.serve.alarms import WINDOW, Judgement, all_bounds


class Trail:
    """The newest `WINDOW` flags of every step and level, how many there are, and how many were covered.

    An outcome costs its own steps and levels and nothing else, whatever was kept before it.
    """

    def __init__(self, steps: int, levels: tuple[float, ...]) -> None:
        shape = (steps, len(levels))
        self.levels = levels
        self._flags = np.zeros((WINDOW, *shape), dtype=np.int8)
        self._seen = np.zeros(shape, dtype=np.int64)
        self._hits = np.zeros(shape, dtype=np.int64)
        self._low, self._high = np.zeros(shape), np.ones(shape)
        self._bounded = np.zeros(shape, dtype=np.int64)

    def add(self, reply: Reply) -> None:
        """Count what an observation was the outcome of."""
        flags = [
            (one.step - 1, place, int(flag))
            for one in reply.matured
            for place, level in enumerate(self.levels)
            if (flag := one.covered.get(level)) is not None
        ]
        if not flags:
            return
        step, level, flag = np.array(flags).T
        slot = self._seen[step, level] % WINDOW
        # Zero before the window is full, so that nothing is taken away then.
        self._hits[step, level] += flag - self._flags[slot, step, level]
        self._flags[slot, step, level] = flag
        self._seen[step, level] += 1

    def judgements(self) -> tuple[tuple[int, float, Judgement], ...]:
        """Of every step and level that has outcomes."""
        counts = np.minimum(self._seen, WINDOW)
        # Bounds change while the window fills, and never again.
        steps, places = np.nonzero(counts != self._bounded)
        if steps.size:
            ends = all_bounds(np.array(self.levels)[places], counts[steps, places], steps + 1)
            self._low[steps, places], self._high[steps, places] = ends
            self._bounded = counts
        shares = self._hits / np.maximum(counts, 1)
        found = zip(counts.tolist(), shares.tolist(), self._low.tolist(), self._high.tolist(), strict=True)
        return tuple(
            (step, level, Judgement(*one))
            for step, row in enumerate(found, start=1)
            for level, one in zip(self.levels, zip(*row, strict=True), strict=True)
            if one[0]
        )
