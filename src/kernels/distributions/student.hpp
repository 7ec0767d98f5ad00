// Student's t distribution of nu degrees of freedom, any number above zero: its tail, and its quantiles.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "array.hpp"
#include "distributions/normal.hpp"

namespace ngrc::student {

constexpr double PI = 3.141592653589793238463;
// Terms of a series or a continued fraction; a thousand serve a million degrees of freedom.
constexpr int MOST_TERMS = 100'000;
constexpr double EPSILON = 3e-16;

// Gamma(a + 1/2) / Gamma(a): Stirling's series from 16 on, to which a is raised by Gamma(a + 1) = a Gamma(a). The
// difference of two logarithms of Gamma would lose nine digits at a million.
inline double gamma_ratio(double a) {
    double product = 1.0;
    for (; a < 16.0; a += 1.0) product *= a / (a + 0.5);
    const double inverse = 1.0 / a, square = inverse * inverse;
    const double series =
        inverse * (-1.0 / 8.0 +
                   square * (1.0 / 192.0 + square * (-1.0 / 640.0 + square * (17.0 / 14336.0 - square * 31.0 / 18432.0))));
    return product * std::sqrt(a) * std::exp(series);
}

// A distribution, and what does not depend on t.
struct Law {
    double freedom, height;

    explicit Law(double freedom)
        : freedom(freedom), height(gamma_ratio(0.5 * freedom) / std::sqrt(freedom * PI)) {}

    // log(1 + t^2 / nu), also where t^2 overflows.
    double growth(double t) const {
        return t > 1e150 ? 2.0 * std::log(t) - std::log(freedom) : std::log1p(t * t / freedom);
    }
    double density(double t) const { return height * std::exp(-0.5 * (freedom + 1.0) * growth(t)); }

    // P(|T| < t), t >= 0, by a series of positive terms: the incomplete beta function I_y(1/2, nu/2) with
    // y = t^2 / (nu + t^2), https://dlmf.nist.gov/8.17.E8.
    double central(double t) const {
        const double y = t * t / (freedom + t * t);
        double term = 1.0, total = 1.0;
        for (int n = 0; n < MOST_TERMS && term > EPSILON * total; ++n) {
            term *= y * (0.5 * (freedom + 1.0) + n) / (1.5 + n);
            total += term;
        }
        return 2.0 * t * density(t) * total;
    }

    // P(T > t), t >= 0: half the rest of the centre, and from t^2 = 3 on, where that would cancel, the continued
    // fraction of I_x(nu/2, 1/2) with x = nu / (nu + t^2), https://dlmf.nist.gov/8.17.E22, by Lentz's method.
    double tail(double t) const {
        if (t * t < 3.0) return 0.5 * (1.0 - central(t));
        const double a = 0.5 * freedom, b = 0.5, x = 1.0 / (1.0 + t / freedom * t);
        double c = 1.0, d = 1.0 / (1.0 - (a + b) / (a + 1.0) * x), fraction = d;
        for (int m = 1; m < MOST_TERMS; ++m) {
            const double even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m));
            d = 1.0 / (1.0 + even * d);
            c = 1.0 + even / c;
            fraction *= d * c;
            const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0));
            d = 1.0 / (1.0 + odd * d);
            c = 1.0 + odd / c;
            fraction *= d * c;
            if (std::fabs(d * c - 1.0) < EPSILON) break;
        }
        return t * density(t) * fraction / freedom;
    }
};

// Expansion of the t with P(T > t) = P(Z > z) in powers of 1 / nu (Abramowitz and Stegun, 26.7.5).
inline double expansion(double z, double freedom) {
    const double s = z * z, v = 1.0 / freedom;
    const double first = (s + 1.0) / 4.0, second = ((5.0 * s + 16.0) * s + 3.0) / 96.0;
    const double third = (((3.0 * s + 19.0) * s + 17.0) * s - 15.0) / 384.0;
    const double fourth = ((((79.0 * s + 776.0) * s + 1482.0) * s - 1920.0) * s - 945.0) / 92160.0;
    return z * (1.0 + v * (first + v * (second + v * (third + v * fourth))));
}

// Many degrees of freedom, and z not far out: what the expansion leaves out is below 1e-14.
inline bool expands(double z, double freedom) { return freedom > 5000.0 && z * z < 0.005 * freedom; }

// P(T > t).
inline double upper_tail(double freedom, double t) {
    if (std::isnan(t) || !(freedom > 0.0)) return std::numeric_limits<double>::quiet_NaN();
    if (std::isinf(t)) return t > 0.0 ? 0.0 : 1.0;
    if (expands(t, freedom)) {
        // The z of which the expansion is t; its slope is 1 + O(1 / nu).
        double z = t;
        for (int step = 0; step < 6; ++step) z -= (expansion(z, freedom) - t) / (1.0 + 0.25 * (3.0 * z * z + 1.0) / freedom);
        return 0.5 * std::erfc(z * std::sqrt(0.5));
    }
    const Law law(freedom);
    return t < 0.0 ? 1.0 - law.tail(-t) : law.tail(t);
}

// The t >= 0 with P(T > t) = tail, of a tail of at most 1/2.
inline double upper_quantile(double freedom, double tail) {
    if (tail == 0.0) return std::numeric_limits<double>::infinity();
    if (tail == 0.5) return 0.0;
    const double z = -normal::quantile(tail);
    if (expands(z, freedom)) return expansion(z, freedom);
    const Law law(freedom);
    const bool central = tail > (freedom < 1.0 ? law.tail(1.0) : 0.2);
    // A start: the expansion where it holds, else the leading term of either end, t f(t) / nu of the tail and 2 t f(0) of
    // the centre.
    double t = expansion(z, freedom);
    if (z * z > 0.5 * freedom || freedom < 2.0) {
        const double end = std::log(law.height) + 0.5 * (freedom - 1.0) * std::log(freedom) - std::log(tail);
        t = central ? (0.5 - tail) / law.height : std::exp(end / freedom);
    }
    // Newton's method on log P as a function of log t, in which tail and centre are concave: it converges from anywhere.
    for (int step = 0; step < 100 && std::isfinite(t); ++step) {
        const double found = central ? law.central(t) : law.tail(t), wanted = central ? 1.0 - 2.0 * tail : tail;
        const double slope = t * law.density(t) / found * (central ? 2.0 : -1.0);
        const double move = -std::log(found / wanted) / slope;
        t *= std::exp(move);
        if (std::fabs(move) < 1e-9) break;
    }
    return t;
}

// The t with P(T < t) = probability, one for every number of degrees of freedom.
inline std::vector<double> quantiles(Vector<const double> freedoms, double probability) {
    std::vector<double> found(freedoms.size, std::numeric_limits<double>::quiet_NaN());
    if (!(probability >= 0.0 && probability <= 1.0)) return found;
    for (Index place = 0; place < freedoms.size; ++place) {
        if (!(freedoms[place] > 0.0)) continue;
        found[place] = probability < 0.5 ? -upper_quantile(freedoms[place], probability)
                                         : upper_quantile(freedoms[place], 1.0 - probability);
    }
    return found;
}

}  // namespace ngrc::student
