// The forecasts of delays and their products from one array of numbers; `live/kernel.py` has the formula and packs it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "array.hpp"

namespace ngrc::packed {

// Places of the numbers before those of the steps; MANY is how many delays are multiplied.
constexpr Index LAGS = 1, SPACING = 2, MANY = 3, MEAN = 4, STD = 5, LOW = 6, HIGH = 7, FIRST = 8;

// Writes the forecasts of all H steps after values[size - 1] into `forecasts`, shape (H,); whether all are finite.
inline bool forecast(Vector<const double> values, Index size, Vector<const double> numbers, Vector<double> forecasts) {
    const Index lags = Index(numbers[LAGS]), spacing = Index(numbers[SPACING]), many = Index(numbers[MANY]);
    const double mean = numbers[MEAN], scale = numbers[STD];
    const double* newest = values.data + size - 1;
    std::vector<double> delays(lags);
    for (Index lag = 0; lag < lags; ++lag) {
        delays[lag] = std::min(std::max((newest[-lag * spacing] - mean) / scale, numbers[LOW]), numbers[HIGH]);
    }
    const double* next = numbers.data + FIRST;
    bool finite = true;
    for (double& forecast : forecasts) {
        const Index bases = Index(*next++);
        double base = *next++ * mean;
        for (Index place = 0; place < bases; ++place, next += 2) base += next[0] * newest[-Index(next[1])];
        double total = *next++;
        const double* linear = next;
        next += lags;
        for (Index lag = 0; lag < lags; ++lag) {
            double inner = linear[lag];
            // Row by row above the diagonal, which is the order of the columns.
            for (Index other = lag; other < many; ++other) inner += *next++ * delays[other];
            total += inner * delays[lag];
        }
        forecast = base + scale * total;
        finite = finite && std::isfinite(forecast);
    }
    return finite;
}

}  // namespace ngrc::packed
