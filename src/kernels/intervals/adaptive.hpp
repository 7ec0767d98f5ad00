// Adaptive conformal prediction: the level answers to past coverage errors, the history grows.
//
// Source: Gibbs and Candes (2021), arXiv:2106.00170, projected.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "array.hpp"
#include "intervals/known.hpp"
#include "intervals/outcomes.hpp"
#include "order/blocks.hpp"
#include "order/quantiles.hpp"

namespace ngrc::adaptive {

using outcomes::Outcome;

// The projection of the paper's appendix "Adaptive and Time-Weighted Conformal Prediction", which its printed digits
// rest on; its equation `adaptive_update` writes [0, 1].
constexpr double LOWEST = 0.001, HIGHEST = 0.999;
// The rarest miss at which the paper uses that projection: 1 - 0.99 is just above 0.01 in floating point.
constexpr double RARE = 0.01;

// Least and largest alpha_t: the paper's 0.001 and 0.999, with room for one error where an error is rare.
//
// A miss lowers alpha_t by eta, and the 1 / alpha covered steps that ought to follow raise it again. A bound less than
// eta below alpha forgets part of the debt: at a level of 0.9999 the paper's bound lies above alpha itself, and every
// interval missed ten times too often. The same holds for a rare hit and the upper bound.
inline std::pair<double, double> bounds(double alpha, double rate) {
    const double low = alpha >= RARE ? LOWEST : std::min(LOWEST, alpha - rate);
    const double high = alpha <= 1.0 - RARE ? HIGHEST : std::max(HIGHEST, alpha + rate);
    return {low, high};
}

// Projection of alpha_t + eta (alpha - err_t) on its bounds (paper, equation `adaptive_update`). A rate of zero
// projects and moves nothing.
inline double moved(double current, double rate, double alpha, bool missed) {
    const auto [low, high] = bounds(alpha, rate);
    return std::min(std::max(current + rate * (alpha - double(missed)), low), high);
}

// Rank ceil((m + 1)(1 - alpha_t)) within 1..m: the largest score stands in for infinity.
inline Index rank(Index count, double current) {
    return std::min<Index>(quantiles::conformal_rank(count, 1.0 - current), count);
}

// Half-width at a level, from a table of all known scores.
inline double width(blocks::Table table, double current) {
    return blocks::nth(table, rank(Index(table(0, blocks::COUNT)), current));
}

// One more score and, where an interval was issued, one more coverage error: half-width and level after them.
inline std::pair<double, double> observe(blocks::Table table, double residual, Outcome outcome, double current,
                                         double rate, double alpha) {
    blocks::insert(table, outcomes::score_of(residual), 1.0);
    if (outcome != Outcome::unissued) current = moved(current, rate, alpha, outcome == Outcome::missed);
    return {width(table, current), current};
}

// Of several rates, one after the other.
struct Passes {
    std::vector<double> widths, levels;
};

// Half-widths and alpha_t of every rate, both of shape (rates, steps). All rates know the same scores.
inline Passes passes(Vector<const double> scores, Vector<const std::int64_t> order, Index known, Index steps,
                     Index horizon, double alpha, Vector<const double> rates) {
    known::Scores set(scores, order, known);
    Passes made{std::vector<double>(rates.size * steps), std::vector<double>(rates.size * steps)};
    std::vector<double> current(rates.size, moved(alpha, 0.0, alpha, false));
    for (Index step = 0; step < steps; ++step) {
        const Index count = known + step;
        // Position count - 1 = start + step - H was observed just now. It is a wanted position, and its interval the
        // one issued H steps ago, from step = H on; before that it was pending at the start and brings no coverage
        // error.
        if (step > 0) set.add(count - 1);
        for (Index place = 0; place < rates.size; ++place) {
            double* widths = made.widths.data() + place * steps;
            if (step >= horizon) {
                // An outcome on the end of its interval is covered, as in the coverage that is reported.
                const bool missed = scores[count - 1] > widths[step - horizon];
                current[place] = moved(current[place], rates[place], alpha, missed);
            }
            widths[step] = set.nth(rank(count, current[place]));
            made.levels[place * steps + step] = current[place];
        }
    }
    return made;
}

}  // namespace ngrc::adaptive
