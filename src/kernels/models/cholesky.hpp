// Cholesky factors S = L L' of one matrix, what they solve, and their inverses (Golub and Van Loan, "Matrix
// Computations", sections 3.1 and 4.2).
//
// Strips of eight columns are computed in lanes, four rows at a time. Every element is one sum over k from its first
// term to its last, so that the bits are the same on every processor and for any size of a tile.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "array.hpp"
#include "lanes.hpp"

namespace ngrc::cholesky {

using lanes::fill;
using lanes::LANES;
using lanes::Workspace;

constexpr Index TILE = 4;
// Strips that share what they load of the rows of L; together they fit the second cache at 1,400 columns.
constexpr Index GROUP = 4;

// Rows of L, `width` apart.
struct Rows {
    const double* data;
    Index width;
    const double* operator[](Index row) const { return data + row * width; }
};

// The passes over lanes.
template <Index Width>
struct Passes {
    using Lanes = lanes::Lanes<Width>;

    // Solves `Count` rows from `row` on of L X = C, given the rows `from` to `row - 1` of X in `Strips` strips;
    // `strips` are `stride` lanes apart, and X takes the place of C. `inverses` are 1 / L_ii.
    template <Index Count, Index Strips>
    static NGRC_INLINE void solve_rows(Rows lower, const double* inverses, Index row, Index from, Lanes* strips,
                                       Index stride) {
        const double* own[Count];
        Lanes sums[Count][Strips];
        for (Index r = 0; r < Count; ++r) {
            own[r] = lower[row + r];
            for (Index s = 0; s < Strips; ++s) sums[r][s] = strips[s * stride + row + r];
        }
        for (Index k = from; k < row; ++k) {
            Lanes known[Strips];
            for (Index s = 0; s < Strips; ++s) known[s] = strips[s * stride + k];
            for (Index r = 0; r < Count; ++r) {
                for (Index s = 0; s < Strips; ++s) sums[r][s] -= own[r][k] * known[s];
            }
        }
        for (Index s = 0; s < Strips; ++s) {
            for (Index r = 0; r < Count; ++r) {
                for (Index q = 0; q < r; ++q) sums[r][s] -= own[r][row + q] * sums[q][s];
                sums[r][s] = inverses[row + r] * sums[r][s];
                strips[s * stride + row + r] = sums[r][s];
            }
        }
    }

    // The same over the rows `first` to `last` - 1, four at a time, of one strip that begins with the row `from`.
    static NGRC_INLINE void solve_strip(Rows lower, const double* inverses, Index first, Index last, Index from,
                                        Lanes* strip) {
        for (; first + TILE <= last; first += TILE) solve_rows<TILE, 1>(lower, inverses, first, from, strip, 0);
        for (; first < last; ++first) solve_rows<1, 1>(lower, inverses, first, from, strip, 0);
    }

    // The rows and columns of the diagonal block from `begin` on, eight or what is left, whose rows of L before it are
    // known; false where the matrix is not positive definite, or rounding says so.
    static NGRC_INLINE bool factor_block(double* work, Index size, Index begin, const Lanes* strip, double* inverses) {
        const Index used = std::min(LANES, size - begin);
        // The identity fills the last block.
        Lanes rows[LANES];
        for (Index r = 0; r < LANES; ++r) {
            for (Index c = 0; c < LANES; ++c) {
                rows[r][c] = r < used && c < used ? work[(begin + r) * size + begin + c] : double(r == c);
            }
        }
        for (Index k = 0; k < begin; ++k) {
            const double* own = reinterpret_cast<const double*>(strip + k);
            for (Index r = 0; r < LANES; ++r) rows[r] -= own[r] * strip[k];
        }
        for (Index r = 0; r < used; ++r) {
            const double pivot = rows[r][r];
            if (!(pivot > 0.0)) return false;  // no NaN is
            const double root = std::sqrt(pivot), inverse = 1.0 / root;
            inverses[begin + r] = inverse;
            rows[r] = inverse * rows[r];
            rows[r][r] = root;
            for (Index q = r + 1; q < LANES; ++q) rows[q] -= rows[r][q] * rows[r];
            for (Index q = r; q < used; ++q) work[(begin + q) * size + begin + r] = rows[r][q];
        }
        return true;
    }

    // Factors `work`, shape (p, p), of which the upper half is read: the lower half becomes L, row by row. The strips
    // above the diagonal become L' in `strips`, which has room for a group of them.
    static NGRC_INLINE bool factorise(double* work, Index size, Lanes* strips, double* inverses) {
        const Rows lower{work, size};
        for (Index group = 0; group < size; group += GROUP * LANES) {
            const Index count = std::min(GROUP, lanes::lanes_for(size - group));
            for (Index s = 0; s < count; ++s) {
                const Index begin = group + s * LANES, used = std::min(LANES, size - begin);
                for (Index row = 0; row < begin; ++row) {
                    double* own = reinterpret_cast<double*>(strips + s * size + row);
                    std::copy_n(work + row * size + begin, used, own);
                    std::fill(own + used, own + LANES, 0.0);
                }
            }
            for (Index row = 0; row < group; row += TILE) {
                Index s = 0;
                for (; s + 2 <= count; s += 2) solve_rows<TILE, 2>(lower, inverses, row, 0, strips + s * size, size);
                if (s < count) solve_rows<TILE, 1>(lower, inverses, row, 0, strips + s * size, 0);
            }
            for (Index s = 0; s < count; ++s) {
                const Index begin = group + s * LANES, used = std::min(LANES, size - begin);
                Lanes* const strip = strips + s * size;
                solve_strip(lower, inverses, group, begin, 0, strip);
                for (Index r = 0; r < used; ++r) {
                    for (Index k = 0; k < begin; ++k) work[(begin + r) * size + k] = strip[k][r];
                }
                if (!factor_block(work, size, begin, strip, inverses)) return false;
            }
        }
        return true;
    }

    // Writes L with L L' = S + lambda I, shape (p, p), zeros above its diagonal; S is symmetric, and its upper half is
    // read. False where S + lambda I is not positive definite; `factor` is then no factor.
    static NGRC_INLINE bool factor(Matrix<const double> matrix, double penalty, Matrix<double> factor) {
        const Index size = matrix.rows;
        Workspace strips(GROUP * size);
        std::vector<double> inverses(size);
        for (Index row = 0; row < size; ++row) {
            std::copy(matrix[row].data + row, matrix[row].end(), factor[row].data + row);
            factor(row, row) += penalty;
        }
        if (!factorise(factor.data, size, strips.data<Lanes>(), inverses.data())) return false;
        for (Index row = 0; row < size; ++row) std::fill(factor[row].data + row + 1, factor[row].end(), 0.0);
        return true;
    }

    static NGRC_INLINE std::vector<double> inverse_diagonal(Matrix<const double> lower) {
        std::vector<double> inverses(lower.rows);
        for (Index row = 0; row < lower.rows; ++row) inverses[row] = 1.0 / lower(row, row);
        return inverses;
    }

    // The strips of `count` times eight columns of L^-1 from `group` on.
    static NGRC_INLINE void invert_strips(Rows lower, const double* inverses, Index size, Index group, Index count,
                                          Lanes* strips) {
        for (Index s = 0; s < count; ++s) {
            const Index begin = group + s * LANES;
            for (Index row = group; row < size; ++row) {
                Lanes& own = strips[s * size + row];
                for (Index lane = 0; lane < LANES; ++lane) own[lane] = row == begin + lane ? 1.0 : 0.0;
            }
            // Rows before a strip's own first column are zero.
            solve_strip(lower, inverses, begin, std::min(size, group + count * LANES), begin, strips + s * size);
        }
        Index row = std::min(size, group + count * LANES);
        for (; row + TILE <= size; row += TILE) {
            Index s = 0;
            for (; s + 2 <= count; s += 2) {
                solve_rows<TILE, 2>(lower, inverses, row, group + s * LANES, strips + s * size, size);
            }
            if (s < count) solve_rows<TILE, 1>(lower, inverses, row, group + s * LANES, strips + s * size, 0);
        }
        for (; row < size; ++row) {
            for (Index s = 0; s < count; ++s) {
                solve_rows<1, 1>(lower, inverses, row, group + s * LANES, strips + s * size, 0);
            }
        }
    }

    // L^-1 of a lower triangle, shape (p, p), what is above its diagonal being zero.
    static NGRC_INLINE std::vector<double> inverse(Matrix<const double> lower) {
        const Index size = lower.rows;
        std::vector<double> found(size * size);
        const std::vector<double> inverses = inverse_diagonal(lower);
        Workspace memory(GROUP * size);
        Lanes* const strips = memory.data<Lanes>();
        for (Index group = 0; group < size; group += GROUP * LANES) {
            const Index count = std::min(GROUP, lanes::lanes_for(size - group));
            invert_strips({lower.data, size}, inverses.data(), size, group, count, strips);
            for (Index row = group; row < size; ++row) {
                for (Index s = 0; s < count; ++s) {
                    const Index begin = group + s * LANES, used = std::min(LANES, row + 1 - begin);
                    const double* own = reinterpret_cast<const double*>(strips + s * size + row);
                    for (Index lane = 0; lane < used; ++lane) found[row * size + begin + lane] = own[lane];
                }
            }
        }
        return found;
    }

    // L z = c forwards, then L' x = z backwards, in place of the right side.
    template <Index Count>
    static NGRC_INLINE void forward_rows(Matrix<const double> lower, const double* inverses, Index row, double* x) {
        Lanes sums[Count] = {};
        Index k = 0;
        for (; k + LANES <= row; k += LANES) {
            const Lanes known = Lanes::at(x + k);
            for (Index r = 0; r < Count; ++r) sums[r] += Lanes::at(&lower(row + r, k)) * known;
        }
        for (Index r = 0; r < Count; ++r) {
            double rest = x[row + r] - lanes::total(sums[r]);
            for (Index later = k; later < row + r; ++later) rest -= lower(row + r, later) * x[later];
            x[row + r] = rest * inverses[row + r];
        }
    }

    template <Index Count>
    static NGRC_INLINE void backward_rows(Matrix<const double> lower, const double* inverses, Index row, double* x) {
        for (Index r = Count - 1; r >= 0; --r) {
            x[row + r] *= inverses[row + r];
            for (Index q = 0; q < r; ++q) x[row + q] -= lower(row + r, row + q) * x[row + r];
        }
        Index k = 0;
        for (; k + LANES <= row; k += LANES) {
            Lanes& own = Lanes::at(x + k);
            Lanes total = own;
            for (Index r = 0; r < Count; ++r) total -= x[row + r] * Lanes::at(&lower(row + r, k));
            own = total;
        }
        for (; k < row; ++k) {
            for (Index r = 0; r < Count; ++r) x[k] -= x[row + r] * lower(row + r, k);
        }
    }

    static NGRC_INLINE void substitute(Matrix<const double> lower, const double* inverses, double* x) {
        Index row = 0;
        for (; row + TILE <= lower.rows; row += TILE) forward_rows<TILE>(lower, inverses, row, x);
        const Index whole = row;
        for (; row < lower.rows; ++row) forward_rows<1>(lower, inverses, row, x);
        while (row > whole) backward_rows<1>(lower, inverses, --row, x);
        while (row > 0) backward_rows<TILE>(lower, inverses, row -= TILE, x);
    }

    // (L L')^-1 of every column of `rights`, shape (p, m).
    static NGRC_INLINE std::vector<double> solutions(Matrix<const double> lower, Matrix<const double> rights) {
        const Index size = lower.rows, count = rights.columns;
        std::vector<double> found(size * count), x(size);
        const std::vector<double> inverses = inverse_diagonal(lower);
        for (Index column = 0; column < count; ++column) {
            for (Index row = 0; row < size; ++row) x[row] = rights(row, column);
            substitute(lower, inverses.data(), x.data());
            for (Index row = 0; row < size; ++row) found[row * count + column] = x[row];
        }
        return found;
    }
};

NGRC_PER_PROCESSOR(bool, factor, (Matrix<const double> matrix, double penalty, Matrix<double> factor),
                   (matrix, penalty, factor))
NGRC_PER_PROCESSOR(std::vector<double>, inverse, (Matrix<const double> lower), (lower))
NGRC_PER_PROCESSOR(std::vector<double>, solutions, (Matrix<const double> lower, Matrix<const double> rights),
                   (lower, rights))

}  // namespace ngrc::cholesky
