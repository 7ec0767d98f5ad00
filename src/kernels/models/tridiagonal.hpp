// Systems with a symmetric tridiagonal matrix T and many penalties: (T + lambda I)^-1 of right sides, by
// T + lambda I = LDL'. Operation for operation LAPACK's dptsv, whose call takes three times as long as its work.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "array.hpp"

namespace ngrc::tridiagonal {

// Solves with one penalty: `solution` holds the right side and becomes the result, NaN where a pivot is not positive.
inline void solve(Vector<const double> diagonal, Vector<const double> beside, double penalty, Vector<double> pivots,
                  Vector<double> factors, Vector<double> solution) {
    const Index size = diagonal.size;
    pivots[0] = diagonal[0] + penalty;
    bool positive = pivots[0] > 0.0;
    for (Index row = 1; row < size; ++row) {
        factors[row - 1] = beside[row - 1] / pivots[row - 1];
        pivots[row] = diagonal[row] + penalty - factors[row - 1] * beside[row - 1];
        solution[row] -= solution[row - 1] * factors[row - 1];
        positive &= pivots[row] > 0.0;  // no pivot that is not a number is
    }
    if (!positive) {
        std::fill(solution.begin(), solution.end(), std::numeric_limits<double>::quiet_NaN());
        return;
    }
    solution[size - 1] /= pivots[size - 1];
    for (Index row = size - 2; row >= 0; --row) {
        solution[row] = solution[row] / pivots[row] - solution[row + 1] * factors[row];
    }
}

// Solutions of shape (penalties, p), from one right side per row and penalty, or from one row for all penalties. An
// infinite penalty leaves zeros.
inline std::vector<double> solutions(Vector<const double> diagonal, Vector<const double> beside,
                                     Matrix<const double> rights, Vector<const double> penalties) {
    const Index size = diagonal.size;
    std::vector<double> found(penalties.size * size), pivots(size), factors(size);
    for (Index place = 0; place < penalties.size; ++place) {
        if (penalties[place] == std::numeric_limits<double>::infinity()) continue;
        const Vector<double> solution(&found[place * size], size);
        const Vector<const double> right = rights[place % rights.rows];
        std::copy(right.begin(), right.end(), solution.begin());
        solve(diagonal, beside, penalties[place], pivots, factors, solution);
    }
    return found;
}

}  // namespace ngrc::tridiagonal
