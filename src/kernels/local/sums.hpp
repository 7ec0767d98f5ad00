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

// Readouts in the lanes of one register.
constexpr Index GROUP = LANES;
// Registers of columns whose sums are kept together, of the gradient and of the Hessian, and rows of the Hessian and of
// products: with the loads about as many as there are.
constexpr Index BLOCKS = 6, SQUARE_BLOCKS = WIDE ? 2 : 1, SQUARE_ROWS = 4, ROWS = WIDE ? 8 : 4;
// Rows at a time: as many as fit the fastest cache.
constexpr Index CHUNK = 64;

// Columns of sums are padded to whole registers. What they hold there is never read.
inline Index padded(Index columns) {
    constexpr Index multiple = SQUARE_BLOCKS * LANES;
    return (columns + multiple - 1) / multiple * multiple;
}

// Products of `Rows` rows with the weights of a group, shape (columns, GROUP).
template <Index Rows>
NGRC_INLINE void multiply_some(const double* rows, Index columns, const double* weights, double* const* products,
                               Index first) {
    Lanes totals[Rows] = {};
    for (Index column = 0; column < columns; ++column) {
        Lanes own;
        load(own, weights + column * GROUP);
        for (Index row = 0; row < Rows; ++row) totals[row] += own * rows[row * columns + column];
    }
    for (Index row = 0; row < Rows; ++row) {
        double lanes[GROUP];
        store(totals[row], lanes);
        for (Index member = 0; member < GROUP; ++member) products[member][first + row] = lanes[member];
    }
}

// The product of every row with the weights of each readout of a group, into one array per readout.
NGRC_CLONES inline void multiply(Matrix<const double> rows, const double* weights, double* const* products) {
    Index row = 0;
    for (; row + ROWS <= rows.rows; row += ROWS) multiply_some<ROWS>(&rows(row, 0), rows.columns, weights, products, row);
    for (; row < rows.rows; ++row) multiply_some<1>(&rows(row, 0), rows.columns, weights, products, row);
}

// Adds rows, each times its factor, to `Blocks` registers of columns.
template <Index Blocks>
NGRC_INLINE void add_blocks(const double* rows, Index stride, Index count, const double* factors, double* target) {
    Lanes totals[Blocks];
    for (Index block = 0; block < Blocks; ++block) load(totals[block], target + block * LANES);
    for (Index row = 0; row < count; ++row) {
        for (Index block = 0; block < Blocks; ++block) {
            Lanes own;
            load(own, rows + row * stride + block * LANES);
            totals[block] += own * factors[row];
        }
    }
    for (Index block = 0; block < Blocks; ++block) store(totals[block], target + block * LANES);
}

// The same for a number of registers up to `Blocks`.
template <Index Blocks>
NGRC_INLINE void add_some(const double* rows, Index stride, Index count, const double* factors, double* target,
                          Index blocks) {
    if (blocks == Blocks) add_blocks<Blocks>(rows, stride, count, factors, target);
    else if constexpr (Blocks > 1) add_some<Blocks - 1>(rows, stride, count, factors, target, blocks);
}

// target += factors[0] rows[0] + factors[1] rows[1] + ..., one after the other. Rows begin `stride` apart, and of each
// as many numbers are read as `target` has, which is padded.
NGRC_CLONES inline void add_rows(const double* rows, Index stride, Index count, const double* factors,
                                 Vector<double> target) {
    // As even as possible: one register alone would wait for each of its additions.
    for (Index column = 0, some; column < target.size; column += some * LANES) {
        const Index left = (target.size - column) / LANES;
        some = left >= 2 * BLOCKS ? BLOCKS : left > BLOCKS ? (left + 1) / 2 : left;
        add_some<BLOCKS>(rows + column, stride, count, factors, &target[column], some);
    }
}

// Copies a row, and multiplies it by a factor.
NGRC_CLONES inline void copy_scaled(const double* __restrict row, double factor, Index count, double* __restrict copy,
                                    double* __restrict scaled) {
    for (Index column = 0; column < count; ++column) {
        copy[column] = row[column];
        scaled[column] = factor * row[column];
    }
}

// Adds scaled[0]' rows[0] + scaled[1]' rows[1] + ..., one after the other, to the lower half of a square matrix. The
// matrix and both sets of rows are padded.
NGRC_CLONES inline void add_squares(const double* rows, const double* scaled, Index columns, Index stride, Index count,
                                    double* target) {
    constexpr Index WIDTH = SQUARE_BLOCKS * LANES;
    for (Index first = 0; first < columns; first += SQUARE_ROWS) {
        for (Index other = 0; other < first + SQUARE_ROWS; other += WIDTH) {
            double* const corner = target + first * stride + other;
            Lanes totals[SQUARE_ROWS][SQUARE_BLOCKS];
            for (Index place = 0; place < SQUARE_ROWS; ++place) {
                for (Index block = 0; block < SQUARE_BLOCKS; ++block) {
                    load(totals[place][block], corner + place * stride + block * LANES);
                }
            }
            for (Index row = 0; row < count; ++row) {
                Lanes own[SQUARE_BLOCKS];
                for (Index block = 0; block < SQUARE_BLOCKS; ++block) {
                    load(own[block], rows + row * stride + other + block * LANES);
                }
                const double* const factors = scaled + row * stride + first;
                for (Index place = 0; place < SQUARE_ROWS; ++place) {
                    for (Index block = 0; block < SQUARE_BLOCKS; ++block) {
                        totals[place][block] += own[block] * factors[place];
                    }
                }
            }
            for (Index place = 0; place < SQUARE_ROWS; ++place) {
                for (Index block = 0; block < SQUARE_BLOCKS; ++block) {
                    store(totals[place][block], corner + place * stride + block * LANES);
                }
            }
        }
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
