// The known scores of a whole block as a set of ranks that grows by one score per step.
//
// Ranks are those among all scores of the block, known and unknown; they only name slots of the set, and a slot is
// empty until its score is known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "array.hpp"
#include "order/bits.hpp"
#include "order/multisets.hpp"

namespace ngrc::known {

class Scores {
public:
    // Of `scores`, the first `known` are known; `order` has their positions from the smallest to the largest.
    Scores(Vector<const double> scores, Vector<const std::int64_t> order, Index known)
        : ranks(multisets::ranks_of(order)), ordered(order.size), set(bits::filled(order, known)) {
        for (Index rank = 0; rank < order.size; ++rank) ordered[rank] = scores[order[rank]];
    }

    // The score at `position` becomes known.
    void add(Index position) { bits::fill(set.words, set.tree, ranks[position]); }

    // The `rank`-th smallest known score; rank is in 1..count.
    double nth(Index rank) { return ordered[bits::nth(set.words, set.tree, rank)]; }

    // How many known scores are smaller than `score`.
    Index below(double score) {
        const auto slot = std::lower_bound(ordered.begin(), ordered.end(), score) - ordered.begin();
        return bits::below(set.words, set.tree, slot);
    }

private:
    std::vector<std::int32_t> ranks;
    std::vector<double> ordered;
    bits::Set set;
};

}  // namespace ngrc::known
