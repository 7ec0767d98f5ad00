// From similarities to interval ends, one query per row, for all temperatures and windows at once. The structs are the
// named tuples of `ngrc.intervals.rescp.ends`, which describes their fields.
#pragma once

#include <algorithm>
#include <memory>

#include "array.hpp"
#include "rescp/ordered.hpp"
#include "rescp/pairs.hpp"
#include "rescp/sampler.hpp"
#include "rescp/weights.hpp"

namespace ngrc::rescp::ends {

struct Rule {
    Vector<const double> temperatures;
    Vector<const std::int64_t> sizes;
    Vector<const double> tails;
    double alpha;
    bool stochastic;
    std::uint64_t seed;
};

template <class T>
struct Similarities {
    Matrix<const T> rows;
    Index origin;
    double rounding;
};

struct Queries {
    Vector<const std::int64_t> known;
    Vector<const std::int64_t> clock;
    Vector<const std::int64_t> places;
};

struct Windows {
    Matrix<ordered::Position> orders;
    Matrix<std::int64_t> spans;
};

struct Ends {
    Cube<double> lower;
    Cube<double> upper;
    Cube<double> effective;
    Cube<bool> doubtful;
};

// Memory of a query, used again by the next.
struct Scratch {
    pairs::Candidates exact;
    sampler::Scratch sampled;

    explicit Scratch(Index pairs) : exact(pairs), sampled(pairs) {}
};

// The ends of one window, positions first .. stop - 1, and its effective sample size (sum w)^2 / sum w^2.
inline std::pair<pairs::Pair, double> ends_of(Vector<const double> values, Vector<const double> tilted,
                                              Vector<const ordered::Position> order, Index first, Index stop,
                                              const Rule& rule, std::int64_t clock, double doubt, Scratch& scratch) {
    // The ramp gives a lone residual no weight; it is all there is.
    if (stop - first == 1) return {{values[first], values[first], false}, 1.0};
    const auto [total, squares] = weights::ramp_moments(tilted.part(first, stop));
    const double size = total * total / squares;
    const pairs::Window window{values, tilted, order, stop - first, first, total};
    if (!rule.stochastic) return {pairs::exact_pair(window, rule.tails, rule.alpha, doubt, scratch.exact), size};
    sampler::Counter counter = sampler::start_counter(rule.seed, clock);
    return {sampler::sampled_pair(window, rule.tails, rule.alpha, counter, doubt, scratch.sampled), size};
}

// Fill `ends[:, :, queries.places]` from the similarities of the queries to the values known to each.
template <class T>
void answer(const Similarities<T>& near, const Queries& queries, Vector<const double> values, const Rule& rule,
            const Windows& windows, const Ends& ends) {
    // Not cleared: a window is written before it is read.
    const std::unique_ptr<double[]> room(new double[values.size]);
    const Vector<double> tilted(room.get(), values.size);
    Scratch scratch(rule.tails.size);
    for (Index row = 0; row < near.rows.rows; ++row) {
        const Index stop = queries.known[row], place = queries.places[row];
        for (Index b = 0; b < rule.sizes.size; ++b)
            ordered::advance(values, windows.orders[b], windows.spans[b], std::max<Index>(0, stop - rule.sizes[b]),
                             stop);
        for (Index a = 0; a < rule.temperatures.size; ++a) {
            // exp((s + rounding) / T) is off by a factor of about 1 +- rounding / T, and a share of such weights by
            // twice that, once in its numerator and once in its denominator.
            const double doubt = 2.0 * near.rounding / rule.temperatures[a];
            // The widest window comes first: its exponentials serve the narrower ones inside it (see `tilt`).
            for (Index b = 0; b < rule.sizes.size; ++b) {
                const Index first = windows.spans(b, 0);
                const Vector<const T> similar = near.rows[row].part(first - near.origin, stop - near.origin);
                weights::tilt(similar, rule.temperatures[a], b == 0, tilted.part(first, stop));
                const auto [pair, size] = ends_of(values, tilted, windows.orders[b], first, stop, rule,
                                                  queries.clock[row], doubt, scratch);
                ends.lower(a, b, place) = pair.lower;
                ends.upper(a, b, place) = pair.upper;
                ends.effective(a, b, place) = size;
                ends.doubtful(a, b, place) = pair.doubtful;
            }
        }
    }
}

}  // namespace ngrc::rescp::ends
