// Time-weighted conformal prediction: the quantile of a history whose old scores fade.
//
// Source: paper, subsection "Time-Weighted Conformal Prediction".
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "array.hpp"
#include "intervals/outcomes.hpp"
#include "order/blocks.hpp"
#include "order/exact.hpp"
#include "order/multisets.hpp"
#include "order/quantiles.hpp"

namespace ngrc::weighted {

// One more score in a table of weighted ones: its weight. The same weights as `decayed_select`, up to a common factor:
// the newest grows instead of all others fading.
inline double join(blocks::Table table, double residual, double newest, double decay) {
    const double score = outcomes::score_of(residual);
    newest /= decay;
    blocks::insert(table, score, newest);
    // After the score: a table without room must be left as it was.
    if (newest > multisets::WEIGHT_CEILING) {
        newest /= multisets::WEIGHT_CEILING;
        blocks::scale(table, 1.0 / multisets::WEIGHT_CEILING);
    }
    return newest;
}

// The smallest score whose cumulative weight is a share of the total; NaN where rounding could decide.
inline double find(blocks::Table table, double share, double decay) {
    // No sum reaches a share above one: the largest known score stands in.
    if (share > 1.0) return blocks::reach(table, std::numeric_limits<double>::infinity()).first;
    const double total = table(0, blocks::TOTAL), target = share * total;
    const auto [width, clearance] = blocks::reach(table, target);
    const Index count = Index(table(0, blocks::COUNT));
    const Index terms = Index(table(0, blocks::USED)) + blocks::capacity_of(table);
    const bool clear = std::min(clearance, total - target) > exact::rounding_share(decay, count, terms) * total;
    return clear ? width : std::numeric_limits<double>::quiet_NaN();
}

// One more score: the half-width after it, NaN where in doubt, and the weight that it has.
inline std::pair<double, double> observe(blocks::Table table, double residual, double newest, double decay,
                                         double level) {
    newest = join(table, residual, newest, decay);
    return {find(table, quantiles::weight_target(level, 1.0), decay), newest};
}

}  // namespace ngrc::weighted
