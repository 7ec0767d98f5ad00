// One step of the aggregate, and a block of them: everything that `Auto` knows, moved by one observation at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "array.hpp"
#include "auto/control.hpp"
#include "auto/limits.hpp"
#include "auto/members.hpp"
#include "auto/weights.hpp"
#include "local/readout.hpp"
#include "local/size.hpp"

namespace ngrc::aggregate::walk {

using members::Members;
using weights::Weights;

// Share of the newest |e| in its usual recent size: a hundred residuals.
constexpr double LATE = 0.01;

// Places in the counters: residuals known, the count from which weights learn, pace of control, sum of squares in
// units, the largest residual, and the mean logarithm of recent |e| in units.
constexpr Index KNOWN = 0, LEARNING = 1, PACE = 2, SQUARES = 3, LARGEST = 4, USUAL = 5, COUNTERS = 6;

// The fields of the named tuple of this name. `factors` are Student's by residuals known and level, while they are few.
struct State {
    Members members;
    Weights weights;
    Vector<double> offsets;
    Vector<double> limits;
    Vector<const double> alphas;
    Vector<const double> probabilities;
    Matrix<const double> factors;
    Vector<double> counters;

    double unit() const { return members.readout.unit(); }
};

// The fields of the named tuple of this name: what was issued for targets whose residuals are not known yet.
struct Slots {
    Matrix<double> rows;
    Vector<double> sizes;
    Cube<double> members;
    Matrix<double> mixtures;
    Matrix<double> ends;
    Vector<double> forecasts;
    Vector<double> indices;
};

// Student's ends while residuals are few; none at all while all were zero.
inline void student(const State& state, Vector<double> ends) {
    const Index known = Index(state.counters[KNOWN]), levels = state.alphas.size;
    if (state.counters[LARGEST] == 0.0) {
        std::fill(ends.begin(), ends.end(), 0.0);
    } else if (0 < known && known <= state.factors.rows) {
        const double scale = std::sqrt(state.counters[SQUARES]) * state.unit();
        for (Index level = 0; level < levels; ++level) {
            ends[levels + level] = state.factors(known - 1, level) * scale;
            ends[level] = -ends[levels + level];
        }
    }
}

// What is known of the next target, into a slot.
inline void look(const State& state, const Slots& slots, Index slot, double forecast, std::int64_t index) {
    const Vector<double> row = slots.rows[slot], mixture = slots.mixtures[slot], ends = slots.ends[slot];
    const Matrix<double> members = slots.members[slot];
    const double size = local::readout::look(state.members.readout, forecast, index, row);
    slots.sizes[slot] = size;
    slots.forecasts[slot] = forecast;
    slots.indices[slot] = double(index);
    members::look(state.members, row, size, state.alphas, members);
    limits::cut(members, state.counters[LARGEST], members::LONGEST);
    weights::mix(state.weights, members, mixture);
    limits::nearby(state.limits, forecast, members[members::LONGEST].part(state.alphas.size, members.columns), mixture);
    control::apply(state.offsets, state.alphas, mixture, ends);
    student(state, ends);
    limits::within(state.limits, forecast, ends);
}

// The residual of a slot's target has become known.
inline void learn(const State& state, const Slots& slots, Index slot, double residual) {
    const Vector<double> counters = state.counters;
    const double size = slots.sizes[slot], forecast = slots.forecasts[slot];
    if (counters[KNOWN] >= counters[LEARNING]) {
        // Regrets are in usual recent errors: errors may outgrow the unit of the history. No spike moves a logarithm.
        const double unit = state.unit() * std::exp(counters[USUAL]);
        weights::learn(state.weights, slots.members[slot], slots.mixtures[slot], state.probabilities, residual, unit);
        control::learn(state.offsets, state.alphas, slots.ends[slot], residual, counters[PACE]);
    }
    members::learn(state.members, size, residual);
    local::readout::learn(state.members.readout, slots.rows[slot], size, residual, forecast,
                          std::int64_t(slots.indices[slot]));
    limits::learn(state.limits, forecast + residual);
    const double error = std::min(std::abs(residual) / state.unit(), 1e100);
    counters[SQUARES] += error * error;
    counters[USUAL] += LATE * (std::log(error + local::size::FLOOR) - counters[USUAL]);
    counters[LARGEST] = std::max(counters[LARGEST], std::abs(residual));
    counters[KNOWN] += 1.0;
}

// All positions in turn; of those from `start` on the ends, shape (steps, 2 L), and the families' shares of the
// weights, shape (steps, 2 L, families), are written.
inline void block(const State& state, const Slots& slots, Vector<const double> residuals,
                  Vector<const double> forecasts, std::int64_t phase, Index horizon, Index start, Matrix<double> ends,
                  Cube<double> shares) {
    for (Index target = 0; target < forecasts.size; ++target) {
        const Index slot = target % horizon;
        if (target >= horizon) learn(state, slots, slot, residuals[target - horizon]);
        look(state, slots, slot, forecasts[target], phase + target);
        if (target >= start) {
            std::copy_n(slots.ends[slot].data, ends.columns, ends[target - start].data);
            members::families(state.weights.weights, shares[target - start]);
        }
    }
}

}  // namespace ngrc::aggregate::walk
