"""Brute-force references: the definitions written out with sorts and exact fractions, at any cost.

They share no code with the package. A stream is told apart from its future here by slicing alone.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import ceil, exp, floor, fsum, gamma, inf, log, log2, pi, sqrt, tan

import numpy as np

from ngrc._types import FloatArray
from ngrc.intervals.base import IntervalMethod, Stream

Event = tuple[list[float], int | None]


def exact(number: float) -> Fraction:
    """The decimal number that was meant: 0.55 is 55/100."""
    return Fraction(repr(float(number)))


def rank(count: int, level: float) -> int:
    return ceil((count + 1) * exact(level))


def split_quantile(scores: list[float], level: float) -> float:
    ordered = [*sorted(scores), inf]
    return ordered[min(rank(len(scores), level), len(scores) + 1) - 1]


def signed_pair(residuals: list[float], level: float) -> tuple[float, float]:
    ordered = [-inf, *sorted(residuals), inf]
    tail = (1 - exact(level)) / 2
    return (
        ordered[floor((len(residuals) + 1) * tail)],
        ordered[ceil((len(residuals) + 1) * (1 - tail))],
    )


def weighted_rank(scores: list[float], weights: list[Fraction], level: float) -> float:
    target = exact(level) * (1 + Fraction(1, 10**12)) * sum(weights)
    cumulative = Fraction(0)
    for score, weight in sorted(zip(scores, weights, strict=True)):
        cumulative += weight
        if cumulative >= target:
            return score
    return max(scores)


def histories(stream: Stream) -> Iterator[list[float]]:
    """What is known at each wanted position."""
    for position in range(stream.start, stream.residuals.size):
        yield stream.residuals[: position - stream.horizon + 1].tolist()


def answers(stream: Stream) -> Iterator["Event"]:
    """What is known at each wanted position, and which wanted position's interval has just been resolved, if any.

    Its residual is the last one known.
    """
    for step, known in enumerate(histories(stream)):
        yield known, step - stream.horizon if step >= stream.horizon else None


def rolling(stream: Stream, window: int, level: float) -> list[float]:
    return [split_quantile([abs(e) for e in known[-window:]], level) for known in histories(stream)]


def root_mean_square(stream: Stream, window: int) -> list[float]:
    return [sqrt(fsum(e * e for e in known[-window:]) / window) for known in histories(stream)]


def student(stream: Stream, level: float) -> list[float]:
    """The t quantile by halving an integral of its density, the sums by `fsum`."""
    widths = []
    for known in histories(stream):
        count = len(known)
        scale = sqrt(fsum(e * e for e in known) / count * (1 + 1 / count))
        widths.append(scale * student_quantile(max(count / stream.horizon, min(count, 3.0)), level))
    return widths


def student_quantile(freedom: float, level: float) -> float:
    """q with P(|T| <= q) = level. With T = sqrt(freedom) tan(a) the law has density cos(a)^(freedom - 1) in a."""
    angles, weights = np.polynomial.legendre.leggauss(200)

    def mass(angle: float) -> float:
        places = angle / 2 * (angles + 1)
        return float(angle / 2 * weights @ np.cos(places) ** (freedom - 1))

    # The whole mass in closed form: below two degrees of freedom the density's end is too steep for the sum.
    whole = sqrt(np.pi) / 2 * gamma(freedom / 2) / gamma((freedom + 1) / 2)
    low, high, wanted = 0.0, np.pi / 2, level * whole
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if mass(middle) < wanted else (low, middle)
    return sqrt(freedom) * float(np.tan(low))


def adaptive(stream: Stream, rate: float, level: float) -> tuple[list[float], list[float]]:
    """Widths and levels; alpha_t is kept as an exact fraction."""
    alpha = 1 - exact(level)
    low, high = Fraction(1, 1000), Fraction(999, 1000)
    if alpha < Fraction(1, 100):
        low = min(low, alpha - exact(rate))
    if alpha > Fraction(99, 100):
        high = max(high, alpha + exact(rate))
    current = min(max(alpha, low), high)
    widths: list[float] = []
    levels: list[float] = []
    for step, known in enumerate(histories(stream)):
        if step >= stream.horizon:
            missed = abs(known[-1]) > widths[step - stream.horizon]
            current = min(max(current + exact(rate) * (alpha - missed), low), high)
        chosen = max(1, min(ceil((len(known) + 1) * (1 - current)), len(known)))
        widths.append(sorted(abs(e) for e in known)[chosen - 1])
        levels.append(float(current))
    return widths, levels


def weighted(stream: Stream, decay: float, level: float) -> list[float]:
    powers = [exact(decay) ** age for age in range(stream.residuals.size)]
    return [
        weighted_rank([abs(e) for e in known], powers[: len(known)][::-1], level)
        for known in histories(stream)
    ]


def whole_weights(decay: float, count: int) -> list[int]:
    """Weights round(2^62 decay^age), newest first, the power by repeated multiplication."""
    powers = [1.0]
    while len(powers) < count:
        powers.append(powers[-1] * decay)
    return [round(Fraction(power) * 2**62) for power in powers]


def decayed_quantile(scores: list[float], decay: float, level: float) -> float:
    """Smallest score whose exact cumulative weight reaches level (1 + 1e-12) of the total, newest score last."""
    weights = whole_weights(decay, len(scores))[::-1]
    target = Fraction(level * (1.0 + 1e-12)) * sum(weights)
    cumulative = 0
    for score, weight in sorted(zip(scores, weights, strict=True)):
        cumulative += weight
        if cumulative >= target:
            return score
    return max(scores)


def partial_sum_levels(scores: list[float], decay: float) -> list[float]:
    """Levels that fall on a partial sum of the weights, as nearly as a double can, and the doubles around them."""
    weights = whole_weights(decay, len(scores))[::-1]
    total, cumulative, levels = sum(weights), 0, []
    for _, weight in sorted(zip(scores, weights, strict=True)):
        cumulative += weight
        middle = float(Fraction(cumulative, total) / Fraction(1.0 + 1e-12))
        near = [float(np.nextafter(middle, side)) for side in (0.0, 1.0)]
        levels += [level for level in (near[0], middle, near[1]) if 0.0 < level < 1.0]
    return levels


def winkler(lower: FloatArray, upper: FloatArray, residuals: FloatArray, level: float) -> float:
    total = 0.0
    for low, high, residual in zip(lower.tolist(), upper.tolist(), residuals.tolist(), strict=True):
        total += high - low
        if residual < low:
            total += 2 / (1 - level) * (low - residual)
        if residual > high:
            total += 2 / (1 - level) * (residual - high)
    return total / residuals.size


def one_at_a_time(method: IntervalMethod, stream: Stream, level: float) -> tuple[FloatArray, FloatArray]:
    """Drive a method's tracker through a stream, outcome of t - H first, then the interval for t."""
    tracker = method.begin(stream.history, level)
    none = np.zeros_like(stream.residuals)
    leverage = none if stream.leverage is None else stream.leverage
    forecasts = none if stream.context is None else stream.context.forecasts
    pairs: list[tuple[float, float]] = []
    for step in range(stream.steps):
        if step > 0:
            position = stream.known + step - 1
            residual = float(stream.residuals[position])
            missed = None
            if position >= stream.start:
                lower, upper = pairs[position - stream.start]
                missed = not lower <= residual <= upper
            tracker.observe(residual, missed)
        place = stream.start + step
        pairs.append(tracker.issue(float(leverage[place]), float(forecasts[place])))
    ends = np.array(pairs).reshape(-1, 2)
    return ends[:, 0], ends[:, 1]


def unprojected(events: Iterable[Event], rate: float, level: float) -> tuple[list[float], list[float]]:
    """Widths and levels, alpha_t moved step by step as an exact fraction."""
    alpha = current = 1 - exact(level)
    widths: list[float] = []
    levels: list[float] = []
    for known, answered in events:
        if answered is not None:
            current += exact(rate) * (alpha - (abs(known[-1]) > widths[answered]))
        ordered = [0.0, *sorted(abs(e) for e in known), inf]
        chosen = max(1, ceil((len(known) + 1) * (1 - current)))
        widths.append(ordered[0 if current >= 1 else min(chosen, len(known) + 1)])
        levels.append(float(current))
    return widths, levels


def pid(
    events: Iterable[Event], rate: float, level: float, gain: float = 1.0, saturation: float = 1.0
) -> list[float]:
    """The scale as a weighted mean written out, the sum of errors as a list."""
    alpha = 1 - level
    errors: list[float] = []
    widths: list[float] = []
    tracked = 0.0
    for step, (known, answered) in enumerate(events):
        scores = [abs(e) for e in known]
        weights = [0.99**age for age in range(len(scores))][::-1]
        scale = fsum(w * s for w, s in zip(weights, scores, strict=True)) / fsum(weights)
        if step == 0:
            tracked = sorted(scores)[min(rank(len(scores), level), len(scores)) - 1]
        if answered is not None:
            errors.append((scores[-1] > widths[answered]) - alpha)
            tracked = max(0.0, tracked + rate * scale * errors[-1])
        count = max(len(errors), 1)
        angle = sum(errors) * log(count + 1) / (count * saturation)
        if abs(angle) >= pi / 2:
            widths.append(inf if angle > 0 else 0.0)
        else:
            widths.append(max(0.0, tracked + gain * scale * tan(angle)))
    return widths


def dtaci(
    events: Iterable[Event], rates: tuple[float, ...], memory: int, level: float
) -> tuple[list[float], list[float]]:
    """Widths and mean levels; beta by trying every rank on the scores known at the origin."""
    alpha, experts = 1 - level, len(rates)
    square = (1 - alpha) ** 2 * alpha**3 + alpha**2 * (1 - alpha) ** 3
    eta = sqrt(3 / memory) * sqrt((log(experts * memory) + 2) / square)
    sigma = 1 / (2 * memory)
    current, weights = [alpha] * experts, [1 / experts] * experts
    origins: list[list[float]] = []
    issued: list[list[float]] = []
    widths: list[float] = []
    levels: list[float] = []
    for known, answered in events:
        scores = sorted(abs(e) for e in known)
        if answered is not None:
            then, score = origins[answered], abs(known[-1])
            covering = [k for k in range(1, len(then) + 2) if k > len(then) or score <= then[k - 1]]
            # The smallest rank that covers is asked for by levels below 1 - (rank - 1) / (m + 1).
            beta = 1 - (covering[0] - 1) / (len(then) + 1)
            levels_then = issued[answered]
            losses = [alpha * (beta - a) - min(0.0, beta - a) for a in levels_then]
            raised = [w * exp(-eta * loss) for w, loss in zip(weights, losses, strict=True)]
            weights = [(1 - sigma) * w / fsum(raised) + sigma / experts for w in raised]
            current = [
                a + rate * (alpha - (old >= beta))
                for a, rate, old in zip(current, rates, levels_then, strict=True)
            ]
        mean = fsum(w * a for w, a in zip(weights, current, strict=True))
        chosen = max(1, min(ceil((len(scores) + 1) * (1 - mean) - 1e-9), len(scores)))
        widths.append(scores[chosen - 1])
        levels.append(mean)
        origins.append(scores)
        issued.append(list(current))
    return widths, levels


def saocp(events: Iterable[Event], level: float) -> list[float]:
    """Experts in a dictionary by birth, their gains and slopes as lists."""
    alpha = 1 - level
    experts: dict[int, Expert] = {}
    issued: list[tuple[float, dict[int, tuple[float, float]]]] = []
    clock = 1

    def pinball(radius: float, score: float) -> float:
        return max((1 - alpha) * (score - radius), alpha * (radius - score))

    def prior(birth: int) -> float:
        return 1 / (birth**2 * (1 + floor(log2(birth))))

    def together() -> float:
        shares = {i: prior(i) * one.weight * (one.weight > 1e-12) for i, one in experts.items()}
        if not any(shares.values()):
            shares = {i: prior(i) for i in experts}
        return fsum(shares[i] * experts[i].radius for i in experts) / fsum(shares.values())

    for step, (known, answered) in enumerate(events):
        scores = [abs(e) for e in known]
        if step == 0:
            quantile = sorted(scores)[min(rank(len(scores), level), len(scores)) - 1]
            experts[1] = Expert(quantile)
            experts[1].squares = [len(scores) * alpha * (1 - alpha)]
        if answered is not None:
            radius, members = issued[answered]
            largest, score = max(scores), scores[-1]
            for birth, (own, weight) in members.items():
                if birth in experts:
                    gain = (pinball(radius, score) - pinball(own, score)) / largest
                    gain = min(max(gain, -1.0 if weight > 1e-12 else 0.0), 1.0)
                    experts[birth].answer(gain, weight, alpha - (score > own), largest)
            clock += 1
            experts = {i: one for i, one in experts.items() if clock - i < 8 * (i & -i)}
            experts[clock] = Expert(together())
        issued.append((together(), {i: (one.radius, one.weight) for i, one in experts.items()}))
    return [radius for radius, _ in issued]


class Expert:
    """One expert of `saocp`."""

    def __init__(self, radius: float) -> None:
        self.radius, self.weight = radius, 0.0
        self.gains: list[float] = []
        self.bets: list[float] = []
        self.squares: list[float] = []

    def answer(self, gain: float, weight: float, slope: float, largest: float) -> None:
        self.gains.append(gain)
        self.bets.append(gain * weight)
        self.squares.append(slope**2)
        self.weight = fsum(self.gains) / len(self.gains) * (1 + fsum(self.bets))
        self.radius = max(0.0, self.radius - largest / sqrt(3) * slope / sqrt(fsum(self.squares)))


def nexcp_quantile(scores: list[float], decay: float, level: float) -> float:
    """Smallest score that reaches the level of all the weight, the test point's at infinity counted, exactly."""
    weights = [exact(decay) ** (len(scores) - j) for j in range(len(scores))]
    # With fading weights a tie goes to the larger score, as in `weighted`.
    slack = -Fraction(1, 10**12) if decay == 1.0 else Fraction(1, 10**12)
    target, cumulative = exact(level) * (1 + slack) * (sum(weights) + 1), Fraction(0)
    for score, weight in sorted(zip(scores, weights, strict=True)):
        cumulative += weight
        if cumulative >= target:
            return score
    return inf
