"""Sets of slots as bits of 64-bit words, with a Fenwick tree over the words' counts.

One bit per slot keeps a set of 32,000 slots in 4 kB, so that a step stays in the fastest cache: nine levels of
tree and six halvings of one word select the k-th filled slot.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ngrc._jit import jit
from ngrc._types import IntArray
from ngrc.order import fenwick

Words: TypeAlias = NDArray[np.uint64]
# Half the cache of 64-bit counts, and enough for 2^31 slots.
Counts: TypeAlias = NDArray[np.int32]

# Plain integers beside unsigned ones turn into floats in compiled code, hence the typed constants.
ONE, TWO, FOUR, SIX = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(6)
LAST, TOP = np.uint64(63), np.uint64(56)
PAIRS, NIBBLES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
BYTES, EVERY_BYTE = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@jit
def popcount(word: np.uint64) -> np.uint64:
    """Number of set bits: sums of pairs, nibbles and bytes, which the compiler knows as one instruction."""
    word = word - ((word >> ONE) & PAIRS)
    word = (word & NIBBLES) + ((word >> TWO) & NIBBLES)
    word = (word + (word >> FOUR)) & BYTES
    return (word * EVERY_BYTE) >> TOP


@jit
def nth_bit(word: np.uint64, rank: int) -> int:
    """Place of the `rank`-th set bit, counted from the lowest; rank is in 1..popcount."""
    # The bit sought is always among the lowest 2 * half of `word`, and is its `remaining`-th set one.
    remaining = np.uint64(rank)
    place = np.uint64(0)
    half = np.uint64(32)
    while half > np.uint64(0):
        low = popcount(word & ((ONE << half) - ONE))
        if low < remaining:
            remaining -= low
            word >>= half
            place += half
        half >>= ONE
    return int(place)


@jit
def filled(order: IntArray, known: int) -> tuple[Words, Counts]:
    """Words and tree of the set of ranks that the first `known` positions take, from `order`, shape (n,)."""
    # One word too many where the size is a multiple of 64: a shift without the ceiling, and no empty array.
    words = np.zeros((order.size >> 6) + 1, np.uint64)
    for rank in range(order.size):
        words[rank >> 6] |= np.uint64(order[rank] < known) << (np.uint64(rank) & LAST)
    tree = np.zeros(fenwick.tree_size(words.size), np.int32)
    for index in range(words.size):
        tree[index + 1] = popcount(words[index])
    return words, fenwick.build(tree)


@jit
def fill(words: Words, tree: Counts, slot: int) -> None:
    """Put an empty slot into the set."""
    # Setting a bit twice would leave the word and still count it twice, hence "empty"; each score enters once.
    words[slot >> 6] |= ONE << (np.uint64(slot) & LAST)
    fenwick.add(tree, slot >> 6, 1)


@jit
def clear(words: Words, tree: Counts, slot: int) -> None:
    """Take a filled slot out of the set."""
    words[slot >> 6] &= ~(ONE << (np.uint64(slot) & LAST))
    fenwick.add(tree, slot >> 6, -1)


@jit
def nth(words: Words, tree: Counts, rank: int) -> int:
    """The `rank`-th smallest slot of the set; rank is in 1..size."""
    index, rest = fenwick.descend(tree, rank)
    return (index << 6) + nth_bit(words[index], rest)


@jit
def below(words: Words, tree: Counts, slot: int) -> int:
    """How many slots of the set are smaller than `slot`, which is at most the number of slots."""
    index = slot >> 6
    rest = words[index] & ((ONE << (np.uint64(slot) & LAST)) - ONE)
    return int(fenwick.before(tree, index)) + int(popcount(rest))
