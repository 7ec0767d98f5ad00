"""What `ends_answer` turns into interval ends: similarities and queries, a rule, and windows in order of size.

The kernel is in `src/kernels/rescp`, which reads these named tuples field by field.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ngrc._types import AnyArray, BoolArray, FloatArray, IntArray

Positions = NDArray[np.uint32]
MARGIN = 0.001  # the ResCP authors' least tail share


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

    orders: Positions
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


def start_order(values: FloatArray, first: int, stop: int, capacity: int) -> Positions:
    """Positions first .. stop - 1 in order of their values, with room for `capacity`."""
    order = np.zeros(capacity, dtype=np.uint32)
    order[: stop - first] = first + np.argsort(values[first:stop], kind="stable")
    return order


def lower_tails(alpha: float, pairs: int) -> FloatArray:
    """Lower tail shares beta of the candidate pairs [Q(beta), Q(1 - alpha + beta)], ascending.

    linspace(0.001, alpha - 0.001, pairs) as in the ResCP code. Two cases it leaves open: at alpha <= 0.002,
    where that range is empty, the margin is alpha / 4; a single pair has equal tails.

    Examples
    --------
    >>> lower_tails(0.05, 3), lower_tails(0.05, 1), lower_tails(0.002, 2)
    (array([0.001, 0.025, 0.049]), array([0.025]), array([0.0005, 0.0015]))
    """
    if pairs == 1:
        return np.array([alpha / 2.0])
    margin = MARGIN if alpha > 2.0 * MARGIN else alpha / 4.0
    return np.linspace(margin, alpha - margin, pairs)
