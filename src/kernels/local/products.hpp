// Products of rows with one vector, each summed from its first column to its last.
#pragma once

#include "array.hpp"

namespace ngrc::local::products {

inline double dot(Vector<const double> first, Vector<const double> second) {
    double total = 0.0;
    for (Index place = 0; place < first.size; ++place) total += first[place] * second[place];
    return total;
}

// Products of `Together` rows from `first` on.
template <int Together>
inline void of_some(Matrix<const double> rows, Vector<const double> weights, Index first, double* products) {
    const double* data = rows.data + first * rows.columns;
    double sums[Together] = {};
    for (Index column = 0; column < rows.columns; ++column) {
        const double weight = weights[column];
        for (int row = 0; row < Together; ++row) sums[row] += data[row * rows.columns + column] * weight;
    }
    for (int row = 0; row < Together; ++row) products[first + row] = sums[row];
}

// The product of every row with the weights, several rows at a time: one sum alone waits for each of its additions.
inline void of_rows(Matrix<const double> rows, Vector<const double> weights, Vector<double> products) {
    Index row = 0;
    for (; row + 8 <= rows.rows; row += 8) of_some<8>(rows, weights, row, products.data);
    for (; row + 5 <= rows.rows; row += 5) of_some<5>(rows, weights, row, products.data);
    for (; row + 4 <= rows.rows; row += 4) of_some<4>(rows, weights, row, products.data);
    for (; row + 2 <= rows.rows; row += 2) of_some<2>(rows, weights, row, products.data);
    for (; row < rows.rows; ++row) of_some<1>(rows, weights, row, products.data);
}

}  // namespace ngrc::local::products
