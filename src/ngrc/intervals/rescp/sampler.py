"""The authors' stochastic sampler: quantiles of residuals drawn with replacement under the weights.

Only the draws in the two tails are made. The sorted uniforms of n draws are partial sums of n + 1 exponential
spacings over their total, so the spacings between the tails can be drawn as one gamma variable.
Random numbers are a function of (seed, clock) alone, so a query's draws do not depend on who asked before.
"""

import numpy as np
from numpy.typing import NDArray

from ngrc._jit import jit
from ngrc._types import FloatArray
from ngrc.intervals.rescp.pairs import WIDTH_TIE, Window, narrowest

Counter = NDArray[np.uint64]


@jit
def start_counter(seed: np.uint64, clock: int) -> Counter:
    """The random stream of one query."""
    counter = np.empty(1, dtype=np.uint64)
    # Mixed before and after the clock comes in: neighbouring seeds and clocks give unrelated streams.
    counter[0] = seed
    next_word(counter)
    counter[0] = next_word(counter) ^ np.uint64(clock)
    counter[0] = next_word(counter)
    return counter


@jit
def next_word(counter: Counter) -> np.uint64:
    """Splitmix64 (Steele, Lea and Flood 2014, doi:10.1145/2660193.2660195)."""
    counter[0] += np.uint64(0x9E3779B97F4A7C15)
    word = counter[0]
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.uint64(word ^ (word >> np.uint64(31)))


@jit
def uniform(counter: Counter) -> float:
    """A number in (0, 1]."""
    # The top 53 bits, those of a double; one is added as the logarithm of zero would be taken otherwise.
    return (float(next_word(counter) >> np.uint64(11)) + 1.0) * 2.0**-53


@jit
def gamma(counter: Counter, shape: float) -> float:
    """A gamma variable of shape at least 1 and scale 1 (Marsaglia and Tsang 2000, doi:10.1145/358407.358414)."""
    d = shape - 1.0 / 3.0
    c = 1.0 / np.sqrt(9.0 * d)
    while True:
        x = np.sqrt(-2.0 * np.log(uniform(counter))) * np.cos(2.0 * np.pi * uniform(counter))
        v = (1.0 + c * x) ** 3
        if v > 0.0 and np.log(uniform(counter)) < 0.5 * x * x + d * (1.0 - v + np.log(v)):
            return float(d * v)


@jit
def spacing_tails(counter: Counter, count: int, low: int, high: int) -> tuple[FloatArray, FloatArray]:
    """The `low` smallest of `count` sorted uniforms, and one minus the `high` largest, largest first."""
    from_below, from_above = np.empty(low), np.empty(high)
    total = gamma(counter, float(count + 1 - low - high))
    for tail in (from_below, from_above):
        # -log U is one exponential spacing; the tails' own spacings complete the total of all n + 1.
        sum_here = 0.0
        for i in range(tail.size):
            sum_here -= np.log(uniform(counter))
            tail[i] = sum_here
        total += sum_here
    return from_below / total, from_above / total


@jit
def sampled_pair(
    window: Window, tails: FloatArray, alpha: float, counter: Counter, doubt: float
) -> tuple[float, float, bool]:
    """Narrowest pair of interpolated quantiles of as many draws as the window holds, and whether it might be another.

    `doubt` is as in `exact_pair`: a tail's share F of the weights is off by at most doubt F. A draw is then one of the
    values between those that the smallest and the largest shares give.
    """
    count = window[3]
    last = count - 1
    # Order statistics that interpolation reads: up to the one above the largest lower index, and from the one at the
    # smallest upper index on. All draws in between would be sorted for nothing.
    low = min(int(last * tails[-1]) + 2, count)
    high = min(count - int(last * (1.0 - alpha + tails[0])), count - low)
    from_below, from_above = spacing_tails(counter, count, low, high)
    drawn = draws(window, from_below, from_above, 1.0, 1.0)
    lower, upper = pair_ends(drawn, tails, alpha)
    best = narrowest(lower, upper)
    if doubt == 0.0:
        return lower[best], upper[best], False
    # A larger share below the values, and a smaller one above them, moves every draw down, and the other way round.
    least = draws(window, from_below, from_above, 1.0 + doubt, 1.0 - doubt)
    lowest, lowest_upper = pair_ends(least, tails, alpha)
    most = draws(window, from_below, from_above, 1.0 - doubt, 1.0 + doubt)
    highest_lower, highest = pair_ends(most, tails, alpha)
    width, doubtful = upper[best] - lower[best], False
    for i in range(tails.size):
        if lowest[i] != highest_lower[i] or lowest_upper[i] != highest[i]:
            slack = WIDTH_TIE * (abs(lower[i]) + abs(upper[i]))
            doubtful |= i == best or lowest_upper[i] - highest_lower[i] <= width + slack
    return lower[best], upper[best], doubtful


@jit
def draws(
    window: Window, from_below: FloatArray, from_above: FloatArray, below_factor: float, above_factor: float
) -> FloatArray:
    """Sorted draws, of which the middle is left empty, where tails hold so many times their share of the weights."""
    values, tilted, order, count, first, total = window
    last = count - 1
    drawn = np.empty(count)
    place = 0
    below = tilted[order[0]] * (order[0] - first)
    for i in range(from_below.size):
        while below * below_factor < from_below[i] * total and place < last:
            place += 1
            below += tilted[order[place]] * (order[place] - first)
        drawn[i] = values[order[place]]
    # From the largest down, against one minus the uniform, so that the upper tail has digits of its own.
    place = last
    above = tilted[order[last]] * (order[last] - first)
    for i in range(from_above.size):
        while above * above_factor <= from_above[i] * total and place > 0:
            place -= 1
            above += tilted[order[place]] * (order[place] - first)
        drawn[last - i] = values[order[place]]
    return drawn


@jit
def pair_ends(drawn: FloatArray, tails: FloatArray, alpha: float) -> tuple[FloatArray, FloatArray]:
    """Interpolated quantiles of every candidate pair."""
    last = drawn.size - 1
    lower, upper = np.empty(tails.size), np.empty(tails.size)
    for i in range(tails.size):
        lower[i] = interpolated(drawn, last * tails[i])
        upper[i] = max(interpolated(drawn, last * (1.0 - alpha + tails[i])), lower[i])
    return lower, upper


@jit
def interpolated(drawn: FloatArray, index: float) -> float:
    """Value at a fractional index of sorted draws, as `numpy.quantile` interpolates."""
    below = int(index)
    above = min(below + 1, drawn.size - 1)
    return float(drawn[below] + (index - below) * (drawn[above] - drawn[below]))
