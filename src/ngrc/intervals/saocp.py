"""Strongly adaptive online conformal prediction: experts of every age, each with its lifetime, bet on one another."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

import ngrc.intervals.ring as ring
from ngrc._kernels.intervals import (
    SAOCP_CLASSES,
    SAOCP_HELD,
    SAOCP_PLACES,
    SAOCP_QUANTITIES,
    saocp_classes_at,
    saocp_issue,
    saocp_observe,
    saocp_pass,
    saocp_start,
    saocp_step,
)
from ngrc._types import FloatArray
from ngrc.archive import check_floats, check_shape, check_that
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.validation import check_level

CLASSES, PLACES, QUANTITIES = SAOCP_CLASSES, SAOCP_PLACES, SAOCP_QUANTITIES
"""Shape of the experts: powers of two in their births, places of each, and numbers of each expert."""
HELD = SAOCP_HELD
"""Numbers of a target that waits, before the experts' half-widths and weights."""


@dataclass(frozen=True, slots=True)
class SAOCP(IntervalMethod):
    """Forecast plus and minus a half-width that experts of many lifetimes agree on.

    Every expert follows the scores' quantile by scale-free gradient descent on the pinball loss, from the half-width
    of its birth on; lifetimes are eight times the power of two in its birth's number. Their weights are won by betting:
    an expert gains where its loss is below that of all together. At a change the young ones take over. Losses and
    slopes are those of the half-widths as they were issued, H steps before. Steps are in units of the largest score
    known, so that one error of a million usual ones leaves wide intervals for good. Source: Bhatnagar, Wang, Xiong and
    Bai (2023), arXiv:2302.07869, algorithm 1.

    Examples
    --------
    >>> stream = Stream(np.array([1.0, 2.0, 3.0, 4.0, 9.0, 1.0, 1.0]), start=4)
    >>> SAOCP().run(stream, 0.8).upper.round(3).tolist()
    [4.0, 7.674, 6.293]
    """

    name: ClassVar[str] = "saocp"
    feedback: ClassVar[bool] = True
    guarantee: ClassVar[str] = (
        "On every stretch of k steps its pinball loss exceeds that of the best constant half-width by at most the "
        "order of sqrt(k log T) times the largest score, when scores are bounded and outcomes are not delayed; "
        "long-run coverage follows under conditions on the weights that nobody can check, and is close in "
        "practice, but not against an adversary."
    )

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block."""
        alpha = 1.0 - check_level(level)
        width = saocp_pass(np.abs(stream.visible), stream.known, stream.steps, stream.horizon, alpha)
        return Offsets(-width, width)

    def begin(self, history: History, level: float) -> Tracker:
        """One expert, at the corrected quantile of the known scores, with steps as small as their number makes them."""
        alpha, scores = 1.0 - check_level(level), np.abs(history.residuals)
        waiting = ring.start_ring(history.horizon, HELD + 2 * CLASSES * PLACES)
        return SAOCPTracker(saocp_start(scores, alpha), waiting, alpha, float(scores.max()))


@dataclass(slots=True)
class SAOCPTracker(Tracker):
    """The experts by class and place, the largest score known, the clock, and what each open interval rested on."""

    experts: FloatArray
    waiting: FloatArray
    """A `ring` of the targets not yet resolved: clock and half-width of its origin, and the experts' state then."""
    alpha: float
    size: float
    clock: int = 1

    def check_kept(self) -> None:
        """Refuse experts and snapshots of other classes than the clock has."""
        check_floats(self.experts, (QUANTITIES, CLASSES, PLACES), "experts")
        ring.check_ring(self.waiting, HELD + 2 * CLASSES * PLACES)
        check_that(1 <= self.clock < 2**CLASSES, "a clock counts resolved intervals")
        then = ring.waiting(self.waiting)[:, 0]
        check_that(
            bool(np.all((then == ring.NONE) | ((then >= 1) & (then <= self.clock)))), "origins had clocks"
        )

    @classmethod
    def migrated(cls, kept: dict[str, Any]) -> dict[str, Any]:
        """Version 0.2.0 kept the targets that wait in a queue."""
        if list(kept) != ["experts", "size", "alpha", "waiting", "clock"]:
            return kept
        queue = list(kept["waiting"])
        waiting = ring.start_ring(max(len(queue), 1), HELD + 2 * CLASSES * PLACES)
        waiting[0, ring.LENGTH] = len(queue)
        for place, issued in enumerate(queue):
            waiting[1 + place, 0] = ring.NONE
            if issued is not None:
                clock, radius, snapshot = issued
                check_that(1 <= clock <= kept["clock"], "origins had clocks")
                check_shape(snapshot, (2, saocp_classes_at(clock), PLACES), "what was issued")
                waiting[1 + place, :HELD] = clock, radius
                waiting[1 + place, HELD : HELD + snapshot.size] = snapshot.ravel()
        return {"experts": kept["experts"], "waiting": waiting} | {
            name: kept[name] for name in ("alpha", "size", "clock")
        }

    def issue(self, leverage: float = 0.0, forecast: float = 0.0) -> tuple[float, float]:
        """Offsets at the half-width that the experts agree on."""
        try:
            width = saocp_issue(self.experts, self.waiting, self.clock)
        except IndexError:
            self.waiting = ring.longer(self.waiting)
            return self.issue()
        return -width, width

    def observe(self, residual: float, missed: bool | None) -> None:
        """The score judges the experts that made its interval; another one is born."""
        self.size, self.clock = saocp_observe(
            self.experts, self.waiting, residual, missed, self.alpha, self.size, self.clock
        )

    def step(
        self, residual: float, missed: bool | None, leverage: float = 0.0, forecast: float = 0.0
    ) -> tuple[float, float]:
        """Both in one call; observing closes a target, so that there is room for the next."""
        width, self.size, self.clock = saocp_step(
            self.experts, self.waiting, residual, missed, self.alpha, self.size, self.clock
        )
        return -width, width

    def skip(self) -> None:
        """The oldest open target is closed."""
        ring.forget(self.waiting)
