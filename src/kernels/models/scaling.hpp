// Scales of design columns: what a column is divided by, and 1 where it is constant up to rounding.
#pragma once

#include <cmath>
#include <vector>

#include "array.hpp"

namespace ngrc::scaling {

// Products of columns are rounded to 1e-16 of their size: below this share of its size a spread has under six digits
// left, and scaling it to one would blow the rounding up.
constexpr double COLUMN_TOLERANCE = 1e-10;
// The series has unit scale, so that a column this small in absolute terms carries nothing either.
constexpr double COLUMN_FLOOR = 1e-13;

// Standard deviation to divide one column by.
inline double column_scale(double mean, double variance) {
    // A variance that comes as a difference of moments may round below zero; one that is no number stays none.
    const double scale = variance < 0.0 ? 0.0 : std::sqrt(variance);
    const double size = std::sqrt(mean * mean + scale * scale);
    return scale <= COLUMN_TOLERANCE * size || scale <= COLUMN_FLOOR ? 1.0 : scale;
}

// The same of p columns.
inline std::vector<double> column_scales(Vector<const double> means, Vector<const double> variances) {
    std::vector<double> scales(means.size);
    for (Index place = 0; place < means.size; ++place) scales[place] = column_scale(means[place], variances[place]);
    return scales;
}

}  // namespace ngrc::scaling
