// States on the unit sphere.
#pragma once

#include <cmath>

#include "array.hpp"

namespace ngrc::rescp::states {

// Fill `rows` with the states divided by their Euclidean norms; a zero state stays zero.
inline void normalise(Matrix<const double> states, Matrix<double> rows) {
    for (Index i = 0; i < states.rows; ++i) {
        const Vector<const double> state = states[i];
        const Vector<double> row = rows[i];
        double square = 0.0;
        for (const double one : state) square += one * one;
        // An empty reservoir has no direction: as zeros it is equally unlike every state, and weights are recency alone.
        const double scale = square > 0.0 ? 1.0 / std::sqrt(square) : 0.0;
        for (Index j = 0; j < state.size; ++j) row[j] = state[j] * scale;
    }
}

}  // namespace ngrc::rescp::states
