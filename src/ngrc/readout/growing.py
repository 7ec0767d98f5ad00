"""Moments of ever more rows, each row summed once: segments of rows add up, and old ones are left out again."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import pairwise

import numpy as np

from ngrc.features.rows import Rows
from ngrc.readout.convention import Convention
from ngrc.readout.gram import Gram, explicit_sums, standardised_gram
from ngrc.readout.moments import design_gram
from ngrc.readout.tasks.moments import Moments, merged, union_moments
from ngrc.readout.tasks.value import Tasks

RAW = Convention("free", "raw")
"""Centred columns as they are: scales belong to all rows together, and are folded in at the end."""
MOST_SEGMENTS = 64
"""Segments that a moving window may hold, each a matrix of moments; with more the window's rows are summed anew, which
then costs little more than to merge them."""
LONG = 2**18
"""Rows of tasks from which they are summed piece by piece, no column kept longer than its piece: those of 2 million
rows are some gigabytes. Fewer, such as five years of ten-minute values, are summed at once."""
PIECE = 2**15
"""Rows of a piece: 40 MB at 150 columns."""

Segment = tuple[int, int, Moments]


def row_moments(rows: Rows) -> Moments:
    """Moments of one task's own columns, by the quickest way that keeps their digits."""
    if rows.small:
        return Moments(rows.count, *explicit_sums(rows, rows.target[:, None]))
    gram = design_gram(rows, RAW)
    return Moments(gram.count, gram.means, np.array([gram.target_mean]), gram.matrix, gram.cross[:, None])


def pieced_moments(tasks: Tasks, start: int, stop: int) -> Moments:
    """Moments of the rows start..stop-1 of tasks: at once, or piece by piece where lagged products would be long."""
    if tasks.count <= LONG or not tasks.structured:
        return union_moments(tasks.part(start, stop))
    ends = (*range(start + PIECE, stop, PIECE), stop)
    pieces = (tasks.part(first, last) for first, last in zip((start, *ends), ends, strict=False))
    return reduce(merged, map(union_moments, pieces))


def row_gram(moments: Moments, convention: Convention) -> Gram:
    """One task's moments as its fit wants them."""
    return standardised_gram(
        moments.count,
        moments.means,
        float(moments.target_means[0]),
        moments.covariance,
        moments.cross[:, 0],
        convention,
    )


def growing_moments(
    spans: Sequence[tuple[int, int]], sums: Callable[[int, int], Moments]
) -> Iterator[Moments]:
    """Moments of every span of rows, one after the other.

    Parameters
    ----------
    spans
        First row of each, and the row after its last; neither falls from one span to the next.
    sums
        Moments of the rows from one place to another.
    """
    if len({start for start, _ in spans}) == 1:
        yield from _grown(spans, sums)
        return
    # Cut where a span begins or ends, every span is made of whole segments.
    cuts = sorted({place for span in spans for place in span})
    most = max(sum(start < cut <= stop for cut in cuts) for start, stop in spans)
    yield from (sums(*span) for span in spans) if most > MOST_SEGMENTS else _moved(spans, cuts, sums)


def _grown(spans: Sequence[tuple[int, int]], sums: Callable[[int, int], Moments]) -> Iterator[Moments]:
    """Spans of one beginning: what is new is added to the total."""
    start, reached = spans[0]
    total = sums(start, reached)
    yield total
    for _, stop in spans[1:]:
        total, reached = merged(total, sums(reached, stop)) if stop > reached else total, stop
        yield total


def _moved(
    spans: Sequence[tuple[int, int]], cuts: Sequence[int], sums: Callable[[int, int], Moments]
) -> Iterator[Moments]:
    """Spans whose beginning moves on: old segments are left out, and the others added up again."""
    kept: deque[Segment] = deque()
    for start, stop in spans:
        while kept and kept[0][1] <= start:
            kept.popleft()
        reached = kept[-1][1] if kept else start
        places = [reached, *(cut for cut in cuts if reached < cut <= stop)]
        kept.extend((a, b, sums(a, b)) for a, b in pairwise(places))
        total = kept[0][2]
        for _, _, moments in list(kept)[1:]:
            total = merged(total, moments)
        yield total
