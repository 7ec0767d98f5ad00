"""Adaptive conformal prediction without projection, and the bound on its coverage error that this keeps."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ngrc._jit import direct, jit
from ngrc._types import FloatArray, IntArray
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.symmetric import LARGEST, SymmetricTracker
from ngrc.order import bits, blocks
from ngrc.order.multisets import ranks_of
from ngrc.order.quantiles import LEVEL_SLACK, conformal_rank
from ngrc.order.ranks import ordering
from ngrc.order.sorted_blocks import SortedBlocks
from ngrc.validation import check_count, check_level, check_positive


@jit
def error_level(alpha: float, rate: float, resolved: int, misses: int) -> float:
    """alpha_t after `resolved` intervals of which `misses` missed: alpha + eta sum(alpha - err).

    The sum of all its moves at once, from whole numbers, so that no rounding builds up over a long run.
    """
    return alpha + rate * (resolved * alpha - misses)


@jit
def unprojected_rank(count: int, current: float) -> int:
    """Rank ceil((m + 1)(1 - alpha_t)) among m scores; 0 stands for the forecast alone, m + 1 for infinity."""
    if current >= 1.0 - LEVEL_SLACK:
        return 0
    return min(conformal_rank(count, 1.0 - current), count + 1)


@dataclass(frozen=True, slots=True)
class Unprojected(IntervalMethod):
    """Forecast plus and minus S_(k) of all known scores, k = ceil((m + 1)(1 - alpha_t)), infinite when k > m.

    alpha_t = alpha + eta sum(alpha - err) over the issued intervals whose outcome is known, and nothing holds it: at
    zero and below the interval is infinite, at one and above the forecast alone. Whatever the sequence, errors then
    balance out, which `bound` puts in numbers. Source: Gibbs and Candes (2021), arXiv:2106.00170, proposition 4.1,
    here with outcomes that come H steps late.

    Parameters
    ----------
    rate
        eta, above zero. The larger it is the tighter the bound, and the more often the interval is infinite.

    Examples
    --------
    >>> stream = Stream(np.array([1.0, 2.0, 3.0, 4.0, 9.0, 9.5, 1.0, 1.0]), start=4)
    >>> offsets = Unprojected(rate=0.3).run(stream, 0.6)
    >>> offsets.upper.tolist(), offsets.trace["alpha"].round(2).tolist()
    ([3.0, 9.0, inf, 9.5], [0.4, 0.22, 0.04, 0.16])
    """

    name: ClassVar[str] = "unprojected"
    feedback: ClassVar[bool] = True
    guarantee: ClassVar[str] = (
        "On any sequence, an adversary's too, the share of misses over T intervals exceeds alpha by no more than "
        "(max(alpha, 1 - alpha) + H eta) / (eta T) + (H - 1) max(alpha, 1 - alpha) / T, which `bound` computes, and "
        "falls short of it by no more unless outcomes equal their forecasts exactly; paid for by intervals that are "
        "infinite after many misses, or the forecast alone after many hits."
    )

    # Gibbs and Candes' own choice, which they found to do well on all their series.
    rate: float = 0.005

    def __post_init__(self) -> None:
        check_positive(self.rate, "rate")

    @property
    def selected(self) -> dict[str, float]:
        """The rate."""
        return {"rate": self.rate}

    def bound(self, steps: int, horizon: int, level: float) -> float:
        """The largest distance of the share of misses from alpha over `steps` intervals, on any sequence.

        alpha_t can fall below zero or rise above one only by what the H intervals already issued bring, and the H - 1
        outcomes still unknown at the end count in full.

        Examples
        --------
        >>> round(Unprojected(rate=0.01).bound(10_000, 1, 0.9), 6)
        0.0091
        """
        check_count(steps, "steps")
        larger = max(check_level(level), 1.0 - check_level(level))
        late = check_count(horizon, "horizon") - 1
        return (larger + (late + 1) * self.rate) / (self.rate * steps) + late * larger / steps

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block; the trace holds alpha_t."""
        alpha = 1.0 - check_level(level)
        scores = np.abs(stream.visible)
        width, trace = _pass(
            scores, ordering(scores), stream.known, stream.steps, stream.horizon, alpha, float(self.rate)
        )
        return Offsets(-width, width, {"alpha": trace})

    def begin(self, history: History, level: float) -> Tracker:
        """All known scores, sorted, and no errors yet."""
        alpha = 1.0 - check_level(level)
        return UnprojectedTracker(SortedBlocks(np.abs(history.residuals)), float(self.rate), alpha)


@dataclass
class UnprojectedTracker(SymmetricTracker):
    """All known scores, the rate, the nominal miscoverage, and how the resolved intervals fared."""

    scores: SortedBlocks
    rate: float
    alpha: float
    resolved: int = 0
    misses: int = 0

    def __post_init__(self) -> None:
        self.width = _width(self.scores.table, self.alpha, self.rate, self.resolved, self.misses)

    def observe(self, residual: float, missed: bool | None) -> None:
        """The score joins the history; a coverage error joins the sum."""
        resolved = self.resolved if missed is None else self.resolved + 1
        misses = self.misses + 1 if missed else self.misses
        try:
            self.width = _observed.call(self.scores.table, residual, self.alpha, self.rate, resolved, misses)
        except IndexError:
            self.scores.spread()
            self.observe(residual, missed)
        else:
            self.resolved, self.misses = resolved, misses


@direct("(float64[:, ::1], float64, float64, float64, int64, int64)")
def _observed(
    table: FloatArray, residual: float, alpha: float, rate: float, resolved: int, misses: int
) -> float:
    """One more score; the half-width after so many intervals."""
    if not abs(residual) <= LARGEST:
        raise ValueError("a residual must be a finite number; skip the target")
    blocks.insert(table, abs(residual), 1.0)
    return _width(table, alpha, rate, resolved, misses)


@jit
def _width(table: FloatArray, alpha: float, rate: float, resolved: int, misses: int) -> float:
    count = int(table[0, blocks.COUNT])
    rank = unprojected_rank(count, error_level(alpha, rate, resolved, misses))
    if rank == 0:
        return 0.0
    return blocks.nth(table, rank) if rank <= count else np.inf


@jit
def _pass(
    scores: FloatArray, order: IntArray, known: int, steps: int, horizon: int, alpha: float, rate: float
) -> tuple[FloatArray, FloatArray]:
    ranks, ordered = ranks_of(order), scores[order]
    words, tree = bits.filled(order, known)
    widths, trace = np.empty(steps), np.empty(steps)
    misses = 0
    for step in range(steps):
        count = known + step
        # As in `adaptive`: position count - 1 became known just now, and has an interval of ours from step = H on.
        if step > 0:
            bits.fill(words, tree, ranks[count - 1])
        if step >= horizon:
            misses += int(scores[count - 1] > widths[step - horizon])
        trace[step] = error_level(alpha, rate, max(step - horizon + 1, 0), misses)
        rank = unprojected_rank(count, trace[step])
        if rank == 0:
            widths[step] = 0.0
        elif rank > count:
            widths[step] = np.inf
        else:
            widths[step] = ordered[bits.nth(words, tree, rank)]
    return widths, trace
