// Sums over many rows for several linear readouts of them: products with weights, gradients and Hessians.
//
// Every sum adds the same terms in the same order as a loop over one element at a time; sums that do not depend on each
// other stand side by side in lanes. Readouts share what is loaded: some thousand rows do not fit a fast cache.
#pragma once

#include <algorithm>
#include <vector>

#include "array.hpp"
#include "lanes.hpp"

namespace ngrc::local::sums {

// Readouts in the lanes of one pass.
constexpr Index GROUP = 4;
// Rows at a time: as many as fit the fastest cache.
constexpr Index CHUNK = 64;

// Columns of sums are padded to as many as a pass takes at a time. What they hold there is never read.
constexpr Index PADDING = 8;
inline Index padded(Index columns) { return (columns + PADDING - 1) / PADDING * PADDING; }

// The passes over lanes, of readouts or of columns.
template <Index Width>
struct Passes {
    static constexpr Index LANES = GROUP;
    using Lanes = lanes::Lanes<Width, LANES>;
    // Blocks of lanes whose sums are kept together, columns of the gradient and of the Hessian, and rows of the Hessian
    // and of products: with the loads about as many as there are registers.
    static constexpr Index BLOCKS = 6, SQUARE_BLOCKS = Lanes::PARTS == 1 ? 2 : 1, SQUARE_ROWS = 4;
    static constexpr Index ROWS = Lanes::PARTS == 1 ? 8 : 4;
    static_assert(PADDING % (SQUARE_BLOCKS * LANES) == 0 && PADDING % SQUARE_ROWS == 0);

    // Products of `Rows` rows with the weights of a group, shape (columns, GROUP).
    template <Index Rows>
    static NGRC_INLINE void multiply_some(const double* rows, Index columns, const double* weights,
                                          double* const* products, Index first) {
        Lanes totals[Rows] = {};
        for (Index column = 0; column < columns; ++column) {
            const Lanes own = Lanes::at(weights + column * GROUP);
            for (Index row = 0; row < Rows; ++row) totals[row] += rows[row * columns + column] * own;
        }
        for (Index row = 0; row < Rows; ++row) {
            for (Index member = 0; member < GROUP; ++member) products[member][first + row] = totals[row][member];
        }
    }

    // The product of every row with the weights of each readout of a group, into one array per readout.
    static NGRC_INLINE void multiply(Matrix<const double> rows, const double* weights, double* const* products) {
        Index row = 0;
        for (; row + ROWS <= rows.rows; row += ROWS) {
            multiply_some<ROWS>(&rows(row, 0), rows.columns, weights, products, row);
        }
        for (; row < rows.rows; ++row) multiply_some<1>(&rows(row, 0), rows.columns, weights, products, row);
    }

    // Adds rows, each times its factor, to `Blocks` blocks of columns.
    template <Index Blocks>
    static NGRC_INLINE void add_blocks(const double* rows, Index stride, Index count, const double* factors,
                                       double* target) {
        Lanes totals[Blocks];
        for (Index block = 0; block < Blocks; ++block) totals[block] = Lanes::at(target + block * LANES);
        for (Index row = 0; row < count; ++row) {
            for (Index block = 0; block < Blocks; ++block) {
                totals[block] += factors[row] * Lanes::at(rows + row * stride + block * LANES);
            }
        }
        for (Index block = 0; block < Blocks; ++block) Lanes::at(target + block * LANES) = totals[block];
    }

    // The same for a number of blocks up to `Blocks`.
    template <Index Blocks>
    static NGRC_INLINE void add_some(const double* rows, Index stride, Index count, const double* factors,
                                     double* target, Index blocks) {
        if (blocks == Blocks) add_blocks<Blocks>(rows, stride, count, factors, target);
        else if constexpr (Blocks > 1) add_some<Blocks - 1>(rows, stride, count, factors, target, blocks);
    }

    // target += factors[0] rows[0] + factors[1] rows[1] + ..., one after the other. Rows begin `stride` apart, and of
    // each as many numbers are read as `target` has, which is padded.
    static NGRC_INLINE void add_rows(const double* rows, Index stride, Index count, const double* factors,
                                     Vector<double> target) {
        // As even as possible: one block alone would wait for each of its additions.
        for (Index column = 0, some; column < target.size; column += some * LANES) {
            const Index left = (target.size - column) / LANES;
            some = left >= 2 * BLOCKS ? BLOCKS : left > BLOCKS ? (left + 1) / 2 : left;
            add_some<BLOCKS>(rows + column, stride, count, factors, &target[column], some);
        }
    }

    // Adds scaled[0]' rows[0] + scaled[1]' rows[1] + ..., one after the other, to the lower half of a square matrix.
    // The matrix and both sets of rows are padded.
    static NGRC_INLINE void add_squares(const double* rows, const double* scaled, Index columns, Index stride,
                                        Index count, double* target) {
        constexpr Index WIDTH = SQUARE_BLOCKS * LANES;
        for (Index first = 0; first < columns; first += SQUARE_ROWS) {
            for (Index other = 0; other < first + SQUARE_ROWS; other += WIDTH) {
                double* const corner = target + first * stride + other;
                Lanes totals[SQUARE_ROWS][SQUARE_BLOCKS];
                for (Index place = 0; place < SQUARE_ROWS; ++place) {
                    for (Index block = 0; block < SQUARE_BLOCKS; ++block) {
                        totals[place][block] = Lanes::at(corner + place * stride + block * LANES);
                    }
                }
                for (Index row = 0; row < count; ++row) {
                    Lanes own[SQUARE_BLOCKS];
                    for (Index block = 0; block < SQUARE_BLOCKS; ++block) {
                        own[block] = Lanes::at(rows + row * stride + other + block * LANES);
                    }
                    const double* const factors = scaled + row * stride + first;
                    for (Index place = 0; place < SQUARE_ROWS; ++place) {
                        for (Index block = 0; block < SQUARE_BLOCKS; ++block) {
                            totals[place][block] += factors[place] * own[block];
                        }
                    }
                }
                for (Index place = 0; place < SQUARE_ROWS; ++place) {
                    for (Index block = 0; block < SQUARE_BLOCKS; ++block) {
                        Lanes::at(corner + place * stride + block * LANES) = totals[place][block];
                    }
                }
            }
        }
    }
};

NGRC_PER_PROCESSOR(void, multiply, (Matrix<const double> rows, const double* weights, double* const* products),
                   (rows, weights, products))
NGRC_PER_PROCESSOR(void, add_rows,
                   (const double* rows, Index stride, Index count, const double* factors, Vector<double> target),
                   (rows, stride, count, factors, target))
NGRC_PER_PROCESSOR(void, add_squares,
                   (const double* rows, const double* scaled, Index columns, Index stride, Index count, double* target),
                   (rows, scaled, columns, stride, count, target))

// Copies a row, and multiplies it by a factor.
NGRC_CLONES inline void copy_scaled(const double* __restrict row, double factor, Index count, double* __restrict copy,
                                    double* __restrict scaled) {
    for (Index column = 0; column < count; ++column) {
        copy[column] = row[column];
        scaled[column] = factor * row[column];
    }
}

// The sum of some rows' squares times their curvature, a chunk of rows at a time.
class Squares {
public:
    explicit Squares(Index columns)
        : columns(columns), stride(padded(columns)), rows(CHUNK * stride), scaled(CHUNK * stride), total(stride * stride) {}

    // As many numbers of `row` are read as there are padded columns.
    void add(const double* row, double curvature) {
        copy_scaled(row, curvature, stride, rows.data() + count * stride, scaled.data() + count * stride);
        if (++count == CHUNK) flush();
    }

    // The sum, of which the lower half counts; the next one starts from zero.
    template <class Read>
    void take(Read read) {
        flush();
        read(Matrix<double>(total.data(), columns, stride));
        std::fill(total.begin(), total.end(), 0.0);
    }

private:
    void flush() {
        add_squares(rows.data(), scaled.data(), columns, stride, count, total.data());
        count = 0;
    }

    Index columns, stride, count = 0;
    std::vector<double> rows, scaled, total;
};

}  // namespace ngrc::local::sums
