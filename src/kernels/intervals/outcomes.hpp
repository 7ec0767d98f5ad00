// What a tracker learns of a target: its residual, and whether its interval held it.
#pragma once

#include <cmath>
#include <limits>
#include <stdexcept>

namespace ngrc::outcomes {

// Unissued: no interval was issued for the target, as it was pending when the first one was. None in Python.
enum class Outcome { unissued = -1, covered = 0, missed = 1 };

// |residual|; one that is not finite is refused.
inline double score_of(double residual) {
    const double score = std::abs(residual);
    if (!(score <= std::numeric_limits<double>::max())) {
        throw std::invalid_argument("a residual must be a finite number; skip the target");
    }
    return score;
}

}  // namespace ngrc::outcomes
