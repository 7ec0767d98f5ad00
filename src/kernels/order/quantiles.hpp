// Ranks of the corrected quantile that every conformal method uses.
//
// Levels are read to twelve decimals: 0.55 * 100 is 55.00000000000001 in floating point, and a bare ceiling would ask
// for the 56th score.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace ngrc::quantiles {

// A level has at most twelve decimals; its rounding, 1e-16, is four orders smaller.
constexpr double LEVEL_SLACK = 1e-12;
// Above the rounding of a sum, 1e-13 at a decay of 0.999, and below any share of one score. With rho = 0.95 at 95 % it
// decides the printed score of time-weighted CP on Exchange, 6.24 instead of 6.71.
constexpr double TIE_FACTOR = 1.0 + 1e-12;

// Rank k = ceil((m + 1) level) of the corrected quantile among m scores; m + 1 stands for infinity. Adaptive levels
// 1 - alpha_t may reach zero and below, where the smallest score is the quantile.
inline std::int64_t conformal_rank(std::int64_t count, double level) {
    return std::max<std::int64_t>(1, std::int64_t(std::ceil(double(count + 1) * (level - LEVEL_SLACK))));
}

// Ranks floor((m + 1) alpha / 2) and ceil((m + 1)(1 - alpha / 2)) of two equal tails, alpha = 1 - level. Rank 0 stands
// for minus infinity and rank m + 1 for infinity. The two mirror each other about (m + 1) / 2, since
// floor((m + 1) a) = m + 1 - ceil((m + 1)(1 - a)).
inline std::pair<std::int64_t, std::int64_t> signed_ranks(std::int64_t count, double level) {
    const std::int64_t upper = conformal_rank(count, 0.5 + 0.5 * level);
    return {count + 1 - upper, upper};
}

// Cumulative weight that a weighted quantile must reach. A tie goes to the larger score: with decay rho = level the
// newest score outweighs alpha by less than rounding can show, and is itself the quantile when it is the largest.
inline double weight_target(double level, double total) { return level * TIE_FACTOR * total; }

}  // namespace ngrc::quantiles
