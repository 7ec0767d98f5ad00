"""A whole block of queries: similarities as matrix products of queries with the history."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from ngrc._kernels.rescp import ends_answer
from ngrc._progress import tell
from ngrc._types import AnyArray, FloatArray, IntArray
from ngrc.intervals.rescp.ends import Ends, Queries, Rule, Similarities, start_windows
from ngrc.intervals.rescp.units import HELD_BYTES, KEPT_BYTES, Held, Units

# Queries per product: from 64 to 1024 the time is the same within a tenth, and memory grows.
HEIGHT = 512
# Similarities held at a time: 128 MB in double precision, whatever the history.
ELEMENTS = 1 << 24
# Doubtful queries lie apart, and a product spans all between its first and last; the time is flat from 32 to 512.
SETTLED_HEIGHT = 128
# Measured at 512 units on one thread: nothing gained by screening at 2048, 6 % here, 7 % at 8192.
SCREENED_WINDOW = 4096
# Of more answers one is in doubt at most queries, and all are then found twice. On Solar two answers take 0.8 times as
# long with screening as without, six 1.3 times, the 36 of a grid 1.5 times.
SCREENED_ANSWERS = 2
# `single_rounding` makes of it 1.4 and 1.7 times the measured maxima.
SINGLE_ROUNDING = 2.0**-25


def block_ends(
    units: FloatArray | Units,
    values: FloatArray,
    known: int,
    steps: int,
    rules: Sequence[Rule],
    *,
    settle: bool = True,
    screened: int | None = None,
) -> tuple[Ends, ...]:
    """Ends for `steps` queries by every rule, from one set of similarities; query i knows the first known + i values.

    Large windows are screened with similarities in single precision, which take half the time; the quantiles in
    doubt, a few per cent, are then settled in double precision, so the ends are those of double precision.

    Parameters
    ----------
    units
        Unit states at the origins, shape (n, size), or what hands out their rows; the last `steps` are the queries.
    values
        Residuals, shape (known + steps - 1,) at least.
    known
        How many residuals the first query knows, at least 1.
    steps
        Number of queries.
    rules
        Temperatures, windows, level and the kind of quantile; at least one.
    settle
        False leaves doubtful ends as screened: enough to compare candidates.
    screened
        The window from which on single precision screens; unless given `SCREENED_WINDOW`, and none where more than
        `SCREENED_ANSWERS` of each query would have to be settled.
    """
    held: Units = Held(units) if isinstance(units, np.ndarray) else units
    ends = tuple(Ends.empty(rule, steps) for rule in rules)
    everything = np.arange(steps)
    answers = sum(rule.temperatures.size * rule.sizes.size for rule in rules)
    limit = _screened_from(answers, settle) if screened is None else screened
    block = Block(values, known, steps, tuple(rules), ends)
    if block.size < limit:
        block.fill(held, everything, rounding=0.0, height=HEIGHT)
        return ends
    # Where nothing is settled no doubt needs to be tracked: a rounding of zero makes none.
    rounding = single_rounding(held.size) * settle
    block.fill(held.single(), everything, rounding=rounding, height=HEIGHT)
    if settle:
        doubtful = np.flatnonzero(np.any([one.doubtful.any(axis=(0, 1)) for one in ends], axis=0))
        block.fill(held, doubtful, rounding=0.0, height=SETTLED_HEIGHT)
    return ends


def _screened_from(answers: int, settle: bool) -> float:
    """The window from which on single precision screens a query of so many answers."""
    return SCREENED_WINDOW if answers <= SCREENED_ANSWERS or not settle else inf


def single_rounding(size: int) -> float:
    """Most by which a cosine of `size` products errs in single precision, from measurement.

    The error of a sum of n rounded terms walks at random, hence the root; the rest is the rounding of the states
    and of the result. Measured maxima over a million cosines: 4.2e-7 at size 64, 6.0e-7 at 512.
    """
    return SINGLE_ROUNDING * (float(np.sqrt(size)) + 12.0)


class Block(NamedTuple):
    """The residuals, how many of them the first query knows, the rules, and where the answers by each go."""

    values: FloatArray
    known: int
    steps: int
    rules: tuple[Rule, ...]
    ends: tuple[Ends, ...]

    @property
    def size(self) -> int:
        """How many residuals the widest window of any rule may hold."""
        return min(max(int(rule.sizes[0]) for rule in self.rules), self.known + self.steps)

    def fill(self, units: Units, wanted: IntArray, *, rounding: float, height: int) -> None:
        """Answer the wanted queries, ascending, in products of at most `height` of them."""
        known, size = self.known, self.size
        windows = [start_windows(self.values, known, rule, size + 1) for rule in self.rules]
        height = height_of(size, height)
        buffer: AnyArray = np.empty(0)
        done = 0
        for places in batches(wanted, height, size):
            # The oldest residual that the first of these queries may use, and the first that the last may not.
            first, stop = max(0, known + int(places[0]) - size), known + int(places[-1])
            width = stop - first
            queries = units.take(units.count - self.steps + places)
            if buffer.size < places.size * width:  # fresh memory costs a tenth of the product
                # A quarter more than asked for, as widths grow with the history until the window is full.
                buffer = np.empty(places.size * width * 5 // 4, dtype=queries.dtype)
            rows = buffer[: places.size * width].reshape(places.size, width)
            # Piece by piece where not all states are held.
            for start in range(0, width, units.together):
                piece = rows[:, start : start + units.together]
                history = units.rows(first + start, first + start + piece.shape[1])
                np.matmul(queries, history.T, out=piece)
            near = Similarities(rows, first, rounding)
            asked = Queries(known + places, known + places, places)
            for rule, window, ends in zip(self.rules, windows, self.ends, strict=True):
                ends_answer(near, asked, self.values, rule, window, ends)
            done += places.size
            tell("ResCP, states compared", done, wanted.size)


def height_of(size: int, most: int = HEIGHT) -> int:
    """Queries of one product, whose windows hold `size` residuals."""
    # A product spans its queries' windows together, size + most columns. A block much taller than the window would
    # mostly compute similarities that no query may use.
    return int(np.clip(ELEMENTS // (size + most), 16, min(most, max(64, size))))


def batches(wanted: IntArray, height: int, size: int) -> Iterator[IntArray]:
    """Wanted queries, at most `height` at a time, and so near each other that their similarities fit into memory.

    Examples
    --------
    >>> [batch.tolist() for batch in batches(np.array([0, 1, 2, 3]), 3, 10)]
    [[0, 1, 2], [3]]
    """
    start = 0
    while start < wanted.size:
        stop = min(start + height, wanted.size)
        # Doubtful queries may lie far apart, and a product spans all between them.
        while (
            stop - start > 1
            and (stop - start) * (size + int(wanted[stop - 1] - wanted[start])) > 2 * ELEMENTS
        ):
            stop = (start + stop) // 2
        yield wanted[start:stop]
        start = stop


def states_made(size: int, count: int, widest: int, queries: int, *, held_bytes: int = HELD_BYTES) -> int:
    """How many states are made for a block of queries whose windows hold up to `widest` of `count` residuals.

    Each once where all are held; twice where the window is short, once on the way and once where it is wanted; and
    the whole window for every product where it is long.

    Examples
    --------
    >>> states_made(512, 10_000, 5000, 1000), states_made(512, 10**6, 5000, 1000), states_made(512, 10**6, 10**6, 32)
    (10000, 2000000, 3000000)
    """
    if count * size * 8 <= held_bytes:
        return count
    short = widest * size * 8 <= KEPT_BYTES
    return count + (count if short else widest * -(-queries // height_of(widest)))
