// What the next error may be like: columns, size and quantiles, held together and moved one observation at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "array.hpp"
#include "local/columns.hpp"
#include "local/pinball.hpp"
#include "local/products.hpp"
#include "local/size.hpp"

namespace ngrc::local::readout {

using columns::Columns;
using columns::cut;
using size::Size;

// Standard deviations at which a column is cut: what was never seen is read as the farthest that was.
constexpr double CLIP = 6.0;
// The same of a column of the sign, in sizes.
constexpr double SIGN_CLIP = 8.0;
// Sizes at which a score is cut before the quantile readout is fitted to it, which asks on which side it lies and no
// more: the cut keeps sums finite.
constexpr double SCORE_CLIP = 1e6;
// Factor by which the rows grow between two fits.
constexpr double GROWTH = 1.25;
// Newest rows that the quantiles are fitted to: more change no end by as much as its error, and cost in proportion.
constexpr Index ROWS = 8000;
// Ridges of two quantile readouts on standardised columns: one that follows the columns, and one that hardly does.
constexpr std::array PENALTIES{10.0, 300.0};
// Smoothing of its loss in standard deviations of the scores.
constexpr double SMOOTH = 0.05;

// Places in `counters`: residuals known, the counts at which the next fits are due, and fits of the quantiles.
constexpr Index KNOWN = 0, SIZE_DUE = 1, QUANTILES_DUE = 2, FITS = 3;

// Columns of the size and of the sign of one target.
struct Scratch {
    Vector<double> sizes;
    Vector<double> signs;
};

// The fields of the named tuple of this name.
struct Readout {
    Columns columns;
    Size size;
    Vector<const double> centre;
    Vector<const double> spread;
    Matrix<double> rows;
    Vector<double> scores;
    Vector<const double> probabilities;
    Cube<double> weights;
    Vector<double> counters;
    Scratch scratch;

    double unit() const { return columns.unit(); }
    // Columns of the size, the constant included.
    Index size_columns() const { return 1 + scratch.sizes.size; }
};

// (values - centre) / spread, cut, into `row`.
NGRC_CLONES inline void standardise(Vector<const double> values, Vector<const double> centre,
                                    Vector<const double> spread, double* __restrict row) {
    for (Index column = 0; column < values.size; ++column) {
        row[column] = cut((values[column] - centre[column]) / spread[column], CLIP);
    }
}

// values / size, cut, into `row`.
NGRC_CLONES inline void divide(Vector<const double> values, double size, double* __restrict row) {
    for (Index column = 0; column < values.size; ++column) row[column] = cut(values[column] / size, SIGN_CLIP);
}

// Writes the row of the next target and returns the size of its error, in the units of the residuals. A row holds the
// constant, the columns of the size, standardised, and those of the sign over the size.
inline double look(const Readout& readout, double forecast, std::int64_t index, Vector<double> row) {
    const auto [sizes, signs] = readout.scratch;
    columns::look(readout.columns, forecast, index, sizes, signs);
    row[0] = 1.0;
    standardise(sizes, readout.centre, readout.spread, &row[1]);
    const Index wide = readout.size_columns();
    const double expected = size::of(readout.size, row.part(0, wide));
    if (row.size > wide) divide(signs, expected, &row[wide]);
    return expected * readout.unit();
}

// Quantiles of the error for every penalty into `ends`, shape (penalties, T); false while there are too few rows for
// any.
inline bool quantiles(const Readout& readout, Vector<const double> row, double expected, Matrix<double> ends) {
    if (readout.counters[FITS] == 0.0) return false;
    const Cube<double>& weights = readout.weights;
    const Vector<double> all(ends.data, ends.rows * ends.columns);
    products::of_rows({weights.data, weights.depth * weights.rows, weights.columns}, row, all);
    for (double& end : all) end *= expected;
    return true;
}

// Standard deviation of the scores, cut at five sizes: the scale of their smoothing.
inline double deviation(Vector<const double> scores) {
    double total = 0.0, squares = 0.0;
    for (const double score : scores) total += cut(score, 5.0);
    const double mean = total / double(scores.size);
    for (const double score : scores) {
        const double apart = cut(score, 5.0) - mean;
        squares += apart * apart;
    }
    return std::sqrt(squares / double(scores.size));
}

// Fits every quantile to the newest rows, each from where it stood, at first from a constant. Not from its neighbour's
// coefficients: the ends of a level must not depend on which others were asked for.
inline void refit(const Readout& readout) {
    const Index count = std::min(Index(readout.counters[KNOWN]), ROWS);
    const Matrix<const double> rows(readout.rows.data, count, readout.rows.columns);
    const Vector<const double> scores = readout.scores.part(0, count);
    const double smooth = std::max(SMOOTH * deviation(scores), 1e-6);
    const bool warm = readout.counters[FITS] > 0.0;
    std::vector<double> sorted;
    if (!warm) {
        sorted.assign(scores.begin(), scores.end());
        std::sort(sorted.begin(), sorted.end());
    }
    std::vector<pinball::Target> targets;
    for (Index penalty = 0; penalty < Index(PENALTIES.size()); ++penalty) {
        for (Index place = 0; place < readout.probabilities.size; ++place) {
            const Vector<double> weights = readout.weights[penalty][place];
            const double probability = readout.probabilities[place];
            if (!warm) weights[0] = sorted[Index(probability * double(count - 1))];
            targets.push_back({probability, PENALTIES[penalty], weights});
        }
    }
    pinball::fit_all(rows, scores, {targets.data(), Index(targets.size())}, smooth, warm);
    readout.counters[FITS] += 1.0;
}

// The residual of the target with this row and size has become known; fits that are due are made.
inline void learn(const Readout& readout, Vector<const double> row, double expected, double residual, double forecast,
                  std::int64_t index) {
    const Vector<double> counters = readout.counters;
    size::learn(readout.size, row.part(0, readout.size_columns()), residual / readout.unit());
    if (readout.scores.size > 0) {
        const Index place = Index(counters[KNOWN]) % ROWS;
        std::copy_n(row.data, row.size, readout.rows[place].data);
        readout.scores[place] = cut(residual / expected, SCORE_CLIP);
    }
    columns::learn(readout.columns, residual, forecast, index);
    counters[KNOWN] += 1.0;
    if (counters[KNOWN] >= counters[SIZE_DUE]) {
        size::refit(readout.size);
        counters[SIZE_DUE] = std::ceil(counters[KNOWN] * GROWTH);
    }
    if (readout.scores.size > 0 && counters[KNOWN] >= counters[QUANTILES_DUE]) {
        refit(readout);
        counters[QUANTILES_DUE] = std::ceil(counters[KNOWN] * GROWTH);
    }
}

// Sizes of all positions in turn, each from residuals known at its origin; `rows` has `horizon` of them.
inline void sizes(const Readout& readout, Vector<const double> residuals, Vector<const double> forecasts,
                  std::int64_t phase, Index horizon, Matrix<double> rows, Vector<double> expected) {
    for (Index target = 0; target < forecasts.size; ++target) {
        const Index known = target - horizon;
        const Vector<double> row = rows[target % horizon];
        if (known >= 0) learn(readout, row, expected[known], residuals[known], forecasts[known], phase + known);
        expected[target] = look(readout, forecasts[target], phase + target, row);
    }
}

}  // namespace ngrc::local::readout
