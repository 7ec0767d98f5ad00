// The recurrence of a sparse random reservoir:
//
//     h <- (1 - leak) h + gain tanh(W h + w u)
//
// W is packed: four rows of like length side by side, padded with zeros, so that four sums run at once and none waits
// for the addition before it.
#pragma once

#include <vector>

#include "array.hpp"
#include "exponential.hpp"

namespace ngrc::rescp::reservoir {

// Doubles in a vector register of 256 bits.
constexpr Index LANES = 4;

// W: the unit of each packed row, where each group of four rows begins, and the entries and their columns.
struct Packed {
    Vector<const std::int64_t> rows;
    Vector<const std::int64_t> bounds;
    Matrix<const double> values;
    Matrix<const std::uint32_t> columns;
};

// Fill `drive` with W h, a group of rows at a time, each row summed in the order of its entries.
NGRC_CLONES inline void multiply(const Packed& packed, const double* state, double* drive) {
    for (Index group = 0; group + 1 < packed.bounds.size; ++group) {
        const double* weights = packed.values.data + LANES * packed.bounds[group];
        const std::uint32_t* units = packed.columns.data + LANES * packed.bounds[group];
        const Index length = packed.bounds[group + 1] - packed.bounds[group];
        double sums[LANES] = {};
        for (Index i = 0; i < length; ++i, weights += LANES, units += LANES)
            for (Index lane = 0; lane < LANES; ++lane) sums[lane] += weights[lane] * state[units[lane]];
        // A last group that is not full has sums without a unit.
        const Index filled = std::min(LANES, packed.rows.size - LANES * group);
        for (Index lane = 0; lane < filled; ++lane) drive[packed.rows[LANES * group + lane]] = sums[lane];
    }
}

// Fill `following` with (1 - leak) h + gain tanh(drive + w u).
NGRC_CLONES inline void respond(Vector<const double> input_weights, double leak, double gain, double input,
                                const double* state, const double* drive, double* following) {
    for (Index unit = 0; unit < input_weights.size; ++unit) {
        const double response = exponential::tangent(drive[unit] + input_weights[unit] * input);
        following[unit] = (1.0 - leak) * state[unit] + gain * response;
    }
}

// Fill `path` with the states after each input. The state is the row just written: nothing is copied from step to step.
inline void recur(const Packed& packed, Vector<const double> input_weights, double leak, double gain,
                  Vector<const double> inputs, Vector<const double> initial, Matrix<double> path) {
    std::vector<double> drive(input_weights.size);
    const double* state = initial.data;
    for (Index step = 0; step < inputs.size; ++step) {
        multiply(packed, state, drive.data());
        respond(input_weights, leak, gain, inputs[step], state, drive.data(), path[step].data);
        state = path[step].data;
    }
}

}  // namespace ngrc::rescp::reservoir
