// Ridge weights of many penalties at once: (C + lambda I)^-1 c by Cholesky factors C + lambda I = L L'.
//
// Eight penalties share a pass, one in each lane of a vector: the lanes never mix, so that the bits are the same
// whatever the width of the processor's registers. LAPACK takes one matrix at a time, and with some tens of columns a
// third of its time is spent around the arithmetic.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "array.hpp"

namespace ngrc::ridge {

constexpr Index LANES = 8;

// Eight numbers, one per penalty, anywhere in an array of doubles.
#if defined(__GNUC__)
typedef double Lanes __attribute__((vector_size(8 * sizeof(double)), aligned(sizeof(double)), may_alias));
#else
struct Lanes {
    double values[LANES];
    double& operator[](Index lane) { return values[lane]; }
    double operator[](Index lane) const { return values[lane]; }
};
inline Lanes operator*(const Lanes& a, const Lanes& b) {
    Lanes product;
    for (Index lane = 0; lane < LANES; ++lane) product[lane] = a[lane] * b[lane];
    return product;
}
inline Lanes operator/(const Lanes& a, const Lanes& b) {
    Lanes quotient;
    for (Index lane = 0; lane < LANES; ++lane) quotient[lane] = a[lane] / b[lane];
    return quotient;
}
inline Lanes& operator-=(Lanes& a, const Lanes& b) {
    for (Index lane = 0; lane < LANES; ++lane) a[lane] -= b[lane];
    return a;
}
#endif

inline void fill(Lanes& lanes, double value) {
    for (Index lane = 0; lane < LANES; ++lane) lanes[lane] = value;
}

// Row `row` of the factor, given the rows before it: L_ij = (C_ij - sum_k L_ik L_jk) / L_jj, four columns at a time, as
// one sum alone would wait for each of its subtractions.
NGRC_CLONES inline void factor_row(Vector<const double> matrix_row, Index row, const Lanes& penalties, Lanes* factor) {
    const auto start = [](Index of) { return of * (of + 1) / 2; };
    Lanes* own = factor + start(row);
    Index column = 0;
    for (; column + 4 <= row; column += 4) {
        const Lanes* first = factor + start(column);
        const Lanes* second = factor + start(column + 1);
        const Lanes* third = factor + start(column + 2);
        const Lanes* fourth = factor + start(column + 3);
        Lanes a, b, c, d;
        fill(a, matrix_row[column]);
        fill(b, matrix_row[column + 1]);
        fill(c, matrix_row[column + 2]);
        fill(d, matrix_row[column + 3]);
        for (Index inner = 0; inner < column; ++inner) {
            const Lanes left = own[inner];
            a -= left * first[inner];
            b -= left * second[inner];
            c -= left * third[inner];
            d -= left * fourth[inner];
        }
        a = a / first[column];
        b -= a * second[column];
        b = b / second[column + 1];
        c -= a * third[column];
        c -= b * third[column + 1];
        c = c / third[column + 2];
        d -= a * fourth[column];
        d -= b * fourth[column + 1];
        d -= c * fourth[column + 2];
        d = d / fourth[column + 3];
        own[column] = a;
        own[column + 1] = b;
        own[column + 2] = c;
        own[column + 3] = d;
    }
    for (; column <= row; ++column) {
        const Lanes* other = factor + start(column);
        Lanes total;
        fill(total, matrix_row[column]);
        if (column == row) {
            for (Index lane = 0; lane < LANES; ++lane) total[lane] += penalties[lane];
        }
        for (Index inner = 0; inner < column; ++inner) total -= own[inner] * other[inner];
        if (column < row) {
            own[column] = total / other[column];
        } else {
            // Not positive definite is below the rounding of the moments: not a number, here and in all that follows.
            for (Index lane = 0; lane < LANES; ++lane) {
                own[row][lane] = total[lane] > 0.0 ? std::sqrt(total[lane]) : std::numeric_limits<double>::quiet_NaN();
            }
        }
    }
}

// L z = c forwards, then L' w = z backwards, in place of the right side.
NGRC_CLONES inline void substitute(const Lanes* factor, Index size, Lanes* solution) {
    const auto start = [](Index of) { return of * (of + 1) / 2; };
    for (Index row = 0; row < size; ++row) {
        const Lanes* own = factor + start(row);
        for (Index inner = 0; inner < row; ++inner) solution[row] -= own[inner] * solution[inner];
        solution[row] = solution[row] / own[row];
    }
    for (Index row = size - 1; row >= 0; --row) {
        const Lanes* own = factor + start(row);
        solution[row] = solution[row] / own[row];
        for (Index inner = 0; inner < row; ++inner) solution[inner] -= own[inner] * solution[row];
    }
}

// Weights of shape (p, penalties) into `weights`; NaN where a penalty leaves the matrix not positive definite.
inline void weights(Matrix<const double> matrix, Vector<const double> cross, Vector<const double> penalties,
                    Matrix<double> weights) {
    const Index size = cross.size;
    std::vector<double> memory((size * (size + 1) / 2 + size) * LANES);
    Lanes* const factor = reinterpret_cast<Lanes*>(memory.data());
    Lanes* const solution = factor + size * (size + 1) / 2;
    for (Index first = 0; first < penalties.size; first += LANES) {
        const Index used = std::min(LANES, penalties.size - first);
        Lanes own;
        // Lanes without a penalty repeat the last one.
        for (Index lane = 0; lane < LANES; ++lane) own[lane] = penalties[first + std::min(lane, used - 1)];
        for (Index row = 0; row < size; ++row) factor_row(matrix[row], row, own, factor);
        for (Index row = 0; row < size; ++row) fill(solution[row], cross[row]);
        substitute(factor, size, solution);
        for (Index row = 0; row < size; ++row) {
            for (Index lane = 0; lane < used; ++lane) weights(row, first + lane) = solution[row][lane];
        }
    }
}

}  // namespace ngrc::ridge
