// Second moments of a design: in units of the columns' scales, and of two sets of rows together. Each is one pass, as
// many small maps are fitted; array operations would take several.
#pragma once

#include "array.hpp"
#include "models/scaling.hpp"

namespace ngrc::moments {

// Writes the scales of p columns, and their covariance in units of them, shape (p, p). A division per entry: wider
// instructions take half the time.
NGRC_CLONES inline void standardised(Vector<const double> means, Matrix<const double> covariance,
                                     Vector<double> scales, Matrix<double> matrix) {
    for (Index row = 0; row < means.size; ++row) scales[row] = scaling::column_scale(means[row], covariance(row, row));
    for (Index row = 0; row < means.size; ++row) {
        const double scale = scales[row];
        const double* __restrict from = covariance[row].data;
        const double* __restrict by = scales.data;
        double* __restrict to = matrix[row].data;
        for (Index column = 0; column < means.size; ++column) to[column] = from[column] / (scale * by[column]);
    }
}

// Writes left right' + first one + second other into `total`: the moments of two sets of rows with the shares `first`
// and `second` of all rows (`readout/growing.py` has the formula).
inline void merged(Vector<const double> left, Vector<const double> right, double first, Matrix<const double> one,
                   double second, Matrix<const double> other, Matrix<double> total) {
    for (Index row = 0; row < left.size; ++row) {
        const double factor = left[row];
        const double* __restrict by = right.data;
        const double* __restrict a = one[row].data;
        const double* __restrict b = other[row].data;
        double* __restrict to = total[row].data;
        for (Index column = 0; column < right.size; ++column) {
            to[column] = factor * by[column] + first * a[column] + second * b[column];
        }
    }
}

}  // namespace ngrc::moments
