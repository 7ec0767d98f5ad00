"""Periods found in the values alone: lines of the spectrum that the autocorrelation confirms."""

from collections.abc import Iterator, Sequence
from math import gcd

import numpy as np

from ngrc._types import FloatArray
from ngrc.auto.periods.echoes import Echoes, autocorrelation
from ngrc.auto.periods.lines import FINE, Spectrum, spectrum
from ngrc.auto.periods.period import Period

# Below this there is no neighbourhood to judge a line by.
_SHORTEST = 16
# Full cycles that a found one needs: with two, a random walk's swing looks like one.
_CYCLES = 3
# Bound on the probability that noise without a cycle shows a line anywhere. The background errs upwards and the
# autocorrelation is asked besides: of 400 white series, random walks and AR(1) of each length one or two pass.
_LEVEL = 0.05
_MOST = 3
# Probability of a likely line at one of a few given places.
_LIKELY = 1e-3
# A line may be the sixth harmonic of its cycle (a month's in a year); a day is the seventh of a week, and stays a day.
_MULTIPLES = 6
# What a line exceeds its nearest bins by and a damped oscillation's hump does not: F with 2 and 14 degrees or more
# is above 12 once in 1000.
_SHARP = 12.0
# A cycle without a sharp line is kept where two cycles later so much is left: yearly sunspots have .77, and one in
# twenty oscillations of twelve steps that lose 10 % per step has .6 by chance.
_LASTING = 0.6
# A cycle shorter than this that is no whole number of steps is of no use as a delay, and mostly the mark of averaging.
_FRACTIONAL = 4.0
# Points to both sides of a harmonic in which it must be the highest.
_FLANK = 3
# By how many standard deviations of white noise's autocorrelation a neighbouring length must repeat better: with a
# quarter four of 333 simulated drifting seasons of 4 to 336 steps are off by a step or two (25 without), and ten of
# 98 sines under as much noise by more than 1 % (six without).
_BETTER = 0.25
# Autocorrelation lower than this is no use to a forecast, however sure.
_WORTH = 0.05


def data_periods(values: FloatArray, *, known: Sequence[float] = ()) -> tuple[Period, ...]:
    """Periods found in a series, the surest first.

    The series is clipped to robust limits, freed of a straight line and whitened by its first autocorrelation. The
    highest line of its spectrum that noise would show with probability .05 at most is taken to its fundamental,
    confirmed by the autocorrelation, and removed with its harmonics; then the next is looked for, up to three.

    Parameters
    ----------
    values
        The series, finite, shape (n,).
    known
        Periods in steps that are proposed anyway: their lines are removed first.

    Examples
    --------
    >>> t, rng = np.arange(400), np.random.default_rng(0)
    >>> [p.name for p in data_periods(np.sin(2 * np.pi * t / 37) + 0.05 * t + rng.normal(size=400))]
    ['37 steps']
    """
    values = np.asarray(values, dtype=np.float64)
    if values.size < _SHORTEST:
        return ()
    level = straightened(clipped(values))
    if not level @ level > 0:
        return ()
    change = whitened(level)
    left = spectrum(change)
    for steps in known:
        left = left.without(steps)
    return tuple(_periods(left, autocorrelation(level, change.size - 1), known))


def clipped(values: FloatArray) -> FloatArray:
    """Values, over eight, within twice the distance from the median to the 2 % outermost, one at least on each side.

    A scale from the middle half would be zero for a series that is mostly zero, as sunshine by night. The eighth keeps
    sums and differences of the largest numbers finite.
    """
    eighth = values / 8
    order = np.sort(eighth)
    outer = max(1, int(np.ceil(0.02 * values.size)))
    middle, low, high = float(np.median(order)), float(order[outer]), float(order[-1 - outer])
    return np.clip(eighth, low - (middle - low), high + (high - middle))


def straightened(values: FloatArray) -> FloatArray:
    """Values without their least-squares line, over their largest magnitude."""
    size = float(np.abs(values).max())
    unit = values / size if size > 0 else values
    time = np.linspace(-1, 1, values.size)
    centred = unit - unit.mean()
    rest = centred - time * (time @ centred) / (time @ time)
    # What rounding leaves of a straight line is no series.
    return rest if np.abs(rest).max() > 1e-12 else np.zeros_like(rest)


def whitened(level: FloatArray) -> FloatArray:
    """Innovations x[t] - r x[t-1] with the first autocorrelation r, within 0 and 1, shape (n - 1,).

    A filter changes a line's height and its background's alike; it is there to lower the slope of red noise.
    """
    ratio = float(level[1:] @ level[:-1] / (level @ level))
    return level[1:] - min(max(ratio, 0.0), 1.0) * level[:-1]


def _periods(rest: Spectrum, level: FloatArray, known: Sequence[float]) -> Iterator[Period]:
    """Look at the highest line of what is left, and look again without it, at most nine times."""
    left, found = rest, list[Period]()
    for _ in range(3 * _MOST):
        chances = left.log_chances()
        point = _line(left, chances)
        if point is None or len(found) == _MOST:
            return
        # Of what is left: the echo of one cycle would lift or lower another's.
        echoes = Echoes(level, left.autocorrelation(), left.count)
        steps = _fundamental(left, chances, echoes, _peak(left, point))
        steps = _refined(steps, echoes)
        steps = _snapped(steps, [*known, *(period.steps for period in found)], left.count)
        if _confirmed(left, echoes, point, steps) and not any(period.same(steps) for period in found):
            found.append(_named(steps, echoes))
            yield found[-1]
            # A line denied before may have been drowned by the echo of this one, and is looked at again.
            rest = left = rest.without(steps)
        else:
            left = left.without(1 / left.frequencies[point])


def _named(steps: float, echoes: Echoes) -> Period:
    lag = int(np.rint(steps))
    echo = f"{max(echoes.level[lag], echoes.change[lag]):.2f}".replace("0.", ".", 1)
    return Period(steps, f"{steps:g} steps", f"found in the data: autocorrelation {echo} at {steps:g} steps")


def _snapped(steps: float, others: Sequence[float], count: int) -> float:
    """The multiple of another cycle that a line cannot tell from its own, as a week's days; else the cycle itself."""
    for other in others:
        multiple = np.rint(steps / other) * other
        if steps > 1.5 * other and abs(steps - multiple) <= _error(steps, count):
            return round(float(multiple), 1)
    return steps


def _refined(steps: float, echoes: Echoes) -> float:
    """The whole number of steps, among those that a line leaves open, at whose multiples the series repeats best.

    The autocorrelations of one to three cycles are divided by the share of the series that they compare: a long lag
    compares less of it.
    """
    count, level = echoes.count, echoes.level
    error = _error(steps, count)
    if error < 1.0:
        return steps

    def repeats(lag: int) -> float:
        lags = [cycles * lag for cycles in (1, 2, 3) if 3 * cycles * lag <= 2 * count]
        return float(np.mean([level[one] * count / (count - one) for one in lags]))

    first, last = int(np.ceil(steps - error)) - 1, int(np.floor(steps + error)) + 1
    best = max(range(max(first, 2), min(last, 2 * count // 3) + 1), key=repeats)
    return float(best) if repeats(best) - repeats(round(steps)) > _BETTER * echoes.noise else steps


def _line(left: Spectrum, chances: FloatArray) -> int | None:
    """The point with the smallest chance, if it is small enough for all that were looked at."""
    first = int(np.ceil(_CYCLES * left.points / left.count))
    if np.all(np.isnan(chances[first:])):
        return None
    best = first + int(np.nanargmin(chances[first:]))
    return best if chances[best] <= np.log(_LEVEL / (left.count / 2)) else None


def _peak(left: Spectrum, point: int) -> float:
    """Steps per cycle of a line, between the points by a parabola through three logarithms."""
    around = left.power[point - 1 : point + 2]
    shift = 0.0
    if around.size == 3 and np.all(np.isfinite(around)) and around.min() > 0:
        low, middle, high = np.log(around)
        bend = low - 2 * middle + high
        shift = float(np.clip((low - high) / (2 * bend), -0.5, 0.5)) if bend < 0 else 0.0
    return left.points / (point + shift)


def _fundamental(left: Spectrum, chances: FloatArray, echoes: Echoes, steps: float) -> float:
    """The cycle of which a line is a harmonic, whole where the line cannot tell it from whole.

    A longer cycle must have a line of its own. One that echoes better needs a likely one; one that echoes as well, as
    every multiple of a cycle does, needs a sure one.
    """
    most = max(1, min(_MULTIPLES, int(left.count / (_CYCLES * steps))))
    lengths = [_whole(multiple * steps, left.count) for multiple in range(1, most + 1)]
    heights, noise = echoes.smooth(lengths, steps)
    margin = max(_WORTH, 3 * noise)
    multiple, longer = 1, 2
    while longer <= most:
        gain = heights[longer - 1] - heights[multiple - 1]
        level = _LIKELY if gain > margin else _LEVEL / (left.count / 2)
        if gain > -margin and _own_line(left, chances, lengths[longer - 1], longer // multiple) <= np.log(
            level
        ):
            multiple = longer
        longer += multiple - longer % multiple
    return lengths[multiple - 1]


def _own_line(left: Spectrum, chances: FloatArray, steps: float, factor: int) -> float:
    """The smallest log chance among lines of a cycle that are of no other cycle between it and its part by `factor`."""
    smallest = 0.0
    for harmonic in (k for k in range(1, 2 * factor) if gcd(k, factor) == 1):
        point = int(np.rint(harmonic / steps * left.points))
        start = max(point - _FLANK, FINE)
        around = left.power[start : point + _FLANK + 1]
        if np.all(np.isnan(around)):
            continue
        # The flank of another cycle's line is high as well, but highest at its end.
        top = start + int(np.nanargmax(around))
        if abs(top - point) <= 1 and not np.isnan(chances[top]):
            smallest = min(smallest, float(chances[top]))
    return smallest


def _error(steps: float, count: int) -> float:
    """What a line leaves open of its cycle: its frequency is good to about a seventh of a bin, 1 / (7 n)."""
    return steps * steps / (7 * count)


def _whole(steps: float, count: int) -> float:
    """The nearest whole number of steps, or one decimal where a line is sharp enough to deny it."""
    whole = float(np.rint(steps))
    return (
        whole if abs(steps - whole) <= max(_error(steps, count), 0.02 * min(steps, 10.0)) else round(steps, 1)
    )


def _confirmed(left: Spectrum, echoes: Echoes, point: int, steps: float) -> bool:
    if steps < 2 or (steps < _FRACTIONAL and steps != np.rint(steps)):
        return False
    if echoes.height(steps) < max(_WORTH, 3 * echoes.noise):
        return False
    return left.sharp(point, _SHARP) or echoes.second_height(steps) >= _LASTING
