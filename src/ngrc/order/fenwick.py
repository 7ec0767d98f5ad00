"""Fenwick trees over a rank space that is known in advance: O(log n) insert, remove and select.

A tree is a plain array of 2^b + 1 counts (int32) or weights (float64); entry 0 is unused and entry i holds
the sum of the i & -i positions that end at i. The power of two spares the descent its bounds check.

Source: Fenwick (1994), doi:10.1002/spe.4380240306.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ngrc._jit import jit

Number = TypeVar("Number", np.int32, np.float64)


@jit
def build(amounts: NDArray[Number]) -> NDArray[Number]:
    """Tree over `amounts`, shape (n,), in linear time.

    Examples
    --------
    >>> build(np.array([1, 0, 2], dtype=np.int32)).tolist()
    [0, 1, 1, 2, 3]
    """
    size = 1
    while size < amounts.size:
        size *= 2
    tree = np.zeros(size + 1, amounts.dtype)
    tree[1 : amounts.size + 1] = amounts
    for node in range(1, size):
        tree[node + (node & -node)] += tree[node]
    return tree


@jit
def add(tree: NDArray[Number], position: int, amount: float) -> None:
    """Add `amount` at a position counted from zero; -1 removes a unit."""
    node = position + 1
    while node < tree.size:
        tree[node] += amount
        node += node & -node


@jit
def select(tree: NDArray[Number], target: float) -> int:
    """Smallest position whose inclusive prefix sum reaches `target`; the last position when none does.

    Examples
    --------
    >>> tree = build(np.array([1, 0, 2], dtype=np.int32))
    >>> [select(tree, k) for k in (1, 2, 3)]
    [0, 2, 2]
    """
    step = (tree.size - 1) // 2
    before = 0
    while step > 0:
        left = tree[before + step]
        if left < target:
            before += step
            target -= left
        step //= 2
    return before
