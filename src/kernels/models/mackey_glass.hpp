// The Mackey-Glass delay equation x'(t) = gain y / (1 + y^power) - loss x(t), y = x(t - delay).
#pragma once

#include <cmath>
#include <vector>

#include "array.hpp"

namespace ngrc::mackey_glass {

struct Rates {
    double gain, loss, power;
};

inline double inflow(const Rates& rates, double delayed) {
    return rates.gain * delayed / (1.0 + std::pow(delayed, rates.power));
}

// x at the steps 0..count, with x = `initial` up to step 0 and a delay of `lag` steps. Runge-Kutta of order 4; the
// delayed value between two steps is that of their cubic Hermite interpolant.
inline std::vector<double> path(Index count, Index lag, double step, double initial, Rates rates) {
    // values[i] is x at step i - lag, so that the delayed value of values[i] is values[i - lag].
    std::vector<double> values(count + lag + 1, initial), slopes(count + lag + 1, 0.0);
    for (Index i = lag; i < count + lag; ++i) {
        const double old = values[i - lag], next = values[i - lag + 1], x = values[i];
        slopes[i] = inflow(rates, old) - rates.loss * x;
        double middle = initial;
        // Before t = 0 the path is flat: the slope that begins at 0 is not the end slope of the step before.
        if (i >= 2 * lag) middle = 0.5 * (old + next) + 0.125 * step * (slopes[i - lag] - slopes[i - lag + 1]);
        const double inflow_middle = inflow(rates, middle), inflow_next = inflow(rates, next), first = slopes[i];
        const double second = inflow_middle - rates.loss * (x + 0.5 * step * first);
        const double third = inflow_middle - rates.loss * (x + 0.5 * step * second);
        const double fourth = inflow_next - rates.loss * (x + step * third);
        values[i + 1] = x + step / 6.0 * (first + 2.0 * second + 2.0 * third + fourth);
    }
    values.erase(values.begin(), values.begin() + lag);
    return values;
}

}  // namespace ngrc::mackey_glass
