// The authors' stochastic sampler: quantiles of residuals drawn with replacement under the weights.
//
// Only the draws in the two tails are made. The sorted uniforms of n draws are partial sums of n + 1 exponential
// spacings over their total, so the spacings between the tails can be drawn as one gamma variable. Random numbers are a
// function of (seed, clock) alone, so a query's draws do not depend on who asked before.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "array.hpp"
#include "rescp/pairs.hpp"

namespace ngrc::rescp::sampler {

// State of the random stream of one query.
using Counter = std::uint64_t;

constexpr double PI = 3.141592653589793;

// Splitmix64 (Steele, Lea and Flood 2014, doi:10.1145/2660193.2660195).
inline std::uint64_t next_word(Counter& counter) {
    counter += 0x9E3779B97F4A7C15u;
    std::uint64_t word = counter;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

// Mixed before and after the clock comes in: neighbouring seeds and clocks give unrelated streams.
inline Counter start_counter(std::uint64_t seed, std::int64_t clock) {
    Counter counter = seed;
    next_word(counter);
    counter = next_word(counter) ^ std::uint64_t(clock);
    return next_word(counter);
}

// A number in (0, 1]: the top 53 bits, those of a double; one is added as the logarithm of zero would be taken
// otherwise. By way of a signed number, which has an instruction to convert it.
inline double uniform(Counter& counter) { return (double(std::int64_t(next_word(counter) >> 11)) + 1.0) * 0x1p-53; }

// A gamma variable of shape at least 1 and scale 1 (Marsaglia and Tsang 2000, doi:10.1145/358407.358414).
inline double gamma(Counter& counter, double shape) {
    const double d = shape - 1.0 / 3.0;
    const double c = 1.0 / std::sqrt(9.0 * d);
    while (true) {
        const double radius = std::sqrt(-2.0 * std::log(uniform(counter)));
        const double x = radius * std::cos(2.0 * PI * uniform(counter));
        const double root = 1.0 + c * x;
        const double v = root * (root * root);
        if (v > 0.0 && std::log(uniform(counter)) < 0.5 * x * x + d * (1.0 - v + std::log(v))) return d * v;
    }
}

// One minus the uniforms that are largest, largest first, are spacings from the other end: both tails are alike. Fill
// each with its smallest sorted uniforms of `count`.
inline void spacing_tails(Counter& counter, Index count, Vector<double> from_below, Vector<double> from_above) {
    double total = gamma(counter, double(count + 1 - from_below.size - from_above.size));
    for (const Vector<double> tail : {from_below, from_above}) {
        // -log U is one exponential spacing; the tails' own spacings complete the total of all n + 1.
        double sum = 0.0;
        for (double& one : tail) one = sum -= std::log(uniform(counter));
        total += sum;
    }
    for (const Vector<double> tail : {from_below, from_above})
        for (double& one : tail) one /= total;
}

// Value at a fractional index of sorted draws, as `numpy.quantile` interpolates.
inline double interpolated(Vector<const double> drawn, double index) {
    const Index below = Index(index);
    const Index above = std::min(below + 1, drawn.size - 1);
    return drawn[below] + (index - double(below)) * (drawn[above] - drawn[below]);
}

// Memory of a query, used again by the next.
struct Scratch {
    std::vector<double> from_below, from_above, drawn, lower, upper, lowest, lowest_upper, highest_lower, highest;

    explicit Scratch(Index pairs)
        : lower(pairs), upper(pairs), lowest(pairs), lowest_upper(pairs), highest_lower(pairs), highest(pairs) {}
};

// Sorted draws, of which the middle is not written, where tails hold so many times their share of the weights. The
// window is a copy, which no draw that is written can change: it stays in registers.
inline void draw(pairs::Window window, Scratch& scratch, double below_factor, double above_factor) {
    const Index last = window.count - 1;
    scratch.drawn.resize(window.count);
    double* drawn = scratch.drawn.data();
    Index place = 0;
    double below = window.weight(0);
    for (const double share : scratch.from_below) {
        while (below * below_factor < share * window.total && place < last) below += window.weight(++place);
        *drawn++ = window.value(place);
    }
    // From the largest down, against one minus the uniform, so that the upper tail has digits of its own.
    drawn = scratch.drawn.data() + last;
    place = last;
    double above = window.weight(last);
    for (const double share : scratch.from_above) {
        while (above * above_factor <= share * window.total && place > 0) above += window.weight(--place);
        *drawn-- = window.value(place);
    }
}

// Interpolated quantiles of every candidate pair.
inline void pair_ends(Vector<const double> drawn, Vector<const double> tails, double alpha, Vector<double> lower,
                      Vector<double> upper) {
    const double last = double(drawn.size - 1);
    for (Index i = 0; i < tails.size; ++i) {
        lower[i] = interpolated(drawn, last * tails[i]);
        upper[i] = std::max(interpolated(drawn, last * (1.0 - alpha + tails[i])), lower[i]);
    }
}

// Narrowest pair of interpolated quantiles of as many draws as the window holds, and whether it might be another.
// `doubt` is as in `exact_pair`: a tail's share F of the weights is off by at most doubt F. A draw is then one of the
// values between those that the smallest and the largest shares give.
inline pairs::Pair sampled_pair(const pairs::Window& window, Vector<const double> tails, double alpha,
                                Counter& counter, double doubt, Scratch& scratch) {
    auto& [from_below, from_above, drawn, lower, upper, lowest, lowest_upper, highest_lower, highest] = scratch;
    const double last = double(window.count - 1);
    // Order statistics that interpolation reads: up to the one above the largest lower index, and from the one at the
    // smallest upper index on. All draws in between would be sorted for nothing.
    const Index low = std::min(Index(last * tails[tails.size - 1]) + 2, window.count);
    const Index high = std::min(window.count - Index(last * (1.0 - alpha + tails[0])), window.count - low);
    from_below.resize(low);
    from_above.resize(high);
    spacing_tails(counter, window.count, from_below, from_above);
    draw(window, scratch, 1.0, 1.0);
    pair_ends(drawn, tails, alpha, lower, upper);
    const Index best = pairs::narrowest(lower, upper);
    if (doubt == 0.0) return {lower[best], upper[best], false};
    // A larger share below the values, and a smaller one above them, moves every draw down, and the other way round.
    draw(window, scratch, 1.0 + doubt, 1.0 - doubt);
    pair_ends(drawn, tails, alpha, lowest, lowest_upper);
    draw(window, scratch, 1.0 - doubt, 1.0 + doubt);
    pair_ends(drawn, tails, alpha, highest_lower, highest);
    const double width = upper[best] - lower[best];
    bool doubtful = false;
    for (Index i = 0; i < tails.size; ++i) {
        if (lowest[i] == highest_lower[i] && lowest_upper[i] == highest[i]) continue;
        const double slack = pairs::tie_slack(lower[i], upper[i]);
        doubtful |= i == best || lowest_upper[i] - highest_lower[i] <= width + slack;
    }
    return {lower[best], upper[best], doubtful};
}

}  // namespace ngrc::rescp::sampler
