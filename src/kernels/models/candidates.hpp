// Candidates of the automatic search: standardised moments of some of the columns, and forecasts of their readouts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "array.hpp"
#include "models/lanes.hpp"
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
template <class Lanes>
struct Passes {
    // Forecasts x'w + b of `ROWS` rows from `row` on, by `used` readouts from `first` on; each row sums its columns in
    // their order. `weights` has `READOUTS` numbers per column.
    static NGRC_INLINE void forecast_tile(Matrix<const double> columns, Vector<const std::int64_t> places,
                                          const double* weights, const double* constants, Index row, Index used,
                                          Index first, Matrix<double> forecasts) {
        Lanes sums[READOUTS];
        for (Index readout = 0; readout < READOUTS; ++readout) lanes::fill(sums[readout], 0.0);
        for (Index place = 0; place < places.size; ++place) {
            const Lanes values = *reinterpret_cast<const Lanes*>(columns.data + places[place] * columns.columns + row);
            for (Index readout = 0; readout < READOUTS; ++readout) {
                sums[readout] += weights[place * READOUTS + readout] * values;
            }
        }
        for (Index readout = 0; readout < READOUTS; ++readout) {
            Lanes level;
            lanes::fill(level, constants[readout]);
            sums[readout] += level;
        }
        for (Index readout = 0; readout < used; ++readout) {
            std::memcpy(&forecasts(first + readout, row), &sums[readout], sizeof(Lanes));
        }
    }

    // Forecasts of the rows `begin` to `end - 1`, by readout and row. `columns` has a column per row of the matrix, and
    // `weights` a row per place.
    static NGRC_INLINE void forecast(Matrix<const double> columns, Vector<const std::int64_t> places,
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
        Index row = begin;
        for (; row + ROWS <= end; row += ROWS) {
            for (Index group = 0; group < groups; ++group) {
                const Index first = group * READOUTS;
                forecast_tile(columns, places, &padded[first * places.size], &levels[first], row,
                              std::min(READOUTS, readouts - first), first, forecasts);
            }
        }
        for (; row < end; ++row) {
            for (Index readout = 0; readout < readouts; ++readout) {
                double sum = 0.0;
                for (Index place = 0; place < places.size; ++place) {
                    sum += weights(place, readout) * columns(places[place], row);
                }
                forecasts(readout, row) = sum + constants[readout];
            }
        }
    }
};

NGRC_PER_PROCESSOR(void, forecast,
                   (Matrix<const double> columns, Vector<const std::int64_t> places, Matrix<const double> weights,
                    Vector<const double> constants, Index begin, Index end, Matrix<double> forecasts),
                   (columns, places, weights, constants, begin, end, forecasts))

}  // namespace ngrc::candidates
