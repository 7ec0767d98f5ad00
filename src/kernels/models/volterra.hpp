// The nonlinear Volterra system by forward Euler; `datasets/volterra.py` says how the integral becomes two states.
#pragma once

#include <cmath>
#include <vector>

#include "array.hpp"

namespace ngrc::volterra {

// The kernel e^{-0.2 t} cos(2 pi t) of Experiment 4.
constexpr double DECAY = 0.2, FREQUENCY = 6.283185307179586;

// The states x(0), x(every step), ..., from x = u = v = 0 at time 0.
inline std::vector<double> euler(Index states, double step, Index every) {
    std::vector<double> path(states);
    double x = 0.0, u = 0.0, v = 0.0;
    for (Index place = 0; place < states; ++place) {
        path[place] = x;
        for (Index time = place * every; time < (place + 1) * every; ++time) {
            // All three slopes from the old state: forward Euler, as printed in appendix "Numerical Simulation of the
            // Nonlinear Volterra System".
            const double dx = std::sin(double(time) * step) - 0.1 * x + 0.5 * std::tanh(u);
            const double du = x - DECAY * u - FREQUENCY * v;
            const double dv = FREQUENCY * u - DECAY * v;
            x += step * dx;
            u += step * du;
            v += step * dv;
        }
    }
    return path;
}

}  // namespace ngrc::volterra
