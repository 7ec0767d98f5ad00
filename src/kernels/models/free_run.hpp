// One-step readouts run on their own forecasts, one readout per channel.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "array.hpp"

namespace ngrc::free_run {

// The columns that multiply values of the run, P of them.
struct Products {
    Matrix<const std::int64_t> slots;      // (S, 2): a channel, and how many steps before the origin it is read
    Matrix<const std::int64_t> factors;    // (P, degree): the slots multiplied; S stands for one
    Vector<const std::int64_t> multipliers;  // (P,): the drive that they are multiplied with
    Matrix<const double> drives;           // (drives, steps): what is known of all steps
    Matrix<const double> weights;          // (channels, P)
};

// Exponential memories of channels, M of them; `values` moves on with the run.
struct Memories {
    Vector<const double> gains;          // (M,)
    Vector<const std::int64_t> channels;  // (M,)
    Vector<double> values;               // (M,)
    Matrix<const double> weights;        // (channels, M)
};

// The value of every channel one step on, before bounds, into `totals`; `values` are those of the slots, then a one.
inline void forecast(Index step, Matrix<const double> drive, const Products& products, const Memories& memories,
                     Vector<const double> values, Vector<double> totals) {
    const Index channels = totals.size;
    for (Index channel = 0; channel < channels; ++channel) totals[channel] = drive(channel, step);
    for (Index column = 0; column < products.factors.rows; ++column) {
        double product = products.drives(products.multipliers[column], step);
        for (const std::int64_t slot : products.factors[column]) product *= values[slot];
        for (Index channel = 0; channel < channels; ++channel) {
            totals[channel] += products.weights(channel, column) * product;
        }
    }
    for (Index place = 0; place < memories.gains.size; ++place) {
        for (Index channel = 0; channel < channels; ++channel) {
            totals[channel] += memories.weights(channel, place) * memories.values[place];
        }
    }
}

// Fills `read` and `level`, shape (channels, history + steps), after their history, and stops at the first value that
// is not finite. `drive`, shape (channels, steps), is what readouts add whatever the run does. `base` is how many steps
// before its target the value lies that a readout is added to, 0 for none. `limits` of what is read and `bounds` of
// what is forecast have a row per channel.
inline void iterate(Matrix<double> read, Matrix<double> level, Matrix<const double> drive, Products products,
                    Memories memories, Index base, Matrix<const double> limits, Matrix<const double> bounds) {
    const Index channels = drive.rows, steps = drive.columns, begin = level.columns - steps;
    const Index slots = products.slots.rows;
    std::vector<double> values(slots + 1, 1.0), totals(channels);
    for (Index step = 0; step < steps; ++step) {
        const Index here = begin + step;
        for (Index slot = 0; slot < slots; ++slot) {
            values[slot] = read(products.slots(slot, 0), here - 1 - products.slots(slot, 1));
        }
        forecast(step, drive, products, memories, values, totals);
        for (Index channel = 0; channel < channels; ++channel) {
            if (base > 0) totals[channel] += level(channel, here - base);
            // A quadratic map off its attractor squares its error at every step; the rest stays NaN, never a number.
            if (!std::isfinite(totals[channel])) return;
        }
        for (Index channel = 0; channel < channels; ++channel) {
            // What is fed back is the forecast, which keeps to the series' bounds.
            const double value = std::min(std::max(totals[channel], bounds(channel, 0)), bounds(channel, 1));
            level(channel, here) = value;
            read(channel, here) = std::min(std::max(value, limits(channel, 0)), limits(channel, 1));
        }
        for (Index place = 0; place < memories.gains.size; ++place) {
            double& memory = memories.values[place];
            memory += memories.gains[place] * (read(memories.channels[place], here) - memory);
        }
    }
}

}  // namespace ngrc::free_run
