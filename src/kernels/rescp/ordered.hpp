// A window over time whose members are kept in order of size.
//
// The first places of `order` list positions by value, older first among equals. `span` is the pair (first, stop) of
// positions that it holds. A step moves O(window) small integers, which is little beside the window's similarities.
#pragma once

#include <algorithm>

#include "array.hpp"

namespace ngrc::rescp::ordered {

using Position = std::uint32_t;
using Values = Vector<const double>;
using Span = Vector<std::int64_t>;

// How many members are below `value`, or with `after` not above it.
inline Index place_of(Values values, Vector<const Position> order, Index count, double value, bool after) {
    Index low = 0, high = count;
    while (low < high) {
        const Index middle = (low + high) / 2;
        const double other = values[order[middle]];
        if (other < value || (after && other == value)) low = middle + 1;
        else high = middle;
    }
    return low;
}

// The position after the newest joins, behind its equals, which are older.
inline void admit(Values values, Vector<Position> order, Span span) {
    const Index count = span[1] - span[0], newest = span[1];
    Position* place = order.data + place_of(values, order, count, values[newest], true);
    std::copy_backward(place, order.data + count, order.data + count + 1);
    *place = Position(newest);
    span[1] += 1;
}

// The oldest member leaves; it is the first among its equals.
inline void release(Values values, Vector<Position> order, Span span) {
    const Index count = span[1] - span[0];
    Position* place = order.data + place_of(values, order, count, values[span[0]], false);
    std::copy(place + 1, order.data + count, place);
    span[0] += 1;
}

// Move the window on to positions first .. stop - 1. One in, one out: `order` needs a single place beyond the window's
// size.
inline void advance(Values values, Vector<Position> order, Span span, Index first, Index stop) {
    while (span[1] < stop) {
        admit(values, order, span);
        if (span[0] < first) release(values, order, span);
    }
    while (span[0] < first) release(values, order, span);
}

}  // namespace ngrc::rescp::ordered
