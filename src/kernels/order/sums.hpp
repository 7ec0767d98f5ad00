// Sums over a moving window without drift, one value at a time: `order/sums.py` explains the two chunks.
#pragma once

#include "array.hpp"

namespace ngrc::sums {

// Places in the state: sum of the new chunk, how much of it is filled, and the first of M values and M tails' sums.
constexpr Index HEAD = 0, FILLED = 1, FIRST = 2;

inline Index window_of(Vector<const double> state) { return (state.size - FIRST) / 2; }

// Sum of the last M values: tail plus head, in the order of `moving_sums`, so that the two agree to the last bit.
inline double total(Vector<const double> state) {
    return state[FIRST + window_of(state) + Index(state[FILLED])] + state[HEAD];
}

// Takes in the next value; the oldest leaves the window. The places before `filled` belong to the new chunk, those
// after it to the old one, whose sums the tails keep.
inline void push(Vector<double> state, double value) {
    const Index size = window_of(state), filled = Index(state[FILLED]);
    state[FIRST + filled] = value;
    state[HEAD] += value;
    state[FILLED] += 1.0;
    if (filled + 1 < size) return;
    double tail = 0.0;
    for (Index place = size - 1; place >= 0; --place) {
        tail += state[FIRST + place];
        state[FIRST + size + place] = tail;
    }
    state[HEAD] = state[FILLED] = 0.0;
}

}  // namespace ngrc::sums
