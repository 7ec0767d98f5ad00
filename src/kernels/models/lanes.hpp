// Eight numbers that are added, subtracted and multiplied side by side. Lanes never mix, so that the bits are the same
// whatever the width of the processor's registers.
#pragma once

#include <memory>
#include <vector>

#include "array.hpp"

namespace ngrc::lanes {

constexpr Index LANES = 8;

// Anywhere in an array of doubles.
#if defined(__GNUC__)
typedef double Lanes __attribute__((vector_size(8 * sizeof(double)), aligned(sizeof(double)), may_alias));
#else
struct Lanes {
    double values[LANES];
    double& operator[](Index lane) { return values[lane]; }
    double operator[](Index lane) const { return values[lane]; }
};
inline Lanes operator*(const Lanes& a, const Lanes& b) {
    Lanes product;
    for (Index lane = 0; lane < LANES; ++lane) product[lane] = a[lane] * b[lane];
    return product;
}
inline Lanes operator*(double a, const Lanes& b) {
    Lanes product;
    for (Index lane = 0; lane < LANES; ++lane) product[lane] = a * b[lane];
    return product;
}
inline Lanes operator/(const Lanes& a, const Lanes& b) {
    Lanes quotient;
    for (Index lane = 0; lane < LANES; ++lane) quotient[lane] = a[lane] / b[lane];
    return quotient;
}
inline Lanes operator+(const Lanes& a, const Lanes& b) {
    Lanes sum;
    for (Index lane = 0; lane < LANES; ++lane) sum[lane] = a[lane] + b[lane];
    return sum;
}
inline Lanes& operator+=(Lanes& a, const Lanes& b) { return a = a + b; }
inline Lanes& operator-=(Lanes& a, const Lanes& b) {
    for (Index lane = 0; lane < LANES; ++lane) a[lane] -= b[lane];
    return a;
}
#endif

NGRC_INLINE void fill(Lanes& lanes, double value) {
    for (Index lane = 0; lane < LANES; ++lane) lanes[lane] = value;
}

// The sum of all eight, in one order.
NGRC_INLINE double total(const Lanes& lanes) {
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

// Whole lanes that hold `count` numbers.
inline Index lanes_for(Index count) { return (count + LANES - 1) / LANES; }

// Zeros in memory that begins with a cache line: lanes that cross two lines load at half the speed.
class Workspace {
public:
    explicit Workspace(Index count) : memory(count * LANES + LANES, 0.0) {
        void* begin = memory.data();
        std::size_t room = memory.size() * sizeof(double);
        first = static_cast<Lanes*>(std::align(64, sizeof(Lanes), begin, room));
    }
    Lanes* data() { return first; }
    double* numbers() { return reinterpret_cast<double*>(first); }

private:
    std::vector<double> memory;
    Lanes* first;
};

}  // namespace ngrc::lanes
