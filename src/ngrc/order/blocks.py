"""Kernels of `SortedBlocks`: scores in sorted blocks, all in one table, so that a step hands over one array.

Row 0 of the table holds how many scores there are, their total weight, how many blocks, and the blocks' rows in the
order of their scores. Each further row is a block: its size, the sum of its weights, its largest score, then places for
scores, ascending, and as many for their weights. No score of a block exceeds one of the next; only the block of an
empty multiset is empty. A table has as many rows for blocks as a block has places.
"""

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray

COUNT, TOTAL, USED, ORDER = 0, 1, 2, 3
"""Places in row 0."""
SIZE, SUM, TOP, FIRST = 0, 1, 2, 3
"""Places in the row of a block."""


@jit
def _row(table: FloatArray, block: int) -> int:
    """Row of a block, counted in the order of scores."""
    return int(table[0, ORDER + block])


@jit
def _block_of(table: FloatArray, value: float) -> int:
    """First block whose largest score is not below `value`; the last one when there is none."""
    low, high = 0, int(table[0, USED]) - 1
    while low < high:
        middle = (low + high) >> 1
        if table[_row(table, middle), TOP] < value:
            low = middle + 1
        else:
            high = middle
    return low


@jit
def insert(table: FloatArray, value: float, weight: float) -> None:
    """Add one score; `IndexError`, before anything is changed, where the table has no room for it."""
    capacity = table.shape[0] - 1
    block = _block_of(table, value)
    if int(table[_row(table, block), SIZE]) == capacity:
        _split(table, block)
        block = _block_of(table, value)
    row = table[_row(table, block)]
    size, weights = int(row[SIZE]), FIRST + capacity
    # Compared and moved in one go: measured against a search and two moves after it, a third quicker.
    hole = size
    while hole > 0 and row[FIRST + hole - 1] >= value:
        row[FIRST + hole] = row[FIRST + hole - 1]
        row[weights + hole] = row[weights + hole - 1]
        hole -= 1
    row[FIRST + hole] = value
    row[weights + hole] = weight
    row[SIZE] = size + 1
    row[SUM] += weight
    row[TOP] = row[FIRST + size]
    table[0, COUNT] += 1.0
    table[0, TOTAL] += weight


@jit
def _split(table: FloatArray, block: int) -> None:
    """Half of a full block becomes the block after it."""
    capacity, used = table.shape[0] - 1, int(table[0, USED])
    if used == capacity:
        raise IndexError
    full, fresh = table[_row(table, block)], table[used + 1]
    kept, weights = capacity // 2, FIRST + capacity
    for place in range(kept, capacity):
        fresh[FIRST + place - kept] = full[FIRST + place]
        fresh[weights + place - kept] = full[weights + place]
    full[SIZE], fresh[SIZE] = kept, capacity - kept
    for row in (full, fresh):
        row[TOP] = row[FIRST + int(row[SIZE]) - 1]
        row[SUM] = 0.0
        for place in range(int(row[SIZE])):
            row[SUM] += row[weights + place]
    for later in range(used, block + 1, -1):
        table[0, ORDER + later] = table[0, ORDER + later - 1]
    table[0, ORDER + block + 1] = used + 1
    table[0, USED] = used + 1


@jit
def nth(table: FloatArray, rank: int) -> float:
    """The `rank`-th smallest score, rank in 1..count, whatever the weights: counted from the nearer end."""
    left, used = int(table[0, COUNT]) - rank, int(table[0, USED])
    if left < rank:
        for block in range(used - 1, -1, -1):
            row = _row(table, block)
            size = int(table[row, SIZE])
            if left < size:
                return float(table[row, FIRST + size - 1 - left])
            left -= size
    left = rank - 1
    for block in range(used):
        row = _row(table, block)
        size = int(table[row, SIZE])
        if left < size:
            return float(table[row, FIRST + left])
        left -= size
    return np.nan


@jit
def reach(table: FloatArray, target: float) -> tuple[float, float]:
    """Smallest score whose cumulative weight reaches `target`, and how far that is from the sums before and at it."""
    used, weights = int(table[0, USED]), FIRST + table.shape[0] - 1
    for block in range(used):
        row = _row(table, block)
        if table[row, SUM] < target:
            target -= table[row, SUM]
            continue
        for place in range(int(table[row, SIZE])):
            weight = table[row, weights + place]
            if weight >= target:
                return float(table[row, FIRST + place]), float(min(target, weight - target))
            target -= weight
        # By rounding the places add up to less than their sum.
        return float(table[row, TOP]), 0.0
    return float(table[_row(table, used - 1), TOP]), 0.0


@jit
def below(table: FloatArray, value: float) -> float:
    """Total weight of the scores smaller than `value`."""
    total, weights = 0.0, FIRST + table.shape[0] - 1
    for block in range(int(table[0, USED])):
        row = _row(table, block)
        if table[row, TOP] >= value:
            for place in range(int(table[row, SIZE])):
                if table[row, FIRST + place] >= value:
                    break
                total += table[row, weights + place]
            break
        total += table[row, SUM]
    return total


@jit
def scale(table: FloatArray, factor: float) -> None:
    """Multiply every weight."""
    weights = FIRST + table.shape[0] - 1
    table[0, TOTAL] *= factor
    for row in range(1, int(table[0, USED]) + 1):
        table[row, SUM] *= factor
        for place in range(int(table[row, SIZE])):
            table[row, weights + place] *= factor
