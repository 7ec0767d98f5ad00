// How far ends may reach: a bound that outcomes pile up on, and not far beyond all that was observed.
// `intervals/auto/limits.py` finds the bounds.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "array.hpp"

namespace ngrc::aggregate::limits {

// Places in the array of limits; the last two say whether an interval wholly beyond the bound becomes the bound.
constexpr Index LOWEST = 0, HIGHEST = 1, FLOOR = 2, CEILING = 3, SLACK = 4, HARD_FLOOR = 5, HARD_CEILING = 6;
constexpr double UNBOUNDED = std::numeric_limits<double>::infinity();

// An outcome has become known; a bound that it crosses is dropped.
inline void learn(Vector<double> limits, double outcome) {
    if (!std::isfinite(outcome)) return;
    if (limits[LOWEST] != -UNBOUNDED) {
        limits[LOWEST] = std::min(limits[LOWEST], outcome);
        limits[HIGHEST] = std::max(limits[HIGHEST], outcome);
    }
    if (outcome < limits[FLOOR] - limits[SLACK]) limits[FLOOR] = -UNBOUNDED;
    if (outcome > limits[CEILING] + limits[SLACK]) limits[CEILING] = UNBOUNDED;
}

// Cuts the ends of every member, shape (members, 2 L), to the largest error so far plus one plain radius.
//
// No member has a weight of zero: after errors have grown by a factor of 10^11, a size times scores from before the
// size was fitted again is 10^11 times too large, and the least weight of it would still set the mixture's width.
inline void cut(Matrix<double> members, double largest, Index plain) {
    const Index levels = members.columns / 2;
    for (Index level = 0; level < levels; ++level) {
        const double most = largest + members(plain, levels + level);
        for (Index member = 0; member < members.rows; ++member) {
            for (const Index end : {level, levels + level}) {
                members(member, end) = std::min(std::max(members(member, end), -most), most);
            }
        }
    }
}

// Cuts a mixture to one plain radius beyond all outcomes so far: a size that exploded must not carry an end away.
inline void nearby(Vector<const double> limits, double forecast, Vector<const double> radii, Vector<double> mixture) {
    const Index levels = radii.size;
    if (limits[LOWEST] > limits[HIGHEST] || limits[LOWEST] == -UNBOUNDED) return;
    for (Index level = 0; level < levels; ++level) {
        double &lower = mixture[level], &upper = mixture[levels + level];
        lower = std::max(lower, std::min(limits[LOWEST] - forecast, 0.0) - radii[level]);
        upper = std::min(upper, std::max(limits[HIGHEST] - forecast, 0.0) + radii[level]);
    }
}

// Cuts ends to the bounds, with room for rounding: an outcome on a bound stays inside.
inline void within(Vector<const double> limits, double forecast, Vector<double> ends) {
    const Index levels = ends.size / 2;
    const double slack = limits[SLACK], floor = limits[FLOOR] - forecast, ceiling = limits[CEILING] - forecast;
    for (Index level = 0; level < levels; ++level) {
        double &lower = ends[level], &upper = ends[levels + level];
        if (limits[HARD_FLOOR] > 0.0) upper = std::max(upper, floor + slack);
        if (limits[HARD_CEILING] > 0.0) lower = std::min(lower, ceiling - slack);
        if (upper >= floor) lower = std::max(lower, floor - slack);
        if (lower <= ceiling) upper = std::min(upper, ceiling + slack);
    }
}

}  // namespace ngrc::aggregate::limits
