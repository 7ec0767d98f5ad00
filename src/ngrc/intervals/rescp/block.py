"""A whole block of queries: similarities as matrix products of queries with the history."""

import numpy as np

from ngrc._types import AnyArray, FloatArray, IntArray
from ngrc.intervals.rescp.ends import Ends, Rule, answer, start_windows

HEIGHT = 512  # queries a product: more of them share the packing of the history, at the price of memory
ELEMENTS = 1 << 24
SETTLED_HEIGHT = 128
SCREENED_WINDOW = 4096
SINGLE_ROUNDING = 2.0**-25


def block_ends(
    units: FloatArray, values: FloatArray, known: int, steps: int, rule: Rule, settle: bool = True
) -> Ends:
    """Ends for `steps` queries; query i knows the first known + i values.

    Large windows are screened with similarities in single precision, which take half the time; the quantiles in
    doubt, a few per cent, are then settled in double precision, so the ends are those of double precision.

    Parameters
    ----------
    units
        Unit states at the origins, shape (n, size); the last `steps` rows are the queries.
    values
        Residuals, shape (known + steps - 1,) at least.
    known
        How many residuals the first query knows, at least 1.
    steps
        Number of queries.
    rule
        Temperatures, windows and the kind of quantile.
    settle
        False leaves doubtful ends as screened: enough to compare candidates.
    """
    ends = Ends.empty(rule, steps)
    everything = np.arange(steps)
    if rule.stochastic or min(int(rule.sizes[0]), known + steps) < SCREENED_WINDOW:
        _fill(units, 0.0, values, known, everything, rule, ends, HEIGHT)
        return ends
    rounding = single_rounding(units.shape[1])
    _fill(units.astype(np.float32), rounding * settle, values, known, everything, rule, ends, HEIGHT)
    if settle:
        doubtful = np.flatnonzero(ends.doubtful.any(axis=(0, 1)))
        _fill(units, 0.0, values, known, doubtful, rule, ends, SETTLED_HEIGHT)
    return ends


def single_rounding(size: int) -> float:
    """Most by which a cosine of `size` products errs in single precision, from measurement.

    The error of a sum of n rounded terms walks at random, hence the root; the rest is the rounding of the states
    and of the result. Measured maxima over a million cosines: 4.2e-7 at size 64, 6.0e-7 at 512.
    """
    return SINGLE_ROUNDING * (float(np.sqrt(size)) + 12.0)


def _fill(
    units: AnyArray,
    rounding: float,
    values: FloatArray,
    known: int,
    wanted: IntArray,
    rule: Rule,
    ends: Ends,
    height: int,
) -> None:
    """Answer the wanted queries, ascending, in blocks of at most `height`."""
    steps = ends.lower.shape[-1]
    size = min(int(rule.sizes[0]), known + steps)
    windows = start_windows(values, known, rule, size + 1)
    queries = units[units.shape[0] - steps :]
    height = int(np.clip(ELEMENTS // (size + height), 16, min(height, max(64, size))))
    buffer = np.empty(0, dtype=units.dtype)
    for start in range(0, wanted.size, height):
        block = wanted[start : start + height]
        first, stop = max(0, known + int(block[0]) - size), known + int(block[-1])
        if buffer.size < block.size * (stop - first):  # fresh memory costs a tenth of the product
            buffer = np.empty(block.size * (stop - first) * 5 // 4, dtype=units.dtype)
        similarity = buffer[: block.size * (stop - first)].reshape(block.size, stop - first)
        np.matmul(queries[block], units[first:stop].T, out=similarity)
        answer(similarity, rounding, first, known + block, known + block, values, rule, windows, ends, block)
