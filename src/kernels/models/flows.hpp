// Chaotic flows of three coordinates by the classical Runge-Kutta method of order 4.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "array.hpp"

namespace ngrc::flows {

using State = std::array<double, 3>;
using Start = Vector<const double>;

// States of x' = slope(x), shape (count, 3), the first of them `start`, shape (3,); `substeps` steps from one to the next.
template <class Slope>
std::vector<double> runge_kutta(Slope slope, Start start, Index count, Index substeps, double step) {
    std::vector<double> states(3 * count);
    State state{start[0], start[1], start[2]};
    const auto moved = [](const State& from, double reach, const State& along) {
        return State{from[0] + reach * along[0], from[1] + reach * along[1], from[2] + reach * along[2]};
    };
    for (Index place = 0; place < count; ++place) {
        for (int c = 0; c < 3; ++c) states[3 * place + c] = state[c];
        for (Index substep = 0; substep < substeps; ++substep) {
            // Two slopes at half the step, one at its end.
            const State first = slope(state), second = slope(moved(state, 0.5 * step, first));
            const State third = slope(moved(state, 0.5 * step, second)), fourth = slope(moved(state, step, third));
            for (int c = 0; c < 3; ++c) {
                state[c] += step / 6.0 * (first[c] + 2.0 * second[c] + 2.0 * third[c] + fourth[c]);
            }
        }
    }
    return states;
}

// x' = sigma (y - x), y' = x (rho - z) - y, z' = x y - beta z.
inline std::vector<double> lorenz(double sigma, double rho, double beta, Start start, Index count, Index substeps,
                                  double step) {
    const auto slope = [=](const State& at) {
        const auto [x, y, z] = at;
        return State{sigma * (y - x), x * (rho - z) - y, x * y - beta * z};
    };
    return runge_kutta(slope, start, count, substeps, step);
}

// V1' = V1 / 1.2 - g, V2' = g - I, I' = V2 - 0.193 I with D = V1 - V2 and g = D / 3.44 + 2 (2.25e-5) sinh(11.6 D).
inline std::vector<double> double_scroll(Start start, Index count, Index substeps, double step) {
    const auto slope = [](const State& at) {
        const auto [first, second, current] = at;
        const double drop = first - second;
        const double through = drop / 3.44 + 2.0 * 2.25e-5 * std::sinh(11.6 * drop);
        return State{first / 1.2 - through, through - current, second - 0.193 * current};
    };
    return runge_kutta(slope, start, count, substeps, step);
}

}  // namespace ngrc::flows
