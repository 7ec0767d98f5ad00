// Updated Gaussian interval: the root mean square of the last M known residuals, times a normal factor.
//
// Source: paper, appendix "Updated Gaussian and Rolling SCP Baselines".
#pragma once

#include <cmath>
#include <stdexcept>

#include "array.hpp"
#include "order/sums.hpp"

namespace ngrc::gaussian {

// Residuals of the largest series that is fitted (1e150, `features/scaling.py`) are below it, and the sum of a million
// of its squares stays below the largest double, 1.8e308.
constexpr double LARGEST = 1e151;

// The newest square replaces the oldest in a moving sum; the half-width as it is then.
inline double slide(Vector<double> state, double residual, double factor) {
    if (!(std::abs(residual) <= LARGEST)) throw std::invalid_argument("the residual is too large to be squared");
    sums::push(state, residual * residual);
    return factor * std::sqrt(sums::total(state) / double(sums::window_of(state)));
}

}  // namespace ngrc::gaussian
