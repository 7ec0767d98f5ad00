"""Strongly adaptive online conformal prediction: experts of every age, each with its lifetime, bet on one another."""

from collections import deque
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray
from ngrc.archive import check_shape, check_that
from ngrc.intervals.adaptive import adaptive_rank
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.validation import check_level

# An expert born at t = 2^n (2j + 1) lives for 8 * 2^n resolved intervals, the source's multiple, so that at most four
# of one n live at once: the next one takes the place of the one that has just died.
LIFE, PLACES = 8, 4
# Births up to 2^48 have a place.
CLASSES = 48
BIRTH, RADIUS, SQUARES, GAINS, BETS, ANSWERS, WEIGHT = range(7)
"""Of every expert: birth (0 for none), half-width, squared slopes, gains, gains times weights, how many, weight."""
# Gains that cancel leave no more than this, and whom it favours is chance.
NOTHING = 1e-12
# Half-widths beyond would overflow in a sum.
LARGEST = 1e307


@jit
def classes_at(clock: int) -> int:
    """How many n have 2^n <= clock."""
    count = 0
    while clock >> count > 0:
        count += 1
    return count


@jit
def born(experts: FloatArray, clock: int, radius: float) -> None:
    """The expert of this clock, at a half-width, with nothing won or lost."""
    power = 0
    while clock >> power & 1 == 0:
        power += 1
    place = (clock >> (power + 1)) % PLACES
    experts[:, power, place] = 0.0
    experts[BIRTH, power, place] = clock
    experts[RADIUS, power, place] = radius


@jit
def lives(experts: FloatArray, power: int, place: int, clock: int) -> bool:
    """Whether the place holds an expert that is not too old."""
    birth = experts[BIRTH, power, place]
    return bool(birth > 0.0 and clock - birth < LIFE * 2.0**power)


@jit
def radius_of(experts: FloatArray, clock: int) -> float:
    """The living experts' half-widths, weighed by prior times positive weight, or by the prior where none is ahead.

    The prior of a birth i is 1 / (i^2 (1 + floor(log2 i))).
    """
    ahead, mass, plain, prior_mass = 0.0, 0.0, 0.0, 0.0
    for power in range(classes_at(clock)):
        for place in range(PLACES):
            if lives(experts, power, place, clock):
                birth = experts[BIRTH, power, place]
                prior = 1.0 / (birth * birth * classes_at(int(birth)))
                weight = prior * experts[WEIGHT, power, place]
                if experts[WEIGHT, power, place] <= NOTHING:
                    weight = 0.0
                mass += weight
                prior_mass += prior
                ahead += weight * experts[RADIUS, power, place]
                plain += prior * experts[RADIUS, power, place]
    return ahead / mass if mass > 0.0 else plain / prior_mass


@jit
def pinball(radius: float, score: float, alpha: float) -> float:
    """Pinball loss of a half-width as the 1 - alpha quantile of scores."""
    return max((1.0 - alpha) * (score - radius), alpha * (radius - score))


@jit
def answered(
    experts: FloatArray,
    issued: FloatArray,
    then: int,
    radius: float,
    now: int,
    score: float,
    alpha: float,
    size: float,
) -> None:
    """One resolved interval, in place, for the experts that took part in it and still live.

    Parameters
    ----------
    experts
        Present state.
    issued
        Half-widths and weights when the interval was issued, shape (2, classes, places).
    then, radius
        Clock and half-width of that time.
    now, score
        Present clock, and the score.
    alpha, size
        Nominal miscoverage, and the largest score known.
    """
    if size == 0.0:  # nothing but zeros so far: no loss, and no unit to measure one in
        return
    together = pinball(radius, score, alpha)
    for power in range(classes_at(then)):
        for place in range(PLACES):
            # Born after the interval was issued, it has another's place.
            if experts[BIRTH, power, place] > then or not lives(experts, power, place, now):
                continue
            expert = experts[:, power, place]
            own, weight = issued[0, power, place], issued[1, power, place]
            # Within [-1, 1], which betting needs, also where half-widths exceed the largest score.
            gain = min(max((together - pinball(own, score, alpha)) / size, -1.0), 1.0)
            if weight <= NOTHING:
                gain = max(gain, 0.0)
            expert[GAINS] += gain
            expert[BETS] += weight * gain
            expert[ANSWERS] += 1.0
            expert[WEIGHT] = expert[GAINS] / expert[ANSWERS] * (1.0 + expert[BETS])
            slope = alpha - (score > own)
            expert[SQUARES] += slope * slope
            # Scale-free descent: steps of size / sqrt(3) over the root of all squared slopes.
            step = size * slope / np.sqrt(3.0 * expert[SQUARES])
            expert[RADIUS] = min(max(expert[RADIUS] - step, 0.0), LARGEST)


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
        width = _pass(np.abs(stream.visible), stream.known, stream.steps, stream.horizon, alpha)
        return Offsets(-width, width)

    def begin(self, history: History, level: float) -> Tracker:
        """One expert, at the corrected quantile of the known scores, with steps as small as their number makes them."""
        alpha, scores = 1.0 - check_level(level), np.abs(history.residuals)
        return SAOCPTracker(
            _start(scores, alpha), float(scores.max()), alpha, deque([None] * (history.horizon - 1))
        )


@dataclass(slots=True)
class SAOCPTracker(Tracker):
    """The experts by class and place, the largest score known, the clock, and what each open interval rested on."""

    experts: FloatArray
    size: float
    alpha: float
    waiting: deque[tuple[int, float, FloatArray] | None]
    """Per target not yet resolved: clock, half-width and state of its origin; None where no interval was issued."""
    clock: int = 1

    def check_kept(self) -> None:
        """Refuse experts and snapshots of other classes than the clock has."""
        check_shape(self.experts, (7, CLASSES, PLACES), "experts")
        for clock, snapshot in ((self.clock, None), *((one[0], one[2]) for one in self.waiting if one)):
            check_that(1 <= clock < 2**CLASSES and clock <= self.clock, "clocks count resolved intervals")
            if snapshot is not None:
                check_shape(snapshot, (2, classes_at(clock), PLACES), "what was issued")

    def issue(self, leverage: float = 0.0, forecast: float = 0.0) -> tuple[float, float]:
        """Offsets at the half-width that the experts agree on."""
        width = radius_of(self.experts, self.clock)
        self.waiting.append((self.clock, width, _snapshot(self.experts, self.clock)))
        return -width, width

    def observe(self, residual: float, missed: bool | None) -> None:
        """The score judges the experts that made its interval; another one is born."""
        score = abs(float(residual))
        self.size = max(self.size, score)
        issued = self.waiting.popleft() if self.waiting else None
        if missed is not None and issued is not None:
            then, radius, snapshot = issued
            answered(self.experts, snapshot, then, radius, self.clock, score, self.alpha, self.size)
            self.clock += 1
            born(self.experts, self.clock, radius_of(self.experts, self.clock))

    def skip(self) -> None:
        """The oldest open target is closed."""
        if self.waiting:
            self.waiting.popleft()


@jit
def _start(scores: FloatArray, alpha: float) -> FloatArray:
    experts = np.zeros((7, CLASSES, PLACES))
    born(experts, 1, np.sort(scores)[adaptive_rank(scores.size, alpha) - 1])
    # As if it had descended over the known scores at their quantile: else its first step, whatever the outcome, would
    # be half the largest score.
    experts[SQUARES, 0, 0] = scores.size * alpha * (1.0 - alpha)
    return experts


@jit
def _snapshot(experts: FloatArray, clock: int) -> FloatArray:
    """Half-widths and weights of the classes that may hold an expert."""
    classes = classes_at(clock)
    copy = np.empty((2, classes, PLACES))
    copy[0] = experts[RADIUS, :classes]
    copy[1] = experts[WEIGHT, :classes]
    return copy


@jit
def _pass(scores: FloatArray, known: int, steps: int, horizon: int, alpha: float) -> FloatArray:
    experts = _start(scores[:known], alpha)
    size, clock = scores[:known].max(), 1
    widths, clocks = np.empty(steps), np.empty(steps, np.int64)
    issued = np.zeros((horizon, 2, CLASSES, PLACES))
    for step in range(steps):
        # As in `adaptive`: position known + step - 1 became known just now, and has an interval from step = H on.
        if step > 0:
            size = max(size, scores[known + step - 1])
        if step >= horizon:
            then = step - horizon
            score, snapshot = scores[known + step - 1], issued[step % horizon]
            answered(experts, snapshot, clocks[then], widths[then], clock, score, alpha, size)
            clock += 1
            born(experts, clock, radius_of(experts, clock))
        widths[step], clocks[step] = radius_of(experts, clock), clock
        classes = classes_at(clock)
        issued[step % horizon, 0, :classes] = experts[RADIUS, :classes]
        issued[step % horizon, 1, :classes] = experts[WEIGHT, :classes]
    return widths
