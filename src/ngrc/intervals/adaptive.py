"""Adaptive conformal prediction: the level answers to past coverage errors, the history grows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ngrc._jit import direct, jit
from ngrc._types import FloatArray, IntArray
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.symmetric import LARGEST, UNISSUED, SymmetricTracker
from ngrc.intervals.tuning import HISTORY_SHARE, select
from ngrc.order import bits, blocks
from ngrc.order.multisets import ranks_of
from ngrc.order.quantiles import conformal_rank
from ngrc.order.ranks import ordering
from ngrc.order.sorted_blocks import SortedBlocks
from ngrc.validation import check_grid, check_level, check_positive

# The projection of the paper's appendix "Adaptive and Time-Weighted Conformal Prediction", which its printed digits
# rest on; its equation `adaptive_update` writes [0, 1].
LOWEST, HIGHEST = 0.001, 0.999
# The rarest miss at which the paper uses that projection: 1 - 0.99 is just above 0.01 in floating point.
RARE = 0.01


@jit
def bounds(alpha: float, rate: float) -> tuple[float, float]:
    """Least and largest alpha_t: the paper's 0.001 and 0.999, with room for one error where an error is rare.

    A miss lowers alpha_t by eta, and the 1 / alpha covered steps that ought to follow raise it again. A bound less
    than eta below alpha forgets part of the debt: at a level of 0.9999 the paper's bound lies above alpha itself, and
    every interval missed ten times too often. The same holds for a rare hit and the upper bound.
    """
    low = LOWEST if alpha >= RARE else min(LOWEST, alpha - rate)
    high = HIGHEST if alpha <= 1.0 - RARE else max(HIGHEST, alpha + rate)
    return low, high


@jit
def moved(current: float, rate: float, alpha: float, missed: bool) -> float:
    """Projection of alpha_t + eta (alpha - err_t) on its bounds (paper, equation `adaptive_update`).

    A rate of zero projects and moves nothing.
    """
    low, high = bounds(alpha, rate)
    return min(max(current + rate * (alpha - missed), low), high)


@jit
def adaptive_rank(count: int, current: float) -> int:
    """Rank ceil((m + 1)(1 - alpha_t)) within 1..m: the largest score stands in for infinity."""
    return min(conformal_rank(count, 1.0 - current), count)


@dataclass(frozen=True, slots=True)
class Adaptive(IntervalMethod):
    """Forecast plus and minus S_(k) of all known scores, k = ceil((m + 1)(1 - alpha_t)) capped at m.

    alpha_t moves only when the outcome of an issued interval can be observed; residuals that were pending at
    the start join the history but bring no coverage error. At levels from 0.01 to 0.99 alpha_t is kept in
    [0.001, 0.999]; at rarer errors the bound leaves room for one of them (`bounds`), so that alpha_t may be negative,
    which asks for the largest score. Source: Gibbs and Candes (2021), arXiv:2106.00170,
    projected.

    Parameters
    ----------
    rate
        eta, above zero; None chooses it from `rates`.
    rates
        Candidates, tried in this order on the last 40 % of the known history.

    Examples
    --------
    >>> stream = Stream(np.arange(1.0, 14.0), start=10)
    >>> offsets = Adaptive(rate=0.1).run(stream, 0.8)
    >>> offsets.upper.tolist(), offsets.trace["alpha"].round(2).tolist()
    ([9.0, 11.0, 12.0], [0.2, 0.12, 0.04])
    """

    name: ClassVar[str] = "adaptive"
    feedback: ClassVar[bool] = True
    guarantee: ClassVar[str] = (
        "Steers long-run coverage towards the level by feedback; the telescoping bound is not claimed, "
        "as the level is projected and the largest score replaces infinity: with m known scores an interval misses "
        "at least once in m + 1 exchangeable steps, so a level of 0.9999 needs ten thousand of them."
    )

    rate: float | None = None
    rates: tuple[float, ...] = (0.001, 0.003, 0.005, 0.01, 0.02, 0.05)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rates", check_grid(self.rates, "rates"))
        if self.rate is not None:
            check_positive(self.rate, "rate")

    @property
    def selected(self) -> dict[str, float]:
        """The rate, once it is fixed or chosen."""
        return {} if self.rate is None else {"rate": self.rate}

    def tuned(self, history: History, level: float) -> "Adaptive":
        """The rate with the smallest Winkler score on the last 40 % of the history."""
        if self.rate is not None:
            return self
        return select(_candidates(self), history, HISTORY_SHARE, check_level(level), run_together)

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block; the trace holds alpha_t."""
        level = check_level(level)
        tuned = self.tuned(stream.history, level) if self.rate is None else self
        return run_together([tuned], stream, level)[0]

    def begin(self, history: History, level: float) -> Tracker:
        """All known scores, sorted, and alpha_t."""
        level = check_level(level)
        rate = self.tuned(history, level).rate
        assert rate is not None
        alpha = 1.0 - level
        first = moved(alpha, 0.0, alpha, False)
        return AdaptiveTracker(SortedBlocks(np.abs(history.residuals)), rate, alpha, first)


# Few, as hardly anybody uses more than one grid; a panel asks for the same one at every series and step.
@lru_cache(maxsize=8)
def _candidates(method: Adaptive) -> tuple[Adaptive, ...]:
    """The method at each of its rates."""
    return tuple(replace(method, rate=rate) for rate in method.rates)


@dataclass
class AdaptiveTracker(SymmetricTracker):
    """All known scores, the rate, the nominal miscoverage and its current value."""

    scores: SortedBlocks
    rate: float
    alpha: float
    current: float

    def __post_init__(self) -> None:
        self.width = _width(self.scores.table, self.current)

    def observe(self, residual: float, missed: bool | None) -> None:
        """The score joins the history; a coverage error moves the level."""
        try:
            self.width, self.current = _observed.call(
                self.scores.table,
                residual,
                UNISSUED if missed is None else missed,
                self.current,
                self.rate,
                self.alpha,
            )
        except IndexError:
            self.scores.spread()
            self.observe(residual, missed)


@direct("(float64[:, ::1], float64, int64, float64, float64, float64)")
def _observed(
    table: FloatArray, residual: float, missed: int, current: float, rate: float, alpha: float
) -> tuple[float, float]:
    """One more score and, where an interval was issued, one more coverage error: half-width and level after them."""
    if not abs(residual) <= LARGEST:
        raise ValueError("a residual must be a finite number; skip the target")
    blocks.insert(table, abs(residual), 1.0)
    # Unissued: pending when the first interval was issued, so that no interval of ours could miss it.
    if missed != UNISSUED:
        current = moved(current, rate, alpha, missed > 0)
    return _width(table, current), current


@jit
def _width(table: FloatArray, current: float) -> float:
    return blocks.nth(table, adaptive_rank(int(table[0, blocks.COUNT]), current))


def run_together(candidates: Sequence[Adaptive], stream: Stream, level: float) -> list[Offsets]:
    """Offsets of several rates from one ordering of the scores."""
    scores = np.abs(stream.visible)
    rates = np.array([candidate.rate for candidate in candidates], np.float64)
    widths, traces = _passes(
        scores, ordering(scores), stream.known, stream.steps, stream.horizon, 1.0 - level, rates
    )
    return [Offsets(-width, width, {"alpha": trace}) for width, trace in zip(widths, traces, strict=True)]


@jit
def _passes(
    scores: FloatArray, order: IntArray, known: int, steps: int, horizon: int, alpha: float, rates: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Widths and alpha_t of every rate, both of shape (rates, steps)."""
    ranks, ordered = ranks_of(order), scores[order]
    words, tree = bits.filled(order, known)
    widths, traces = np.empty((rates.size, steps)), np.empty((rates.size, steps))
    for place in range(rates.size):
        _pass(
            scores, ranks, ordered, words.copy(), tree.copy(), known, horizon, alpha, rates[place],
            widths[place], traces[place],
        )  # fmt: skip
    return widths, traces


@jit
def _pass(
    scores: FloatArray,
    ranks: NDArray[np.int32],
    ordered: FloatArray,
    words: bits.Words,
    tree: bits.Counts,
    known: int,
    horizon: int,
    alpha: float,
    rate: float,
    widths: FloatArray,
    trace: FloatArray,
) -> None:
    """Fill `widths` and `trace`, shape (steps,), at one rate; the set of known scores grows on the way."""
    current = moved(alpha, 0.0, alpha, False)
    for step in range(widths.size):
        count = known + step
        # Position count - 1 = start + step - H was observed just now. It is a wanted position, and its interval the one
        # issued H steps ago, from step = H on; before that it was pending at the start and brings no coverage error.
        if step > 0:
            bits.fill(words, tree, ranks[count - 1])
        if step >= horizon:
            # An outcome on the end of its interval is covered, as in the coverage that is reported.
            current = moved(current, rate, alpha, scores[count - 1] > widths[step - horizon])
        widths[step] = ordered[bits.nth(words, tree, adaptive_rank(count, current))]
        trace[step] = current
