// Numbers that are added, subtracted, multiplied and divided side by side, one per lane. Lanes never mix, so that the
// bits are the same whatever the width of the processor's registers.
//
// GCC keeps a vector that is wider than the registers in memory, at a fiftieth of the speed. Lanes are therefore as
// many parts as the registers make them, and a pass over lanes is a template that NGRC_PER_PROCESSOR instantiates for
// each width.
#pragma once

#include <memory>
#include <vector>

#include "array.hpp"

namespace ngrc::lanes {

// Lanes unless a pass asks for four: a cache line, and the widest register.
constexpr Index LANES = 8;

// One register of `Width` numbers, and how to set all of them.
template <Index Width>
struct Register;
#if defined(__GNUC__)
#define NGRC_MAY_ALIAS __attribute__((may_alias))
template <>
struct Register<2> {
    typedef double Type __attribute__((vector_size(16), aligned(8), may_alias));
    NGRC_INLINE static void fill(Type& all, double x) { all = Type{x, x}; }
};
template <>
struct Register<4> {
    typedef double Type __attribute__((vector_size(32), aligned(8), may_alias));
    NGRC_INLINE static void fill(Type& all, double x) { all = Type{x, x, x, x}; }
};
template <>
struct Register<8> {
    typedef double Type __attribute__((vector_size(64), aligned(8), may_alias));
    NGRC_INLINE static void fill(Type& all, double x) { all = Type{x, x, x, x, x, x, x, x}; }
};
constexpr Index BASELINE = 2;
#else
#define NGRC_MAY_ALIAS
template <>
struct Register<1> {
    using Type = double;
    NGRC_INLINE static void fill(Type& all, double x) { all = x; }
};
constexpr Index BASELINE = 1;
#endif

// `Count` lanes in registers of at most `Width` numbers each, anywhere in an array of doubles.
template <Index Width, Index Count = LANES>
struct NGRC_MAY_ALIAS Lanes {
    using Own = Register<(Width < Count ? Width : Count)>;
    static constexpr Index PARTS = Count * sizeof(double) / sizeof(typename Own::Type);
    typename Own::Type parts[PARTS];

    // Copied part by part: GCC would copy the whole through memory.
    Lanes() = default;
    NGRC_INLINE Lanes(const Lanes& other) { *this = other; }
    NGRC_INLINE Lanes& operator=(const Lanes& other) {
        for (Index part = 0; part < PARTS; ++part) parts[part] = other.parts[part];
        return *this;
    }

    // The lanes that begin at a place in an array.
    NGRC_INLINE static Lanes& at(double* place) { return *reinterpret_cast<Lanes*>(place); }
    NGRC_INLINE static const Lanes& at(const double* place) { return *reinterpret_cast<const Lanes*>(place); }

    NGRC_INLINE double& operator[](Index lane) { return reinterpret_cast<double*>(this)[lane]; }
    NGRC_INLINE double operator[](Index lane) const { return reinterpret_cast<const double*>(this)[lane]; }
    NGRC_INLINE friend Lanes operator+(const Lanes& a, const Lanes& b) {
        Lanes sum;
        for (Index part = 0; part < PARTS; ++part) sum.parts[part] = a.parts[part] + b.parts[part];
        return sum;
    }
    NGRC_INLINE friend Lanes operator*(const Lanes& a, const Lanes& b) {
        Lanes product;
        for (Index part = 0; part < PARTS; ++part) product.parts[part] = a.parts[part] * b.parts[part];
        return product;
    }
    NGRC_INLINE friend Lanes operator*(double a, const Lanes& b) {
        Lanes product;
        for (Index part = 0; part < PARTS; ++part) product.parts[part] = a * b.parts[part];
        return product;
    }
    NGRC_INLINE friend Lanes operator/(const Lanes& a, const Lanes& b) {
        Lanes quotient;
        for (Index part = 0; part < PARTS; ++part) quotient.parts[part] = a.parts[part] / b.parts[part];
        return quotient;
    }
    NGRC_INLINE Lanes& operator+=(const Lanes& other) {
        for (Index part = 0; part < PARTS; ++part) parts[part] += other.parts[part];
        return *this;
    }
    NGRC_INLINE Lanes& operator-=(const Lanes& other) {
        for (Index part = 0; part < PARTS; ++part) parts[part] -= other.parts[part];
        return *this;
    }
};

template <Index Width, Index Count>
NGRC_INLINE void fill(Lanes<Width, Count>& lanes, double value) {
    for (auto& part : lanes.parts) Lanes<Width, Count>::Own::fill(part, value);
}

// The sum of all eight, in one order.
template <Index Width>
NGRC_INLINE double total(const Lanes<Width>& lanes) {
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

// Whole lanes that hold `count` numbers.
inline Index lanes_for(Index count) { return (count + LANES - 1) / LANES; }

// Zeros for `count` times eight lanes, in memory that begins with a cache line: lanes that cross two load at half the
// speed.
class Workspace {
public:
    explicit Workspace(Index count) : memory(count * LANES + LANES, 0.0) {
        void* begin = memory.data();
        std::size_t room = memory.size() * sizeof(double);
        first = static_cast<double*>(std::align(64, LANES * sizeof(double), begin, room));
    }
    double* numbers() { return first; }
    template <class Kind>
    Kind* data() { return reinterpret_cast<Kind*>(first); }

private:
    std::vector<double> memory;
    double* first;
};

}  // namespace ngrc::lanes
