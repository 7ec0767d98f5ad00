// Multisets of a whole block: growing, sliding and exponentially decayed, O(log n) per step.
//
// All work on the ranks of every score of the block, which only name the slots: a slot is empty until its score becomes
// known, so no result depends on a later score. Each kernel returns positions of scores in time, so that a look ahead
// would show as a position that is too large.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "array.hpp"
#include "order/bits.hpp"
#include "order/fenwick.hpp"

namespace ngrc::multisets {

// A power of two, so that scaling by it is exact. One step may overshoot it by 1 / LEAST_DECAY, below 2^333; that and a
// sum of 2^90 such weights stay below the largest double, 2^1024.
constexpr double WEIGHT_CEILING = 0x1p600;
// Above the least normal number, 2^-1022: what is smaller slows arithmetic and moves no sum.
constexpr double WEIGHT_FLOOR = 0x1p-1000;
// Stands for a position where rounding could decide.
constexpr std::int64_t DOUBTFUL = -1;

// Rank of every position: the inverse of `order`.
inline std::vector<std::int32_t> ranks_of(Vector<const std::int64_t> order) {
    std::vector<std::int32_t> ranks(order.size);
    for (Index rank = 0; rank < order.size; ++rank) ranks[order[rank]] = std::int32_t(rank);
    return ranks;
}

// Position of the `rank`-th smallest of every `window` consecutive scores, from the positions of the n scores by size.
// Entry i of the n - window + 1 belongs to the window that starts at position i.
inline std::vector<std::int64_t> sliding_select(Vector<const std::int64_t> order, Index window, Index rank) {
    const std::vector<std::int32_t> ranks = ranks_of(order);
    bits::Set set = bits::filled(order, window);
    std::vector<std::int64_t> positions(order.size - window + 1);
    for (Index step = 0; step < Index(positions.size()); ++step) {
        if (step > 0) {
            // Both before the search: the window that starts at `step` holds positions step .. step + window - 1.
            bits::clear(set.words, set.tree, ranks[step - 1]);
            bits::fill(set.words, set.tree, ranks[step + window - 1]);
        }
        positions[step] = order[bits::nth(set.words, set.tree, rank)];
    }
    return positions;
}

// Weights decay^(m - j), j = 1..m, of the scores known at the start, and their sum. What would be a subnormal number is
// set to zero: it is far below rounding, and slow.
inline std::pair<std::vector<double>, double> decayed_start(Index count, double decay) {
    std::vector<double> weights(count, 0.0);
    double weight = 1.0;
    Index oldest = 0;
    for (Index position = count - 1; position >= 0; --position) {
        weights[position] = weight;
        weight *= decay;
        if (weight < WEIGHT_FLOOR) {
            oldest = position;
            break;
        }
    }
    double total = 0.0;
    for (Index position = oldest; position < count; ++position) total += weights[position];  // the smallest first
    return {std::move(weights), total};
}

inline std::vector<double> weight_tree(Vector<const std::int64_t> order, const std::vector<double>& weights) {
    std::vector<double> tree(fenwick::tree_size(order.size), 0.0);
    for (Index rank = 0; rank < order.size; ++rank) {
        if (order[rank] < Index(weights.size())) tree[rank + 1] = weights[order[rank]];
    }
    fenwick::build<double>(tree);
    return tree;
}

// Puts the position of the largest score known at a step where its share is beyond every sum.
inline void largest_known(const std::vector<std::int32_t>& ranks, Index known, Vector<const double> shares,
                          std::vector<std::int64_t>& positions) {
    Index best = 0;
    for (Index count = 1; count < known + Index(positions.size()); ++count) {
        if (ranks[count - 1] > ranks[best]) best = count - 1;
        if (count >= known && shares[count - known] > 1.0) positions[count - known] = best;
    }
}

// Position of the weighted quantile of a growing history at every step, newest weight 1, older ones decayed, a share of
// the total weight to reach for each; DOUBTFUL where the answer is not clear by `rounding` times the total weight.
//
// Instead of shrinking every old weight by the decay, the newest one grows by 1 / decay. Before that could overflow
// everything is scaled by a power of two, which is exact.
inline std::vector<std::int64_t> decayed_pass(Vector<const std::int64_t> order, Index known, double decay,
                                              Vector<const double> shares, double rounding) {
    const std::vector<std::int32_t> ranks = ranks_of(order);
    auto [weights, total] = decayed_start(known, decay);
    std::vector<double> tree = weight_tree(order, weights);
    std::vector<std::int64_t> positions(order.size - known + 1);
    double newest = 1.0;
    for (Index step = 0; step < Index(positions.size()); ++step) {
        if (step > 0) {
            newest /= decay;
            if (newest > WEIGHT_CEILING) {
                for (double& node : tree) node /= WEIGHT_CEILING;
                total /= WEIGHT_CEILING;
                newest /= WEIGHT_CEILING;
            }
            // The score at position known + step - 1 became known with this step and is the newest.
            fenwick::add<double>(tree, ranks[known + step - 1], newest);
            total += newest;
        }
        const double target = shares[step] * total;
        const auto [rank, clearance] = fenwick::reach(tree, target);
        // `reach` takes the sum of everything for infinite, so that the distance to it is looked at here.
        const bool clear = std::min(clearance, total - target) > rounding * total;
        positions[step] = clear ? order[rank] : DOUBTFUL;
    }
    largest_known(ranks, known, shares, positions);
    return positions;
}

}  // namespace ngrc::multisets
