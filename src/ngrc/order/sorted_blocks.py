"""A sorted multiset for scores that arrive one at a time, where future ranks are not known.

A Fenwick tree needs the ranks of all scores in advance. Here the scores stand in sorted blocks of at most
2 sqrt(n) places, each block with the sum of its weights: insert and select read O(sqrt n) block heads at most and move
O(sqrt n) places of one block. A full block is split in two; when there are as many blocks as a block has places, all
are spread evenly into half-full larger ones: O(n) work, each time that n has doubled. Scans and short moves of
contiguous memory beat the pointers of a balanced tree far beyond the lengths of real histories. Unit and decayed
weights share the structure: with unit weights a cumulative weight of k is the k-th smallest score, exactly.
"""

from typing import Any

import numpy as np

from ngrc._kernels.order import (
    BLOCKS_COUNT,
    BLOCKS_FIRST,
    BLOCKS_ORDER,
    BLOCKS_SIZE,
    BLOCKS_SUM,
    BLOCKS_TOP,
    BLOCKS_TOTAL,
    BLOCKS_USED,
    blocks_below,
    blocks_insert,
    blocks_reach,
    blocks_scale,
)
from ngrc._types import FloatArray
from ngrc.archive import check_shape, check_that

COUNT, TOTAL, USED, ORDER = BLOCKS_COUNT, BLOCKS_TOTAL, BLOCKS_USED, BLOCKS_ORDER
"""Places in row 0 of a table."""
SIZE, SUM, TOP, FIRST = BLOCKS_SIZE, BLOCKS_SUM, BLOCKS_TOP, BLOCKS_FIRST
"""Places in the row of a block."""

# A block of sixteen places is two cache lines of scores: smaller ones only split more often.
LEAST_HALF = 8
KEPT = ("count", "sizes", "sums", "total", "values", "weights")


class SortedBlocks:
    """Weighted multiset with O(sqrt n) insert and select (insert amortised).

    Parameters
    ----------
    values
        Scores to start from, shape (n,), in any order.
    weights
        Their weights, shape (n,); one each by default.

    Attributes
    ----------
    table
        All of it, as `src/kernels/order/blocks.hpp` lays it out, for kernels; they raise `IndexError` where `spread`
        must make room.

    Examples
    --------
    >>> scores = SortedBlocks(np.array([3.0, 1.0, 2.0]))
    >>> scores.insert(1.5)
    >>> len(scores), scores.select(2)
    (4, 1.5)
    """

    __slots__ = ("table",)

    table: FloatArray

    def __init__(self, values: FloatArray, weights: FloatArray | None = None) -> None:
        order = np.argsort(values)
        weights = np.ones(order.size) if weights is None else weights
        self._lay_out(values[order], weights[order], float(weights.sum()))

    def kept(self) -> dict[str, Any]:
        """The blocks as they stand: spread anew, sums of weights would round in another order."""
        values, weights, sizes = self._places()
        return {
            "count": len(self),
            "sizes": sizes,
            "sums": self.table[self._rows, SUM],
            "total": self.total,
            "values": values,
            "weights": weights,
        }

    @classmethod
    def rebuilt(cls, kept: dict[str, Any]) -> "SortedBlocks":
        """The multiset of what was kept, its blocks checked, as no kernel asks whether a place is there."""
        check_that(tuple(kept) == KEPT, f"a multiset has {', '.join(KEPT)}")
        count, sizes, sums, total, values, weights = kept.values()
        shape = np.shape(values)
        check_that(len(shape) == 2 and 0 < shape[0] <= shape[1], "scores stand in no more blocks than places")
        for name, dtype in (("values", "f8"), ("weights", "f8"), ("sizes", "i8"), ("sums", "f8")):
            check_that(getattr(kept[name], "dtype", None) == np.dtype(dtype), f"{name} are {dtype}")
            check_shape(kept[name], shape if name in ("values", "weights") else shape[:1], name)
        check_that(bool(np.all((sizes >= 0) & (sizes <= shape[1]))), "blocks hold no more than their places")
        check_that(type(count) is int and count == sizes.sum(), "scores are counted")
        check_that(type(total) is float, "the total is a number")
        # Version 0.2.0 left blocks empty where scores were removed.
        filled = sizes > 0 if count else np.arange(sizes.size) == 0
        multiset = cls.__new__(cls)
        multiset._store(values[filled], weights[filled], sizes[filled], sums[filled], total)
        return multiset

    def __len__(self) -> int:
        return int(self.table[0, COUNT])

    def __repr__(self) -> str:
        return (
            f"SortedBlocks({len(self)} scores, weight {self.total:.6g}, "
            f"{self._rows.size} blocks of {len(self.table) - 1})"
        )

    @property
    def total(self) -> float:
        """Weight of all scores."""
        return float(self.table[0, TOTAL])

    def insert(self, value: float, weight: float = 1.0) -> None:
        """Add one score."""
        try:
            blocks_insert(self.table, value, weight)
        except IndexError:
            self.spread()
            blocks_insert(self.table, value, weight)

    def select(self, target: float) -> float:
        """Smallest score whose cumulative weight reaches `target`; the largest when none does."""
        return self.reach(target)[0]

    def reach(self, target: float) -> tuple[float, float]:
        """The score that `select` gives, and how far `target` is from the cumulative weights before and at it."""
        if not len(self):
            raise ValueError("an empty multiset has no quantile; insert a score first")
        return blocks_reach(self.table, float(target))

    def below(self, value: float) -> float:
        """Total weight of the scores smaller than `value`.

        Examples
        --------
        >>> SortedBlocks(np.array([3.0, 1.0, 2.0, 2.0])).below(2.0)
        1.0
        """
        return blocks_below(self.table, value)

    def scale(self, factor: float) -> None:
        """Multiply every weight."""
        blocks_scale(self.table, factor)

    def spread(self) -> None:
        """Lay the scores out anew in larger blocks, each half full."""
        values, weights, sizes = self._places()
        occupied = np.arange(values.shape[1]) < sizes[:, None]
        # Row by row the mask reads the blocks in order, which is the order of the scores.
        self._lay_out(values[occupied], weights[occupied], self.total)

    @property
    def _rows(self) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        """Rows of the blocks, in the order of their scores."""
        rows: np.ndarray[tuple[int], np.dtype[np.int64]]
        rows = self.table[0, ORDER : ORDER + int(self.table[0, USED])].astype(np.int64)
        return rows

    def _places(self) -> tuple[FloatArray, FloatArray, "np.ndarray[tuple[int], np.dtype[np.int64]]"]:
        """Scores and weights, shape (blocks, places), and the blocks' sizes."""
        held, capacity = self.table[self._rows], len(self.table) - 1
        values, weights = held[:, FIRST : FIRST + capacity], held[:, FIRST + capacity :]
        return values.copy(), weights.copy(), held[:, SIZE].astype(np.int64)

    def _lay_out(self, values: FloatArray, weights: FloatArray, total: float) -> None:
        half = max(LEAST_HALF, int(np.ceil(np.sqrt(values.size))))
        count = max(1, -(-values.size // half))
        sizes = np.full(count, half)
        sizes[-1] = values.size - half * (count - 1)
        occupied = np.arange(2 * half) < sizes[:, None]
        places = np.zeros((2, count, 2 * half))
        places[0][occupied], places[1][occupied] = values, weights
        self._store(places[0], places[1], sizes, places[1].sum(axis=1), total)

    def _store(
        self, values: FloatArray, weights: FloatArray, sizes: Any, sums: FloatArray, total: float
    ) -> None:
        count, capacity = values.shape
        self.table = np.zeros((1 + capacity, FIRST + 2 * capacity))
        self.table[0, [COUNT, TOTAL, USED]] = sizes.sum(), total, count
        self.table[0, ORDER : ORDER + count] = np.arange(1, 1 + count)
        held = self.table[1 : 1 + count]
        held[:, SIZE], held[:, SUM] = sizes, sums
        held[:, TOP] = np.where(sizes > 0, values[np.arange(count), sizes - 1], -np.inf)
        held[:, FIRST : FIRST + capacity], held[:, FIRST + capacity :] = values, weights
