// Four or eight numbers side by side, one per lane of a vector register: lanes never mix, so that the bits are the same
// whatever the width of the processor's registers.
#pragma once

#include <cstring>

#include "array.hpp"

namespace ngrc {

#if defined(__GNUC__)
typedef double Lanes4 __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef double Lanes8 __attribute__((vector_size(8 * sizeof(double)), aligned(sizeof(double)), may_alias));
#else
template <Index Count>
struct LanesOf {
    double values[Count];

    double& operator[](Index lane) { return values[lane]; }
    double operator[](Index lane) const { return values[lane]; }
    LanesOf& operator+=(const LanesOf& other) {
        for (Index lane = 0; lane < Count; ++lane) values[lane] += other.values[lane];
        return *this;
    }
    LanesOf& operator-=(const LanesOf& other) {
        for (Index lane = 0; lane < Count; ++lane) values[lane] -= other.values[lane];
        return *this;
    }
    friend LanesOf operator*(LanesOf lanes, const LanesOf& other) {
        for (Index lane = 0; lane < Count; ++lane) lanes[lane] *= other[lane];
        return lanes;
    }
    friend LanesOf operator/(LanesOf lanes, const LanesOf& other) {
        for (Index lane = 0; lane < Count; ++lane) lanes[lane] /= other[lane];
        return lanes;
    }
    friend LanesOf operator*(LanesOf lanes, double factor) {
        for (double& value : lanes.values) value *= factor;
        return lanes;
    }
};
using Lanes4 = LanesOf<4>;
using Lanes8 = LanesOf<8>;
#endif

// From and to any place in an array; by reference, as registers of this width are not part of the calling convention.
template <class Lanes>
NGRC_INLINE void load(Lanes& lanes, const double* from) {
    std::memcpy(&lanes, from, sizeof lanes);
}

template <class Lanes>
NGRC_INLINE void store(const Lanes& lanes, double* to) {
    std::memcpy(to, &lanes, sizeof lanes);
}

}  // namespace ngrc
