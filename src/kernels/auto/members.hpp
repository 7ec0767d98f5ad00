// The members: quantiles of the next error by several rules, each at every level, from one pass over the residuals.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "array.hpp"
#include "local/bins.hpp"
#include "local/readout.hpp"

namespace ngrc::aggregate::members {

namespace bins = local::bins;
namespace readout = local::readout;
using readout::Readout;

// Decays of |e|: the last twenty, fifty, hundred and three hundred residuals, and all.
constexpr std::array PLAIN{0.95, 0.98, 0.99, 0.997, 1.0};
// Forgetting per step over alpha, at most: a memory of fewer than three misses knows no quantile of them, and the next
// longer one stands in.
constexpr double SHORTEST = 1.0 / 3.0;
// Decays of |e| over its size, and of e over its size.
constexpr std::array SCALED{0.995, 1.0};
// Where the second and the third family begin, and how many members there are.
constexpr Index SCALED_FROM = PLAIN.size(), QUANTILE_FROM = SCALED_FROM + 2 * SCALED.size();
constexpr Index COUNT = QUANTILE_FROM + readout::PENALTIES.size();
constexpr Index FAMILIES = 3;
// The last of the plain members knows all residuals.
constexpr Index LONGEST = SCALED_FROM - 1;

// The fields of the named tuple of this name.
struct Members {
    Readout readout;
    Matrix<double> plain;
    Matrix<double> absolute;
    Matrix<double> scores;
};

// Ends of all members but the readouts at one level, `ends` being of shape (COUNT, 2 L).
inline void look_level(const Members& members, double size, double alpha, Index level, Matrix<double> ends) {
    const Index upper = ends.columns / 2 + level;
    const auto put = [&](Index member, double low, double high) {
        ends(member, level) = low;
        ends(member, upper) = high;
    };
    for (Index place = LONGEST; place >= 0; --place) {
        if (1.0 - PLAIN[place] > SHORTEST * alpha) {
            put(place, ends(place + 1, level), ends(place + 1, upper));
            continue;
        }
        const double radius = bins::quantile(members.plain[place], 1.0 - alpha, PLAIN[place]) * members.readout.unit();
        put(place, -radius, radius);
    }
    for (Index place = 0; place < Index(SCALED.size()); ++place) {
        const Vector<double> absolute = members.absolute[place], scores = members.scores[place];
        const double decay = SCALED[place], radius = bins::quantile(absolute, 1.0 - alpha, decay) * size;
        put(SCALED_FROM + place, -radius, radius);
        put(SCALED_FROM + Index(SCALED.size()) + place, bins::quantile(scores, 0.5 * alpha, decay) * size,
            bins::quantile(scores, 1.0 - 0.5 * alpha, decay) * size);
    }
}

// Ends of every member, shape (COUNT, 2 L): the lower ones of all levels, then the upper ones.
inline void look(const Members& members, Vector<const double> row, double size, Vector<const double> alphas,
                 Matrix<double> ends) {
    for (Index level = 0; level < alphas.size; ++level) look_level(members, size, alphas[level], level, ends);
    const Matrix<double> readouts(&ends(QUANTILE_FROM, 0), COUNT - QUANTILE_FROM, ends.columns);
    if (readout::quantiles(members.readout, row, size, readouts)) return;
    for (Index member = QUANTILE_FROM; member < COUNT; ++member) {
        std::copy_n(ends[member - 1].data, ends.columns, ends[member].data);
    }
}

// A residual has become known; the readout learns of it for itself.
inline void learn(const Members& members, double size, double residual) {
    const double score = residual / size;
    const Index error_cell = bins::cell(std::abs(residual / members.readout.unit()));
    const Index score_cell = bins::cell(std::abs(score));
    for (Index place = 0; place < Index(PLAIN.size()); ++place) {
        bins::add_at(members.plain[place], bins::position(1.0, error_cell), PLAIN[place]);
    }
    for (Index place = 0; place < Index(SCALED.size()); ++place) {
        bins::add_at(members.absolute[place], bins::position(1.0, score_cell), SCALED[place]);
        bins::add_at(members.scores[place], bins::position(score, score_cell), SCALED[place]);
    }
}

// Weights by family: from shape (ends, COUNT) into shape (ends, FAMILIES).
inline void families(Matrix<const double> weights, Matrix<double> shares) {
    std::fill_n(shares.data, shares.rows * shares.columns, 0.0);
    for (Index end = 0; end < weights.rows; ++end) {
        for (Index member = 0; member < COUNT; ++member) {
            shares(end, Index(member >= SCALED_FROM) + Index(member >= QUANTILE_FROM)) += weights(end, member);
        }
    }
}

}  // namespace ngrc::aggregate::members
