// Weights of the members, one set per end: online aggregation by the pinball loss, each outcome as late as it comes.
//
// Exponential weights on the linearised regret with a learning rate per member from the squares of its own regrets
// (second-order, after Wintenberger 2017, doi:10.1007/s10994-016-5592-6), sums that fade so that weights can move, and
// a small share for every member so that none is lost for good.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "array.hpp"

namespace ngrc::aggregate::weights {

// Decay of regrets: the last two thousand outcomes count.
constexpr double FADE = 0.9995;
// Share that is dealt out evenly.
constexpr double SHARE = 0.01;
// Learning rate in units of one over the root of the summed squares.
constexpr double RATE = 2.0;
// Distance of a member from the mixture in usual recent errors at which it is cut: one exploded end must not choose the
// members for the next thousand steps. The distance is cut and not the gain, so that a miss still outweighs a hit by
// (1 - p) / p: with gains cut, errors that are rare, large and on one side are missed too often for good.
constexpr double LARGEST = 1000.0;

// The fields of the named tuple of this name.
struct Weights {
    Matrix<double> regrets;
    Matrix<double> squares;
    Matrix<double> weights;
    Vector<const double> active;
};

// Weighted means of the members' ends, shape (members, ends), into `mixture`.
inline void mix(const Weights& weights, Matrix<const double> members, Vector<double> mixture) {
    for (Index end = 0; end < mixture.size; ++end) {
        double total = 0.0;
        for (Index member = 0; member < members.rows; ++member) {
            total += weights.weights(end, member) * members(member, end);
        }
        mixture[end] = total;
    }
}

// Weights of one end from its regrets: proportional to the prior times exp(RATE regret / root of squares), and even by
// a hundredth.
inline void reweigh(Vector<const double> regrets, Vector<const double> squares, Vector<double> weights,
                    Vector<const double> active) {
    double largest = -std::numeric_limits<double>::infinity();
    for (Index member = 0; member < regrets.size; ++member) {
        if (!(active[member] > 0.0)) continue;
        weights[member] = RATE * regrets[member] / std::sqrt(squares[member] + 1e-12);
        largest = std::max(largest, weights[member]);
    }
    double total = 0.0, count = 0.0;
    for (Index member = 0; member < regrets.size; ++member) {
        if (!(active[member] > 0.0)) continue;
        weights[member] = active[member] * std::exp(weights[member] - largest);
        total += weights[member];
        count += 1.0;
    }
    for (Index member = 0; member < regrets.size; ++member) {
        if (active[member] > 0.0) weights[member] = (1.0 - SHARE) * weights[member] / total + SHARE / count;
    }
}

// The outcome of a mixture that was issued has become known.
inline void learn(const Weights& weights, Matrix<const double> members, Vector<const double> mixture,
                  Vector<const double> probabilities, double residual, double unit) {
    for (Index end = 0; end < weights.weights.rows; ++end) {
        // Slope of the pinball loss at the mixture: a member on the outcome's side of it gains.
        const double slope = (residual < mixture[end] ? 1.0 : 0.0) - probabilities[end];
        const Vector<double> regrets = weights.regrets[end], squares = weights.squares[end];
        for (Index member = 0; member < regrets.size; ++member) {
            const double distance = (mixture[end] - members(member, end)) / unit;
            const double gain = slope * std::min(std::max(distance, -LARGEST), LARGEST);
            regrets[member] = FADE * regrets[member] + gain;
            squares[member] = FADE * squares[member] + gain * gain;
        }
        reweigh(regrets, squares, weights.weights[end], weights.active);
    }
}

}  // namespace ngrc::aggregate::weights
