// Targets whose residuals are not known yet, oldest first, as rows of one array: `intervals/ring.py` lays it out.
#pragma once

#include <stdexcept>

#include "array.hpp"

namespace ngrc::ring {

using Ring = Matrix<double>;

// Places in row 0: the place of the oldest target, and how many there are.
constexpr Index HEAD = 0, LENGTH = 1;
// First number of a target without an interval.
constexpr double NONE = -1.0;

// Row of the oldest target, which is closed; 0 where none is pending.
inline Index pop(Ring ring) {
    const Index places = ring.rows - 1, head = Index(ring(0, HEAD)), length = Index(ring(0, LENGTH));
    if (length == 0) return 0;
    ring(0, HEAD) = head + 1 == places ? 0.0 : double(head + 1);
    ring(0, LENGTH) = double(length - 1);
    return 1 + head;
}

// Row of one more target; `std::out_of_range`, before anything is changed, where there is no room for it.
inline Index push(Ring ring) {
    const Index places = ring.rows - 1, head = Index(ring(0, HEAD)), length = Index(ring(0, LENGTH));
    if (length == places) throw std::out_of_range("the ring is full");
    ring(0, LENGTH) = double(length + 1);
    return 1 + (head + length) % places;
}

}  // namespace ngrc::ring
