// Exponentials of whole arrays in plain arithmetic: several numbers per instruction, the same bits on every machine.
//
// The system's own functions take one number at a time, and they differ in the last bit between systems; a reservoir
// near the edge of stability may carry such a bit a long way.
#pragma once

#include <cmath>
#include <cstring>

#include "array.hpp"

namespace ngrc::exponential {

// Below this the result would leave the range of normal numbers: exp(-708) is the least.
constexpr double LEAST = -700.0;
// 1.5 * 2^52: in a sum with it the last bit stands for one, so that the addition itself rounds to a whole number and
// leaves it, as an integer, in the low bits. The half keeps the sum in the same binade for negative numbers.
constexpr double ROUNDING = 6755399441055744.0;
constexpr double LOG2_E = 1.4426950408889634;
// ln 2 in two parts, the first with its last bits zero: k times it is exact for every |k| that occurs, and the reduced
// argument keeps its digits.
constexpr double LN2_HIGH = 0.6931471803691238, LN2_LOW = 1.9082149292705877e-10;

// exp(y) = 2^k exp(r) with k = round(y / ln 2), |r| <= 0.35, to within 1e-14 relative. An exponent below -700 counts as
// -700; one above 700 is out of range.
inline double of(double exponent) {
    const double y = exponent > LEAST ? exponent : LEAST;
    const double shifted = y * LOG2_E + ROUNDING;
    // The exponent field of a double is k + 1023; the shift pushes all bits above k out of the word.
    std::uint64_t power;
    std::memcpy(&power, &shifted, sizeof power);
    power = (power + 1023) << 52;
    double scale;
    std::memcpy(&scale, &power, sizeof scale);
    const double k = shifted - ROUNDING;
    const double r = (y - k * LN2_HIGH) - k * LN2_LOW;
    // Taylor to degree 11, whose rest is below 1e-14 for |r| <= ln(2) / 2, in three groups of four that do not wait for
    // each other as Horner's steps would.
    const double s = r * r, q = s * s;
    const double low = (1.0 + r) + s * (1.0 / 2 + r * (1.0 / 6));
    const double middle = (1.0 / 24 + r * (1.0 / 120)) + s * (1.0 / 720 + r * (1.0 / 5040));
    const double high = (1.0 / 40320 + r * (1.0 / 362880)) + s * (1.0 / 3628800 + r * (1.0 / 39916800));
    return (low + q * (middle + q * high)) * scale;
}

// tanh x = (1 - e) / (1 + e), e = exp(-2 |x|), with the sign of x. The exponential of -2 |x| cannot overflow; 1 - e
// loses digits near zero, by no more than 5e-15 in absolute terms.
inline double tangent(double x) {
    const double e = of(std::abs(x) * -2.0);
    const double size = (1.0 - e) / (1.0 + e);
    return x >= 0.0 ? size : -size;
}

// Fill `out` with exp((x - shift) factor), shape (n,).
template <class T>
NGRC_CLONES void exponentials(Vector<const T> values, double shift, double factor, Vector<double> out) {
    for (Index i = 0; i < values.size; ++i) out[i] = of((double(values[i]) - shift) * factor);
}

// Fill `out` with the hyperbolic tangents, shape (n,).
NGRC_CLONES inline void hyperbolic_tangents(Vector<const double> values, Vector<double> out) {
    for (Index i = 0; i < values.size; ++i) out[i] = tangent(values[i]);
}

}  // namespace ngrc::exponential
