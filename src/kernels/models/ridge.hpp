// Ridge weights of many penalties at once: (C + lambda I)^-1 c by Cholesky factors C + lambda I = L L'.
//
// Eight penalties share a pass, one in each lane of a vector: the lanes never mix, so that the bits are the same
// whatever the width of the processor's registers. LAPACK takes one matrix at a time, and with some tens of columns a
// third of its time is spent around the arithmetic.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "array.hpp"
#include "lanes.hpp"

namespace ngrc::ridge {

using lanes::fill;
using lanes::LANES;

// Where a row of the factor begins: rows of a lower triangle, one after the other.
inline Index start(Index row) { return row * (row + 1) / 2; }

constexpr Index TILE = 4;

// The passes over lanes.
template <Index Width>
struct Passes {
    using Lanes = lanes::Lanes<Width>;

    // Columns `column` to `column + 3` of `Rows` rows of the factor, L_ij = (C_ij - sum_k L_ik L_jk) / L_jj: sixteen
    // sums at most side by side, as one alone would wait for each of its subtractions, and rows share what they load.
    template <Index Rows>
    static NGRC_INLINE void factor_tile(Matrix<const double> matrix, Index row, Index column, Lanes* factor) {
        Lanes* own[Rows];
        const Lanes* other[TILE];
        Lanes sums[Rows][TILE];
        for (Index r = 0; r < Rows; ++r) own[r] = factor + start(row + r);
        for (Index c = 0; c < TILE; ++c) other[c] = factor + start(column + c);
        for (Index r = 0; r < Rows; ++r) {
            for (Index c = 0; c < TILE; ++c) fill(sums[r][c], matrix(row + r, column + c));
        }
        for (Index inner = 0; inner < column; ++inner) {
            for (Index r = 0; r < Rows; ++r) {
                const Lanes left = own[r][inner];
                for (Index c = 0; c < TILE; ++c) sums[r][c] -= left * other[c][inner];
            }
        }
        for (Index r = 0; r < Rows; ++r) {
            for (Index c = 0; c < TILE; ++c) {
                for (Index before = 0; before < c; ++before) sums[r][c] -= sums[r][before] * other[c][column + before];
                sums[r][c] = sums[r][c] / other[c][column + c];
                own[r][column + c] = sums[r][c];
            }
        }
    }

    // The last columns of a row, up to the diagonal, where the penalties stand.
    static NGRC_INLINE void factor_end(Vector<const double> matrix_row, Index row, Index column,
                                       const Lanes& penalties, Lanes* factor) {
        Lanes* own = factor + start(row);
        for (; column <= row; ++column) {
            const Lanes* other = factor + start(column);
            Lanes total;
            for (Index lane = 0; lane < LANES; ++lane) {
                total[lane] = column == row ? matrix_row[column] + penalties[lane] : matrix_row[column];
            }
            for (Index inner = 0; inner < column; ++inner) total -= own[inner] * other[inner];
            if (column < row) {
                own[column] = total / other[column];
                continue;
            }
            // Not positive definite is below the rounding of the moments: not a number, here and in all that follows.
            for (Index lane = 0; lane < LANES; ++lane) {
                own[row][lane] = total[lane] > 0.0 ? std::sqrt(total[lane]) : std::numeric_limits<double>::quiet_NaN();
            }
        }
    }

    // The factor, row by row, two rows at a time where both have whole tiles.
    static NGRC_INLINE void factorise(Matrix<const double> matrix, const Lanes& penalties, Lanes* factor) {
        Index row = 0;
        for (; row + 2 <= matrix.rows; row += 2) {
            Index column = 0;
            for (; column + TILE <= row; column += TILE) factor_tile<2>(matrix, row, column, factor);
            factor_end(matrix[row], row, column, penalties, factor);
            factor_end(matrix[row + 1], row + 1, column, penalties, factor);
        }
        for (; row < matrix.rows; ++row) factor_end(matrix[row], row, 0, penalties, factor);
    }

    // L z = c forwards, then L' w = z backwards, in place of the right side.
    static NGRC_INLINE void substitute(const Lanes* factor, Index size, Lanes* solution) {
        for (Index row = 0; row < size; ++row) {
            const Lanes* own = factor + start(row);
            for (Index inner = 0; inner < row; ++inner) solution[row] -= own[inner] * solution[inner];
            solution[row] = solution[row] / own[row];
        }
        for (Index row = size - 1; row >= 0; --row) {
            const Lanes* own = factor + start(row);
            solution[row] = solution[row] / own[row];
            for (Index inner = 0; inner < row; ++inner) solution[inner] -= own[inner] * solution[row];
        }
    }

    // Weights of several regressions on the first columns of one matrix each, as many as `sizes` says: the factor of a
    // leading block is the leading block of the factor, and one factor per penalty serves them all. Right sides are rows
    // of `cross`; weights have the shape (regressions, p, penalties), zero beyond a regression's columns and NaN where a
    // penalty leaves its matrix not positive definite.
    static NGRC_INLINE void weights(Matrix<const double> matrix, Vector<const std::int64_t> sizes,
                                    Matrix<const double> cross, Vector<const double> penalties, Cube<double> weights) {
        const Index size = matrix.rows;
        lanes::Workspace memory(start(size) + size);
        Lanes* const factor = memory.data<Lanes>();
        Lanes* const solution = factor + start(size);
        for (Index first = 0; first < penalties.size; first += LANES) {
            const Index used = std::min(LANES, penalties.size - first);
            Lanes own;
            // Lanes without a penalty repeat the last one.
            for (Index lane = 0; lane < LANES; ++lane) own[lane] = penalties[first + std::min(lane, used - 1)];
            factorise(matrix, own, factor);
            for (Index regression = 0; regression < sizes.size; ++regression) {
                const Index columns = sizes[regression];
                for (Index row = 0; row < columns; ++row) fill(solution[row], cross(regression, row));
                substitute(factor, columns, solution);
                for (Index row = 0; row < columns; ++row) {
                    for (Index lane = 0; lane < used; ++lane) weights(regression, row, first + lane) = solution[row][lane];
                }
            }
        }
    }
};

NGRC_PER_PROCESSOR(void, weights,
                   (Matrix<const double> matrix, Vector<const std::int64_t> sizes, Matrix<const double> cross,
                    Vector<const double> penalties, Cube<double> weights),
                   (matrix, sizes, cross, penalties, weights))

}  // namespace ngrc::ridge
