"""A sorted multiset for scores that arrive one at a time, where future ranks are not known.

A Fenwick tree needs the ranks of all scores in advance. Here the scores stand in sorted blocks of at most
2 sqrt(n) places, each block with the sum of its weights: insert, remove and select read O(sqrt n) block heads
and move O(sqrt n) places of one block. When a block is full all are spread evenly into half-full blocks: O(n)
work, paid for by the sqrt(n) insertions it takes to fill one again. Scans and short moves of contiguous
memory beat the pointers of a balanced tree far beyond the lengths of real histories. Unit and decayed weights
share the structure: with unit weights a cumulative weight of k is the k-th smallest score, exactly.
"""

from typing import Any

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray, IntArray
from ngrc.archive import check_shape, check_that

# A block of sixteen places is two cache lines of scores: smaller ones only spread more often.
LEAST_HALF = 8


class SortedBlocks:
    """Weighted multiset with O(sqrt n) insert, remove and select (insert amortised).

    Parameters
    ----------
    values
        Scores to start from, shape (n,), in any order.
    weights
        Their weights, shape (n,); one each by default.

    Examples
    --------
    >>> scores = SortedBlocks(np.array([3.0, 1.0, 2.0]))
    >>> scores.insert(1.5)
    >>> scores.remove(3.0)
    >>> len(scores), scores.select(2)
    (3, 1.5)
    """

    # Block b holds values[b, : sizes[b]], ascending, and no value of it exceeds one of block b + 1. Removal may empty a
    # block, so that every scan skips those of size zero. Outside of `insert` each block has a free place.
    __slots__ = ("count", "sizes", "sums", "total", "values", "weights")

    values: FloatArray
    weights: FloatArray
    sizes: IntArray
    sums: FloatArray

    def __init__(self, values: FloatArray, weights: FloatArray | None = None) -> None:
        order = np.argsort(values)
        weights = np.ones(order.size) if weights is None else weights
        self.count = int(order.size)
        self.total = float(weights.sum())
        self._spread(values[order], weights[order])

    def kept(self) -> dict[str, Any]:
        """The blocks as they stand: spread anew, sums of weights would round in another order."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def rebuilt(cls, kept: dict[str, Any]) -> "SortedBlocks":
        """The multiset of what was kept, its blocks checked, as no kernel asks whether a place is there."""
        check_that(list(kept) == list(cls.__slots__), f"a multiset has {', '.join(cls.__slots__)}")
        blocks = cls.__new__(cls)
        for name, part in kept.items():
            setattr(blocks, name, part)
        sizes, shape = blocks.sizes, np.shape(blocks.values)
        check_that(len(shape) == 2 and shape[0] > 0, "scores stand in blocks")
        for name, dtype in (("values", "f8"), ("weights", "f8"), ("sizes", "i8"), ("sums", "f8")):
            check_that(getattr(kept[name], "dtype", None) == np.dtype(dtype), f"{name} are {dtype}")
            check_shape(kept[name], shape if name in ("values", "weights") else shape[:1], name)
        check_that(bool(np.all((sizes >= 0) & (sizes < shape[1]))), "each block has a free place")
        check_that(type(blocks.count) is int and blocks.count == sizes.sum(), "scores are counted")
        check_that(type(blocks.total) is float, "the total is a number")
        return blocks

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        blocks, capacity = self.values.shape
        return f"SortedBlocks({self.count} scores, weight {self.total:.6g}, {blocks} blocks of {capacity})"

    def insert(self, value: float, weight: float = 1.0) -> None:
        """Add one score."""
        full = _insert(self.values, self.weights, self.sizes, self.sums, value, weight)
        self.count += 1
        self.total += weight
        if full:
            # Row by row the mask reads the blocks in order, which is the order of the scores.
            occupied = np.arange(self.values.shape[1]) < self.sizes[:, None]
            self._spread(self.values[occupied], self.weights[occupied])

    def remove(self, value: float) -> None:
        """Take out one score that equals `value`."""
        # Of equal scores the first by place goes, whatever its weight: right where weights are equal, as in a window.
        weight = _remove(self.values, self.weights, self.sizes, self.sums, value)
        if weight < 0:
            raise ValueError(f"no score equals {value!r}; remove only what was inserted")
        self.count -= 1
        self.total -= weight

    def select(self, target: float) -> float:
        """Smallest score whose cumulative weight reaches `target`; the largest when none does."""
        return self.reach(target)[0]

    def reach(self, target: float) -> tuple[float, float]:
        """The score that `select` gives, and how far `target` is from the cumulative weights before and at it."""
        if self.count == 0:
            raise ValueError("an empty multiset has no quantile; insert a score first")
        return _select(self.values, self.weights, self.sizes, self.sums, target)

    def below(self, value: float) -> float:
        """Total weight of the scores smaller than `value`.

        Examples
        --------
        >>> SortedBlocks(np.array([3.0, 1.0, 2.0, 2.0])).below(2.0)
        1.0
        """
        return _below(self.values, self.weights, self.sizes, self.sums, value)

    @property
    def terms(self) -> int:
        """Most additions that one search makes: the blocks, and the places of one."""
        return sum(self.values.shape)

    def scale(self, factor: float) -> None:
        """Multiply every weight."""
        self.weights *= factor
        self.sums *= factor
        self.total *= factor

    def _spread(self, values: FloatArray, weights: FloatArray) -> None:
        half = max(LEAST_HALF, int(np.ceil(np.sqrt(values.size))))
        blocks = max(1, -(-values.size // half))
        self.values = np.zeros((blocks, 2 * half))
        self.weights = np.zeros((blocks, 2 * half))
        self.sizes = np.full(blocks, half)
        self.sizes[-1] = values.size - half * (blocks - 1)
        occupied = np.arange(2 * half) < self.sizes[:, None]
        self.values[occupied] = values
        self.weights[occupied] = weights
        self.sums = self.weights.sum(axis=1)


@jit
def _block_of(values: FloatArray, sizes: IntArray, value: float) -> int:
    """First block whose largest score is not below `value`; the last filled block when there is none."""
    last = 0
    for block in range(sizes.size):
        if sizes[block] > 0:
            last = block
            if values[block, sizes[block] - 1] >= value:
                break
    return last


@jit
def _insert(
    values: FloatArray, weights: FloatArray, sizes: IntArray, sums: FloatArray, value: float, weight: float
) -> bool:
    block = _block_of(values, sizes, value)
    size = sizes[block]
    place = np.searchsorted(values[block, :size], value)
    for hole in range(size, place, -1):
        values[block, hole] = values[block, hole - 1]
        weights[block, hole] = weights[block, hole - 1]
    values[block, place] = value
    weights[block, place] = weight
    sizes[block] = size + 1
    sums[block] += weight
    return bool(size + 1 == values.shape[1])


@jit
def _remove(
    values: FloatArray, weights: FloatArray, sizes: IntArray, sums: FloatArray, value: float
) -> float:
    block = _block_of(values, sizes, value)
    size = sizes[block]
    place = np.searchsorted(values[block, :size], value)
    if place == size or values[block, place] != value:
        return -1.0
    weight = float(weights[block, place])
    for hole in range(place, size - 1):
        values[block, hole] = values[block, hole + 1]
        weights[block, hole] = weights[block, hole + 1]
    sizes[block] = size - 1
    sums[block] -= weight
    return weight


@jit
def _select(
    values: FloatArray, weights: FloatArray, sizes: IntArray, sums: FloatArray, target: float
) -> tuple[float, float]:
    answer = np.nan
    for block in range(sizes.size):
        size = sizes[block]
        if size == 0:
            continue
        # Stands where no cumulative weight reaches the target, be it by rounding or because it is infinite.
        answer = values[block, size - 1]
        if sums[block] < target:
            target -= sums[block]
            continue
        for place in range(size):
            if weights[block, place] >= target:
                return float(values[block, place]), min(target, weights[block, place] - target)
            target -= weights[block, place]
        break
    return float(answer), 0.0


@jit
def _below(values: FloatArray, weights: FloatArray, sizes: IntArray, sums: FloatArray, value: float) -> float:
    total = 0.0
    for block in range(sizes.size):
        size = sizes[block]
        if size > 0 and values[block, size - 1] >= value:
            for place in range(size):
                if values[block, place] >= value:
                    return total
                total += weights[block, place]
        total += sums[block]
    return total
