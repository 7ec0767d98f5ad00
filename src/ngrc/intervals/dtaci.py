"""Dynamically tuned adaptive conformal prediction: many rates at once, weighed by how well each has done of late."""

from array import array
from collections import deque
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray, IntArray
from ngrc.archive import check_shape, check_that
from ngrc.intervals.adaptive import adaptive_rank
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.order import bits
from ngrc.order.multisets import ranks_of
from ngrc.order.ranks import ordering
from ngrc.order.sorted_blocks import SortedBlocks
from ngrc.validation import check_count, check_grid, check_level

LEVELS, WEIGHTS = 0, 1
"""Rows of the state: alpha_t of every expert, and its weight; weights sum to one."""


@jit
def learned(
    state: FloatArray,
    issued: FloatArray,
    beta: float,
    alpha: float,
    rates: FloatArray,
    sharpness: float,
    mixing: float,
) -> None:
    """One resolved interval, in place: weights by the pinball loss of the levels as they were issued, then moves.

    w <- (1 - sigma) w exp(-eta loss) / sum + sigma / k and alpha_i <- alpha_i + gamma_i (alpha - err_i), where
    err_i says whether the expert's own interval missed: beta is the largest level whose interval would not have.
    """
    levels, weights = state[LEVELS], state[WEIGHTS]
    total = 0.0
    for expert in range(rates.size):
        short = beta - issued[expert]
        loss = alpha * short - min(short, 0.0)
        weights[expert] *= np.exp(-sharpness * loss)
        total += weights[expert]
        levels[expert] += rates[expert] * (alpha - (issued[expert] >= beta))
    for expert in range(rates.size):
        # All weights may vanish at once where an error is so rare that its loss is huge: then none is known to be best.
        kept = weights[expert] / total if total > 0.0 else 1.0 / rates.size
        weights[expert] = (1.0 - mixing) * kept + mixing / rates.size


@jit
def mean_level(state: FloatArray) -> float:
    """The experts' levels, weighed."""
    total = 0.0
    for expert in range(state.shape[1]):
        total += state[WEIGHTS, expert] * state[LEVELS, expert]
    return total


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
        width, trace, rate = _pass(
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
        scores, rates = np.abs(history.residuals), np.array(self.rates)
        return DtACITracker(
            SortedBlocks(scores),
            array("d", scores.tobytes()),
            _start(alpha, rates.size),
            rates,
            alpha,
            *self.speeds(alpha),
            deque([None] * (history.horizon - 1)),
        )


@dataclass(slots=True)
class DtACITracker(Tracker):
    """All known scores, `scores` by size and `arrived` by time; the experts; what each open interval rested on."""

    scores: SortedBlocks
    arrived: "array[float]"
    state: FloatArray
    rates: FloatArray
    alpha: float
    sharpness: float
    mixing: float
    waiting: deque[tuple[int, FloatArray] | None]
    """Per target not yet resolved: scores known and levels held at its origin; None where no interval was issued."""

    def check_kept(self) -> None:
        """Refuse experts of different number."""
        experts = self.rates.size
        check_shape(self.rates, (experts,), "rates")
        check_shape(self.state, (2, experts), "state")
        for issued in self.waiting:
            check_shape(self.rates if issued is None else issued[1], (experts,), "levels that were issued")
        check_that(len(self.arrived) == len(self.scores), "scores by size and by time are the same")

    def issue(self, leverage: float = 0.0, forecast: float = 0.0) -> tuple[float, float]:
        """Offsets at the experts' mean level."""
        count = len(self.scores)
        width = self.scores.select(adaptive_rank(count, mean_level(self.state)))
        self.waiting.append((count, self.state[LEVELS].copy()))
        return -width, width

    def observe(self, residual: float, missed: bool | None) -> None:
        """The score joins the history; its place among the scores known at its origin moves every expert."""
        score = abs(float(residual))
        issued = self.waiting.popleft() if self.waiting else None
        if missed is not None and issued is not None:
            count, levels = issued
            smaller = self.scores.below(score)
            smaller -= sum(later < score for later in self.arrived[count:])
            beta = 1.0 - smaller / (count + 1)
            learned(self.state, levels, beta, self.alpha, self.rates, self.sharpness, self.mixing)
        self.scores.insert(score)
        self.arrived.append(score)

    def skip(self) -> None:
        """The oldest open target is closed."""
        if self.waiting:
            self.waiting.popleft()


@jit
def _start(alpha: float, experts: int) -> FloatArray:
    state = np.empty((2, experts))
    state[LEVELS] = alpha
    state[WEIGHTS] = 1.0 / experts
    return state


@jit
def _pass(
    scores: FloatArray,
    order: IntArray,
    known: int,
    steps: int,
    horizon: int,
    alpha: float,
    rates: FloatArray,
    sharpness: float,
    mixing: float,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    ranks, ordered = ranks_of(order), scores[order]
    words, tree = bits.filled(order, known)
    state = _start(alpha, rates.size)
    widths, trace, rate = np.empty(steps), np.empty(steps), np.empty(steps)
    issued = np.empty((horizon, rates.size))
    for step in range(steps):
        count = known + step
        # As in `adaptive`: position count - 1 became known just now, and has an interval of ours from step = H on.
        if step >= horizon:
            score, origin = scores[count - 1], count - horizon
            smaller = bits.below(words, tree, np.searchsorted(ordered, score))
            for later in range(origin, count - 1):
                smaller -= int(scores[later] < score)
            beta = 1.0 - smaller / (origin + 1)
            learned(state, issued[step % horizon], beta, alpha, rates, sharpness, mixing)
        if step > 0:
            bits.fill(words, tree, ranks[count - 1])
        trace[step] = mean_level(state)
        rate[step] = np.sum(state[WEIGHTS] * rates)
        widths[step] = ordered[bits.nth(words, tree, adaptive_rank(count, trace[step]))]
        issued[step % horizon] = state[LEVELS]
    return widths, trace, rate
