// Adaptive conformal prediction without projection.
//
// Source: Gibbs and Candes (2021), arXiv:2106.00170, proposition 4.1, here with outcomes that come H steps late.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "array.hpp"
#include "intervals/known.hpp"
#include "intervals/outcomes.hpp"
#include "order/blocks.hpp"
#include "order/quantiles.hpp"

namespace ngrc::unprojected {

// alpha_t after `resolved` intervals of which `misses` missed: alpha + eta sum(alpha - err). The sum of all its moves
// at once, from whole numbers, so that no rounding builds up over a long run.
inline double error_level(double alpha, double rate, Index resolved, Index misses) {
    return alpha + rate * (double(resolved) * alpha - double(misses));
}

// Rank ceil((m + 1)(1 - alpha_t)) among m scores; 0 stands for the forecast alone, m + 1 for infinity.
inline Index rank(Index count, double current) {
    if (current >= 1.0 - quantiles::LEVEL_SLACK) return 0;
    return std::min<Index>(quantiles::conformal_rank(count, 1.0 - current), count + 1);
}

// Half-width of a rank among `count` scores, of which `nth` finds one.
template <class Nth>
double width_at(Index rank, Index count, Nth nth) {
    if (rank == 0) return 0.0;
    return rank <= count ? nth(rank) : std::numeric_limits<double>::infinity();
}

// Half-width after so many intervals, from a table of all known scores.
inline double width(blocks::Table table, double alpha, double rate, Index resolved, Index misses) {
    const Index count = Index(table(0, blocks::COUNT));
    const Index chosen = rank(count, error_level(alpha, rate, resolved, misses));
    return width_at(chosen, count, [&](Index nth) { return blocks::nth(table, nth); });
}

// One more score; the half-width after so many intervals.
inline double observe(blocks::Table table, double residual, double alpha, double rate, Index resolved, Index misses) {
    blocks::insert(table, outcomes::score_of(residual), 1.0);
    return width(table, alpha, rate, resolved, misses);
}

// Half-widths and alpha_t of every step.
inline std::pair<std::vector<double>, std::vector<double>> pass(Vector<const double> scores,
                                                                Vector<const std::int64_t> order, Index known,
                                                                Index steps, Index horizon, double alpha, double rate) {
    known::Scores set(scores, order, known);
    std::vector<double> widths(steps), levels(steps);
    Index misses = 0;
    for (Index step = 0; step < steps; ++step) {
        const Index count = known + step;
        // As in `adaptive`: position count - 1 became known just now, and has an interval of ours from step = H on.
        if (step > 0) set.add(count - 1);
        if (step >= horizon) misses += scores[count - 1] > widths[step - horizon];
        levels[step] = error_level(alpha, rate, std::max<Index>(step - horizon + 1, 0), misses);
        widths[step] = width_at(rank(count, levels[step]), count, [&](Index nth) { return set.nth(nth); });
    }
    return {std::move(widths), std::move(levels)};
}

}  // namespace ngrc::unprojected
