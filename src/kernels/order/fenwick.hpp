// Fenwick trees over a rank space that is known in advance: O(log n) insert, remove and select.
//
// A tree is an array of 2^b + 1 counts (int32) or weights (double); entry 0 is unused and entry i holds the sum of the
// i & -i positions that end at i. The power of two spares the descent its bounds check.
//
// Source: Fenwick (1994), doi:10.1002/spe.4380240306.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "array.hpp"

namespace ngrc::fenwick {

// Length of the array that holds a tree over `count` positions.
inline Index tree_size(Index count) {
    Index size = 1;
    while (size < count) size *= 2;
    return size + 1;
}

// Turns amounts, written at 1 + position, into a tree, in place and in linear time. In ascending order every child has
// passed its sum on before its parent passes on its own; the last node covers everything and has no parent.
template <class Number>
void build(Vector<Number> tree) {
    for (Index node = 1; node < tree.size - 1; ++node) tree[node + (node & -node)] += tree[node];
}

// Adds `amount` at a position counted from zero; -1 removes a unit.
template <class Number>
void add(Vector<Number> tree, Index position, Number amount) {
    for (Index node = position + 1; node < tree.size; node += node & -node) tree[node] += amount;
}

// Sum of the amounts at all positions below `position`.
template <class Number>
std::remove_const_t<Number> before(Vector<Number> tree, Index position) {
    std::remove_const_t<Number> total = 0;
    for (Index node = position; node > 0; node -= node & -node) total += tree[node];
    return total;
}

// Smallest position whose inclusive prefix sum reaches `target`, and what is left of the target there; the last
// position when no prefix reaches it.
template <class Number, class Target>
std::pair<Index, Target> descend(Vector<Number> tree, Target target) {
    Index before = 0;
    for (Index step = (tree.size - 1) / 2; step > 0; step /= 2) {
        const Target left = tree[before + step];
        // Strictly below: a prefix that equals the target has reached it, and the smallest such position is wanted.
        if (left < target) {
            before += step;
            target -= left;
        }
    }
    return {before, target};
}

// The position that `descend` finds for a target above zero, and how far the target is from its two bounds. The bounds
// are the prefix sums before and at the position; both lie on the way down, the later the closer, save the sum of
// everything, which is never visited and taken as infinite.
inline std::pair<Index, double> reach(Vector<const double> tree, double target) {
    Index before = 0;
    double above = std::numeric_limits<double>::infinity();
    for (Index step = (tree.size - 1) / 2; step > 0; step /= 2) {
        const double left = tree[before + step];
        if (left < target) {
            before += step;
            target -= left;
        } else {
            above = left - target;
        }
    }
    return {before, std::min(target, above)};
}

}  // namespace ngrc::fenwick
