// States on the unit sphere.
#pragma once

#include <cmath>

#include "array.hpp"

namespace ngrc::rescp::states {

// Rows whose sums run side by side: an addition takes four cycles, and each waits for the one before it in its row.
constexpr Index TOGETHER = 4;

// Fill `count` rows with states divided by their Euclidean norms; a zero state stays zero.
template <Index count>
void scale_rows(const double* states, double* rows, Index size) {
    double squares[count] = {};
    for (Index j = 0; j < size; ++j)
        for (Index i = 0; i < count; ++i) squares[i] += states[i * size + j] * states[i * size + j];
    for (Index i = 0; i < count; ++i) {
        // An empty reservoir has no direction: as zeros it is equally unlike every state, and weights are recency
        // alone.
        const double scale = squares[i] > 0.0 ? 1.0 / std::sqrt(squares[i]) : 0.0;
        for (Index j = 0; j < size; ++j) rows[i * size + j] = states[i * size + j] * scale;
    }
}

// The same for all rows; each is summed in its own order, whatever its neighbours.
inline void normalise(Matrix<const double> states, Matrix<double> rows) {
    const Index size = states.columns;
    Index i = 0;
    for (; i + TOGETHER <= states.rows; i += TOGETHER)
        scale_rows<TOGETHER>(states.data + i * size, rows.data + i * size, size);
    for (; i < states.rows; ++i) scale_rows<1>(states.data + i * size, rows.data + i * size, size);
}

}  // namespace ngrc::rescp::states
