"""Adaptive conformal prediction: the level answers to past coverage errors, the history grows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np

from ngrc._kernels.intervals import adaptive_moved, adaptive_observe, adaptive_passes, adaptive_width
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.symmetric import SymmetricTracker
from ngrc.intervals.tuning import HISTORY_SHARE, select
from ngrc.order.ranks import ordering
from ngrc.order.sorted_blocks import SortedBlocks
from ngrc.validation import check_grid, check_level, check_positive


@dataclass(frozen=True, slots=True)
class Adaptive(IntervalMethod):
    """Forecast plus and minus S_(k) of all known scores, k = ceil((m + 1)(1 - alpha_t)) capped at m.

    alpha_t moves only when the outcome of an issued interval can be observed; residuals that were pending at
    the start join the history but bring no coverage error. At levels from 0.01 to 0.99 alpha_t is kept in
    [0.001, 0.999]; at rarer errors the bound leaves room for one of them, so that alpha_t may be negative,
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
        first = adaptive_moved(alpha, 0.0, alpha, False)
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
        self.width = adaptive_width(self.scores.table, self.current)

    def observe(self, residual: float, missed: bool | None) -> None:
        """The score joins the history; a coverage error moves the level."""
        try:
            self.width, self.current = adaptive_observe(
                self.scores.table, residual, missed, self.current, self.rate, self.alpha
            )
        except IndexError:
            self.scores.spread()
            self.observe(residual, missed)

    def step(
        self, residual: float, missed: bool | None, leverage: float = 0.0, forecast: float = 0.0
    ) -> tuple[float, float]:
        """Both at once, without a Python call in between."""
        try:
            width, self.current = adaptive_observe(
                self.scores.table, residual, missed, self.current, self.rate, self.alpha
            )
        except IndexError:
            self.scores.spread()
            return self.step(residual, missed)
        self.width = width
        return -width, width


def run_together(candidates: Sequence[Adaptive], stream: Stream, level: float) -> list[Offsets]:
    """Offsets of several rates from one ordering of the scores."""
    scores = np.abs(stream.visible)
    rates = np.array([candidate.rate for candidate in candidates], np.float64)
    widths, traces = adaptive_passes(
        scores, ordering(scores), stream.known, stream.steps, stream.horizon, 1.0 - level, rates
    )
    return [Offsets(-width, width, {"alpha": trace}) for width, trace in zip(widths, traces, strict=True)]
