"""Dynamically tuned adaptive conformal prediction: many rates at once, weighed by how well each has done of late."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

import ngrc.intervals.ring as ring
from ngrc._kernels.intervals import DTACI_HELD, dtaci_issue, dtaci_observe, dtaci_pass, dtaci_step
from ngrc._types import FloatArray
from ngrc.archive import check_floats, check_shape, check_that
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.order.ranks import ordering
from ngrc.order.sorted_blocks import SortedBlocks
from ngrc.validation import check_count, check_grid, check_level

HELD = DTACI_HELD
"""Numbers of a target that waits, before the levels that were held."""


@dataclass(frozen=True, slots=True)
class DtACI(IntervalMethod):
    """Forecast plus and minus S_(k) of all known scores, k = ceil((m + 1)(1 - alpha_t)) capped at m.

    alpha_t is the weighted mean of one alpha_t per rate. Each moves by its own coverage errors; its weight falls with
    the pinball loss of its level, and a small share is dealt out evenly so that any rate may come back. Nothing is
    drawn at random. Losses and errors are those of the levels as they were issued, H steps before.
    Source: Gibbs and Candes (2022), arXiv:2208.08401, algorithm 1 with their mean level.

    Parameters
    ----------
    rates
        gamma of every expert.
    memory
        Steps over which the best rate is sought, |I|: it sets how fast weights move and how much of them is dealt out.

    Examples
    --------
    >>> stream = Stream(np.arange(1.0, 14.0), start=10)
    >>> offsets = DtACI().run(stream, 0.8)
    >>> offsets.upper.tolist(), offsets.trace["alpha"].round(3).tolist()
    ([9.0, 10.0, 12.0], [0.2, 0.174, 0.146])
    """

    name: ClassVar[str] = "dtaci"
    feedback: ClassVar[bool] = True
    guarantee: ClassVar[str] = (
        "Over any stretch of about `memory` steps its pinball loss in the level is close to that of the best rate, "
        "changing with the sequence, when outcomes are not delayed; each rate's own long-run coverage is nominal, that "
        "of their mean is close unless residuals are chosen against it, and the largest score stands in for infinity."
    )

    # Doubling from where years of data are needed to where ten misses empty the interval, as in the source.
    rates: tuple[float, ...] = (0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128)
    memory: int = 500

    def __post_init__(self) -> None:
        object.__setattr__(self, "rates", check_grid(self.rates, "rates"))
        check_count(self.memory, "memory", minimum=2)

    def speeds(self, alpha: float) -> tuple[float, float]:
        """How fast weights answer a loss, and the share of them that is dealt out, by the source's rules.

        The loss of a level alpha has a mean square of ((1 - alpha)^2 alpha^3 + alpha^2 (1 - alpha)^3) / 3 where beta
        is uniform, which it is for exchangeable scores.

        Examples
        --------
        >>> [round(speed, 3) for speed in DtACI().speeds(0.1)]
        [2.761, 0.001]
        """
        square = ((1.0 - alpha) ** 2 * alpha**3 + alpha**2 * (1.0 - alpha) ** 3) / 3.0
        experts = len(self.rates)
        sharpness = float(np.sqrt((np.log(experts * self.memory) + 2.0) / (self.memory * square)))
        return sharpness, 1.0 / (2.0 * self.memory)

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block; the trace holds alpha_t and the weighted mean of the rates."""
        alpha = 1.0 - check_level(level)
        scores = np.abs(stream.visible)
        width, trace, rate = dtaci_pass(
            scores,
            ordering(scores),
            stream.known,
            stream.steps,
            stream.horizon,
            alpha,
            np.array(self.rates),
            *self.speeds(alpha),
        )
        return Offsets(-width, width, {"alpha": trace, "rate": rate})

    def begin(self, history: History, level: float) -> Tracker:
        """All known scores and the experts at the nominal level, alike in weight."""
        alpha = 1.0 - check_level(level)
        rates = np.array(self.rates)
        return DtACITracker(
            SortedBlocks(np.abs(history.residuals)),
            np.vstack([np.full(rates.size, alpha), np.full(rates.size, 1.0 / rates.size), rates]),
            ring.start_ring(history.horizon, HELD + rates.size),
            alpha,
            *self.speeds(alpha),
        )


@dataclass(slots=True)
class DtACITracker(Tracker):
    """All known scores, the experts, and what each open interval rested on."""

    scores: SortedBlocks
    experts: FloatArray
    """Levels, weights and rates, shape (3, experts)."""
    waiting: FloatArray
    """A `ring` of the targets not yet resolved: scores known at its origin, and the levels held then. The number in
    between belongs to no target: there the newest scores stand by time, each at the remainder of its position."""
    alpha: float
    sharpness: float
    mixing: float

    def check_kept(self) -> None:
        """Refuse experts of different number, and origins that were never passed."""
        experts = self.experts.shape[-1]
        check_floats(self.experts, (3, experts), "experts")
        ring.check_ring(self.waiting, HELD + experts)
        check_that(len(self.scores) > 0, "there are scores")
        known = ring.waiting(self.waiting)[:, 0]
        check_that(
            bool(np.all((known == ring.NONE) | ((known >= 0) & (known <= len(self.scores))))),
            "scores known at an origin are counted",
        )

    @classmethod
    def migrated(cls, kept: dict[str, Any]) -> dict[str, Any]:
        """Version 0.2.0 kept all scores by time, and the targets that wait in a queue."""
        old = ["scores", "arrived", "state", "rates", "alpha", "sharpness", "mixing", "waiting"]
        if list(kept) != old:
            return kept
        check_shape(kept["state"], (2, kept["rates"].size), "state")
        scores, queue, arrived = kept["scores"], list(kept["waiting"]), list(kept["arrived"])
        check_that(len(arrived) == len(scores), "scores by size and by time are the same")
        waiting = ring.start_ring(max(len(queue), 1), HELD + kept["rates"].size)
        waiting[0, ring.LENGTH] = len(queue)
        for place, issued in enumerate(queue):
            waiting[1 + place, 0] = ring.NONE if issued is None else issued[0]
            waiting[1 + place, HELD:] = 0.0 if issued is None else issued[1]
        places = len(waiting) - 1
        for position in range(max(len(arrived) - places, 0), len(arrived)):
            waiting[1 + position % places, 1] = arrived[position]
        parts = {"scores": scores, "experts": np.vstack([kept["state"], kept["rates"]]), "waiting": waiting}
        return parts | {name: kept[name] for name in ("alpha", "sharpness", "mixing")}

    def issue(self, leverage: float = 0.0, forecast: float = 0.0) -> tuple[float, float]:
        """Offsets at the experts' mean level."""
        try:
            width = dtaci_issue(self.scores.table, self.experts, self.waiting)
        except IndexError:
            self._lengthen()
            return self.issue()
        return -width, width

    def observe(self, residual: float, missed: bool | None) -> None:
        """The score joins the history; its place among the scores known at its origin moves every expert."""
        try:
            dtaci_observe(
                self.scores.table,
                self.experts,
                self.waiting,
                residual,
                missed,
                self.alpha,
                self.sharpness,
                self.mixing,
            )
        except IndexError:
            self.scores.spread()
            self.observe(residual, missed)

    def step(
        self, residual: float, missed: bool | None, leverage: float = 0.0, forecast: float = 0.0
    ) -> tuple[float, float]:
        """Both in one call."""
        try:
            width = dtaci_step(
                self.scores.table,
                self.experts,
                self.waiting,
                residual,
                missed,
                self.alpha,
                self.sharpness,
                self.mixing,
            )
        except IndexError:
            self.scores.spread()
            return self.step(residual, missed)
        return -width, width

    def skip(self) -> None:
        """The oldest open target is closed."""
        ring.forget(self.waiting)

    def _lengthen(self) -> None:
        """Make room for more targets; the newest scores move to their places in the longer ring."""
        known, places = len(self.scores), len(self.waiting) - 1
        newest = [(known - back, self.waiting[1 + (known - back) % places, 1]) for back in range(1, places)]
        self.waiting = ring.longer(self.waiting)
        for position, score in newest:
            self.waiting[1 + position % (2 * places), 1] = score
