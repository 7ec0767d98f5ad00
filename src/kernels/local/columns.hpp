// Columns of the next target, from what is known at its origin, moved by one observation at a time:
// `intervals/local/columns.py` says which there are.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "array.hpp"

namespace ngrc::local::columns {

// Decays of recent |e|: the last two, ten and a hundred errors.
constexpr std::array MEMORIES{0.5, 0.9, 0.99};
// Decays of recent e: a bias that comes and goes, and one that stays.
constexpr std::array MEANS{0.9, 0.99};
// Last errors that stand as columns of the sign.
constexpr Index LAGS = 6;
// Added to changes in units before the logarithm: a change of zero is as good as one of 3 % of the usual error.
constexpr double SMALL = 0.03;
// Decays of |e| and of e in the tables: some five and three cycles.
constexpr double FADE_SIZE = 0.8, FADE_ERROR = 0.7;
// Share by which the least and the largest outcome at a place give way to each new one: some fifty cycles.
constexpr double DRIFT = 0.02;
// Columns of the clock that also stand multiplied by the forecast: sines and cosines of the shortest period.
constexpr Index CROSSED = 4;
// Units from the mean at which values are cut, so that no difference of two of them is infinite.
constexpr double FARTHEST = 1e12;
constexpr double TURN = 6.283185307179586;

// Places in `memory`.
constexpr Index ABSOLUTE = 0, WEIGHT = 3, MEAN = 6, LAST = 8;
constexpr Index VALUE = LAST + LAGS, BEFORE = VALUE + 1, LEVEL = VALUE + 2, COUNT = VALUE + 3, PLACES = VALUE + 4;
// Layers of `tables`.
constexpr Index SIZES = 0, ERRORS = 1, LEAST = 2, LARGEST = 3;

// The fields of the named tuple of this name.
struct Columns {
    Vector<double> memory;
    Cube<double> tables;
    Vector<const std::int64_t> lengths;
    Vector<const double> waves;
    Vector<const double> constants;

    double unit() const { return constants[0]; }
    double mean() const { return constants[1]; }
    double spread() const { return constants[2]; }
};

inline double cut(double value, double most) { return std::min(std::max(value, -most), most); }

// The error and the outcome at a place on the clock, in units.
inline void learn_place(const Columns& columns, Index table, Index place, double error, double value) {
    const auto at = [&](Index layer) -> double& { return columns.tables(layer, table, place); };
    const double old = at(SIZES), size = std::abs(error);
    at(SIZES) = old < 0.0 ? size : FADE_SIZE * old + (1.0 - FADE_SIZE) * size;
    at(ERRORS) = FADE_ERROR * at(ERRORS) + (1.0 - FADE_ERROR) * error;
    const double low = old < 0.0 ? value : at(LEAST), high = old < 0.0 ? value : at(LARGEST);
    at(LEAST) = std::min(value, low + DRIFT * (value - low));
    at(LARGEST) = std::max(value, high + DRIFT * (value - high));
}

// The residual of the target at `index` on the clock has become known.
inline void learn(const Columns& columns, double residual, double forecast, std::int64_t index) {
    const Vector<double> memory = columns.memory;
    const double unit = columns.unit(), error = cut(residual / unit, FARTHEST), size = std::abs(error);
    for (Index place = 0; place < Index(MEMORIES.size()); ++place) {
        const double weight = memory[WEIGHT + place] * MEMORIES[place];
        memory[ABSOLUTE + place] = (memory[ABSOLUTE + place] * weight + size) / (weight + 1.0);
        memory[WEIGHT + place] = weight + 1.0;
    }
    for (Index place = 0; place < Index(MEANS.size()); ++place) {
        memory[MEAN + place] += (1.0 - MEANS[place]) * (error - memory[MEAN + place]);
    }
    for (Index lag = LAGS - 1; lag > 0; --lag) memory[LAST + lag] = memory[LAST + lag - 1];
    memory[LAST] = error;
    const double value = cut((forecast + residual - columns.mean()) / unit, FARTHEST);
    memory[BEFORE] = memory[COUNT] > 0.0 ? memory[VALUE] : value;
    memory[VALUE] = value;
    memory[LEVEL] += (size - memory[LEVEL]) / std::min(memory[COUNT] + 1.0, 100.0);
    memory[COUNT] += 1.0;
    for (Index table = 0; table < columns.lengths.size; ++table) {
        learn_place(columns, table, floor_mod(index, columns.lengths[table]), error, value);
    }
}

// Mean |e| at a place on the clock and the places beside it; the level of late where none is known.
inline double usual(const Columns& columns, Index table, Index place) {
    const Index length = columns.lengths[table];
    double total = 0.0, known = 0.0;
    for (const Index beside : {place == 0 ? length - 1 : place - 1, place, place + 1 == length ? 0 : place + 1}) {
        const double size = columns.tables(SIZES, table, beside);
        if (size >= 0.0) {
            total += size;
            known += 1.0;
        }
    }
    return known > 0.0 ? total / known : columns.memory[LEVEL];
}

// Sines and cosines of every wave of the clock, from `place` on; returns the place after them.
inline Index look_clock(const Columns& columns, std::int64_t index, Vector<double> sizes, Index place) {
    for (const double wave : columns.waves) {
        // Whole cycles are taken off first: the sine of a large angle has lost digits.
        const double cycles = wave * double(index), turn = TURN * (cycles - std::floor(cycles));
        sizes[place] = std::sin(turn);
        sizes[place + 1] = std::cos(turn);
        place += 2;
    }
    return place;
}

// Columns of the target at `index` on the clock, into `sizes` and `signs` (in units, not yet over the size).
inline void look(const Columns& columns, double forecast, std::int64_t index, Vector<double> sizes,
                 Vector<double> signs) {
    const Vector<double> memory = columns.memory;
    const double unit = columns.unit(), spread = columns.spread(), centred = forecast - columns.mean();
    const double level = cut(centred / spread, 1e6);
    // Before the first residual the last value is not known, and the forecast stands in.
    const double ahead = memory[COUNT] > 0.0 ? cut(centred / unit, FARTHEST) - memory[VALUE] : 0.0;
    const double change = memory[VALUE] - memory[BEFORE];
    Index place = 0;
    for (; place < Index(MEMORIES.size()); ++place) sizes[place] = std::log(memory[ABSOLUTE + place] + 1e-3);
    sizes[place++] = level;
    sizes[place++] = level * level;
    sizes[place++] = std::abs(ahead) * unit / spread;
    sizes[place++] = std::log(std::abs(change) + SMALL);
    sizes[place++] = std::log(std::abs(ahead) + SMALL);
    sizes[place++] = std::tanh(memory[LAST] / 3.0);
    sizes[place++] = ahead / (1.0 + std::abs(ahead));
    const Index clock = place;
    place = look_clock(columns, index, sizes, place);
    for (Index wave = 0; wave < std::min(2 * columns.waves.size, CROSSED); ++wave) {
        sizes[place++] = sizes[clock + wave] * level;
    }
    Index sign = 0;
    for (Index lag = 0; lag < LAGS; ++lag) signs[sign++] = memory[LAST + lag];
    for (Index mean = 0; mean < Index(MEANS.size()); ++mean) signs[sign++] = memory[MEAN + mean];
    signs[sign++] = ahead;
    for (Index table = 0; table < columns.lengths.size; ++table) {
        const Index here = floor_mod(index, columns.lengths[table]);
        const double low = columns.tables(LEAST, table, here), high = columns.tables(LARGEST, table, here);
        sizes[place++] = std::log(usual(columns, table, here) + 1e-3);
        sizes[place++] = std::log(high - low + SMALL);
        signs[sign++] = columns.tables(ERRORS, table, here);
        // Where no outcome is known at this place, there is as much room above as below: none.
        const bool known = columns.tables(SIZES, table, here) >= 0.0;
        signs[sign++] = known ? low - centred / unit : 0.0;
        signs[sign++] = known ? high - centred / unit : 0.0;
    }
}

// Columns of the size of every target in turn, one row each, from residuals known `horizon` steps before it.
inline void table(const Columns& columns, Vector<const double> residuals, Vector<const double> forecasts,
                  std::int64_t phase, Index horizon, Matrix<double> table, Vector<double> signs) {
    for (Index target = 0; target < residuals.size; ++target) {
        const Index known = target - horizon;
        if (known >= 0) learn(columns, residuals[known], forecasts[known], phase + known);
        look(columns, forecasts[target], phase + target, table[target], signs);
    }
}

}  // namespace ngrc::local::columns
