"""Fenwick trees, bit sets, orderings and sorted blocks against plain sorted lists."""

import bisect
import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._kernels import order as kernels
from ngrc._types import FloatArray
from ngrc.order.ranks import ordering
from ngrc.order.sorted_blocks import SortedBlocks


@given(st.lists(st.integers(0, 5), min_size=1, max_size=70))
@settings(deadline=None, max_examples=100)
def test_tree_descends_to_the_first_prefix_that_reaches(amounts: list[int]) -> None:
    tree = np.zeros(kernels.fenwick_tree_size(len(amounts)), np.int32)
    tree[1 : len(amounts) + 1] = amounts
    kernels.fenwick_build(tree)
    kernels.fenwick_add(tree, len(amounts) // 2, 3)
    amounts[len(amounts) // 2] += 3
    prefixes = np.cumsum(amounts)
    for target in range(1, prefixes[-1] + 1):
        place, rest = kernels.fenwick_descend(tree, target)
        assert place == np.searchsorted(prefixes, target)
        assert rest == target - (prefixes[place] - amounts[place])


@given(st.integers(0, 2**64 - 1))
@settings(deadline=None, max_examples=200)
def test_bits_of_a_word(number: int) -> None:
    places = [place for place in range(64) if number >> place & 1]
    assert kernels.bits_popcount(number) == len(places)
    assert [kernels.bits_nth_bit(number, rank + 1) for rank in range(len(places))] == places


@pytest.mark.parametrize("size", [1, 63, 64, 65, 500])
def test_bit_set_equals_a_sorted_list(size: int) -> None:
    rng = np.random.default_rng(size)
    order = rng.permutation(size)
    known = size // 2
    words, tree = kernels.bits_filled(order, known)
    held = np.flatnonzero(order < known).tolist()
    for slot in rng.permutation(np.flatnonzero(order >= known)).tolist():
        kernels.bits_fill(words, tree, slot)
        bisect.insort(held, slot)
        if rng.random() < 0.3:
            gone = held.pop(int(rng.integers(len(held))))
            kernels.bits_clear(words, tree, gone)
        for rank in {1, len(held) // 2, len(held)} - {0}:
            if rank <= len(held):
                assert kernels.bits_nth(words, tree, rank) == held[rank - 1]


def near_ties(rng: np.random.Generator) -> FloatArray:
    return np.asarray(1.0 + rng.integers(0, 40, 300) * 2.0**-52, dtype=np.float64)


@pytest.mark.parametrize("seed", range(3))
def test_ordering_sorts_whatever_the_bits(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cases = [
        np.abs(rng.standard_cauchy(1000)),
        rng.integers(0, 3, 200).astype(float),
        near_ties(rng),
        np.sort(rng.random(500))[::-1] * 2.0**-1060,
        np.array([]),
        np.array([0.0]),
    ]
    for scores in cases:
        order = ordering(scores)
        assert np.array_equal(np.sort(order), np.arange(scores.size))
        assert np.array_equal(scores[order], np.sort(scores))


@given(st.lists(st.floats(0, allow_nan=False, allow_infinity=False), max_size=60))
@settings(deadline=None, max_examples=100)
def test_ordering_property(scores: list[float]) -> None:
    values = np.abs(np.array(scores, dtype=float))
    assert np.array_equal(values[ordering(values)], np.sort(values))


def test_blocks_equal_a_sorted_list_as_they_grow() -> None:
    rng = np.random.default_rng(1)
    start = rng.integers(0, 300, 40).astype(float)
    multiset, held = SortedBlocks(start), sorted(start.tolist())
    for step in range(3000):
        value = float(rng.integers(0, 300)) if step % 2 else float(rng.normal())
        multiset.insert(value)
        bisect.insort(held, value)
        assert len(multiset) == len(held) == multiset.total
        rank = int(rng.integers(len(held))) + 1
        assert multiset.select(rank) == kernels.blocks_nth(multiset.table, rank) == held[rank - 1]


@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_blocks_stay_small_when_every_score_lands_in_the_same_place(direction: float) -> None:
    multiset = SortedBlocks(np.array([0.0]))
    for step in range(1, 5000):
        multiset.insert(direction * step)
    values = multiset.kept()["values"]
    assert values.shape[1] < 4 * np.sqrt(len(multiset))
    assert values.size < 4 * len(multiset)
    assert multiset.select(1) == min(0.0, direction * 4999)
    assert multiset.select(5000) == max(0.0, direction * 4999)


def test_a_table_without_room_is_left_as_it_was() -> None:
    multiset = SortedBlocks(np.arange(9.0))
    # Rising scores split the last block again and again, until there are as many blocks as a block has places.
    for score in range(16 + 15 * 8 - 9):
        kernels.blocks_insert(multiset.table, 9.0 + score, 1.0)
    before = multiset.table.copy()
    with pytest.raises(IndexError):
        kernels.blocks_insert(multiset.table, 999.0, 1.0)
    assert np.array_equal(multiset.table, before)
    multiset.spread()
    assert multiset.select(1) == 0.0
    assert len(multiset) == before[0, 0]


def test_blocks_emptied_by_an_older_version_are_left_out() -> None:
    kept = SortedBlocks(np.arange(64.0)).kept()
    sizes = kept["sizes"].copy()
    sizes[2] = 0
    multiset = SortedBlocks.rebuilt(
        kept | {"sizes": sizes, "count": 56, "total": 56.0, "sums": sizes.astype(float)}
    )
    assert [multiset.select(rank) for rank in (16, 17, 56)] == [15.0, 24.0, 63.0]


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(1, 20)), min_size=1, max_size=40),
    st.floats(0.01, 0.99),
)
@settings(deadline=None, max_examples=100)
def test_weighted_blocks_equal_a_cumulative_sum(pairs: list[tuple[int, int]], share: float) -> None:
    values, weights = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    half = values.size // 2
    blocks = SortedBlocks(values[:half], weights[:half])
    for value, weight in zip(values[half:].tolist(), weights[half:].tolist(), strict=True):
        blocks.insert(value, weight)
    blocks.scale(0.25)
    order = np.argsort(values)
    cumulative = np.cumsum(weights[order]) / 4
    target = share * cumulative[-1]
    assert blocks.select(target) == values[order[np.searchsorted(cumulative, target)]]
    assert blocks.select(2 * blocks.total) == values.max()


def test_nothing_is_selected_from_nothing() -> None:
    multiset = SortedBlocks(np.empty(0))
    with pytest.raises(ValueError, match="empty"):
        multiset.select(1)
    multiset.insert(2.0)
    assert multiset.select(1) == 2.0


def test_blocks_copy_and_print() -> None:
    blocks = SortedBlocks(np.arange(100.0))
    twin, thawed = copy.deepcopy(blocks), pickle.loads(pickle.dumps(blocks))
    blocks.insert(-1.0)
    assert twin.select(1) == thawed.select(1) == 0.0
    assert blocks.select(1) == -1.0
    assert repr(blocks).startswith("SortedBlocks(101 scores, weight 101")


@pytest.mark.parametrize("size", [1, 63, 64, 65, 500])
def test_smaller_ones_are_counted_alike_by_trees_bits_and_blocks(size: int) -> None:
    rng = np.random.default_rng(size)
    scores = rng.integers(0, 40, size).astype(float)
    order, known = ordering(scores), (size + 1) // 2
    words, tree = kernels.bits_filled(order, known)
    blocks = SortedBlocks(scores[:known])
    held, ordered = np.sort(scores[:known]), scores[order]
    counts = np.zeros(kernels.fenwick_tree_size(size), np.int32)
    counts[1 : size + 1] = order < known
    kernels.fenwick_build(counts)
    for value in [-1.0, *np.unique(scores), 99.0]:
        slot = int(np.searchsorted(ordered, value))
        expected = int(np.searchsorted(held, value))
        assert kernels.bits_below(words, tree, slot) == expected
        assert kernels.fenwick_before(counts, slot) == expected
        assert blocks.below(value) == expected


def test_weights_below_are_summed() -> None:
    rng = np.random.default_rng(4)
    scores, weights = rng.random(300), rng.random(300)
    blocks = SortedBlocks(scores[:200], weights[:200])
    for score, weight in zip(scores[200:], weights[200:], strict=True):
        blocks.insert(score, weight)
    for value in (0.0, 0.3, scores[7], 1.0):
        assert blocks.below(value) == pytest.approx(weights[scores < value].sum(), rel=1e-12)
