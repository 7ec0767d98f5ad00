// The narrowest pair of weighted quantiles that holds the level between them.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "array.hpp"
#include "order/quantiles.hpp"
#include "rescp/ordered.hpp"

namespace ngrc::rescp::pairs {

// Widths of equal pairs differ by rounding, at most 1e-15 of their ends; real ones by far more.
constexpr double WIDTH_TIE = 1e-12;

// Residuals in order of size: `count` of them from position `first` on, and the sum of their weights
// (j - first) tilted_j.
struct Window {
    Vector<const double> values;
    Vector<const double> tilted;
    Vector<const ordered::Position> order;
    Index count;
    Index first;
    double total;

    double value(Index place) const { return values[order[place]]; }
    double weight(Index place) const { return tilted[order[place]] * double(Index(order[place]) - first); }
};

// The ends chosen, and whether they might be others.
struct Pair {
    double lower;
    double upper;
    bool doubtful;
};

// Ends of every candidate; where a lower end might go up to and an upper one down to; whether one might move at all.
struct Candidates {
    std::vector<double> lower, upper, highest_lower, lowest_upper;
    std::vector<char> unsure;

    explicit Candidates(Index count)
        : lower(count), upper(count), highest_lower(count), lowest_upper(count), unsure(count) {}
};

inline double tie_slack(double lower, double upper) { return WIDTH_TIE * (std::abs(lower) + std::abs(upper)); }

// Index of the smallest upper - lower; the first among those that differ by rounding only.
inline Index narrowest(Vector<const double> lower, Vector<const double> upper) {
    Index best = 0;
    for (Index i = 1; i < lower.size; ++i)
        if (upper[i] - lower[i] < upper[best] - lower[best] - tie_slack(lower[i], upper[i])) best = i;
    return best;
}

// Quantiles at ascending shares, from the smallest value up: the first place with enough weight at or below.
// `highest_lower` is where the walk would stop if the weight so far were overstated by the doubt.
inline void walk_up(const Window& window, Vector<const double> tails, double doubt, Candidates& found) {
    const Index last = window.count - 1;
    Index place = 0;
    double below = 0.0, weight = window.weight(0);
    for (Index i = 0; i < tails.size; ++i) {
        const double target = quantiles::weight_target(tails[i], window.total);
        while (below + weight < target && place < last) {
            below += weight;
            weight = window.weight(++place);
        }
        found.lower[i] = window.value(place);
        // Two ways to be wrong: the weight up to here falls short once corrected, or the weight before it is enough.
        Index ahead = place;
        double reached = below + weight;
        while (reached * (1.0 - doubt) < target && ahead < last) reached += window.weight(++ahead);
        found.highest_lower[i] = window.value(ahead);
        found.unsure[i] = ahead > place || below * (1.0 + doubt) >= target;
    }
}

// Quantiles at descending shares base + tail, from the largest value down, so that the middle is never visited.
// `lowest_upper` is where the walk would stop if the weight above were overstated by the doubt.
inline void walk_down(const Window& window, double base, Vector<const double> tails, double doubt, Candidates& found) {
    Index place = window.count - 1;
    double above = 0.0, weight = window.weight(place);
    for (Index i = tails.size - 1; i >= 0; --i) {
        const double target = quantiles::weight_target(base + tails[i], window.total);
        // Step down while what lies below this place would still reach the target.
        while (window.total - (above + weight) >= target && place > 0) {
            above += weight;
            weight = window.weight(--place);
        }
        found.upper[i] = window.value(place);
        Index ahead = place;
        double passed = above + weight;
        while (window.total - passed * (1.0 - doubt) >= target && ahead > 0) passed += window.weight(--ahead);
        found.lowest_upper[i] = window.value(ahead);
        found.unsure[i] |= ahead < place || window.total - above * (1.0 + doubt) < target;
    }
}

// Narrowest pair of inverse-CDF quantiles, and whether it might be another one. If each weight is off by a factor
// within 1 +- doubt / 2, a tail's share F is off by at most doubt F. A candidate is unsure if that could move one of
// its ends; it matters if it is the one chosen, or could be as narrow.
inline Pair exact_pair(const Window& window, Vector<const double> tails, double alpha, double doubt,
                       Candidates& found) {
    walk_up(window, tails, doubt, found);
    walk_down(window, 1.0 - alpha, tails, doubt, found);
    // The two walks sum from opposite ends, so that at a level near zero rounding could make them pass each other.
    for (Index i = 0; i < tails.size; ++i) found.upper[i] = std::max(found.upper[i], found.lower[i]);
    const Index best = narrowest(found.lower, found.upper);
    const double width = found.upper[best] - found.lower[best];
    bool doubtful = false;
    for (Index i = 0; i < tails.size; ++i) {
        if (!found.unsure[i]) continue;
        const double slack = tie_slack(found.lower[i], found.upper[i]);
        doubtful |= i == best || found.lowest_upper[i] - found.highest_lower[i] <= width + slack;
    }
    return {found.lower[best], found.upper[best], doubtful};
}

}  // namespace ngrc::rescp::pairs
