// A linear quantile readout: pinball loss, smoothed, with a ridge, by Newton steps.
//
// The loss p r + h log(1 + exp(-r / h)) is the pinball loss smoothed over h (He et al. 2023, with a logistic kernel,
// doi:10.1016/j.jeconom.2021.07.010). Rows far from the quantile have no curvature and cost no more than their
// gradient.
#pragma once

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "array.hpp"
#include "local/cholesky.hpp"
#include "local/products.hpp"

namespace ngrc::local::pinball {

// Newton steps at most on the loss itself, and before the first fit as many on a loss four times as smooth, from which
// the sharper one starts close; a later fit starts from the last one.
constexpr int STEPS = 6;
constexpr double WIDE = 4.0;
// Curvature in units of 1 / h below which a row is left out of the Hessian: 7 h away from the quantile.
constexpr double FLAT = 1e-3;
// Largest change of a coefficient at which the loss counts as solved: far below the noise of a readout.
constexpr double CLOSE = 1e-3;
// Distance from the quantile in h at which it is cut before the exponential.
constexpr double FARTHEST = 40.0;
// Rows whose products are added at a time. Sums keep the order of the rows, but are loaded and stored once for four.
constexpr Index TOGETHER = 4;

// p, the ridge and h.
struct Loss {
    double probability;
    double penalty;
    double width;
};

// What a fit works on: scores less the readout, what a Newton step takes off them, the step and minus the gradient, the
// Hessian; and of each row its pull on the gradient, and the rows with curvature.
struct Work {
    std::vector<double> left, slopes, moves, descent, hessian, pulls, curves;
    std::vector<Index> curved;

    Work(Index count, Index size)
        : left(count), slopes(count), moves(size), descent(size), hessian(size * size), pulls(count) {}
};

// log(1 + exp(x)) without overflow on either side, and without work that leaves no bit behind.
inline double softplus(double x) {
    // Above 36 the logarithm is below a fifteenth of half a unit in the last place of x.
    if (x >= 36.0) return x;
    const double power = std::exp(-std::abs(x));
    // log(1 + y) = y - y^2 / 2 + ... is y itself, rounded.
    return std::max(x, 0.0) + (power < 0x1p-54 ? power : std::log1p(power));
}

// Loss after a share of the step `moves`, which takes `share * slopes` off `left`.
inline double value(const Work& work, Vector<const double> weights, double share, const Loss& loss) {
    double total = 0.0;
    for (std::size_t row = 0; row < work.left.size(); ++row) {
        const double rest = work.left[row] - share * work.slopes[row];
        total += loss.probability * rest + loss.width * softplus(-rest / loss.width);
    }
    for (Index column = 1; column < weights.size; ++column) {
        const double weight = weights[column] + share * work.moves[column];
        total += 0.5 * loss.penalty * weight * weight;
    }
    return total;
}

// target += factors[0] rows[0] + factors[1] rows[1] + ..., one after the other, over the first `count` places.
template <Index Rows>
inline void add_rows(double* __restrict target, const double* const* rows, const double* factors, Index count) {
    for (Index place = 0; place < count; ++place) {
        double sum = target[place];
        for (Index row = 0; row < Rows; ++row) sum += factors[row] * rows[row][place];
        target[place] = sum;
    }
}

// The share of each row below its quantile, smoothed, as its pull p - share and its curvature share (1 - share) / h.
inline void bend(Work& work, const Loss& loss) {
    // Most rows are cut, and their exponentials are known.
    const double lowest = 1.0 / (1.0 + std::exp(-FARTHEST)), highest = 1.0 / (1.0 + std::exp(FARTHEST));
    work.curves.clear();
    work.curved.clear();
    for (std::size_t row = 0; row < work.left.size(); ++row) {
        const double distance = work.left[row] / loss.width;
        const double below = distance >= FARTHEST    ? highest
                             : distance <= -FARTHEST ? lowest
                                                     : 1.0 / (1.0 + std::exp(distance));
        const double curve = below * (1.0 - below);
        work.pulls[row] = loss.probability - below;
        if (curve > FLAT) {
            work.curved.push_back(Index(row));
            work.curves.push_back(curve / loss.width);
        }
    }
}

// Adds the products of some rows with curvature, from `first` on, to the lower half of the Hessian.
template <Index Rows>
inline void add_curved(Matrix<const double> rows, Work& work, Index first) {
    const double* some[Rows];
    double factors[Rows];
    for (Index row = 0; row < Rows; ++row) some[row] = rows[work.curved[first + row]].data;
    for (Index column = 0; column < rows.columns; ++column) {
        for (Index row = 0; row < Rows; ++row) factors[row] = work.curves[first + row] * some[row][column];
        add_rows<Rows>(&work.hessian[column * rows.columns], some, factors, column + 1);
    }
}

// Adds some rows, from `first` on, times their pulls to minus the gradient.
template <Index Rows>
inline void add_pulls(Matrix<const double> rows, Work& work, Index first) {
    const double* some[Rows];
    for (Index row = 0; row < Rows; ++row) some[row] = rows[first + row].data;
    add_rows<Rows>(work.descent.data(), some, &work.pulls[first], rows.columns);
}

// Minus the gradient, and the lower half of the Hessian.
inline void derivatives(Matrix<const double> rows, Vector<const double> weights, const Loss& loss, Work& work) {
    const Index count = rows.rows, size = rows.columns;
    std::fill(work.hessian.begin(), work.hessian.end(), 0.0);
    std::fill(work.descent.begin(), work.descent.end(), 0.0);
    bend(work, loss);
    Index row = 0;
    for (; row + TOGETHER <= count; row += TOGETHER) add_pulls<TOGETHER>(rows, work, row);
    for (; row < count; ++row) add_pulls<1>(rows, work, row);
    const Index curved = Index(work.curved.size());
    Index place = 0;
    for (; place + TOGETHER <= curved; place += TOGETHER) add_curved<TOGETHER>(rows, work, place);
    for (; place < curved; ++place) add_curved<1>(rows, work, place);
    // Where hardly a row is near the quantile the Hessian is all but zero: a trifle of curvature for each.
    work.hessian[0] += 1e-5 * double(count) / loss.width + 1e-9;
    for (Index column = 1; column < size; ++column) {
        work.hessian[column * (size + 1)] += loss.penalty;
        work.descent[column] -= loss.penalty * weights[column];
    }
}

// Part of the Newton step that lowers the loss enough, halved from one, and that loss; zero where none does.
inline std::pair<double, double> line_search(const Work& work, Vector<const double> weights, double start,
                                             double promise, const Loss& loss) {
    for (double share = 1.0; share > 1e-3; share *= 0.5) {
        const double reached = value(work, weights, share, loss);
        if (reached <= start - 1e-4 * share * promise) return {share, reached};
    }
    return {0.0, start};
}

// Improves `weights`, shape (p,), where they stand; column 0 of `rows`, shape (n, p), is the constant. `warm` says that
// they are those of an earlier fit.
inline void fit(Matrix<const double> rows, Vector<const double> scores, double probability, double penalty,
                double smooth, Vector<double> weights, bool warm) {
    const Index count = rows.rows, size = rows.columns;
    Work work(count, size);
    products::of_rows(rows, weights, work.left);
    for (Index row = 0; row < count; ++row) work.left[row] = scores[row] - work.left[row];
    Loss loss{probability, penalty, warm ? smooth : WIDE * smooth};
    double reached = value(work, weights, 0.0, loss);
    for (int step = 0; step < (warm ? STEPS : 2 * STEPS); ++step) {
        if (step == STEPS) {
            loss.width = smooth;
            reached = value(work, weights, 0.0, loss);
        }
        derivatives(rows, weights, loss, work);
        work.moves = work.descent;
        if (!cholesky::solve({work.hessian.data(), size, size}, work.moves)) return;
        products::of_rows(rows, work.moves, work.slopes);
        const double promise = products::dot(work.descent, work.moves);
        double share;
        std::tie(share, reached) = line_search(work, weights, reached, promise, loss);
        const bool sharp = loss.width == smooth;
        if (share == 0.0 && sharp) return;
        double largest = 0.0;
        for (Index column = 0; column < size; ++column) {
            weights[column] += share * work.moves[column];
            largest = std::max(largest, share * std::abs(work.moves[column]));
        }
        for (Index row = 0; row < count; ++row) work.left[row] -= share * work.slopes[row];
        if (sharp && largest < CLOSE) return;
    }
}

}  // namespace ngrc::local::pinball
