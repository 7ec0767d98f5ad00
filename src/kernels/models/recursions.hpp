// First-order recursions over one series: y[t] = kept y[t-1] + gain x[t].
#pragma once

#include <vector>

#include "array.hpp"

namespace ngrc::recursions {

// Shape (n, K) for K pairs of factors, y[-1] being `starts`.
inline std::vector<double> first_order(Vector<const double> x, Vector<const double> kept, Vector<const double> gains,
                                       Vector<const double> starts) {
    const Index count = kept.size;
    std::vector<double> found(x.size * count);
    const double* before = starts.data;
    for (Index time = 0; time < x.size; ++time) {
        double* const after = &found[time * count];
        for (Index k = 0; k < count; ++k) after[k] = kept[k] * before[k] + gains[k] * x[time];
        before = after;
    }
    return found;
}

}  // namespace ngrc::recursions
