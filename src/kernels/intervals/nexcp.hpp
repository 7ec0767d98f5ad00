// Conformal prediction beyond exchangeability: fading weights, and the test point's own mass at infinity.
//
// Source: Barber, Candes, Ramdas and Tibshirani (2023), arXiv:2202.13415, with fixed weights.
#pragma once

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "array.hpp"
#include "intervals/weighted.hpp"
#include "order/blocks.hpp"
#include "order/quantiles.hpp"

namespace ngrc::nexcp {

// Share of the weight of m known scores that a quantile of them and of the test point must reach.
//
// With weights rho^age, rho for the newest score and one for the test point, that is level (1 + 1 / (rho + rho^2 + ...
// + rho^m)); above one the quantile is infinite. A function of m alone, so that no order of summation matters.
inline double known_share(Index count, double decay, double level) {
    // Equal weights: the corrected rank of `split`, where a cumulative weight equal to the target reaches it.
    if (decay == 1.0) return (level - quantiles::LEVEL_SLACK) * (1.0 + 1.0 / double(count));
    // A tie goes to the larger score, as in `weighted`: a mass of exactly alpha at infinity gives infinity.
    const double total = -std::expm1(double(count) * std::log(decay)) * (decay / (1.0 - decay));
    return level * quantiles::TIE_FACTOR * (1.0 + 1.0 / total);
}

// `known_share` of every count from `first` to `last`.
inline std::vector<double> known_shares(Index first, Index last, double decay, double level) {
    std::vector<double> shares(last - first + 1);
    for (Index count = first; count <= last; ++count) shares[count - first] = known_share(count, decay, level);
    return shares;
}

// The half-width, infinite where the known scores do not suffice; NaN where in doubt.
inline double find(blocks::Table table, double decay, double level) {
    const double share = known_share(Index(table(0, blocks::COUNT)), decay, level);
    return share > 1.0 ? std::numeric_limits<double>::infinity() : weighted::find(table, share, decay);
}

// As in `weighted`.
inline std::pair<double, double> observe(blocks::Table table, double residual, double newest, double decay,
                                         double level) {
    newest = weighted::join(table, residual, newest, decay);
    return {find(table, decay, level), newest};
}

}  // namespace ngrc::nexcp
