// Strongly adaptive online conformal prediction: experts of every age, each with its lifetime, bet on one another.
//
// Source: Bhatnagar, Wang, Xiong and Bai (2023), arXiv:2302.07869, algorithm 1.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "array.hpp"
#include "intervals/adaptive.hpp"
#include "intervals/outcomes.hpp"
#include "intervals/ring.hpp"

namespace ngrc::saocp {

using outcomes::Outcome;
// By quantity, class and place.
using Experts = Cube<double>;

// An expert born at t = 2^n (2j + 1) lives for 8 * 2^n resolved intervals, the source's multiple, so that at most four
// of one n live at once: the next one takes the place of the one that has just died.
constexpr Index LIFE = 8, PLACES = 4;
// Births up to 2^48 have a place.
constexpr Index CLASSES = 48;
// Of every expert: birth (0 for none), half-width, squared slopes, gains, gains times weights, how many, weight.
constexpr Index BIRTH = 0, RADIUS = 1, SQUARES = 2, GAINS = 3, BETS = 4, ANSWERS = 5, WEIGHT = 6, QUANTITIES = 7;
// Gains that cancel leave no more than this, and whom it favours is chance.
constexpr double NOTHING = 1e-12;
// Half-widths beyond would overflow in a sum.
constexpr double LARGEST = 1e307;
// Numbers of a pending target before the experts' half-widths and weights: clock and half-width of its origin.
constexpr Index HELD = 2;

// One number of every class and place, as a row: an expert of class n and place p is at 4 n + p.
constexpr Index ALL = CLASSES * PLACES;
using Row = std::array<double, ALL>;

inline double* row_of(Experts experts, Index quantity) { return experts.data + quantity * ALL; }

// How many n have 2^n <= clock, for a whole number below 2^52: the exponent of the clock as a double. It is moved into
// the fraction of a double of 2^52, which processors without a conversion of 64-bit integers do side by side; zero and
// what is below it get some number.
inline double exponent_of(double clock) {
    std::uint64_t bits;
    std::memcpy(&bits, &clock, sizeof bits);
    bits = bits >> 52 | std::uint64_t(0x4330000000000000);
    double exponent;
    std::memcpy(&exponent, &bits, sizeof exponent);
    return exponent - (4503599627370496.0 + 1022.0);
}

inline Index classes_at(Index clock) { return clock < 1 ? 0 : Index(exponent_of(double(clock))); }

// Resolved intervals after which an expert dies.
constexpr Row lifetimes() {
    Row made{};
    for (Index place = 0; place < ALL; ++place) made[place] = double(LIFE << place / PLACES);
    return made;
}
constexpr Row LIFETIMES = lifetimes();

// Whether a place holds an expert that is not too old. Without a branch, so that loops over places are vectorised.
inline bool lives(double birth, Index place, double clock) {
    return (birth > 0.0) & (clock - birth < LIFETIMES[place]);
}

// The expert of this clock, at a half-width, with nothing won or lost.
inline void bear(Experts experts, Index clock, double radius) {
    Index power = 0;
    while ((clock >> power & 1) == 0) ++power;
    const Index place = (clock >> (power + 1)) % PLACES;
    for (Index quantity = 0; quantity < QUANTITIES; ++quantity) experts(quantity, power, place) = 0.0;
    experts(BIRTH, power, place) = double(clock);
    experts(RADIUS, power, place) = radius;
}

// The living experts' half-widths, weighed by prior times positive weight, or by the prior where none is ahead. The
// prior of a birth i is 1 / (i^2 (1 + floor(log2 i))); without a living expert a place counts as zero.
inline double radius_of(Experts experts, Index clock) {
    const Index count = classes_at(clock) * PLACES;
    const double* const births = row_of(experts, BIRTH);
    const double* const weights = row_of(experts, WEIGHT);
    const double* const radii = row_of(experts, RADIUS);
    // Side by side first, then the sums, one after the other.
    Row priors, shares;
    for (Index place = 0; place < count; ++place) {
        const double birth = births[place], weight = weights[place];
        const double prior = lives(birth, place, double(clock)) ? 1.0 / (birth * birth * exponent_of(birth)) : 0.0;
        priors[place] = prior;
        shares[place] = weight <= NOTHING ? 0.0 : prior * weight;
    }
    double ahead = 0.0, mass = 0.0, plain = 0.0, prior_mass = 0.0;
    for (Index place = 0; place < count; ++place) {
        mass += shares[place];
        prior_mass += priors[place];
        ahead += shares[place] * radii[place];
        plain += priors[place] * radii[place];
    }
    return mass > 0.0 ? ahead / mass : plain / prior_mass;
}

// Pinball loss of a half-width as the 1 - alpha quantile of scores.
inline double pinball(double radius, double score, double alpha) {
    return std::max((1.0 - alpha) * (score - radius), alpha * (radius - score));
}

// The experts when an interval was issued: the clock, the half-width that they agreed on, and of every class up to that
// of the clock, place by place, half-widths and weights.
struct Issued {
    Index clock;
    double radius;
    const double *radii, *weights;
};

// One resolved interval, in place, for the experts that took part in it and still live. `size` is the largest score
// known, `now` the present clock. The first loop computes all places, several at once, and adds zero to the others; a
// square root under a condition, or a store, would have compilers take them one by one.
inline void answer(Experts experts, Issued issued, Index now, double score, double alpha, double size) {
    if (size == 0.0) return;  // nothing but zeros so far: no loss, and no unit to measure one in
    const double together = pinball(issued.radius, score, alpha), then = double(issued.clock);
    const double* __restrict const issued_radii = issued.radii;
    const double* __restrict const issued_weights = issued.weights;
    const double* __restrict const births = row_of(experts, BIRTH);
    double* __restrict const radii = row_of(experts, RADIUS);
    double* __restrict const squares = row_of(experts, SQUARES);
    double* __restrict const gains = row_of(experts, GAINS);
    double* __restrict const bets = row_of(experts, BETS);
    double* __restrict const answers = row_of(experts, ANSWERS);
    double* __restrict const weights = row_of(experts, WEIGHT);
    const Index count = classes_at(issued.clock) * PLACES;
    Row steps, means;
    for (Index place = 0; place < count; ++place) {
        const double birth = births[place], own = issued_radii[place], weight = issued_weights[place];
        // Born after the interval was issued, it has another's place.
        const bool judged = lives(birth, place, double(now)) & (birth <= then);
        // Within [-1, 1], which betting needs, also where half-widths exceed the largest score; whose weight is not
        // above zero cannot lose.
        const double gain = (together - pinball(own, score, alpha)) / size;
        const double won = std::min(std::max(gain, weight <= NOTHING ? 0.0 : -1.0), 1.0);
        gains[place] += judged ? won : 0.0;
        bets[place] += judged ? weight * won : 0.0;
        answers[place] += judged ? 1.0 : 0.0;
        const double slope = alpha - (score > own ? 1.0 : 0.0);
        squares[place] += judged ? slope * slope : 0.0;
        // Scale-free descent: steps of size / sqrt(3) over the root of all squared slopes.
        steps[place] = size * slope / std::sqrt(3.0 * squares[place]);
        means[place] = gains[place] / answers[place];
    }
    for (Index place = 0; place < count; ++place) {
        if (!lives(births[place], place, double(now)) || births[place] > then) continue;
        radii[place] = std::min(std::max(radii[place] - steps[place], 0.0), LARGEST);
        weights[place] = means[place] * (1.0 + bets[place]);
    }
}

// One expert, at the corrected quantile of the known scores, in all classes and places.
inline std::vector<double> start(Vector<const double> scores, double alpha) {
    std::vector<double> held(QUANTITIES * CLASSES * PLACES, 0.0), sorted(scores.begin(), scores.end());
    const Experts experts(held.data(), QUANTITIES, CLASSES, PLACES);
    const auto chosen = sorted.begin() + (adaptive::rank(scores.size, alpha) - 1);
    std::nth_element(sorted.begin(), chosen, sorted.end());
    bear(experts, 1, *chosen);
    // As if it had descended over the known scores at their quantile: else its first step, whatever the outcome, would
    // be half the largest score.
    experts(SQUARES, 0, 0) = double(scores.size) * alpha * (1.0 - alpha);
    return held;
}

// Copies half-widths and weights of the first classes, one after the other.
inline void snapshot(Experts experts, Index classes, double* radii, double* weights) {
    std::copy_n(&experts(RADIUS, 0, 0), classes * PLACES, radii);
    std::copy_n(&experts(WEIGHT, 0, 0), classes * PLACES, weights);
}

// The score judges the experts that made its interval, and another one is born: largest score and clock after it.
inline std::pair<double, Index> observe(Experts experts, ring::Ring pending, double residual, Outcome outcome,
                                        double alpha, double size, Index clock) {
    const double score = outcomes::score_of(residual);
    size = std::max(size, score);
    const Index row = ring::pop(pending);
    if (outcome == Outcome::unissued || row == 0 || pending(row, 0) == ring::NONE) return {size, clock};
    const Index then = Index(pending(row, 0)), held = classes_at(then) * PLACES;
    const double* radii = &pending(row, HELD);
    answer(experts, {then, pending(row, 1), radii, radii + held}, clock, score, alpha, size);
    ++clock;
    bear(experts, clock, radius_of(experts, clock));
    return {size, clock};
}

// Half-width that the experts agree on, and one more pending target; `std::out_of_range` where there is no room for it.
inline double issue(Experts experts, ring::Ring pending, Index clock) {
    const Vector<double> row = pending[ring::push(pending)];
    const Index classes = classes_at(clock);
    row[0] = double(clock);
    row[1] = radius_of(experts, clock);
    snapshot(experts, classes, &row[HELD], &row[HELD + classes * PLACES]);
    return row[1];
}

// Both, in this order: half-width, largest score and clock. Observing closes a target before one is opened, so that the
// ring has room.
inline std::tuple<double, double, Index> step(Experts experts, ring::Ring pending, double residual, Outcome outcome,
                                              double alpha, double size, Index clock) {
    std::tie(size, clock) = observe(experts, pending, residual, outcome, alpha, size, clock);
    return {issue(experts, pending, clock), size, clock};
}

// Half-widths of every step.
inline std::vector<double> pass(Vector<const double> scores, Index known, Index steps, Index horizon, double alpha) {
    std::vector<double> state = start(scores.part(0, known), alpha), widths(steps), held(2 * ALL * horizon, 0.0);
    const Experts experts(state.data(), QUANTITIES, CLASSES, PLACES);
    double size = *std::max_element(scores.begin(), scores.begin() + known);
    Index clock = 1;
    std::vector<Index> clocks(steps);
    for (Index step = 0; step < steps; ++step) {
        double *radii = held.data() + step % horizon * 2 * ALL, *weights = radii + ALL;
        // As in `adaptive`: position known + step - 1 became known just now, and has an interval from step = H on.
        if (step > 0) size = std::max(size, scores[known + step - 1]);
        if (step >= horizon) {
            const Issued issued{clocks[step - horizon], widths[step - horizon], radii, weights};
            answer(experts, issued, clock, scores[known + step - 1], alpha, size);
            ++clock;
            bear(experts, clock, radius_of(experts, clock));
        }
        widths[step] = radius_of(experts, clock);
        clocks[step] = clock;
        snapshot(experts, classes_at(clock), radii, weights);
    }
    return widths;
}

}  // namespace ngrc::saocp
