"""Conformal prediction beyond exchangeability: fading weights, and the test point's own mass at infinity."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ngrc._kernels.intervals import nexcp_find, nexcp_known_share, nexcp_known_shares, nexcp_observe
from ngrc._kernels.order import decayed_start
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.tuning import HISTORY_SHARE, select
from ngrc.intervals.weighted import LEAST_DECAY, WeightedTracker
from ngrc.order.multisets import decayed_reach
from ngrc.order.ranks import ordering
from ngrc.order.sorted_blocks import SortedBlocks
from ngrc.validation import check_grid, check_level, check_positive


@dataclass(frozen=True, slots=True)
class NexCP(IntervalMethod):
    """Forecast plus and minus the level's quantile of all known scores, weights rho^age, and of infinity, weight one.

    The newest known score has age one. The test point stands for itself with the largest weight of all, at infinity:
    the interval is infinite where that mass exceeds alpha, about where 1 - rho does. With rho = 1 it is split
    conformal prediction over a growing history. Source: Barber, Candes, Ramdas and Tibshirani (2023),
    arXiv:2202.13415, with fixed weights.

    Parameters
    ----------
    decay
        rho in (0, 1], 1 for equal weights; None chooses it from `decays`, which the guarantee does not cover.
    decays
        Candidates, tried in this order on the last 40 % of the known history.

    Examples
    --------
    >>> stream = Stream(np.array([1.0, -2.0, 4.0, -3.0, 0.0]), start=2)
    >>> NexCP(decay=0.5).run(stream, 0.4).upper.tolist()
    [2.0, 4.0, 4.0]
    >>> NexCP(decay=0.5).run(stream, 0.6).upper.tolist()
    [inf, inf, inf]
    """

    name: ClassVar[str] = "nexcp"
    guarantee: ClassVar[str] = (
        "With a fixed decay, coverage of at least the level less the sum over known residuals of their weight times "
        "the total variation distance between the residuals as they are and with that one and the next exchanged; "
        "nothing is lost where they are exchangeable, and little where they are nearly independent and change is slow "
        "against 1 / (1 - decay) steps."
    )

    decay: float | None = 0.99
    decays: tuple[float, ...] = (0.98, 0.99, 0.995, 0.997, 0.999)

    def __post_init__(self) -> None:
        object.__setattr__(self, "decays", check_grid(self.decays, "decays"))
        for decay in self.decays if self.decay is None else (*self.decays, self.decay):
            if not LEAST_DECAY <= check_positive(decay, "decay") <= 1.0:
                raise ValueError(f"decay must be in (0, 1], got {decay!r}; 1 weighs every score alike")

    @property
    def selected(self) -> dict[str, float]:
        """The decay, once it is fixed or chosen."""
        return {} if self.decay is None else {"decay": self.decay}

    def tuned(self, history: History, level: float) -> "NexCP":
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
        return NexCPTracker(SortedBlocks(scores, weights), array("d", scores.tobytes()), float(decay), level)


class NexCPTracker(WeightedTracker):
    """All known scores with their weights, as in `weighted`, and the share of them that the level asks for."""

    @property
    def share(self) -> float:
        """Share of the known weight to reach; above one the interval is infinite."""
        return nexcp_known_share(len(self.scores), self.decay, self.level)

    def _found(self) -> float:
        return nexcp_find(self.scores.table, self.decay, self.level)

    def _observed(self, residual: float) -> tuple[float, float]:
        return nexcp_observe(self.scores.table, residual, self.newest, self.decay, self.level)


def run_together(candidates: Sequence[NexCP], stream: Stream, level: float) -> list[Offsets]:
    """Offsets of several decays from one ordering of the scores."""
    scores = np.abs(stream.visible)
    order = ordering(scores)
    results = []
    for candidate in candidates:
        assert candidate.decay is not None
        decay = float(candidate.decay)
        shares = nexcp_known_shares(stream.known, scores.size, decay, level)
        width = scores[decayed_reach(order, stream.known, decay, shares)]
        width = np.where(shares > 1.0, np.inf, width)[: stream.steps]
        results.append(Offsets(-width, width))
    return results
