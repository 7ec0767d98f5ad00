// Coverage control: each end moves out after a miss on its side and in after a hit, in shares of the width.
//
// An end with a wanted miss rate of p moves by GAIN (1 - p) after a miss and by GAIN p after a hit, so that in the long
// run misses come no more often than at the rate p where errors stay bounded in units of the mixture's width (quantile
// tracking, the P of conformal PID control: Angelopoulos, Candes, Tibshirani 2023, arXiv:2307.16895). Both ends also
// answer to recent misses on either side, which fade.
#pragma once

#include <algorithm>

#include "array.hpp"

namespace ngrc::aggregate::control {

// Shares of the width per miss: a hundred misses too many widen an interval by half.
constexpr double GAIN = 0.005;
// Shares of the width per excess of recent misses, times alpha: at 80 % a point too many widens either side by 3 % of
// the width, and at 95 %, where misses are rare and a few of them are chance, by 0.75 %.
constexpr double PUSH = 15.0;
// Decay of recent misses: the last two hundred outcomes.
constexpr double KEEP = 0.995;
// Share of the width that an end moves in at most, so that the two never cross.
constexpr double INWARD = 0.45;

// Ends of every level from those of the mixture: lower ones of all levels, then upper ones. `offsets` holds those of
// the lower ends, those of the upper ends and the excess of recent misses.
inline void apply(Vector<const double> offsets, Vector<const double> alphas, Vector<const double> mixture,
                  Vector<double> ends) {
    const Index levels = alphas.size;
    for (Index level = 0; level < levels; ++level) {
        double low = mixture[level], high = mixture[levels + level];
        if (low > high) low = high = 0.5 * (low + high);
        const double width = high - low, push = PUSH * alphas[level] * offsets[2 * levels + level];
        ends[level] = low - std::max(offsets[level] + push, -INWARD) * width;
        ends[levels + level] = high + std::max(offsets[levels + level] + push, -INWARD) * width;
    }
}

// The outcome of issued ends has become known; `pace` slows the lasting moves where errors come in runs.
inline void learn(Vector<double> offsets, Vector<const double> alphas, Vector<const double> ends, double residual,
                  double pace) {
    const Index levels = alphas.size;
    for (Index level = 0; level < levels; ++level) {
        const double rate = 0.5 * alphas[level];
        const double below = residual < ends[level] ? 1.0 : 0.0, above = residual > ends[levels + level] ? 1.0 : 0.0;
        double &lower = offsets[level], &upper = offsets[levels + level], &late = offsets[2 * levels + level];
        lower = std::max(lower + pace * GAIN * (below - rate), -INWARD);
        upper = std::max(upper + pace * GAIN * (above - rate), -INWARD);
        late = KEEP * late + (1.0 - KEEP) * (below + above - alphas[level]);
    }
}

}  // namespace ngrc::aggregate::control
