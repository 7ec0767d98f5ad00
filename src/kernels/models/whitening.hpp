// Squared norms |N (x - m)|^2 of many rows x, with a lower triangle N. Eight rows share a pass, one in each lane, and
// every sum runs from its first term to its last.
#pragma once

#include <algorithm>
#include <vector>

#include "array.hpp"
#include "lanes.hpp"

namespace ngrc::whitening {

using lanes::LANES;
using lanes::Workspace;

constexpr Index TILE = 4;
// Strips of eight rows that share what they load of N.
constexpr Index GROUP = 4;

// The passes over lanes.
template <Index Width>
struct Passes {
    using Lanes = lanes::Lanes<Width>;

    // Adds the squares of `Count` coordinates from `row` on, of `Strips` strips that are `stride` lanes apart.
    template <Index Count, Index Strips>
    static NGRC_INLINE void add_squares(Matrix<const double> lower, Index row, const Lanes* strips, Index stride,
                                        Lanes* squares) {
        const double* own[Count];
        Lanes sums[Count][Strips] = {};
        for (Index r = 0; r < Count; ++r) own[r] = lower.data + (row + r) * lower.columns;
        // Beyond the diagonal the triangle is zero.
        for (Index k = 0; k < row + Count; ++k) {
            Lanes known[Strips];
            for (Index s = 0; s < Strips; ++s) known[s] = strips[s * stride + k];
            for (Index r = 0; r < Count; ++r) {
                for (Index s = 0; s < Strips; ++s) sums[r][s] += own[r][k] * known[s];
            }
        }
        for (Index s = 0; s < Strips; ++s) {
            for (Index r = 0; r < Count; ++r) squares[s] += sums[r][s] * sums[r][s];
        }
    }

    // Squares of `count` strips of centred rows.
    static NGRC_INLINE void strip_squares(Matrix<const double> lower, const Lanes* strips, Index count,
                                          Lanes* squares) {
        const Index size = lower.rows;
        Index row = 0;
        for (; row + TILE <= size; row += TILE) {
            Index s = 0;
            for (; s + 2 <= count; s += 2) add_squares<TILE, 2>(lower, row, strips + s * size, size, squares + s);
            if (s < count) add_squares<TILE, 1>(lower, row, strips + s * size, 0, squares + s);
        }
        for (; row < size; ++row) {
            for (Index s = 0; s < count; ++s) add_squares<1, 1>(lower, row, strips + s * size, 0, squares + s);
        }
    }

    // |N (x - m)|^2 of every row x of `design`, shape (n, p); `lower` is N, shape (p, p), zero above its diagonal.
    static NGRC_INLINE std::vector<double> squares(Matrix<const double> lower, Matrix<const double> design,
                                                   Vector<const double> means) {
        const Index size = lower.rows, together = GROUP * LANES;
        std::vector<double> found(design.rows);
        Workspace memory(GROUP * size);
        double* const numbers = memory.numbers();
        for (Index first = 0; first < design.rows; first += together) {
            const Index used = std::min(together, design.rows - first), count = lanes::lanes_for(used);
            for (Index place = 0; place < count * LANES; ++place) {
                // Lanes without a row repeat the last one.
                const double* x = design[std::min(first + place, design.rows - 1)].data;
                double* const lane = numbers + (place / LANES) * size * LANES + place % LANES;
                for (Index k = 0; k < size; ++k) lane[k * LANES] = x[k] - means[k];
            }
            Lanes totals[GROUP] = {};
            strip_squares(lower, memory.data<Lanes>(), count, totals);
            for (Index place = 0; place < used; ++place) {
                found[first + place] = totals[place / LANES][place % LANES];
            }
        }
        return found;
    }
};

NGRC_PER_PROCESSOR(std::vector<double>, squares,
                   (Matrix<const double> lower, Matrix<const double> design, Vector<const double> means),
                   (lower, design, means))

}  // namespace ngrc::whitening
