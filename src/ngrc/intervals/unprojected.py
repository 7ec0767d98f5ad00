"""Adaptive conformal prediction without projection, and the bound on its coverage error that this keeps."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ngrc._kernels.intervals import unprojected_observe, unprojected_pass, unprojected_width
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.symmetric import SymmetricTracker
from ngrc.order.ranks import ordering
from ngrc.order.sorted_blocks import SortedBlocks
from ngrc.validation import check_count, check_level, check_positive


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
        width, trace = unprojected_pass(
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
        self.width = unprojected_width(self.scores.table, self.alpha, self.rate, self.resolved, self.misses)

    def observe(self, residual: float, missed: bool | None) -> None:
        """The score joins the history; a coverage error joins the sum."""
        resolved = self.resolved if missed is None else self.resolved + 1
        misses = self.misses + 1 if missed else self.misses
        try:
            self.width = unprojected_observe(
                self.scores.table, residual, self.alpha, self.rate, resolved, misses
            )
        except IndexError:
            self.scores.spread()
            self.observe(residual, missed)
        else:
            self.resolved, self.misses = resolved, misses
