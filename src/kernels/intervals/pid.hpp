// Conformal PID control: the half-width itself is steered, by tracking and by the sum of all errors.
//
// Source: Angelopoulos, Candes and Tibshirani (2023), arXiv:2307.16895.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "array.hpp"
#include "intervals/adaptive.hpp"
#include "intervals/outcomes.hpp"

namespace ngrc::pid {

using outcomes::Outcome;

// Weights of the trailing mean |residual| fade over a hundred residuals, as many as `rolling` looks back on.
constexpr double FADING = 0.99;
// Places of the state: the tracked half-width, the trailing scale and its weight, intervals resolved and missed.
constexpr Index TRACKED = 0, SCALE = 1, WEIGHT = 2, RESOLVED = 3, MISSES = 4, SIZE = 5;
constexpr double RIGHT_ANGLE = 1.5707963267948966;

// One more score in the trailing mean; the mean is moved instead of a sum, which could overflow.
inline void scale(Vector<double> state, double score) {
    state[WEIGHT] = FADING * state[WEIGHT] + 1.0;
    state[SCALE] += (score - state[SCALE]) / state[WEIGHT];
}

// State from the known scores, in time order: their corrected quantile, capped at the largest, and their scale.
inline std::vector<double> start(Vector<const double> scores, double alpha) {
    std::vector<double> state(SIZE, 0.0);
    for (const double score : scores) scale(state, score);
    std::vector<double> sorted(scores.begin(), scores.end());
    const auto chosen = sorted.begin() + (adaptive::rank(scores.size, alpha) - 1);
    std::nth_element(sorted.begin(), chosen, sorted.end());
    state[TRACKED] = *chosen;
    return state;
}

// Tracked half-width plus gain scale tan(x log(n + 1) / (n C)), x the sum of err - alpha over n intervals. At a right
// angle and beyond, the tangent stands for infinity: x has then reached (pi / 2) C n / log(n + 1).
inline double half_width(Vector<const double> state, double alpha, double gain, double saturation) {
    const double resolved = state[RESOLVED];
    if (resolved == 0.0) return state[TRACKED];
    const double angle = (state[MISSES] - resolved * alpha) * std::log(resolved + 1.0) / (resolved * saturation);
    if (angle >= RIGHT_ANGLE) return std::numeric_limits<double>::infinity();
    if (angle <= -RIGHT_ANGLE) return 0.0;
    return std::max(0.0, state[TRACKED] + gain * state[SCALE] * std::tan(angle));
}

// One more resolved interval: the tracked half-width moves by eta scale (err - alpha), never below zero. Zero holds a
// residual of zero, so that a long run of them would wind the tracker up without end.
inline void answer(Vector<double> state, double alpha, double rate, bool missed) {
    state[TRACKED] = std::max(0.0, state[TRACKED] + rate * state[SCALE] * (double(missed) - alpha));
    state[RESOLVED] += 1.0;
    state[MISSES] += double(missed);
}

// One more score and, where an interval was issued, one more coverage error: the half-width after them.
inline double observe(Vector<double> state, double residual, Outcome outcome, double alpha, double rate, double gain,
                      double saturation) {
    scale(state, outcomes::score_of(residual));
    if (outcome != Outcome::unissued) answer(state, alpha, rate, outcome == Outcome::missed);
    return half_width(state, alpha, gain, saturation);
}

// Half-widths of every step; the state moves along.
inline std::vector<double> pass(Vector<const double> scores, Vector<double> state, Index known, Index steps,
                                Index horizon, double alpha, double rate, double gain, double saturation) {
    std::vector<double> widths(steps);
    for (Index step = 0; step < steps; ++step) {
        // As in `adaptive`: position known + step - 1 became known just now, and has an interval from step = H on.
        if (step > 0) scale(state, scores[known + step - 1]);
        if (step >= horizon) answer(state, alpha, rate, scores[known + step - 1] > widths[step - horizon]);
        widths[step] = half_width(state, alpha, gain, saturation);
    }
    return widths;
}

}  // namespace ngrc::pid
