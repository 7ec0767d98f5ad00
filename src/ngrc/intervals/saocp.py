"""Strongly adaptive online conformal prediction: experts of every age, each with its lifetime, bet on one another."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ngrc._jit import check_state, direct, jit
from ngrc._types import FloatArray
from ngrc.archive import check_shape, check_that
from ngrc.intervals import ring
from ngrc.intervals.adaptive import adaptive_rank
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.ring import ISSUE, OBSERVE
from ngrc.intervals.symmetric import LARGEST as LARGEST_SCORE
from ngrc.intervals.symmetric import UNISSUED
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
HELD = 2
"""Numbers of a target that waits, before the experts' half-widths and weights."""


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
        waiting = ring.start_ring(history.horizon, HELD + 2 * CLASSES * PLACES)
        return SAOCPTracker(_start(scores, alpha), waiting, alpha, float(scores.max()))


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
        check_state(self.experts, np.float64, 3, "experts")
        check_shape(self.experts, (7, CLASSES, PLACES), "experts")
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
                check_shape(snapshot, (2, classes_at(clock), PLACES), "what was issued")
                waiting[1 + place, :HELD] = clock, radius
                waiting[1 + place, HELD : HELD + snapshot.size] = snapshot.ravel()
        return {"experts": kept["experts"], "waiting": waiting} | {
            name: kept[name] for name in ("alpha", "size", "clock")
        }

    def issue(self, leverage: float = 0.0, forecast: float = 0.0) -> tuple[float, float]:
        """Offsets at the half-width that the experts agree on."""
        return self._moved(ISSUE, 0.0, None)

    def observe(self, residual: float, missed: bool | None) -> None:
        """The score judges the experts that made its interval; another one is born."""
        self._moved(OBSERVE, residual, missed)

    def step(
        self, residual: float, missed: bool | None, leverage: float = 0.0, forecast: float = 0.0
    ) -> tuple[float, float]:
        """Both in one call."""
        return self._moved(OBSERVE | ISSUE, residual, missed)

    def skip(self) -> None:
        """The oldest open target is closed."""
        ring.forget(self.waiting)

    def _moved(self, task: int, residual: float, missed: bool | None) -> tuple[float, float]:
        while True:
            try:
                width, self.size, self.clock = _moved.call(
                    self.experts,
                    self.waiting,
                    task,
                    residual,
                    UNISSUED if missed is None else missed,
                    self.alpha,
                    self.size,
                    self.clock,
                )
                return -width, width
            except IndexError:
                self.waiting = ring.longer(self.waiting)


@direct("(float64[:, :, ::1], float64[:, ::1], int64, float64, int64, float64, float64, int64)")
def _moved(
    experts: FloatArray,
    waiting: FloatArray,
    task: int,
    residual: float,
    missed: int,
    alpha: float,
    size: float,
    clock: int,
) -> tuple[float, float, int]:
    """Take in a residual, issue an interval, or both in this order: half-width, largest score and clock after it.

    `IndexError` where there is no room, before anything is changed: observing closes a target before one is opened.
    """
    if task & OBSERVE:
        score = abs(residual)
        if not score <= LARGEST_SCORE:
            raise ValueError("a residual must be a finite number; skip the target")
        size = max(size, score)
        issued = ring.pop(waiting)
        if missed != UNISSUED and issued > 0 and waiting[issued, 0] != ring.NONE:
            then, radius = int(waiting[issued, 0]), waiting[issued, 1]
            snapshot = waiting[issued][HELD : HELD + 2 * classes_at(then) * PLACES]
            shaped = snapshot.reshape((2, classes_at(then), PLACES))
            answered(experts, shaped, then, radius, clock, score, alpha, size)
            clock += 1
            born(experts, clock, radius_of(experts, clock))
    if not task & ISSUE:
        return np.nan, size, clock
    row, width = waiting[ring.push(waiting)], radius_of(experts, clock)
    row[0], row[1] = clock, width
    _snapshot(experts, clock, row)
    return width, size, clock


@jit
def _start(scores: FloatArray, alpha: float) -> FloatArray:
    experts = np.zeros((7, CLASSES, PLACES))
    born(experts, 1, np.sort(scores)[adaptive_rank(scores.size, alpha) - 1])
    # As if it had descended over the known scores at their quantile: else its first step, whatever the outcome, would
    # be half the largest score.
    experts[SQUARES, 0, 0] = scores.size * alpha * (1.0 - alpha)
    return experts


@jit
def _snapshot(experts: FloatArray, clock: int, row: FloatArray) -> None:
    """Half-widths and weights of the classes that may hold an expert, into the row of a target."""
    classes = classes_at(clock)
    for power in range(classes):
        for place in range(PLACES):
            held = HELD + power * PLACES + place
            row[held] = experts[RADIUS, power, place]
            row[held + classes * PLACES] = experts[WEIGHT, power, place]


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
