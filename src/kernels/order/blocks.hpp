// Kernels of `SortedBlocks`: scores in sorted blocks, all in one table, so that a step hands over one array.
//
// Row 0 of the table holds how many scores there are, their total weight, how many blocks, and the blocks' rows in the
// order of their scores. Each further row is a block: its size, the sum of its weights, its largest score, then places
// for scores, ascending, and as many for their weights. No score of a block exceeds one of the next; only the block of
// an empty multiset is empty. A table has as many rows for blocks as a block has places.
#pragma once

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "array.hpp"

namespace ngrc::blocks {

using Table = Matrix<double>;

// Places in row 0.
constexpr Index COUNT = 0, TOTAL = 1, USED = 2, ORDER = 3;
// Places in the row of a block.
constexpr Index SIZE = 0, SUM = 1, TOP = 2, FIRST = 3;

inline Index capacity_of(Table table) { return table.rows - 1; }

// The row of a block, counted in the order of scores.
inline Vector<double> block_at(Table table, Index block) { return table[Index(table(0, ORDER + block))]; }

// First block whose largest score is not below `value`; the last one when there is none.
inline Index block_of(Table table, double value) {
    Index low = 0, high = Index(table(0, USED)) - 1;
    while (low < high) {
        const Index middle = (low + high) >> 1;
        if (block_at(table, middle)[TOP] < value) low = middle + 1;
        else high = middle;
    }
    return low;
}

// Half of a full block becomes the block after it.
inline void split(Table table, Index block) {
    const Index capacity = capacity_of(table), used = Index(table(0, USED));
    if (used == capacity) throw std::out_of_range("the table is full");
    const Vector<double> full = block_at(table, block), fresh = table[used + 1];
    const Index half = capacity / 2, weights = FIRST + capacity;
    std::copy_n(&full[FIRST + half], capacity - half, &fresh[FIRST]);
    std::copy_n(&full[weights + half], capacity - half, &fresh[weights]);
    full[SIZE] = double(half);
    fresh[SIZE] = double(capacity - half);
    for (const Vector<double> row : {full, fresh}) {
        row[TOP] = row[FIRST + Index(row[SIZE]) - 1];
        row[SUM] = 0.0;
        for (Index place = 0; place < Index(row[SIZE]); ++place) row[SUM] += row[weights + place];
    }
    for (Index later = used; later > block + 1; --later) table(0, ORDER + later) = table(0, ORDER + later - 1);
    table(0, ORDER + block + 1) = double(used + 1);
    table(0, USED) = double(used + 1);
}

// Adds one score; `std::out_of_range`, before anything is changed, where the table has no room for it.
inline void insert(Table table, double value, double weight) {
    const Index capacity = capacity_of(table);
    Index block = block_of(table, value);
    if (Index(block_at(table, block)[SIZE]) == capacity) {
        split(table, block);
        block = block_of(table, value);
    }
    const Vector<double> row = block_at(table, block);
    const Index size = Index(row[SIZE]), weights = FIRST + capacity;
    // Compared and moved in one go: measured against a search and two moves after it, a third quicker.
    Index hole = size;
    while (hole > 0 && row[FIRST + hole - 1] >= value) {
        row[FIRST + hole] = row[FIRST + hole - 1];
        row[weights + hole] = row[weights + hole - 1];
        --hole;
    }
    row[FIRST + hole] = value;
    row[weights + hole] = weight;
    row[SIZE] = double(size + 1);
    row[SUM] += weight;
    row[TOP] = row[FIRST + size];
    table(0, COUNT) += 1.0;
    table(0, TOTAL) += weight;
}

// The `rank`-th smallest score, rank in 1..count, whatever the weights: counted from the nearer end.
inline double nth(Table table, Index rank) {
    const Index used = Index(table(0, USED));
    Index left = Index(table(0, COUNT)) - rank;
    if (left < rank) {
        for (Index block = used - 1; block >= 0; --block) {
            const Vector<double> row = block_at(table, block);
            const Index size = Index(row[SIZE]);
            if (left < size) return row[FIRST + size - 1 - left];
            left -= size;
        }
    }
    left = rank - 1;
    for (Index block = 0; block < used; ++block) {
        const Vector<double> row = block_at(table, block);
        const Index size = Index(row[SIZE]);
        if (left < size) return row[FIRST + left];
        left -= size;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

// Smallest score whose cumulative weight reaches `target`, and how far that is from the sums before and at it.
inline std::pair<double, double> reach(Table table, double target) {
    const Index used = Index(table(0, USED)), weights = FIRST + capacity_of(table);
    for (Index block = 0; block < used; ++block) {
        const Vector<double> row = block_at(table, block);
        if (row[SUM] < target) {
            target -= row[SUM];
            continue;
        }
        for (Index place = 0; place < Index(row[SIZE]); ++place) {
            const double weight = row[weights + place];
            if (weight >= target) return {row[FIRST + place], std::min(target, weight - target)};
            target -= weight;
        }
        // By rounding the places add up to less than their sum.
        return {row[TOP], 0.0};
    }
    return {block_at(table, used - 1)[TOP], 0.0};
}

// Total weight of the scores smaller than `value`.
inline double below(Table table, double value) {
    const Index weights = FIRST + capacity_of(table);
    double total = 0.0;
    for (Index block = 0; block < Index(table(0, USED)); ++block) {
        const Vector<double> row = block_at(table, block);
        if (row[TOP] < value) {
            total += row[SUM];
            continue;
        }
        for (Index place = 0; place < Index(row[SIZE]) && row[FIRST + place] < value; ++place) {
            total += row[weights + place];
        }
        break;
    }
    return total;
}

// Multiplies every weight.
inline void scale(Table table, double factor) {
    const Index weights = FIRST + capacity_of(table);
    table(0, TOTAL) *= factor;
    for (Index row = 1; row <= Index(table(0, USED)); ++row) {
        table(row, SUM) *= factor;
        for (Index place = 0; place < Index(table(row, SIZE)); ++place) table(row, weights + place) *= factor;
    }
}

}  // namespace ngrc::blocks
