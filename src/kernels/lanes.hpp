// Four numbers side by side, one per lane: lanes never mix, so that the bits are the same whatever the width of
// the processor's registers.
#pragma once

#include "array.hpp"

namespace ngrc {

// What every processor has a register for.
#if defined(__GNUC__)
typedef double Pair __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));
#else
using Pair = double;
#endif

// Lanes as registers of the baseline: GCC would hold a wider vector in memory there.
#if defined(__GNUC__)
struct __attribute__((may_alias)) Pairs {
#else
struct Pairs {
#endif
    static constexpr Index PARTS = 4 * sizeof(double) / sizeof(Pair);
    Pair parts[PARTS];

    double& operator[](Index lane) { return reinterpret_cast<double*>(parts)[lane]; }
    double operator[](Index lane) const { return reinterpret_cast<const double*>(parts)[lane]; }
    Pairs& operator+=(const Pairs& other) {
        for (Index part = 0; part < PARTS; ++part) parts[part] += other.parts[part];
        return *this;
    }
    Pairs& operator-=(const Pairs& other) {
        for (Index part = 0; part < PARTS; ++part) parts[part] -= other.parts[part];
        return *this;
    }
    friend Pairs operator*(Pairs lanes, double factor) {
        for (Pair& part : lanes.parts) part = part * factor;
        return lanes;
    }
    friend Pairs operator*(Pairs lanes, const Pairs& other) {
        for (Index part = 0; part < PARTS; ++part) lanes.parts[part] = lanes.parts[part] * other.parts[part];
        return lanes;
    }
    friend Pairs operator/(Pairs lanes, const Pairs& other) {
        for (Index part = 0; part < PARTS; ++part) lanes.parts[part] = lanes.parts[part] / other.parts[part];
        return lanes;
    }
};

// Where functions are cloned for wide registers, a vector of the narrowest of them: GCC would hold eight numbers in
// memory where a register takes four.
#if defined(NGRC_CLONED)
typedef double Lanes __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));
constexpr bool WIDE = true;
#else
using Lanes = Pairs;
constexpr bool WIDE = false;
#endif
constexpr Index LANES = 4;

// From and to any place in an array; by reference, as registers of this width are not part of the calling convention.
// Not by `memcpy`, which GCC does in halves.
NGRC_INLINE void load(Lanes& lanes, const double* from) { lanes = *reinterpret_cast<const Lanes*>(from); }
NGRC_INLINE void store(const Lanes& lanes, double* to) { *reinterpret_cast<Lanes*>(to) = lanes; }

}  // namespace ngrc
