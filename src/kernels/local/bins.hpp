// Quantiles of scores that fade: a histogram on a logarithmic grid, in a Fenwick tree of weights.
//
// A sorted multiset of all scores would be exact and would grow for ever. A grid of 24 cells per octave knows a
// quantile to 3 %, by interpolation within the cell to well below 1 %, in constant memory and some twenty additions per
// step. A tree has two places more than its nodes: the newest weight and the sum of all.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "array.hpp"
#include "order/fenwick.hpp"

namespace ngrc::local::bins {

using Tree = Vector<double>;

// Cells per factor of two: 2.9 % each.
constexpr Index OCTAVE = 24;
// Octaves on either side of the unit, factors of 10^12: errors may outgrow those of the calibration by far, where it
// was all but exact. What lies beyond counts in the last cell.
constexpr Index REACH = 40;
// Cells of one sign: one for what is smaller than the grid, the grid, and one for its end and what is larger.
constexpr Index CELLS = 2 * REACH * OCTAVE + 2;
// Weight of the newest score at which all weights are scaled down; a power of two, so that nothing is rounded.
constexpr double CEILING = 0x1p500;
// Places after the tree.
constexpr Index SPARE = 2;

// Cell of the absolute value of a score, in units.
inline Index cell(double size) {
    // Not "smaller": what is no number has a cell too, and never one outside of the tree.
    if (!(size >= 0x1p-40)) return 0;
    return 1 + Index((std::log2(std::min(size, 0x1p40)) + double(REACH)) * double(OCTAVE));
}
static_assert(REACH == 40, "the bounds in `cell` are 2^-REACH and 2^REACH");

// Lower edge of a cell by its formula, 2^((place - 1) / OCTAVE - REACH).
inline double computed_edge(Index place) { return std::exp2(double(place - 1) / double(OCTAVE) - double(REACH)); }

// Edges of all cells, computed once: a quantile reads two of them.
inline const std::array<double, CELLS + 1> EDGES = [] {
    std::array<double, CELLS + 1> edges{};
    for (Index place = 1; place <= CELLS; ++place) edges[place] = computed_edge(place);
    return edges;
}();

// Lower edge of a cell; that of the first is zero.
inline double edge(Index place) {
    if (place <= 0) return 0.0;
    return place <= CELLS ? EDGES[place] : computed_edge(place);
}

// Position in the tree of a score of either sign, whose absolute value lies in the cell `place`.
inline Index position(double score, Index place) { return score < 0.0 ? CELLS - 1 - place : CELLS + place; }

// The newest score joins at its position; all others fade by `decay`.
inline void add_at(Tree tree, Index position, double decay) {
    // The newest weight grows instead of all others fading: the same shares at the cost of one cell.
    double& newest = tree[tree.size - 2];
    double weight = newest / decay;
    if (weight > CEILING) {
        for (double& sum : tree) sum /= CEILING;
        weight /= CEILING;
    }
    fenwick::add(tree.part(0, tree.size - SPARE), position, weight);
    newest = weight;
    tree[tree.size - 1] += weight;
}

inline void add(Tree tree, double score, double decay) { add_at(tree, position(score, cell(std::abs(score))), decay); }

// Weight of one cell, counted from zero.
inline double weight_of(Vector<const double> tree, Index place) {
    Index node = place + 1;
    double weight = node < tree.size - SPARE ? tree[node] : 0.0;
    const Index stop = node - (node & -node);
    for (--node; node > stop; node -= node & -node) weight -= tree[node];
    return weight;
}

// Quantile of the scores, the outermost cell at most.
//
// The coming score's own weight is counted outwards, below one half at minus infinity and above at plus infinity: rank
// (m + 1) p, as in split conformal prediction. It fades like the oldest of the m scores: once a memory of twenty is
// full, a twentieth of its mass would widen it for good, and coverage is left to control.
inline double quantile(Vector<const double> tree, double probability, double decay) {
    const double total = tree[tree.size - 1], newest = tree[tree.size - 2];
    const double coming = newest * std::max(1.0 - (1.0 - decay) * total / newest, 0.0);
    if (total <= 0.0) return 0.0;
    double target = probability * (total + coming);
    if (probability < 0.5) target -= coming;
    // The smallest cell whose cumulative weight reaches the target.
    target = std::min(std::max(target, 1e-12 * total), total * (1.0 - 1e-12));
    const auto [place, left] = fenwick::descend(tree.part(0, tree.size - SPARE), target);
    // The innermost cells stand for zero: a score of exactly zero must not become a small width.
    if (place == CELLS || place == CELLS - 1) return 0.0;
    const double inside = weight_of(tree, place);
    const double share = inside > 0.0 ? std::min(std::max(left / inside, 0.0), 1.0) : 0.5;
    if (place >= CELLS) {
        const double low = edge(place - CELLS), high = edge(place - CELLS + 1);
        return low + share * (high - low);
    }
    const double low = edge(CELLS - 1 - place), high = edge(CELLS - place);
    return -(high - share * (high - low));
}

}  // namespace ngrc::local::bins
