// Weights of the members, one set per end: online aggregation by the pinball loss, each outcome as late as it comes.
//
// Exponential weights on the linearised regret with a learning rate per member from the squares of its own regrets
// (second-order, after Wintenberger 2017, doi:10.1007/s10994-016-5592-6), sums that fade so that weights can move, and
// a small share for every member so that none is lost for good.
#pragma once

#include <algorithm>
#include <array>
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

// The outcome's gains of all members of one end join their regrets; RATE regret / root of squares into `exponents`.
NGRC_CLONES inline void add_gains(Vector<const double> distances, double slope, double unit, Vector<double> regrets,
                                  Vector<double> squares, Vector<double> exponents) {
    const Index members = distances.size;
    const double* __restrict apart = distances.data;
    double *__restrict sums = regrets.data, *__restrict fading = squares.data, *__restrict rates = exponents.data;
    for (Index member = 0; member < members; ++member) {
        const double gain = slope * std::min(std::max(apart[member] / unit, -LARGEST), LARGEST);
        sums[member] = FADE * sums[member] + gain;
        fading[member] = FADE * fading[member] + gain * gain;
        rates[member] = RATE * sums[member] / std::sqrt(fading[member] + 1e-12);
    }
}

// Weights of one end from the exponents that stand in their places: proportional to the prior times
// exp(RATE regret / root of squares), and even by a hundredth; zero for members that take no part.
inline void reweigh(Vector<double> weights, Vector<const double> active) {
    double largest = -std::numeric_limits<double>::infinity();
    for (Index member = 0; member < weights.size; ++member) {
        if (active[member] > 0.0) largest = std::max(largest, weights[member]);
    }
    double total = 0.0, count = 0.0;
    for (Index member = 0; member < weights.size; ++member) {
        weights[member] = active[member] > 0.0 ? active[member] * std::exp(weights[member] - largest) : 0.0;
        if (!(active[member] > 0.0)) continue;
        total += weights[member];
        count += 1.0;
    }
    const double even = SHARE / count;
    for (Index member = 0; member < weights.size; ++member) {
        if (active[member] > 0.0) weights[member] = (1.0 - SHARE) * weights[member] / total + even;
    }
}

// The outcome of a mixture that was issued has become known.
inline void learn(const Weights& weights, Matrix<const double> members, Vector<const double> mixture,
                  Vector<const double> probabilities, double residual, double unit) {
    std::array<double, 16> distances;
    for (Index end = 0; end < weights.weights.rows; ++end) {
        // Slope of the pinball loss at the mixture: a member on the outcome's side of it gains.
        const double slope = (residual < mixture[end] ? 1.0 : 0.0) - probabilities[end];
        const Vector<double> own = weights.weights[end];
        for (Index first = 0; first < own.size; first += Index(distances.size())) {
            const Index last = std::min(first + Index(distances.size()), own.size);
            for (Index member = first; member < last; ++member) {
                distances[member - first] = mixture[end] - members(member, end);
            }
            add_gains({distances.data(), last - first}, slope, unit, weights.regrets[end].part(first, last),
                      weights.squares[end].part(first, last), own.part(first, last));
        }
        reweigh(own, weights.active);
    }
}

}  // namespace ngrc::aggregate::weights
