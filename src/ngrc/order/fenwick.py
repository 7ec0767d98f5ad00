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
Target = TypeVar("Target", int, float)


@jit
def tree_size(count: int) -> int:
    """Length of the array that holds a tree over `count` positions."""
    size = 1
    while size < count:
        size *= 2
    return size + 1


@jit
def build(tree: NDArray[Number]) -> NDArray[Number]:
    """Turn amounts, written at 1 + position, into a tree, in place and in linear time.

    Examples
    --------
    >>> build(np.array([0, 1, 0, 2, 0], dtype=np.int32)).tolist()
    [0, 1, 1, 2, 3]
    """
    # In ascending order every child has passed its sum on before its parent passes on its own. The last node covers
    # everything and has no parent.
    for node in range(1, tree.size - 1):
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
def before(tree: NDArray[Number], position: int) -> float:
    """Sum of the amounts at all positions below `position`.

    Examples
    --------
    >>> tree = build(np.array([0, 1, 0, 2, 0], dtype=np.int32))
    >>> [int(before(tree, position)) for position in range(5)]
    [0, 1, 1, 3, 3]
    """
    total, node = 0, position
    while node > 0:
        total += tree[node]
        node -= node & -node
    return total


@jit
def descend(tree: NDArray[Number], target: Target) -> tuple[int, Target]:
    """Smallest position whose inclusive prefix sum reaches `target`, and what is left of the target there.

    The last position when no prefix reaches it.

    Examples
    --------
    >>> tree = build(np.array([0, 1, 0, 2, 0], dtype=np.int32))
    >>> [descend(tree, k) for k in (1, 2, 3)]
    [(0, 1), (2, 1), (2, 2)]
    """
    step = (tree.size - 1) // 2
    before = 0
    while step > 0:
        left = tree[before + step]
        # Strictly below: a prefix that equals the target has reached it, and the smallest such position is wanted.
        if left < target:
            before += step
            target -= left
        step //= 2
    return before, target


@jit
def reach(tree: NDArray[np.float64], target: float) -> tuple[int, float]:
    """The position that `descend` finds for a target above zero, and how far the target is from its two bounds.

    The bounds are the prefix sums before and at the position; both lie on the way down, the later the closer, save
    the sum of everything, which is never visited and taken as infinite.

    Examples
    --------
    >>> tree = build(np.array([0.0, 1.0, 0.0, 2.0, 0.0]))
    >>> [reach(tree, target) for target in (0.25, 1.5, 2.75)]
    [(0, 0.25), (2, 0.5), (2, 0.25)]
    """
    step = (tree.size - 1) // 2
    before = 0
    above = np.inf
    while step > 0:
        left = tree[before + step]
        if left < target:
            before += step
            target -= left
        else:
            above = left - target
        step //= 2
    return before, min(target, above)
