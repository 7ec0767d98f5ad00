// Dynamically tuned adaptive conformal prediction: one expert per rate, weighed by how well each has done recently.
//
// Source: Gibbs and Candes (2022), arXiv:2208.08401, algorithm 1 with their mean level.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "array.hpp"
#include "intervals/adaptive.hpp"
#include "intervals/known.hpp"
#include "intervals/outcomes.hpp"
#include "intervals/ring.hpp"
#include "order/blocks.hpp"

namespace ngrc::dtaci {

using outcomes::Outcome;

// Rows of the state: alpha_t of every expert, its weight, and in a tracker its rate; weights sum to one.
constexpr Index LEVELS = 0, WEIGHTS = 1, RATES = 2;
// Numbers of a pending target before the levels that were held at its origin: how many scores were known there, and a
// place that belongs to no target, where the newest scores stand by time, each at the remainder of its position.
constexpr Index HELD = 2;

// One resolved interval, in place: weights by the pinball loss of the levels as they were issued, then moves.
//
// w <- (1 - sigma) w exp(-eta loss) / sum + sigma / k and alpha_i <- alpha_i + gamma_i (alpha - err_i), where err_i
// says whether the expert's own interval missed: beta is the largest level whose interval would not have.
inline void learn(Matrix<double> state, Vector<const double> issued, double beta, double alpha,
                  Vector<const double> rates, double sharpness, double mixing) {
    const Vector<double> levels = state[LEVELS], weights = state[WEIGHTS];
    double total = 0.0;
    for (Index expert = 0; expert < rates.size; ++expert) {
        const double below = beta - issued[expert];
        const double loss = alpha * below - std::min(below, 0.0);
        weights[expert] *= std::exp(-sharpness * loss);
        total += weights[expert];
        levels[expert] += rates[expert] * (alpha - double(issued[expert] >= beta));
    }
    const double experts = double(rates.size);
    for (double& weight : weights) {
        // All weights may vanish at once where an error is so rare that its loss is huge: then none is known to be
        // best.
        const double share = total > 0.0 ? weight / total : 1.0 / experts;
        weight = (1.0 - mixing) * share + mixing / experts;
    }
}

// The experts' levels, weighed.
inline double mean_level(Matrix<const double> state) {
    double total = 0.0;
    for (Index expert = 0; expert < state.columns; ++expert) total += state(WEIGHTS, expert) * state(LEVELS, expert);
    return total;
}

// The score joins the history; its place among the scores known at its origin moves every expert. `std::out_of_range`,
// before anything is changed, where the table has no room.
inline void observe(blocks::Table table, Matrix<double> experts, ring::Ring pending, double residual, Outcome outcome,
                    double alpha, double sharpness, double mixing) {
    const double score = outcomes::score_of(residual);
    const Index places = pending.rows - 1, known = Index(table(0, blocks::COUNT));
    // Before anything else, as there may be no room for it; it is not among the smaller ones.
    blocks::insert(table, score, 1.0);
    const Index issued = ring::pop(pending);
    if (outcome != Outcome::unissued && issued > 0 && pending(issued, 0) != ring::NONE) {
        const Index origin = Index(pending(issued, 0));
        double smaller = blocks::below(table, score);
        // As many came after the origin as targets before this one, so that all of them are still there.
        for (Index position = origin; position < known; ++position) {
            smaller -= double(pending(1 + position % places, 1) < score);
        }
        const double beta = 1.0 - smaller / double(origin + 1);
        learn(experts, pending[issued].part(HELD, pending.columns), beta, alpha, experts[RATES], sharpness, mixing);
    }
    pending(1 + known % places, 1) = score;
}

// Half-width at the experts' mean level, and one more pending target; `std::out_of_range` where there is no room for
// it.
inline double issue(blocks::Table table, Matrix<double> experts, ring::Ring pending) {
    const Vector<double> row = pending[ring::push(pending)];
    const Index count = Index(table(0, blocks::COUNT));
    row[0] = double(count);
    std::copy_n(experts[LEVELS].begin(), experts.columns, &row[HELD]);
    return blocks::nth(table, adaptive::rank(count, mean_level(experts)));
}

// Both, in this order. Observing closes a target before one is opened, so that the ring has room.
inline double step(blocks::Table table, Matrix<double> experts, ring::Ring pending, double residual, Outcome outcome,
                   double alpha, double sharpness, double mixing) {
    observe(table, experts, pending, residual, outcome, alpha, sharpness, mixing);
    return issue(table, experts, pending);
}

// Of every step: half-width, mean level and mean rate.
struct Pass {
    std::vector<double> widths, levels, rates;
};

inline Pass pass(Vector<const double> scores, Vector<const std::int64_t> order, Index known, Index steps, Index horizon,
                 double alpha, Vector<const double> rates, double sharpness, double mixing) {
    known::Scores set(scores, order, known);
    std::vector<double> held(2 * rates.size, 1.0 / double(rates.size)), held_then(horizon * rates.size);
    const Matrix<double> state(held.data(), 2, rates.size), issued(held_then.data(), horizon, rates.size);
    std::fill_n(state[LEVELS].begin(), rates.size, alpha);
    Pass made{std::vector<double>(steps), std::vector<double>(steps), std::vector<double>(steps)};
    for (Index step = 0; step < steps; ++step) {
        const Index count = known + step;
        // As in `adaptive`: position count - 1 became known just now, and has an interval of ours from step = H on.
        if (step >= horizon) {
            const double score = scores[count - 1];
            const Index origin = count - horizon;
            Index smaller = set.below(score);
            for (Index later = origin; later < count - 1; ++later) smaller -= scores[later] < score;
            const double beta = 1.0 - double(smaller) / double(origin + 1);
            learn(state, issued[step % horizon], beta, alpha, rates, sharpness, mixing);
        }
        if (step > 0) set.add(count - 1);
        made.levels[step] = mean_level(state);
        for (Index expert = 0; expert < rates.size; ++expert) {
            made.rates[step] += state(WEIGHTS, expert) * rates[expert];
        }
        made.widths[step] = set.nth(adaptive::rank(count, made.levels[step]));
        std::copy_n(state[LEVELS].begin(), rates.size, issued[step % horizon].begin());
    }
    return made;
}

}  // namespace ngrc::dtaci
