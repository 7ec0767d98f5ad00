"""Rolling split conformal prediction: the corrected quantile of the last M known absolute residuals."""

from collections import deque
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.fixed import repeated
from ngrc.intervals.window import check_window
from ngrc.order.multisets import sliding_select
from ngrc.order.quantiles import conformal_rank
from ngrc.order.ranks import ordering
from ngrc.order.sorted_blocks import SortedBlocks
from ngrc.validation import check_count, check_level

REHEARSED = 19
"""Rank 18 at a level of 0.9; below nine scores the rank would exceed the window, and nothing would be selected."""


@dataclass(frozen=True, slots=True)
class Rolling(IntervalMethod):
    """Forecast plus and minus s_(k), k = ceil((M + 1) level), of the last M scores; infinite when k > M.

    Source: paper, appendix "Updated Gaussian and Rolling SCP Baselines".

    Parameters
    ----------
    window
        M, at most the residuals known when the first interval is issued.

    Examples
    --------
    >>> stream = Stream(np.array([1.0, -2.0, 3.0, -4.0, 0.0]), start=3)
    >>> Rolling(window=3).run(stream, 0.5).upper.tolist()
    [2.0, 3.0]
    """

    name: ClassVar[str] = "rolling"
    guarantee: ClassVar[str] = (
        "Coverage of at least the level when the window and the next residual are exchangeable, which holds "
        "roughly where change is slow against the window; no finite-sample guarantee for general time series."
    )

    window: int = 100

    def __post_init__(self) -> None:
        check_count(self.window, "window")

    @property
    def selected(self) -> dict[str, int]:
        """The window."""
        return {"window": self.window}

    def rehearsal(self) -> "Rolling":
        """A window that a small history fills, and large enough that its quantile is a score and not infinity."""
        return Rolling(window=REHEARSED)

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block."""
        first = stream.known - check_window(self.window, stream.known)
        rank = conformal_rank(self.window, check_level(level))
        if rank > self.window:
            return repeated(stream, -np.inf, np.inf)
        scores = np.abs(stream.visible[first:])
        # As many windows as steps, one more known score for each; the history's own where no interval is wanted.
        width = scores[sliding_select(ordering(scores), self.window, rank)[: stream.steps]]
        return Offsets(-width, width)

    def begin(self, history: History, level: float) -> Tracker:
        """The last M scores, by time and by size."""
        check_window(self.window, history.residuals.size)
        scores = np.abs(history.residuals[-self.window :])
        rank = conformal_rank(self.window, check_level(level))
        return RollingTracker(deque(scores.tolist()), SortedBlocks(scores), rank)


@dataclass(slots=True)
class RollingTracker(Tracker):
    """The last M scores: `recent` from oldest to newest, `scores` sorted."""

    recent: deque[float]
    scores: SortedBlocks
    rank: int

    def issue(self, leverage: float = 0.0, forecast: float = 0.0) -> tuple[float, float]:
        """Offsets from the current window."""
        width = self.scores.select(self.rank) if self.rank <= len(self.scores) else np.inf
        return -width, width

    def observe(self, residual: float, missed: bool | None) -> None:
        """The newest score replaces the oldest."""
        # The queue keeps the very number that was inserted, so that it is found again by equality.
        self.scores.remove(self.recent.popleft())
        self.recent.append(abs(residual))
        self.scores.insert(abs(residual))
