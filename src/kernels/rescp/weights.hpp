// Softmax of similarities over a temperature, times a linear recency ramp.
#pragma once

#include <algorithm>
#include <utility>

#include "array.hpp"
#include "exponential.hpp"

namespace ngrc::rescp::weights {

// Similarities lie in [-1, 1], so that exponents relative to a similarity of one go down to -2 / T, which is -200 here.
// Far below this temperature a whole window might fall to the floor of `exponentials`, where weights differ no more.
constexpr double SHARP = 0.01;
// Sums of `moments` that do not wait for each other.
constexpr Index STRANDS = 8;

// The largest similarity, at least -1.
template <class T>
double largest(Vector<const T> similarity) {
    double peak = -1.0;
    for (const T one : similarity) peak = std::max(peak, double(one));
    return peak;
}

// Fill `tilted` with exp((s - peak) / T) of a window's similarities, oldest first. The peak is one, so that the widest
// window's numbers serve the others inside it; at sharp temperatures each window takes its own largest similarity, but
// never the oldest's, which the ramp leaves without weight.
template <class T>
void tilt(Vector<const T> near, double temperature, bool widest, Vector<double> tilted) {
    if (temperature >= SHARP) {
        if (widest) exponential::exponentials(near, 1.0, 1.0 / temperature, tilted);
    } else if (near.size > 1) {
        exponential::exponentials(near, largest(near.part(1, near.size)), 1.0 / temperature, tilted);
    }
}

// Sums of w_i and w_i^2 for w_i = i tilted_i, i = 0 .. n - 1. Eight interleaved strands fill the vector units, and
// rounding grows with an eighth of the terms.
NGRC_CLONES inline std::pair<double, double> ramp_moments(Vector<const double> tilted) {
    double totals[STRANDS] = {}, squares[STRANDS] = {}, ramp[STRANDS] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
    const Index whole = tilted.size / STRANDS * STRANDS;
    for (Index start = 0; start < whole; start += STRANDS) {
        for (Index i = 0; i < STRANDS; ++i) {
            const double weight = tilted[start + i] * ramp[i];
            totals[i] += weight;
            squares[i] += weight * weight;
            ramp[i] += double(STRANDS);
        }
    }
    for (Index i = whole; i < tilted.size; ++i) {
        const double weight = tilted[i] * double(i);
        totals[0] += weight;
        squares[0] += weight * weight;
    }
    double total = 0.0, square = 0.0;
    for (Index i = 0; i < STRANDS; ++i) total += totals[i];
    for (Index i = 0; i < STRANDS; ++i) square += squares[i];
    return {total, square};
}

}  // namespace ngrc::rescp::weights
