// A symmetric matrix as S = Q B Q', with B zero beyond eight places from its diagonal, and systems with S + lambda I.
//
// (S + lambda I)^-1 c = Q (B + lambda I)^-1 Q'c, and a banded system costs as much as it has numbers. Q is a product of
// block reflections I - V T V', one per eight columns, in the compact form of Schreiber and Van Loan
// (doi:10.1137/0910005); with W = S V T - V (T'V'S V T) / 2 each turns S into S - V W' - W V' (Bischof, Lang and Sun,
// doi:10.1145/365723.365735). A tridiagonal matrix would need a pass over the memory of S per column, a banded one
// needs an eighth of that.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "array.hpp"
#include "lanes.hpp"

namespace ngrc::banded {

using lanes::fill;
using lanes::LANES;
using lanes::Workspace;

constexpr Index BAND = LANES;
constexpr Index TILE = 4;

// How many blocks of eight columns are reduced: the last two rows are within the band as they are.
inline Index panels(Index size) { return size < BAND + 2 ? 0 : (size - BAND - 2) / BAND + 1; }

// Rows of V of all panels together. Panel k reflects the rows from BAND (k + 1) on.
inline Index reflected_rows(Index size) {
    Index total = 0;
    for (Index panel = 0; panel < panels(size); ++panel) total += size - BAND * (panel + 1);
    return total;
}

// The passes over lanes.
template <Index Width>
struct Passes {
    using Lanes = lanes::Lanes<Width>;

    // sum_i left[i][c] right[i] for c = 0..7, which is left' right, shape (8, 8).
    static NGRC_INLINE void products(const Lanes* left, const Lanes* right, Index rows, Lanes* result) {
        Lanes sums[LANES] = {};
        for (Index row = 0; row < rows; ++row) {
            const Lanes own = right[row];
            const double* factors = reinterpret_cast<const double*>(left + row);
            for (Index c = 0; c < LANES; ++c) sums[c] += factors[c] * own;
        }
        for (Index c = 0; c < LANES; ++c) result[c] = sums[c];
    }

    // left right of two matrices of shape (8, 8), the left one transposed or not.
    template <bool Transposed>
    static NGRC_INLINE void small_product(const Lanes* left, const Lanes* right, Lanes* result) {
        for (Index row = 0; row < LANES; ++row) {
            Lanes total = {};
            for (Index c = 0; c < LANES; ++c) total += (Transposed ? left[c][row] : left[row][c]) * right[c];
            result[row] = total;
        }
    }

    // Householder's reflections of the panel, shape (m, 8): they turn it into the upper triangle that its first rows
    // become. Writes V and T of the block reflection (I - V T V')' panel; V has m rows and T eight.
    static NGRC_INLINE void reflect_panel(Lanes* panel, Index rows, Lanes* v, Lanes* t) {
        double factors[LANES] = {};
        for (Index row = 0; row < rows; ++row) v[row] = Lanes{};
        for (Index c = 0; c < std::min(LANES, rows - 1); ++c) {
            // The products of column c below its diagonal with all columns, itself among them. Four sums run side by
            // side, as each waits for its additions.
            Lanes sums[TILE] = {};
            Index row = c + 1;
            for (; row + TILE <= rows; row += TILE) {
                for (Index r = 0; r < TILE; ++r) sums[r] += panel[row + r][c] * panel[row + r];
            }
            for (; row < rows; ++row) sums[0] += panel[row][c] * panel[row];
            Lanes along = (sums[0] + sums[1]) + (sums[2] + sums[3]);
            const double below = along[c], top = panel[c][c];
            if (below == 0.0) continue;  // nothing to reflect; V and T stay zero
            const double end = -std::copysign(std::sqrt(top * top + below), top);
            const double inverse = 1.0 / (top - end), factor = (end - top) / end;
            along = panel[c] + inverse * along;
            v[c][c] = 1.0;
            factors[c] = factor;
            panel[c] -= factor * along;
            panel[c][c] = end;
            for (row = c + 1; row < rows; ++row) {
                const double component = panel[row][c] * inverse;
                v[row][c] = component;
                panel[row] -= (factor * component) * along;
            }
        }
        // T[:c, c] = -factor T[:c, :c] (V'v_c), and the factors on its diagonal.
        Lanes inner[LANES];
        products(v, v, rows, inner);
        for (Index r = 0; r < LANES; ++r) t[r] = Lanes{};
        for (Index c = 0; c < LANES; ++c) {
            for (Index r = 0; r < c; ++r) {
                double total = 0.0;
                for (Index k = r; k < c; ++k) total += t[r][k] * inner[k][c];
                t[r][c] = -factors[c] * total;
            }
            t[c][c] = factors[c];
        }
    }

    // V and W of a reflection that the matrix still lacks, by row and by column; `first` is their first row in it.
    struct Update {
        const Lanes *v, *w;
        const double *v_columns, *w_columns;
        Index stride, first;
    };

    // Takes V W' + W V' off the columns `from` to `to` of `Rows` rows; both columns are multiples of eight.
    template <Index Rows>
    static NGRC_INLINE void update_rows(double* matrix, Index width, Index row, Index from, Index to,
                                        const Update& update) {
        const double *v[Rows], *w[Rows];
        for (Index r = 0; r < Rows; ++r) {
            v[r] = reinterpret_cast<const double*>(update.v + row + r - update.first);
            w[r] = reinterpret_cast<const double*>(update.w + row + r - update.first);
        }
        for (Index column = from; column < to; column += LANES) {
            Lanes tile[Rows];
            for (Index r = 0; r < Rows; ++r) {
                tile[r] = Lanes::at(matrix + (row + r) * width + column);
            }
            for (Index c = 0; c < LANES; ++c) {
                const Index place = c * update.stride + column - update.first;
                const Lanes v_column = Lanes::at(update.v_columns + place);
                const Lanes w_column = Lanes::at(update.w_columns + place);
                for (Index r = 0; r < Rows; ++r) tile[r] -= v[r][c] * w_column;
                for (Index r = 0; r < Rows; ++r) tile[r] -= w[r][c] * v_column;
            }
            for (Index r = 0; r < Rows; ++r) {
                Lanes::at(matrix + (row + r) * width + column) = tile[r];
            }
        }
    }

    // Adds what `Rows` rows from `row` on, up to the diagonal, and their mirror image contribute to X = S V. Row and
    // column `first` of the matrix are the first of V and X.
    template <Index Rows>
    static NGRC_INLINE void multiply_rows(const double* matrix, Index width, Index row, Index first, const Lanes* v,
                                          Lanes* x) {
        const double* own[Rows];
        Lanes own_v[Rows], own_x[Rows];
        for (Index r = 0; r < Rows; ++r) {
            own[r] = matrix + (row + r) * width + first;
            own_v[r] = v[row + r - first];
            own_x[r] = Lanes{};
        }
        for (Index column = 0; column < row - first; ++column) {
            const Lanes other = v[column];
            Lanes mirrored = x[column];
            for (Index r = 0; r < Rows; ++r) {
                own_x[r] += own[r][column] * other;
                mirrored += own[r][column] * own_v[r];
            }
            x[column] = mirrored;
        }
        for (Index r = 0; r < Rows; ++r) {
            for (Index c = 0; c < Rows; ++c) {
                own_x[r] += (c <= r ? own[r][row - first + c] : own[c][row - first + r]) * own_v[c];
            }
        }
        // Later rows add to these.
        for (Index r = 0; r < Rows; ++r) x[row + r - first] = own_x[r];
    }

    // One more panel: finishes the update of the rows from `first` on, and multiplies them by V.
    static NGRC_INLINE void update_and_multiply(double* matrix, Index size, Index width, Index first,
                                                const Update* update, const Lanes* v, Lanes* x) {
        Index row = first;
        for (; row + TILE <= size; row += TILE) {
            const Index to = first + LANES * lanes::lanes_for(row + TILE - first);
            if (update) update_rows<TILE>(matrix, width, row, first, to, *update);
            if (v) multiply_rows<TILE>(matrix, width, row, first, v, x);
        }
        for (; row < size; ++row) {
            const Index to = first + LANES * lanes::lanes_for(row + 1 - first);
            if (update) update_rows<1>(matrix, width, row, first, to, *update);
            if (v) multiply_rows<1>(matrix, width, row, first, v, x);
        }
    }

    // The eight columns from `first` on, up to date.
    static NGRC_INLINE void update_columns(double* matrix, Index size, Index width, Index first, const Update& update) {
        Index row = first;
        for (; row + TILE <= size; row += TILE) update_rows<TILE>(matrix, width, row, first, first + LANES, update);
        for (; row < size; ++row) update_rows<1>(matrix, width, row, first, first + LANES, update);
    }

    static NGRC_INLINE void reflect(Lanes* panel, Index rows, Lanes* v, Lanes* t) { reflect_panel(panel, rows, v, t); }

    // W = X T - V (T'V'X T) / 2 in place of X = S V.
    static NGRC_INLINE void complete_update(const Lanes* v, const Lanes* t, Index rows, Lanes* x) {
        Lanes inner[LANES], right[LANES], half[LANES];
        products(v, x, rows, inner);
        small_product<false>(inner, t, right);
        small_product<true>(t, right, half);
        for (Index c = 0; c < LANES; ++c) half[c] = -0.5 * half[c];
        for (Index row = 0; row < rows; ++row) {
            const double* own_x = reinterpret_cast<const double*>(x + row);
            const double* own_v = reinterpret_cast<const double*>(v + row);
            Lanes total = {};
            for (Index c = 0; c < LANES; ++c) total += own_x[c] * t[c];
            for (Index c = 0; c < LANES; ++c) total += own_v[c] * half[c];
            x[row] = total;
        }
    }

    static NGRC_INLINE void transpose(const Lanes* rows, Index count, double* columns, Index stride) {
        for (Index row = 0; row < count; ++row) {
            for (Index c = 0; c < LANES; ++c) columns[c * stride + row] = rows[row][c];
        }
    }

    // Reduces the symmetric matrix of which the lower half is read, shape (p, p). `band`, shape (p, 9), becomes B[i][i
    // - 8 + d] at (i, d); `reflections`, shape (reflected_rows, 8), all V, and `factors`, shape (8 panels, 8), all T.
    static NGRC_INLINE void reduce(Matrix<const double> matrix, Matrix<double> band, Matrix<double> reflections,
                                   Matrix<double> factors) {
        const Index size = matrix.rows, whole = lanes::lanes_for(size), width = whole * LANES;
        Workspace copy(size * whole), panel_memory(size), products_memory[2] = {Workspace(size), Workspace(size)},
            columns_memory(2 * LANES * whole);
        double* const work = copy.numbers();
        for (Index row = 0; row < size; ++row) std::copy_n(matrix[row].data, row + 1, work + row * width);
        double* const v_columns = columns_memory.numbers();
        double* const w_columns = v_columns + LANES * width;
        Lanes* v = reinterpret_cast<Lanes*>(reflections.data);
        Update pending{};
        const Index count = panels(size);
        for (Index panel = 0; panel < count; ++panel) {
            const Index begin = panel * BAND, first = begin + BAND, rows = size - first;
            if (panel) update_columns(work, size, width, begin, pending);
            Lanes* const columns = panel_memory.data<Lanes>();
            for (Index row = 0; row < rows; ++row) {
                columns[row] = Lanes::at(work + (first + row) * width + begin);
            }
            Lanes* const t = reinterpret_cast<Lanes*>(factors[panel * LANES].data);
            reflect(columns, rows, v, t);
            for (Index row = 0; row < std::min(rows, LANES); ++row) {
                for (Index c = row; c < LANES; ++c) work[(first + row) * width + begin + c] = columns[row][c];
            }
            Lanes* const x = products_memory[panel % 2].template data<Lanes>();
            update_and_multiply(work, size, width, first, panel ? &pending : nullptr, v, x);
            complete_update(v, t, rows, x);
            transpose(v, rows, v_columns, width);
            transpose(x, rows, w_columns, width);
            pending = {v, x, v_columns, w_columns, width, first};
            v += rows;
        }
        if (count) update_and_multiply(work, size, width, count * BAND, &pending, nullptr, nullptr);
        for (Index row = 0; row < size; ++row) {
            for (Index d = 0; d <= BAND; ++d) {
                const Index column = row - BAND + d;
                band(row, d) = column < 0 ? 0.0 : work[row * width + column];
            }
        }
    }

    // (I - V T V') of eight columns, or (I - V T'V') of them.
    template <bool Transposed>
    static NGRC_INLINE void apply(const Lanes* v, const Lanes* t, Index rows, Lanes* columns) {
        Lanes inner[LANES], turned[LANES];
        products(v, columns, rows, inner);
        small_product<Transposed>(t, inner, turned);
        for (Index row = 0; row < rows; ++row) {
            const double* factors = reinterpret_cast<const double*>(v + row);
            Lanes own = columns[row];
            for (Index c = 0; c < LANES; ++c) own -= factors[c] * turned[c];
            columns[row] = own;
        }
    }

    // Q'c of eight columns: the first panel first.
    static NGRC_INLINE void turn(const Lanes* v, const Lanes* t, Index size, Lanes* columns) {
        for (Index panel = 0; panel < panels(size); ++panel) {
            const Index first = BAND * (panel + 1);
            apply<true>(v, t + panel * LANES, size - first, columns + first);
            v += size - first;
        }
    }

    // Q c of eight columns: the last panel first.
    static NGRC_INLINE void turn_back(const Lanes* v, const Lanes* t, Index size, Lanes* columns) {
        v += reflected_rows(size);
        for (Index panel = panels(size) - 1; panel >= 0; --panel) {
            const Index first = BAND * (panel + 1);
            v -= size - first;
            apply<false>(v, t + panel * LANES, size - first, columns + first);
        }
    }

    // (B + lambda I)^-1 of eight columns with eight penalties by B + lambda I = L D L'. `lower` has room for 9 p lanes.
    // `positive` becomes whether all pivots of a lane are.
    static NGRC_INLINE void solve_band(Matrix<const double> band, const Lanes& penalties, Lanes* lower, Lanes* columns,
                                       bool* positive) {
        const Index size = band.rows;
        Lanes* const inverses = lower + size * BAND;
        Lanes one;
        fill(one, 1.0);
        for (Index row = 0; row < size; ++row) {
            const double* own = band[row].data;
            Lanes* const factors = lower + row * BAND;
            Lanes scaled[BAND], pivot = penalties + own[BAND] * one;
            // Column row - 8 + d; what lies before the first column has zeros.
            Lanes right = columns[row];
            for (Index d = std::max<Index>(0, BAND - row); d < BAND; ++d) {
                const Index column = row - BAND + d;
                Lanes total = own[d] * one;
                for (Index k = std::max<Index>(0, BAND - row); k < d; ++k) {
                    total -= scaled[k] * lower[column * BAND + BAND - d + k];
                }
                scaled[d] = total;
                factors[d] = total * inverses[column];
                pivot -= total * factors[d];
                right -= factors[d] * columns[column];
            }
            columns[row] = right;
            inverses[row] = one / pivot;
        }
        for (Index lane = 0; lane < LANES; ++lane) positive[lane] = true;
        for (Index row = 0; row < size; ++row) {
            // The sign of a pivot is that of its inverse; no pivot that is not a number is positive.
            for (Index lane = 0; lane < LANES; ++lane) positive[lane] &= inverses[row][lane] > 0.0;
            columns[row] = columns[row] * inverses[row];
        }
        for (Index row = size - 1; row >= 0; --row) {
            for (Index d = std::max<Index>(0, BAND - row); d < BAND; ++d) {
                columns[row - BAND + d] -= lower[row * BAND + d] * columns[row];
            }
        }
    }

    // (S + lambda I)^-1 of every column of `rights`, shape (p, m), each with its own penalty; one column serves all
    // penalties. Shape (p, penalties). NaN where S + lambda I is not positive definite, zeros at an infinite penalty.
    static NGRC_INLINE std::vector<double> solutions(Matrix<const double> band, Matrix<const double> reflections,
                                                     Matrix<const double> factors, Matrix<const double> rights,
                                                     Vector<const double> penalties) {
        const Index size = band.rows, count = penalties.size;
        const Lanes* const v = reinterpret_cast<const Lanes*>(reflections.data);
        const Lanes* const t = reinterpret_cast<const Lanes*>(factors.data);
        std::vector<double> found(size * count);
        Workspace columns_memory(size), lower(size * (BAND + 1));
        Lanes* const columns = columns_memory.data<Lanes>();
        std::vector<double> turned(size);
        const bool shared = rights.columns == 1;
        if (shared && count) {
            for (Index row = 0; row < size; ++row) fill(columns[row], rights(row, 0));
            turn(v, t, size, columns);
            for (Index row = 0; row < size; ++row) turned[row] = columns[row][0];
        }
        for (Index begin = 0; begin < count; begin += LANES) {
            const Index used = std::min(LANES, count - begin);
            Lanes own;
            bool positive[LANES];
            // Lanes without a penalty repeat the last one; an infinite penalty has its zeros below.
            for (Index lane = 0; lane < LANES; ++lane) {
                const double penalty = penalties[begin + std::min(lane, used - 1)];
                own[lane] = penalty == std::numeric_limits<double>::infinity() ? 1.0 : penalty;
            }
            for (Index row = 0; row < size; ++row) {
                if (shared) {
                    fill(columns[row], turned[row]);
                    continue;
                }
                for (Index lane = 0; lane < LANES; ++lane) {
                    columns[row][lane] = rights(row, begin + std::min(lane, used - 1));
                }
            }
            if (!shared) turn(v, t, size, columns);
            solve_band(band, own, lower.data<Lanes>(), columns, positive);
            turn_back(v, t, size, columns);
            for (Index lane = 0; lane < used; ++lane) {
                const double penalty = penalties[begin + lane];
                const bool infinite = penalty == std::numeric_limits<double>::infinity();
                const double fixed = infinite ? 0.0 : std::numeric_limits<double>::quiet_NaN();
                const bool solved = positive[lane] && !infinite;
                for (Index row = 0; row < size; ++row) {
                    found[row * count + begin + lane] = solved ? columns[row][lane] : fixed;
                }
            }
        }
        return found;
    }
};

NGRC_PER_PROCESSOR(void, reduce,
                   (Matrix<const double> matrix, Matrix<double> band, Matrix<double> reflections,
                    Matrix<double> factors),
                   (matrix, band, reflections, factors))
NGRC_PER_PROCESSOR(std::vector<double>, solutions,
                   (Matrix<const double> band, Matrix<const double> reflections, Matrix<const double> factors,
                    Matrix<const double> rights, Vector<const double> penalties),
                   (band, reflections, factors, rights, penalties))

}  // namespace ngrc::banded
