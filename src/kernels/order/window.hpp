// One order statistic of the last M scores: two heaps in one array of integers, which `order/window.py` lays out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "array.hpp"

namespace ngrc::window {

using State = Vector<std::int64_t>;

// Places in the state: k, the slot of the oldest score, and the first of three times M entries.
constexpr Index RANK = 0, OLDEST = 1, FIRST = 2;

inline Index size_of(State state) { return (state.size - FIRST) / 3; }

// Puts a score where it belongs in the heap of the places `first` to `last`, of which `place` is free. The largest
// score is on top where `sign` is 1, the smallest where it is -1.
inline void place_score(State state, Index first, Index last, Index place, std::int64_t bits, std::int64_t slot,
                        std::int64_t sign) {
    const Index size = size_of(state), count = last - first;
    std::int64_t* values = &state[FIRST + first];
    std::int64_t* slots = values + size;
    std::int64_t* places = &state[FIRST + 2 * size];
    Index here = place - first;
    const auto move = [&](Index from) {
        values[here] = values[from];
        slots[here] = slots[from];
        places[slots[here]] = first + here;
        here = from;
    };
    while (here > 0) {
        const Index parent = (here - 1) >> 1;
        if (sign * (bits - values[parent]) <= 0) break;
        move(parent);
    }
    for (Index child = 2 * here + 1; child < count; child = 2 * here + 1) {
        if (child + 1 < count && sign * (values[child + 1] - values[child]) > 0) ++child;
        if (sign * (values[child] - bits) <= 0) break;
        move(child);
    }
    values[here] = bits;
    slots[here] = slot;
    places[slot] = first + here;
}

// |residual| replaces the oldest score; the k-th smallest of the window as it is then, infinite where k exceeds M.
inline double slide(State state, double residual) {
    const double score = std::abs(residual);
    if (!(score <= std::numeric_limits<double>::max())) {
        throw std::invalid_argument("a residual must be a finite number; skip the target");
    }
    std::int64_t bits;
    std::memcpy(&bits, &score, sizeof bits);
    const Index size = size_of(state), rank = std::min<Index>(state[RANK], size), slot = state[OLDEST];
    state[OLDEST] = slot + 1 == size ? 0 : slot + 1;
    const Index place = state[FIRST + 2 * size + slot], low = FIRST, high = FIRST + rank;
    if (place < rank && rank < size && bits > state[high]) {
        place_score(state, 0, rank, place, state[high], state[high + size], 1);
        place_score(state, rank, size, rank, bits, slot, -1);
    } else if (place >= rank && bits < state[low]) {
        place_score(state, rank, size, place, state[low], state[low + size], -1);
        place_score(state, 0, rank, 0, bits, slot, 1);
    } else if (place < rank) {
        place_score(state, 0, rank, place, bits, slot, 1);
    } else {
        place_score(state, rank, size, place, bits, slot, -1);
    }
    if (state[RANK] > size) return std::numeric_limits<double>::infinity();
    double chosen;
    std::memcpy(&chosen, &state[FIRST], sizeof chosen);
    return chosen;
}

}  // namespace ngrc::window
