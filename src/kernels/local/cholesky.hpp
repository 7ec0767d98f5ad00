// Small symmetric systems, solved in place: the same bits for any number of BLAS threads.
#pragma once

#include <array>
#include <cmath>

#include "array.hpp"
#include "lanes.hpp"

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

// Where a row of a lower half begins: rows one after the other.
inline Index start(Index row) { return row * (row + 1) / 2; }

// Systems that are solved together, and whether each was.
constexpr Index TOGETHER = 4;
using Solved = std::array<bool, TOGETHER>;

// The passes over lanes, a system in each.
template <Index Width>
struct Passes {
    using Lanes = lanes::Lanes<Width, TOGETHER>;

    // Columns `column` to `column + Columns - 1` of one row of the factor, L_ij = (A_ij - sum_k L_ik L_jk) / L_jj, all
    // left of the diagonal: several sums side by side, as one alone would wait for each of its subtractions.
    template <Index Columns>
    static NGRC_INLINE void factor_some(Lanes* matrix, Index row, Index column) {
        Lanes* const own = matrix + start(row);
        const Lanes* other[Columns];
        Lanes totals[Columns];
        for (Index place = 0; place < Columns; ++place) {
            other[place] = matrix + start(column + place);
            totals[place] = own[column + place];
        }
        for (Index inner = 0; inner < column; ++inner) {
            const Lanes left = own[inner];
            for (Index place = 0; place < Columns; ++place) totals[place] -= left * other[place][inner];
        }
        for (Index place = 0; place < Columns; ++place) {
            for (Index before = 0; before < place; ++before) {
                totals[place] -= totals[before] * other[place][column + before];
            }
            totals[place] = totals[place] / other[place][column + place];
            own[column + place] = totals[place];
        }
    }

    // Four systems at once, each with the bits of `solve`: `matrices`, shape (start(size), TOGETHER), holds their lower
    // halves and becomes the factors, and `rights`, shape (size, TOGETHER), becomes the solutions. Says of which
    // systems every pivot was above zero; the others have no solution.
    static NGRC_INLINE Solved solve_together(double* matrices, double* rights, Index size) {
        Lanes *const matrix = &Lanes::at(matrices), *const right = &Lanes::at(rights);
        Solved solved;
        solved.fill(true);
        for (Index row = 0; row < size; ++row) {
            Lanes* const own = matrix + start(row);
            Index column = 0;
            for (; column + 4 <= row; column += 4) factor_some<4>(matrix, row, column);
            for (; column < row; ++column) factor_some<1>(matrix, row, column);
            Lanes pivot = own[row];
            for (Index inner = 0; inner < row; ++inner) pivot -= own[inner] * own[inner];
            for (Index lane = 0; lane < TOGETHER; ++lane) {
                solved[lane] = solved[lane] && pivot[lane] > 0.0;
                own[row][lane] = std::sqrt(pivot[lane]);
            }
        }
        for (Index row = 0; row < size; ++row) {
            const Lanes* const own = matrix + start(row);
            Lanes total = right[row];
            for (Index inner = 0; inner < row; ++inner) total -= own[inner] * right[inner];
            right[row] = total / own[row];
        }
        for (Index row = size - 1; row >= 0; --row) {
            Lanes total = right[row];
            for (Index inner = row + 1; inner < size; ++inner) total -= matrix[start(inner) + row] * right[inner];
            right[row] = total / matrix[start(row) + row];
        }
        return solved;
    }
};

NGRC_PER_PROCESSOR(Solved, solve_together, (double* matrices, double* rights, Index size), (matrices, rights, size))

}  // namespace ngrc::local::cholesky
