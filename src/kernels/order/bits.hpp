// Sets of slots as bits of 64-bit words, with a Fenwick tree over the words' counts.
//
// One bit per slot keeps a set of 32,000 slots in 4 kB, so that a step stays in the fastest cache: nine levels of tree
// and six halvings of one word select the k-th filled slot.
#pragma once

#include <cstdint>
#include <vector>

#include "array.hpp"
#include "order/fenwick.hpp"

namespace ngrc::bits {

using Word = std::uint64_t;
// Half the cache of 64-bit counts, and enough for 2^31 slots.
using Count = std::int32_t;

// Number of set bits: sums of pairs, nibbles and bytes, which compilers know as one instruction.
inline int popcount(Word word) {
    word -= (word >> 1) & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return int((word * 0x0101010101010101u) >> 56);
}

// Place of the `rank`-th set bit, counted from the lowest; rank is in 1..popcount. All eight bytes of a word are
// compared at once, without a branch: first the byte is found from the sums of bits up to each byte, then the bit in it
// from its bits, spread over eight bytes, in the same way. Source: Vigna (2008), doi:10.1007/978-3-540-68552-4_12.
inline int nth_bit(Word word, int rank) {
    constexpr Word ONES = 0x0101010101010101u, TOPS = 0x8080808080808080u, DIAGONAL = 0x8040201008040201u;
    // How many of the eight bytes, each below 128, are at most `number`.
    const auto at_most = [](Word bytes, Word number) {
        return int((((((number * ONES) | TOPS) - bytes) & TOPS) >> 7) * ONES >> 56);
    };
    Word sums = word - ((word >> 1) & 0x5555555555555555u);
    sums = (sums & 0x3333333333333333u) + ((sums >> 2) & 0x3333333333333333u);
    sums = ((sums + (sums >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * ONES;
    const Word before = Word(rank - 1);
    const int byte = 8 * at_most(sums, before);
    const Word rest = before - ((sums << 8) >> byte & 0xFF);
    const Word spread = (word >> byte & 0xFF) * ONES & DIAGONAL;
    const Word filled = ((spread | ((spread | TOPS) - ONES)) & TOPS) >> 7;
    return byte + at_most(filled * ONES, rest);
}

// A set and the tree over its words.
struct Set {
    std::vector<Word> words;
    std::vector<Count> tree;
};

// The set of ranks that the first `known` positions take, from `order`, shape (n,). There is one word too many where
// the size is a multiple of 64, and never an empty array.
inline Set filled(Vector<const std::int64_t> order, Index known) {
    Set set{std::vector<Word>((order.size >> 6) + 1), {}};
    for (Index rank = 0; rank < order.size; ++rank) set.words[rank >> 6] |= Word(order[rank] < known) << (rank & 63);
    set.tree.assign(fenwick::tree_size(Index(set.words.size())), 0);
    for (std::size_t index = 0; index < set.words.size(); ++index) set.tree[index + 1] = popcount(set.words[index]);
    fenwick::build<Count>(set.tree);
    return set;
}

// Puts an empty slot into the set. Setting a bit twice would leave the word and still count it twice, hence "empty".
inline void fill(Vector<Word> words, Vector<Count> tree, Index slot) {
    words[slot >> 6] |= Word(1) << (slot & 63);
    fenwick::add<Count>(tree, slot >> 6, 1);
}

// Takes a filled slot out of the set.
inline void clear(Vector<Word> words, Vector<Count> tree, Index slot) {
    words[slot >> 6] &= ~(Word(1) << (slot & 63));
    fenwick::add<Count>(tree, slot >> 6, -1);
}

// The `rank`-th smallest slot of the set; rank is in 1..size.
inline Index nth(Vector<const Word> words, Vector<const Count> tree, Index rank) {
    const auto [index, rest] = fenwick::descend<const Count, Count>(tree, Count(rank));
    return (index << 6) + nth_bit(words[index], rest);
}

// How many slots of the set are smaller than `slot`, which is at most the number of slots.
inline Index below(Vector<const Word> words, Vector<const Count> tree, Index slot) {
    const Index index = slot >> 6;
    return fenwick::before(tree, index) + popcount(words[index] & ((Word(1) << (slot & 63)) - 1));
}

}  // namespace ngrc::bits
