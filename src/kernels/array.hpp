// Views of contiguous arrays. A kernel reads and writes views; whoever calls it owns the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

// In front of a function, inline and templates included: its loops are compiled for AVX-512, AVX2 and the baseline, and
// the processor decides at load time. Lanes are independent, no sum is reordered and nothing is fused
// (-ffp-contract=off), so that all three give the same bits. What such a function calls must be inlined to gain.
// GCC alone, with the dynamic linker of glibc: musl, macOS and Windows have no indirect functions, and Clang passes for
// Zig, whose targets vary. The baseline serves these. Sanitizers may not be ready yet when a resolver runs.
// NGRC_NO_CLONES leaves the baseline alone, or whatever the flags ask for, to compare bits.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(NGRC_NO_CLONES)
#define NGRC_CLONED
#define NGRC_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define NGRC_CLONES
#endif

// Inlined whatever its size, so that it is compiled with each clone of its caller.
#if defined(__GNUC__)
#define NGRC_INLINE __attribute__((always_inline)) inline
#else
#define NGRC_INLINE inline
#endif

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
