"""Rolling split conformal prediction: the corrected quantile of the last M known absolute residuals."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ngrc._kernels.order import window_slide
from ngrc._types import FloatArray
from ngrc.archive import check_that
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.fixed import repeated
from ngrc.intervals.symmetric import SymmetricTracker
from ngrc.intervals.window import window_size
from ngrc.order.multisets import sliding_select
from ngrc.order.quantiles import conformal_rank
from ngrc.order.ranks import ordering
from ngrc.order.window import chosen, scores_of, start_window
from ngrc.validation import check_count, check_level


@dataclass(frozen=True, slots=True)
class Rolling(IntervalMethod):
    """Forecast plus and minus s_(k), k = ceil((M + 1) level), of the last M scores; infinite when k > M.

    Source: paper, appendix "Updated Gaussian and Rolling SCP Baselines".

    Parameters
    ----------
    window
        M, at most the residuals known when the first interval is issued. None: the newest 100 of them, or all where
        fewer are known.

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

    window: int | None = None

    def __post_init__(self) -> None:
        if self.window is not None:
            check_count(self.window, "window")

    @property
    def selected(self) -> dict[str, int]:
        """The window, once it is fixed or chosen."""
        return {} if self.window is None else {"window": self.window}

    @property
    def validates(self) -> bool:
        """Nothing is scored: the window follows from the number of known residuals."""
        return False

    def tuned(self, history: History, level: float) -> "Rolling":
        """The window that the history fills."""
        return Rolling(window_size(self.window, history.residuals.size))

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block."""
        window = window_size(self.window, stream.known)
        rank = conformal_rank(window, check_level(level))
        if rank > window:
            return repeated(stream, -np.inf, np.inf)
        scores = np.abs(stream.visible[stream.known - window :])
        # As many windows as steps, one more known score for each; the history's own where no interval is wanted.
        width = scores[sliding_select(ordering(scores), window, rank)[: stream.steps]]
        return Offsets(-width, width)

    def begin(self, history: History, level: float) -> Tracker:
        """The last M scores, by time and by size."""
        window = window_size(self.window, history.residuals.size)
        scores = np.abs(history.residuals[-window:])
        rank = conformal_rank(window, check_level(level))
        return RollingTracker(scores, rank)


class RollingTracker(SymmetricTracker):
    """The last M scores, laid out for one rank (`order.window`).

    Parameters
    ----------
    recent
        Scores from the oldest to the newest, shape (M,).
    rank
        Of the quantile among them; beyond M it is infinite.
    """

    def __init__(self, recent: FloatArray, rank: int) -> None:
        self.rank = rank
        self.state = start_window(recent, rank)
        self.width = chosen(self.state)

    def __repr__(self) -> str:
        return f"RollingTracker({self.recent.size} scores, rank {self.rank}, half-width {self.width:.6g})"

    @property
    def recent(self) -> FloatArray:
        """The scores, oldest first."""
        return scores_of(self.state)

    def kept(self) -> dict[str, Any]:
        """The scores by time: how they lie in memory changes no answer."""
        return {"recent": self.recent, "rank": self.rank}

    @classmethod
    def migrated(cls, kept: dict[str, Any]) -> dict[str, Any]:
        """Version 0.2.0 kept the scores by size as well."""
        if list(kept) != ["recent", "scores", "rank"]:
            return kept
        return {"recent": np.array(kept["recent"], dtype=np.float64), "rank": kept["rank"]}

    @classmethod
    def rebuilt(cls, kept: dict[str, Any]) -> "RollingTracker":
        """The tracker of what was kept, checked, as no kernel asks whether a place is there."""
        check_that(list(kept) == ["recent", "rank"], "a rolling window is kept as recent scores and a rank")
        recent, rank = kept["recent"], kept["rank"]
        check_that(getattr(recent, "dtype", None) == np.float64 and recent.ndim == 1, "scores are numbers")
        check_that(recent.size > 0 and bool(np.all(np.isfinite(recent))), "there are scores")
        check_that(bool(np.all(recent >= 0.0)), "scores are not negative")
        check_that(type(rank) is int and 1 <= rank <= recent.size + 1, "the rank is one of a window")
        return cls(recent, rank)

    def observe(self, residual: float, missed: bool | None) -> None:
        """The newest score replaces the oldest."""
        self.width = window_slide(self.state, residual)

    def step(
        self, residual: float, missed: bool | None, leverage: float = 0.0, forecast: float = 0.0
    ) -> tuple[float, float]:
        """Both in one call."""
        self.width = width = window_slide(self.state, residual)
        return -width, width
