"""Time-weighted conformal prediction: the quantile of a history whose old scores fade."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ngrc._kernels.intervals import weighted_find, weighted_observe
from ngrc._kernels.order import decayed_start, weight_target
from ngrc.archive import check_that
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.symmetric import SymmetricTracker
from ngrc.intervals.tuning import HISTORY_SHARE, select
from ngrc.order.exact import settled
from ngrc.order.multisets import decayed_select
from ngrc.order.ranks import ordering
from ngrc.order.sorted_blocks import SortedBlocks
from ngrc.validation import check_grid, check_level, check_positive

LEAST_DECAY = 1e-100
"""A smaller decay could overflow the newest weight in one step; the newest score alone would count anyway."""


@dataclass(frozen=True, slots=True)
class Weighted(IntervalMethod):
    """Forecast plus and minus inf{q : sum_j w_j 1(S_j <= q) >= level}, w_j = rho^(m - j) / sum of all.

    A tie goes to the larger score. Where rounding could decide, weights are whole numbers of 2^-62, so that an
    interval never depends on a score still to come. Source: paper, subsection "Time-Weighted Conformal Prediction".

    Parameters
    ----------
    decay
        rho in (0, 1], 1 for equal weights; None chooses it from `decays`.
    decays
        Candidates, tried in this order on the last 40 % of the known history.

    Examples
    --------
    >>> stream = Stream(np.array([1.0, -2.0, 4.0, -3.0, 0.0]), start=2)
    >>> Weighted(decay=0.5).run(stream, 0.6).upper.tolist()
    [2.0, 4.0, 3.0]
    """

    name: ClassVar[str] = "weighted"
    guarantee: ClassVar[str] = (
        "None in finite samples: weights are normalised over past residuals without the test point's mass at "
        "infinity, so this is a weighted residual quantile that follows change, not weighted conformal "
        "prediction."
    )

    decay: float | None = None
    decays: tuple[float, ...] = (0.95, 0.98, 0.99, 0.995, 0.997, 0.999)

    def __post_init__(self) -> None:
        object.__setattr__(self, "decays", check_grid(self.decays, "decays"))
        for decay in self.decays if self.decay is None else (*self.decays, self.decay):
            if not LEAST_DECAY <= check_positive(decay, "decay") <= 1.0:
                raise ValueError(f"decay must be in (0, 1], got {decay!r}; 1 weighs every score alike")

    @property
    def selected(self) -> dict[str, float]:
        """The decay, once it is fixed or chosen."""
        return {} if self.decay is None else {"decay": self.decay}

    def tuned(self, history: History, level: float) -> "Weighted":
        """The decay with the smallest Winkler score on the last 40 % of the history."""
        if self.decay is not None:
            return self
        candidates = [replace(self, decay=decay) for decay in self.decays]
        return select(candidates, history, HISTORY_SHARE, check_level(level), run_together)

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block."""
        level = check_level(level)
        return run_together([self.tuned(stream.history, level)], stream, level)[0]

    def begin(self, history: History, level: float) -> Tracker:
        """All known scores, sorted, with their weights."""
        level = check_level(level)
        decay = self.tuned(history, level).decay
        assert decay is not None
        scores = np.abs(history.residuals)
        weights, _ = decayed_start(scores.size, float(decay))
        return WeightedTracker(
            SortedBlocks(scores, weights), array("d", scores.tobytes()), float(decay), level
        )


@dataclass
class WeightedTracker(SymmetricTracker):
    """All known scores: `scores` by size with their weights, `arrived` by time; and the weight of the newest."""

    scores: SortedBlocks
    arrived: "array[float]"
    decay: float
    level: float
    newest: float = 1.0

    def __post_init__(self) -> None:
        self.check_kept()
        self._settle(self._found())

    def check_kept(self) -> None:
        """Refuse scores that are not those that arrived, and a decay that is none."""
        check_that(0 < len(self.arrived) == len(self.scores), "scores by size and by time are the same")
        check_that(0.0 < self.decay <= 1.0 and 0.0 < self.level < 1.0, "decay and level are shares")

    def observe(self, residual: float, missed: bool | None) -> None:
        """The score joins with a weight 1 / decay times the last one's."""
        try:
            width, self.newest = self._observed(residual)
        except IndexError:
            self.scores.spread()
            width, self.newest = self._observed(residual)
        self.arrived.append(abs(residual))
        self._settle(width)

    @property
    def share(self) -> float:
        """Share of the known weight to reach."""
        return weight_target(self.level, 1.0)

    def _found(self) -> float:
        return weighted_find(self.scores.table, self.share, self.decay)

    def _observed(self, residual: float) -> tuple[float, float]:
        return weighted_observe(self.scores.table, residual, self.newest, self.decay, self.level)

    def _settle(self, width: float) -> None:
        """Take a half-width or, where rounding could matter (NaN), find it in whole numbers: as the block does."""
        if width != width:
            # The grouping of the sums differs from the block's tree, the settled answer does not: see `order.exact`.
            arrived = np.frombuffer(self.arrived)
            width = float(arrived[settled(ordering(arrived), arrived.size, self.decay, self.share)])
        self.width = width


def run_together(candidates: Sequence[Weighted], stream: Stream, level: float) -> list[Offsets]:
    """Offsets of several decays from one ordering of the scores."""
    scores = np.abs(stream.visible)
    order = ordering(scores)
    results = []
    for candidate in candidates:
        assert candidate.decay is not None
        width = scores[decayed_select(order, stream.known, float(candidate.decay), level)[: stream.steps]]
        results.append(Offsets(-width, width))
    return results
