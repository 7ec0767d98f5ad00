// The size of the next error: log |e| by ridge readouts on standardised columns, the penalty chosen by their own past.
//
// Sums of products grow by one row per known residual, and the readouts are solved again as the rows grow by a quarter.
// Each penalty's errors of forecasts made before the residual was known add up, and the smallest sum decides. The
// largest penalty leaves a constant, so that columns that say nothing of the size do no harm.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "array.hpp"
#include "local/cholesky.hpp"
#include "local/products.hpp"

namespace ngrc::local::size {

// Sums of squares of standardised columns that a ridge adds, in rows; the last leaves the mean alone.
constexpr std::array PENALTIES{3.0, 30.0, 300.0, 3e3, 1e12};
// Added to |e| in units before the logarithm: an error of zero is as good as one of a thousandth of the usual one.
constexpr double FLOOR = 1e-3;
// Bounds of the logarithm of a size in units: a thousandth, where the floor lies, to the end of the grid of scores.
constexpr double LEAST = -7.0, MOST = 27.0;
// Units at which an error is cut before the logarithm.
constexpr double LARGEST = 1e12;
// Decay of the errors by which penalties are compared: the last thousand forecasts decide.
constexpr double MEMORY = 0.999;

// The fields of the named tuple of this name; `chosen` holds the index of the penalty and how many rows there are.
struct Size {
    Matrix<double> gram;
    Vector<double> moment;
    Matrix<double> weights;
    Vector<double> errors;
    Vector<double> chosen;
};

inline double bounded(double logarithm) { return std::min(std::max(logarithm, LEAST), MOST); }

// Size in units that the chosen readout expects.
inline double of(const Size& size, Vector<const double> row) {
    return std::exp(bounded(products::dot(row, size.weights[Index(size.chosen[0])])));
}

// Adds the products of a row with an outcome and, in the lower half, with itself.
NGRC_CLONES inline void add_products(const Size& size, Vector<const double> row, double outcome) {
    for (Index column = 0; column < row.size; ++column) {
        const double value = row[column];
        size.moment[column] += value * outcome;
        double* __restrict sums = &size.gram(column, 0);
        for (Index other = 0; other <= column; ++other) sums[other] += value * row[other];
    }
}

// A residual in units has become known: its row joins, and every penalty's forecast of it is judged.
inline void learn(const Size& size, Vector<const double> row, double error) {
    const double outcome = std::log(std::min(std::abs(error), LARGEST) + FLOOR);
    std::array<double, PENALTIES.size()> forecasts;
    products::of_rows(size.weights, row, {forecasts.data(), Index(forecasts.size())});
    for (Index penalty = 0; penalty < Index(PENALTIES.size()); ++penalty) {
        const double missed = outcome - bounded(forecasts[penalty]);
        size.errors[penalty] = MEMORY * size.errors[penalty] + missed * missed;
    }
    add_products(size, row, outcome);
    size.chosen[1] += 1.0;
}

// Chooses the penalty by its errors so far, and solves all readouts on the rows now known.
inline void refit(const Size& size) {
    Index best = 0;
    for (Index penalty = 1; penalty < size.errors.size; ++penalty) {
        // On ties, as before the first fit, the larger penalty.
        if (size.errors[penalty] <= size.errors[best]) best = penalty;
    }
    size.chosen[0] = double(best);
    const Index columns = size.moment.size;
    std::vector<double> matrix(columns * columns), right(columns);
    for (Index penalty = 0; penalty < Index(PENALTIES.size()); ++penalty) {
        std::copy_n(size.gram.data, columns * columns, matrix.data());
        std::copy_n(size.moment.data, columns, right.data());
        // The constant is not penalised, but for a trifle that keeps the first rows solvable.
        matrix[0] += 1e-9;
        for (Index column = 1; column < columns; ++column) matrix[column * (columns + 1)] += PENALTIES[penalty];
        if (cholesky::solve({matrix.data(), columns, columns}, right)) {
            std::copy_n(right.data(), columns, size.weights[penalty].data);
        }
    }
}

}  // namespace ngrc::local::size
