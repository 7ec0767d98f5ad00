// Candidates of the automatic search: standardised moments of some of the columns, and forecasts of their readouts.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "array.hpp"
#include "lanes.hpp"
#include "models/scaling.hpp"

namespace ngrc::candidates {

// Moments of all columns over the rows of one fold, as sums.
struct Sums {
    double count;                   // rows
    Vector<const double> columns;   // sum of each column
    Matrix<const double> products;  // sums of products of columns
};

// Moments of p of the columns: means, scales d_i, and covariances C_ij / (d_i d_j) of the scaled columns. A scale is the
// standard deviation times the root of the column's penalty weight, so that one penalty weighs as much more on it.
NGRC_CLONES inline void standardise(const Sums& sums, Vector<const std::int64_t> places, Vector<const double> weights,
                                    Vector<double> means, Vector<double> scales, Matrix<double> matrix) {
    const Index size = places.size;
    for (Index i = 0; i < size; ++i) {
        const Index place = places[i];
        means[i] = sums.columns[place] / sums.count;
        const double variance = sums.products(place, place) / sums.count - means[i] * means[i];
        scales[i] = scaling::column_scale(means[i], variance) * std::sqrt(weights[i]);
    }
    for (Index i = 0; i < size; ++i) {
        const double* const products = sums.products[places[i]].data;
        double* const row = matrix[i].data;
        const double mean = means[i], scale = scales[i];
        for (Index j = 0; j < size; ++j) row[j] = products[places[j]];
        for (Index j = 0; j < size; ++j) row[j] = (row[j] / sums.count - mean * means[j]) / (scale * scales[j]);
    }
}

constexpr Index ROWS = lanes::LANES, READOUTS = 8;

// The passes over lanes, a row of the design in each.
template <Index Width>
struct Passes {
    using Lanes = lanes::Lanes<Width>;

    // Forecasts x'w + b of the rows of one tile, shape (columns, ROWS), by readout; each row sums its columns in their
    // order. `weights` has `READOUTS` numbers per column.
    static NGRC_INLINE void forecast_tile(Matrix<const double> tile, Vector<const std::int64_t> places,
                                          const double* weights, const double* constants, Lanes* forecasts) {
        Lanes sums[READOUTS] = {};
        for (Index place = 0; place < places.size; ++place) {
            const Lanes values = Lanes::at(tile.data + places[place] * ROWS);
            for (Index readout = 0; readout < READOUTS; ++readout) {
                sums[readout] += weights[place * READOUTS + readout] * values;
            }
        }
        for (Index readout = 0; readout < READOUTS; ++readout) {
            Lanes level = {};
            lanes::fill(level, constants[readout]);
            forecasts[readout] = sums[readout] + level;
        }
    }

    // Forecasts of the rows `begin` to `end - 1`, by readout and row. `tiles` has the shape (tiles, columns, ROWS): a
    // tile is read from one piece of memory, whichever columns a candidate has. `weights` has a row per place.
    static NGRC_INLINE void forecast(Cube<const double> tiles, Vector<const std::int64_t> places,
                                     Matrix<const double> weights, Vector<const double> constants, Index begin,
                                     Index end, Matrix<double> forecasts) {
        // Readouts in groups of eight, the last filled up with zeros.
        const Index readouts = weights.columns, groups = (readouts + READOUTS - 1) / READOUTS;
        std::vector<double> padded(groups * places.size * READOUTS), levels(groups * READOUTS);
        for (Index readout = 0; readout < readouts; ++readout) {
            const Index group = readout / READOUTS, lane = readout % READOUTS;
            levels[readout] = constants[readout];
            for (Index place = 0; place < places.size; ++place) {
                padded[(group * places.size + place) * READOUTS + lane] = weights(place, readout);
            }
        }
        for (Index tile = begin / ROWS; tile * ROWS < end; ++tile) {
            const Index first = std::max(begin, tile * ROWS), last = std::min(end, (tile + 1) * ROWS);
            for (Index group = 0; group < groups; ++group) {
                Lanes found[READOUTS];
                forecast_tile(tiles[tile], places, padded.data() + group * places.size * READOUTS,
                              &levels[group * READOUTS], found);
                for (Index readout = group * READOUTS; readout < std::min(readouts, (group + 1) * READOUTS); ++readout) {
                    const double* const own = reinterpret_cast<const double*>(&found[readout - group * READOUTS]);
                    for (Index row = first; row < last; ++row) forecasts(readout, row) = own[row - tile * ROWS];
                }
            }
        }
    }
};

NGRC_PER_PROCESSOR(void, forecast,
                   (Cube<const double> tiles, Vector<const std::int64_t> places, Matrix<const double> weights,
                    Vector<const double> constants, Index begin, Index end, Matrix<double> forecasts),
                   (tiles, places, weights, constants, begin, end, forecasts))

}  // namespace ngrc::candidates
