// Candidates of the automatic search: standardised moments of some of the columns, and forecasts of their readouts.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "array.hpp"
#include "models/ridge.hpp"
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

constexpr Index ROWS = ridge::LANES, READOUTS = 8;

// Forecasts x'w + b of `ROWS` rows from `row` on, for the readouts `first` to `first + Readouts - 1`. Each row sums its
// columns in their order.
template <Index Readouts>
NGRC_INLINE void forecast_tile(Matrix<const double> columns, Vector<const std::int64_t> places,
                               Matrix<const double> weights, Vector<const double> constants, Index row, Index first,
                               Matrix<double> forecasts) {
    ridge::Lanes sums[Readouts] = {};
    for (Index place = 0; place < places.size; ++place) {
        const ridge::Lanes values = *reinterpret_cast<const ridge::Lanes*>(columns[places[place]].data + row);
        const double* const own = weights[place].data + first;
        for (Index readout = 0; readout < Readouts; ++readout) {
            ridge::Lanes weight = {};
            ridge::fill(weight, own[readout]);
            sums[readout] += values * weight;
        }
    }
    for (Index readout = 0; readout < Readouts; ++readout) {
        double* const target = forecasts[first + readout].data + row;
        for (Index lane = 0; lane < ROWS; ++lane) target[lane] = sums[readout][lane] + constants[first + readout];
    }
}

// The tile of as many readouts as are left, at most `Readouts`.
template <Index Readouts, class... Arguments>
NGRC_INLINE void forecast_tiles(Index left, Arguments... arguments) {
    if constexpr (Readouts > 1) {
        if (left < Readouts) return forecast_tiles<Readouts - 1>(left, arguments...);
    }
    forecast_tile<Readouts>(arguments...);
}

// Forecasts of the rows `begin` to `end - 1`, by readout and row. `columns` has a column per row of the matrix, and
// `weights` a row per place.
NGRC_CLONES inline void forecast(Matrix<const double> columns, Vector<const std::int64_t> places,
                                 Matrix<const double> weights, Vector<const double> constants, Index begin, Index end,
                                 Matrix<double> forecasts) {
    Index row = begin;
    for (; row + ROWS <= end; row += ROWS) {
        for (Index first = 0; first < weights.columns; first += READOUTS) {
            forecast_tiles<READOUTS>(weights.columns - first, columns, places, weights, constants, row, first, forecasts);
        }
    }
    for (; row < end; ++row) {
        for (Index readout = 0; readout < weights.columns; ++readout) {
            double sum = 0.0;
            for (Index place = 0; place < places.size; ++place) {
                sum += columns(places[place], row) * weights(place, readout);
            }
            forecasts(readout, row) = sum + constants[readout];
        }
    }
}

}  // namespace ngrc::candidates
