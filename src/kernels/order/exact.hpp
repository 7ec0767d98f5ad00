// Weighted quantiles settled in whole numbers: `order/exact.py` says why and derives the bound on the rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "array.hpp"

namespace ngrc::exact {

// The weight of the newest score: the largest power of two that a signed 64-bit word holds. Rounding to a whole number
// then moves a weight by at most 2^-63 of the newest one, a thousandth of what one multiplication in decay^age does.
constexpr double UNIT = 4611686018427387904.0;
// A sum of such weights needs more than 64 bits, so that it is kept as two sums of 32-bit digits, neither of which can
// overflow below 2^31 scores.
constexpr int LIMB = 32;
constexpr std::int64_t MASK = (std::int64_t(1) << LIMB) - 1;
constexpr double HALF_ULP = 1.1102230246251565e-16;

// Share of the total weight by which a floating-point comparison with the target may err.
//
// A weight of age a is a product of a factors, and off by as many half ulps. Under the weights themselves the mean age
// is at most M = min(1 / (1 - decay), count), so that floating and whole weights together are off by 2 M half ulps of
// the total, and sums over growing weights lose at most M more. The prefix errs by that and so does the target: 6 M
// half ulps, of which 8 M leaves a third to spare. `terms` bounds the additions of one search. Equal weights are whole
// numbers, and only the target is rounded.
inline double rounding_share(double decay, Index count, Index terms) {
    if (decay == 1.0) return 4.0 * HALF_ULP;
    return HALF_ULP * (8.0 * std::min(1.0 / (1.0 - decay), double(count)) + 2.0 * double(terms));
}

// Weights 2^62 decay^age as whole numbers, newest first.
inline std::vector<std::int64_t> whole_weights(double decay, Index count) {
    std::vector<std::int64_t> weights(count, 0);
    double weight = UNIT;
    for (Index age = 0; age < count; ++age) {
        weights[age] = std::int64_t(std::nearbyint(weight));
        weight *= decay;
        if (weight <= 0.5) break;  // this one and all older ones round to zero
    }
    return weights;
}

// Sum of the weights as two digits to the base 2^32.
inline std::pair<std::int64_t, std::int64_t> total(Vector<const std::int64_t> weights) {
    std::int64_t high = 0, low = 0;
    for (const std::int64_t weight : weights) {
        high += weight >> LIMB;
        low += weight & MASK;
    }
    return {high, low};
}

// First position, by size, at which the cumulative weight is at least high 2^32 + low.
inline std::int64_t reach(Vector<const std::int64_t> order, Vector<const std::int64_t> weights, std::int64_t high,
                          std::int64_t low) {
    std::int64_t position = -1, reached_high = 0, reached_low = 0;
    for (const std::int64_t candidate : order) {
        if (candidate >= weights.size) continue;  // not known yet: a slot of the order, without a weight
        position = candidate;
        const std::int64_t weight = weights[weights.size - 1 - position];
        // The carry goes up at once, so that the two digits can be compared one after the other.
        reached_low += weight & MASK;
        reached_high += (weight >> LIMB) + (reached_low >> LIMB);
        reached_low &= MASK;
        if (reached_high > high || (reached_high == high && reached_low >= low)) break;
    }
    return position;
}

}  // namespace ngrc::exact
