"""From similarities to interval ends, one query per row, for all temperatures and windows at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ngrc._jit import jit
from ngrc._types import AnyArray, BoolArray, FloatArray, IntArray
from ngrc.intervals.rescp.ordered import Positions, advance, start_order
from ngrc.intervals.rescp.pairs import exact_pair
from ngrc.intervals.rescp.sampler import sampled_pair, start_counter
from ngrc.intervals.rescp.weights import ramp_moments, tilt


class Rule(NamedTuple):
    """What turns similarities into a pair of ends.

    Parameters
    ----------
    temperatures
        Shape (a,).
    sizes
        How many of the newest known residuals each window holds, largest first, shape (b,).
    tails
        Lower tail shares of the candidate pairs, ascending.
    alpha
        Nominal miscoverage.
    stochastic
        Whether to draw residuals instead of weighing them.
    seed
        Of the draws.
    """

    temperatures: FloatArray
    sizes: IntArray
    tails: FloatArray
    alpha: float
    stochastic: bool
    seed: np.uint64


class Similarities(NamedTuple):
    """Rows of similarities, shape (queries, width), one row per query, in order of time.

    Column c is the similarity to position origin + c, right to within `rounding`.
    """

    rows: AnyArray
    origin: int
    rounding: float


class Queries(NamedTuple):
    """What each row asks, each of shape (queries,).

    Row i knows the values at positions below known[i]; clock[i] counts all residuals known so far, the key of its
    random numbers; its answer goes to places[i].
    """

    known: IntArray
    clock: IntArray
    places: IntArray


class Windows(NamedTuple):
    """One ordered window per size: positions, shape (b, capacity), and what they hold, shape (b, 2)."""

    orders: NDArray[np.uint32]
    spans: IntArray


class Ends(NamedTuple):
    """Lower and upper ends, effective sample sizes and doubts, each of shape (a, b, steps)."""

    lower: FloatArray
    upper: FloatArray
    effective: FloatArray
    doubtful: BoolArray

    @classmethod
    def empty(cls, rule: Rule, steps: int) -> "Ends":
        """Room for `steps` answers."""
        shape = (rule.temperatures.size, rule.sizes.size, steps)
        return cls(np.empty(shape), np.empty(shape), np.empty(shape), np.zeros(shape, dtype=np.bool_))

    def windows(self, places: IntArray) -> "Ends":
        """The answers of the windows at these places."""
        lower, upper, effective = (part[:, places] for part in self[:3])
        return Ends(lower, upper, effective, self.doubtful[:, places])


def start_windows(values: FloatArray, known: int, rule: Rule, capacity: int) -> Windows:
    """The windows over the first `known` values, with room for `capacity` positions."""
    spans = np.array([(max(0, known - size), known) for size in rule.sizes], dtype=np.int64)
    orders = [start_order(values, first, stop, capacity) for first, stop in spans]
    return Windows(np.array(orders), spans)


@jit
def answer(
    near: Similarities, queries: Queries, values: FloatArray, rule: Rule, windows: Windows, ends: Ends
) -> None:
    """Fill `ends[:, :, queries.places]` from the similarities of the queries to the values known to each."""
    tilted = np.empty(values.size)
    for row in range(near.rows.shape[0]):
        stop, place = queries.known[row], queries.places[row]
        for b in range(rule.sizes.size):
            advance(values, windows.orders[b], windows.spans[b], max(0, stop - rule.sizes[b]), stop)
        for a in range(rule.temperatures.size):
            # exp((s + rounding) / T) is off by a factor of about 1 +- rounding / T, and a share of such weights by
            # twice that, once in its numerator and once in its denominator.
            doubt = 2.0 * near.rounding / rule.temperatures[a]
            # The widest window comes first: its exponentials serve the narrower ones inside it (see `tilt`).
            for b in range(rule.sizes.size):
                first = windows.spans[b, 0]
                window = near.rows[row, first - near.origin : stop - near.origin]
                tilt(window, rule.temperatures[a], b == 0, tilted[first:stop])
                lower, upper, size, doubtful = _ends(
                    values, tilted, windows.orders[b], first, stop, rule, queries.clock[row], doubt
                )
                ends.lower[a, b, place] = lower
                ends.upper[a, b, place] = upper
                ends.effective[a, b, place] = size
                ends.doubtful[a, b, place] = doubtful


@jit
def _ends(
    values: FloatArray,
    tilted: FloatArray,
    order: Positions,
    first: int,
    stop: int,
    rule: Rule,
    clock: int,
    doubt: float,
) -> tuple[float, float, float, bool]:
    count = stop - first
    if count == 1:  # the ramp gives a lone residual no weight; it is all there is
        return values[first], values[first], 1.0, False
    total, squares = ramp_moments(tilted[first:stop])
    size = total * total / squares
    window = (values, tilted, order, count, first, total)
    if rule.stochastic:
        counter = start_counter(rule.seed, clock)
        lower, upper, doubtful = sampled_pair(window, rule.tails, rule.alpha, counter, doubt)
    else:
        lower, upper, doubtful = exact_pair(window, rule.tails, rule.alpha, doubt)
    return lower, upper, size, doubtful
