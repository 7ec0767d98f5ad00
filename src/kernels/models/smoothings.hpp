// Exponential smoothings with fixed gains: K of them over one series, each by itself.
#pragma once

#include <algorithm>

#include "array.hpp"

namespace ngrc::smoothings {

// Rows of the gains; a column per smoothing.
enum Rule : Index { LEVEL, SLOPE, DAMPING, SEASON, SLOPING, TAKEN };

// One step of all smoothings: the states after x, from those before it. Every pointer is to K numbers, and no two
// overlap, so that the loop runs over several smoothings at once.
template <bool Seasonal>
void step(double x, Index time, Index period, Matrix<const double> rules, double* __restrict phases,
          const double* __restrict old_levels, const double* __restrict old_slopes,
          const double* __restrict old_offsets, double* __restrict levels, double* __restrict slopes,
          double* __restrict seasons, double* __restrict offsets) {
    const double *level_gain = rules[LEVEL].data, *slope_gain = rules[SLOPE].data, *damping = rules[DAMPING].data,
                 *season_gain = rules[SEASON].data, *sloping = rules[SLOPING].data, *taken = rules[TAKEN].data;
    // No gain falls below that of the mean so far.
    const double least = 1.0 / double(time + 1), least_season = 1.0 / double(time / period + 1);
    for (Index k = 0; k < rules.columns; ++k) {
        const double phase = phases[k], offset = old_offsets[k], drift = damping[k] * old_slopes[k];
        const double error = x - old_levels[k] - drift - (phase - offset);
        levels[k] = old_levels[k] + drift + level_gain[k] * error;
        slopes[k] = sloping[k] * (drift + std::max(slope_gain[k], least) * level_gain[k] * error);
        if constexpr (Seasonal) {
            const double rise = std::max(season_gain[k], least_season) * taken[k] * error;
            phases[k] = seasons[k] = phase + rise;
            // Terms keep a mean of zero: what one phase gains is taken off all.
            offsets[k] = offset + rise / double(period);
        } else {
            seasons[k] = phase;
            offsets[k] = offset;
        }
    }
}

// Fills the states, shape (n, K) each, from the row `begin` on; the row before it holds the first ones. `phases`, shape
// (period, K), are the seasonal terms by then.
inline void run(Vector<const double> x, Index begin, Matrix<const double> rules, Matrix<double> phases,
                Matrix<double> levels, Matrix<double> slopes, Matrix<double> seasons, Matrix<double> offsets) {
    const Index period = phases.rows;
    const auto one = period > 1 ? step<true> : step<false>;
    for (Index time = begin; time < x.size; ++time) {
        one(x[time], time, period, rules, phases[time % period].data, levels[time - 1].data, slopes[time - 1].data,
            offsets[time - 1].data, levels[time].data, slopes[time].data, seasons[time].data, offsets[time].data);
    }
}

}  // namespace ngrc::smoothings
