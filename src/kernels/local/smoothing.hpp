// The pinball loss, smoothed: p r + h log(1 + exp(-r / h)) of a row with r left (He et al. 2023, with a logistic kernel,
// doi:10.1016/j.jeconom.2021.07.010).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "array.hpp"
#include "exponential.hpp"

namespace ngrc::local::smoothing {

// Distance from the quantile in h at which it is cut before the exponential.
constexpr double FARTHEST = 40.0;

// p, the ridge and h.
struct Loss {
    double probability;
    double penalty;
    double width;
};

// log(1 + exp(x)) without overflow on either side, and without work that leaves no bit behind.
inline double softplus(double x) {
    // Above 36 the logarithm is below a fifteenth of half a unit in the last place of x.
    if (x >= 36.0) return x;
    const double power = std::exp(-std::abs(x));
    // log(1 + y) = y - y^2 / 2 + ... is y itself, rounded.
    return std::max(x, 0.0) + (power < 0x1p-54 ? power : std::log1p(power));
}

// Loss of all rows after a share of a step, which takes `share * slopes` off `left`.
inline double total(Vector<const double> left, Vector<const double> slopes, double share, const Loss& loss) {
    double total = 0.0;
    for (Index row = 0; row < left.size; ++row) {
        const double rest = left[row] - share * slopes[row];
        total += loss.probability * rest + loss.width * softplus(-rest / loss.width);
    }
    return total;
}

// log(1 + y) = 2 artanh(y / (2 + y)) for y in 0..1, by its series to within 2e-13.
NGRC_INLINE double log_above_one(double y) {
    const double z = y / (2.0 + y), s = z * z, q = s * s, o = q * q;
    const double low = (1.0 + s * (1.0 / 3)) + q * (1.0 / 5 + s * (1.0 / 7));
    const double middle = (1.0 / 9 + s * (1.0 / 11)) + q * (1.0 / 13 + s * (1.0 / 15));
    const double high = (1.0 / 17 + s * (1.0 / 19)) + q * (1.0 / 21 + s * (1.0 / 23));
    return 2.0 * z * (low + o * (middle + o * high));
}

// A number, and how far the one that it stands for may be from it.
struct Estimate {
    double value;
    double error;
};

// The same total in lanes, and how far it may be from `total` and from the total of another share: by the series, by
// the rounding of p r + h log(...), and by that of a sum of all rows and some columns.
NGRC_CLONES inline Estimate estimate(Vector<const double> left, Vector<const double> slopes, double share,
                                     const Loss& loss) {
    constexpr Index SUMS = 8, SPAN = 256;
    double sums[SUMS] = {}, terms[SPAN];
    const double probability = loss.probability, width = loss.width, inverse = -1.0 / width;
    for (Index first = 0; first < left.size; first += SPAN) {
        const Index count = std::min(SPAN, left.size - first);
        const double *own = left.data + first, *slope = slopes.data + first;
        for (Index row = 0; row < count; ++row) {
            const double rest = own[row] - share * slope[row];
            const double power = exponential::of(std::abs(rest) * inverse);
            terms[row] = (rest > 0.0 ? probability : probability - 1.0) * rest + width * log_above_one(power);
        }
        Index row = 0;
        for (; row + SUMS <= count; row += SUMS) {
            for (Index sum = 0; sum < SUMS; ++sum) sums[sum] += terms[row + sum];
        }
        for (; row < count; ++row) sums[0] += terms[row];
    }
    double value = 0.0;
    for (const double sum : sums) value += sum;
    // No |r| exceeds the row's own loss over the lesser of p and 1 - p.
    const double series = 1e-12 * double(left.size) * width;
    const double terms_rounding = 1e-14 * (value / std::min(probability, 1.0 - probability));
    return {value, series + terms_rounding + 0x1p-51 * double(left.size + 100) * value};
}

}  // namespace ngrc::local::smoothing
