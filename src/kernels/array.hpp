// Views of contiguous arrays. A kernel reads and writes views; whoever calls it owns the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "processors.hpp"

namespace ngrc {

using Index = std::ptrdiff_t;

template <class T>
struct Vector {
    T* data = nullptr;
    Index size = 0;

    Vector() = default;
    Vector(T* data, Index size) : data(data), size(size) {}
    // From an owner, and from a view of mutable elements.
    Vector(std::vector<std::remove_const_t<T>>& owner) : data(owner.data()), size(Index(owner.size())) {}
    template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
    Vector(const Vector<U>& other) : data(other.data), size(other.size) {}

    T& operator[](Index place) const { return data[place]; }
    T* begin() const { return data; }
    T* end() const { return data + size; }
    Vector part(Index first, Index last) const { return {data + first, last - first}; }
};

template <class T>
struct Matrix {
    T* data = nullptr;
    Index rows = 0;
    Index columns = 0;

    Matrix() = default;
    Matrix(T* data, Index rows, Index columns) : data(data), rows(rows), columns(columns) {}
    template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
    Matrix(const Matrix<U>& other) : data(other.data), rows(other.rows), columns(other.columns) {}

    Vector<T> operator[](Index row) const { return {data + row * columns, columns}; }
    T& operator()(Index row, Index column) const { return data[row * columns + column]; }
};

// Three axes: a sequence of matrices.
template <class T>
struct Cube {
    T* data = nullptr;
    Index depth = 0;
    Index rows = 0;
    Index columns = 0;

    Cube() = default;
    Cube(T* data, Index depth, Index rows, Index columns)
        : data(data), depth(depth), rows(rows), columns(columns) {}
    template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
    Cube(const Cube<U>& other)
        : data(other.data), depth(other.depth), rows(other.rows), columns(other.columns) {}

    Matrix<T> operator[](Index place) const { return {data + place * rows * columns, rows, columns}; }
    T& operator()(Index place, Index row, Index column) const {
        return data[(place * rows + row) * columns + column];
    }
};

// Python's remainder: it has the sign of the divisor.
inline std::int64_t floor_mod(std::int64_t value, std::int64_t divisor) {
    const std::int64_t rest = value % divisor;
    return rest != 0 && (rest < 0) != (divisor < 0) ? rest + divisor : rest;
}

}  // namespace ngrc
