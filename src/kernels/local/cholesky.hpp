// Small symmetric systems, solved in place: the same bits for any number of BLAS threads.
#pragma once

#include <cmath>

#include "array.hpp"

namespace ngrc::local::cholesky {

// Subtracts a multiple of one row from another, over the first `count` places.
inline void subtract(double* __restrict row, const double* __restrict other, double factor, Index count) {
    for (Index place = 0; place < count; ++place) row[place] -= factor * other[place];
}

// Solves a positive definite system of which the lower half is read. `right` becomes the solution, the lower half of
// `matrix` its factor and the upper half the factor's transpose. False where a pivot is lost to rounding; `right` is
// then no solution.
//
// Each column of the factor is subtracted from all that is left as soon as it is known. Every element loses the same
// products in the same order as in a sum over one element at a time, and the elements of a row do so side by side.
inline bool solve(Matrix<double> matrix, Vector<double> right) {
    const Index size = right.size;
    for (Index pivot = 0; pivot < size; ++pivot) {
        if (!(matrix(pivot, pivot) > 0.0)) return false;
        const double root = std::sqrt(matrix(pivot, pivot));
        matrix(pivot, pivot) = root;
        for (Index row = pivot + 1; row < size; ++row) {
            matrix(row, pivot) /= root;
            matrix(pivot, row) = matrix(row, pivot);
        }
        for (Index row = pivot + 1; row < size; ++row) {
            subtract(&matrix(row, pivot + 1), &matrix(pivot, pivot + 1), matrix(row, pivot), row - pivot);
        }
    }
    for (Index row = 0; row < size; ++row) {
        right[row] /= matrix(row, row);
        for (Index later = row + 1; later < size; ++later) right[later] -= matrix(row, later) * right[row];
    }
    for (Index row = size - 1; row >= 0; --row) {
        double total = right[row];
        for (Index inner = row + 1; inner < size; ++inner) total -= matrix(row, inner) * right[inner];
        right[row] = total / matrix(row, row);
    }
    return true;
}

}  // namespace ngrc::local::cholesky
