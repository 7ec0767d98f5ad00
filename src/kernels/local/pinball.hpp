// Linear quantile readouts: pinball loss, smoothed, with a ridge, by Newton steps.
//
// Rows far from the quantile have no curvature and cost no more than their gradient. Readouts of the same rows take
// their steps together, each as it would alone.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "array.hpp"
#include "local/cholesky.hpp"
#include "local/products.hpp"
#include "local/smoothing.hpp"
#include "local/sums.hpp"

namespace ngrc::local::pinball {

using smoothing::Estimate;
using smoothing::Loss;

// Newton steps at most on the loss itself, and before the first fit as many on a loss four times as smooth, from which
// the sharper one starts close; a later fit starts from the last one.
constexpr int STEPS = 6;
constexpr double WIDE = 4.0;
// Curvature in units of 1 / h below which a row is left out of the Hessian: 7 h away from the quantile.
constexpr double FLAT = 1e-3;
// Largest change of a coefficient at which the loss counts as solved: far below the noise of a readout.
constexpr double CLOSE = 1e-3;
// Share of the decrease that a Newton step promises which it must keep.
constexpr double ENOUGH = 1e-4;

// One readout to be fitted: p, its ridge and its coefficients, which are improved where they stand.
struct Target {
    double probability;
    double penalty;
    Vector<double> weights;
};

// What the fit of one readout works on: scores less the readout, what a Newton step takes off them, the step and minus
// the gradient, padded; of each row its pull on the gradient, and the rows with curvature; the sum of their
// squares.
struct Work {
    Target target;
    Loss loss;
    Estimate reached;
    bool active = true;
    std::vector<double> left, slopes, pulls, moves, descent, curves;
    std::vector<Index> curved;
    sums::Squares squares;

    Work(const Target& target, Index count, Index columns, double width)
        : target(target), loss{target.probability, target.penalty, width}, left(count), slopes(count), pulls(count),
          moves(columns), descent(sums::padded(columns)), curves(count), curved(count), squares(columns) {}
};

// Ridge after a share of the step.
inline double add_ridge(const Work& work, double share, double total) {
    for (Index column = 1; column < work.target.weights.size; ++column) {
        const double weight = work.target.weights[column] + share * work.moves[column];
        total += 0.5 * work.loss.penalty * weight * weight;
    }
    return total;
}

// Loss after a share of the step.
inline double value(Work& work, double share) {
    return add_ridge(work, share, smoothing::total(work.left, work.slopes, share, work.loss));
}

inline Estimate estimated_value(Work& work, double share) {
    const Estimate rows = smoothing::estimate(work.left, work.slopes, share, work.loss);
    const double ridge = add_ridge(work, share, 0.0);
    return {rows.value + ridge, rows.error + 1e-11 * ridge};
}

// Exponentials of the distances of all rows, those cut at either side left out, and where they belong.
struct Near {
    std::vector<double> distances;
    std::vector<Index> rows;

    explicit Near(Index count) : distances(count), rows(count) {}
};

// The share of each row below its quantile, smoothed, as its pull p - share and its curvature share (1 - share) / h.
NGRC_CLONES inline void bend(Work& work, Near& near) {
    using smoothing::FARTHEST;
    // Most rows are cut, and their exponentials are known.
    const double lowest = std::exp(-FARTHEST), highest = std::exp(FARTHEST);
    const Index count = Index(work.left.size());
    const double width = work.loss.width, probability = work.loss.probability;
    double* const powers = near.distances.data();
    double* const pulls = work.pulls.data();
    double* const curves = work.curves.data();
    for (Index row = 0; row < count; ++row) powers[row] = work.left[row] / width;
    Index inside = 0;
    for (Index row = 0; row < count; ++row) {
        near.rows[inside] = row;
        inside += Index(std::abs(powers[row]) < FARTHEST);
    }
    for (Index row = 0; row < count; ++row) {
        // Not a number stays one.
        const double distance = powers[row];
        powers[row] = distance >= FARTHEST ? highest : distance <= -FARTHEST ? lowest : distance;
    }
    for (Index place = 0; place < inside; ++place) {
        const Index row = near.rows[place];
        powers[row] = std::exp(powers[row]);
    }
    for (Index row = 0; row < count; ++row) {
        const double below = 1.0 / (1.0 + powers[row]);
        pulls[row] = probability - below;
        curves[row] = below * (1.0 - below);
    }
    work.curved.resize(count);
    Index bent = 0;
    for (Index row = 0; row < count; ++row) {
        work.curved[bent] = row;
        bent += Index(curves[row] > FLAT);
    }
    work.curved.resize(bent);
}

// Minus the gradient, and the sums of squares of the Hessian, of every active fit.
inline void derivatives(Matrix<const double> rows, std::vector<Work>& fits, Near& near) {
    const Index count = rows.rows, size = rows.columns, stride = sums::padded(size);
    for (Work& work : fits) {
        if (!work.active) continue;
        std::fill(work.descent.begin(), work.descent.end(), 0.0);
        bend(work, near);
    }
    // Sums read some numbers beyond a row, those of the next ones: the last rows, after which there are too few, are
    // copied and padded.
    const Index followed = count - std::min(count, (stride - 1) / size);
    std::vector<double> last((count - followed) * stride);
    for (Index row = followed; row < count; ++row) std::copy_n(&rows(row, 0), size, &last[(row - followed) * stride]);
    std::vector<std::size_t> next(fits.size());
    for (Index first = 0; first < followed; first += sums::CHUNK) {
        const Index end = std::min(first + sums::CHUNK, followed);
        for (std::size_t place = 0; place < fits.size(); ++place) {
            Work& work = fits[place];
            if (!work.active) continue;
            sums::add_rows(&rows(first, 0), size, end - first, &work.pulls[first], work.descent);
            std::size_t& here = next[place];
            for (; here < work.curved.size() && work.curved[here] < end; ++here) {
                const Index row = work.curved[here];
                work.squares.add(&rows(row, 0), work.curves[row] / work.loss.width);
            }
        }
    }
    for (Work& work : fits) {
        if (!work.active) continue;
        sums::add_rows(last.data(), stride, count - followed, work.pulls.data() + followed, work.descent);
        for (const Index row : work.curved) {
            if (row < followed) continue;
            work.squares.add(&last[(row - followed) * stride], work.curves[row] / work.loss.width);
        }
        for (Index column = 1; column < size; ++column) {
            work.descent[column] -= work.loss.penalty * work.target.weights[column];
        }
    }
}

// Newton steps H^-1 g of every active fit; those whose Hessian H has lost a pivot to rounding are done.
inline void solve(std::vector<Work>& fits, Index count, Index size) {
    static_assert(sums::GROUP == cholesky::TOGETHER);
    std::vector<double> hessians(cholesky::start(size) * sums::GROUP), steps(size * sums::GROUP);
    for (Index member = 0; member < Index(fits.size()); ++member) {
        Work& work = fits[member];
        if (!work.active) continue;
        const double penalty = work.loss.penalty, width = work.loss.width;
        work.squares.take([&](Matrix<const double> squares) {
            for (Index row = 0; row < size; ++row) {
                double* const own = hessians.data() + cholesky::start(row) * sums::GROUP + member;
                for (Index column = 0; column < row; ++column) own[column * sums::GROUP] = squares(row, column);
                // Where hardly a row is near the quantile the Hessian is all but zero: a trifle of curvature for each.
                const double ridge = row == 0 ? 1e-5 * double(count) / width + 1e-9 : penalty;
                own[row * sums::GROUP] = squares(row, row) + ridge;
                steps[row * sums::GROUP + member] = work.descent[row];
            }
        });
    }
    const cholesky::Solved solved = cholesky::solve_together(hessians.data(), steps.data(), size);
    for (Index member = 0; member < Index(fits.size()); ++member) {
        Work& work = fits[member];
        work.active = work.active && solved[member];
        for (Index column = 0; work.active && column < size; ++column) {
            work.moves[column] = steps[column * sums::GROUP + member];
        }
    }
}

// Whether a share of the step lowers the loss enough. Estimates decide where they differ by more than their errors.
inline bool is_enough(Work& work, double share, double promise, const Estimate& reached) {
    const double least = ENOUGH * share * promise;
    const double above = reached.value - (work.reached.value - least);
    if (std::abs(above) > reached.error + work.reached.error) return above < 0.0;
    return value(work, share) <= value(work, 0.0) - least;
}

// Part of the Newton step that lowers the loss enough, halved from one; zero where none does.
inline double line_search(Work& work, double promise) {
    for (double share = 1.0; share > 1e-3; share *= 0.5) {
        const Estimate reached = estimated_value(work, share);
        if (is_enough(work, share, promise, reached)) {
            work.reached = reached;
            return share;
        }
    }
    return 0.0;
}

// Products of all rows with one vector of each fit: of those that are done with zeros.
template <class Factors, class Products>
void multiply(Matrix<const double> rows, std::vector<Work>& fits, Factors factors, Products products) {
    std::vector<double> weights(rows.columns * sums::GROUP), unread(rows.rows);
    double* targets[sums::GROUP];
    for (Index member = 0; member < sums::GROUP; ++member) {
        const bool used = member < Index(fits.size()) && fits[member].active;
        targets[member] = used ? products(fits[member]) : unread.data();
        for (Index column = 0; used && column < rows.columns; ++column) {
            weights[column * sums::GROUP + member] = factors(fits[member])[column];
        }
    }
    sums::multiply(rows, weights.data(), targets);
}

// One Newton step, whose slopes are known; false where it is the last.
inline bool advance(Work& work, bool sharp) {
    const Index size = work.target.weights.size;
    const double share = line_search(work, products::dot({work.descent.data(), size}, work.moves));
    if (share == 0.0 && sharp) return false;
    double largest = 0.0;
    for (Index column = 0; column < size; ++column) {
        work.target.weights[column] += share * work.moves[column];
        largest = std::max(largest, share * std::abs(work.moves[column]));
    }
    for (std::size_t row = 0; row < work.left.size(); ++row) work.left[row] -= share * work.slopes[row];
    return !(sharp && largest < CLOSE);
}

// Fits of at most `sums::GROUP` readouts.
inline void fit_group(Matrix<const double> rows, Vector<const double> scores, Vector<const Target> targets,
                      double smooth, bool warm) {
    const Index count = rows.rows, size = rows.columns;
    std::vector<Work> fits;
    for (const Target& target : targets) fits.emplace_back(target, count, size, warm ? smooth : WIDE * smooth);
    multiply(rows, fits, [](Work& work) { return work.target.weights.data; },
             [](Work& work) { return work.left.data(); });
    Near near(count);
    for (Work& work : fits) {
        for (Index row = 0; row < count; ++row) work.left[row] = scores[row] - work.left[row];
        work.reached = estimated_value(work, 0.0);
    }
    for (int step = 0; step < (warm ? STEPS : 2 * STEPS); ++step) {
        if (step == STEPS) {
            for (Work& work : fits) {
                work.loss.width = smooth;
                work.reached = estimated_value(work, 0.0);
            }
        }
        derivatives(rows, fits, near);
        solve(fits, count, size);
        multiply(rows, fits, [](Work& work) { return work.moves.data(); },
                 [](Work& work) { return work.slopes.data(); });
        bool active = false;
        for (Work& work : fits) {
            work.active = work.active && advance(work, work.loss.width == smooth);
            active = active || work.active;
        }
        if (!active) return;
    }
}

// Improves the coefficients of several readouts; column 0 of `rows`, shape (n, p), is the constant. `warm` says that
// they are those of an earlier fit.
inline void fit_all(Matrix<const double> rows, Vector<const double> scores, Vector<const Target> targets, double smooth,
                    bool warm) {
    for (Index first = 0; first < targets.size; first += sums::GROUP) {
        const Index last = std::min(first + sums::GROUP, targets.size);
        fit_group(rows, scores, targets.part(first, last), smooth, warm);
    }
}

// The same of one readout.
inline void fit(Matrix<const double> rows, Vector<const double> scores, double probability, double penalty,
                double smooth, Vector<double> weights, bool warm) {
    const Target target{probability, penalty, weights};
    fit_all(rows, scores, {&target, 1}, smooth, warm);
}

}  // namespace ngrc::local::pinball
