// How NumPy arrays become views, and results become NumPy arrays. Only files that bind kernels include this.
//
// An array argument costs a few nanoseconds: its type, shape and layout are read from its header. A view of mutable
// elements needs an array that is contiguous, aligned, writeable and of that very type, as the kernel writes into it.
// A view of const elements takes any array that converts without loss; the copy lives until the call returns.
#pragma once

#define PY_ARRAY_UNIQUE_SYMBOL ngrc_array_api
#ifndef NGRC_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <numpy/arrayobject.h>

#include <array>
#include <memory>
#include <utility>

#include "array.hpp"

namespace ngrc {

namespace nb = nanobind;

template <class T>
constexpr int numpy_type() {
    using Plain = std::remove_const_t<T>;
    if constexpr (std::is_same_v<Plain, double>) return NPY_DOUBLE;
    else if constexpr (std::is_same_v<Plain, float>) return NPY_FLOAT;
    else if constexpr (std::is_same_v<Plain, std::int64_t>) return NPY_INT64;
    else if constexpr (std::is_same_v<Plain, std::int32_t>) return NPY_INT32;
    else if constexpr (std::is_same_v<Plain, std::uint64_t>) return NPY_UINT64;
    else if constexpr (std::is_same_v<Plain, std::uint32_t>) return NPY_UINT32;
    else if constexpr (std::is_same_v<Plain, bool>) return NPY_BOOL;
    else static_assert(sizeof(T) == 0, "no NumPy type for this element");
}

// The array itself where it can be read (or written) in place, a converted copy where that is allowed, else null.
template <class T>
PyArrayObject* readable(nb::handle source, int axes, bool convert, nb::detail::cleanup_list* cleanup) noexcept {
    if (!PyArray_Check(source.ptr())) return nullptr;
    auto* array = reinterpret_cast<PyArrayObject*>(source.ptr());
    const bool fits = PyArray_EquivTypenums(PyArray_TYPE(array), numpy_type<T>()) && PyArray_ISCARRAY_RO(array);
    if (PyArray_NDIM(array) != axes) return nullptr;
    if (fits && (std::is_const_v<T> || PyArray_ISWRITEABLE(array))) return array;
    if (!std::is_const_v<T> || !convert) return nullptr;
    PyObject* copy = PyArray_FromAny(source.ptr(), PyArray_DescrFromType(numpy_type<T>()), axes, axes,
                                     NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED, nullptr);
    if (copy == nullptr) {
        PyErr_Clear();
        return nullptr;
    }
    cleanup->append(copy);
    return reinterpret_cast<PyArrayObject*>(copy);
}

// A result that NumPy takes over without a copy.
template <class T, int Axes>
struct Array {
    std::vector<T> values;
    std::array<npy_intp, Axes> shape;

    Vector<T> view() { return {values.data(), Index(values.size())}; }
};

template <class T>
Array<T, 1> to_array(std::vector<T>&& values) {
    const auto size = npy_intp(values.size());
    return {std::move(values), {size}};
}

template <class T>
Array<T, 2> to_array(std::vector<T>&& values, Index rows) {
    const auto size = npy_intp(values.size());
    return {std::move(values), {npy_intp(rows), rows ? size / npy_intp(rows) : 0}};
}

// Wraps a kernel so that other Python threads run meanwhile. Results become Python objects after the lock is back.
template <class Result, class... Arguments>
auto released(Result (*kernel)(Arguments...)) {
    return [kernel](Arguments... arguments) -> Result {
        nb::gil_scoped_release unlocked;
        return kernel(arguments...);
    };
}

// The fields of a named tuple of arrays, in their order; false where one does not fit.
template <class... Fields>
bool unpack(nb::handle source, std::uint32_t flags, nb::detail::cleanup_list* cleanup, Fields&... fields) noexcept {
    if (!PyTuple_Check(source.ptr()) || PyTuple_GET_SIZE(source.ptr()) != Py_ssize_t(sizeof...(fields))) return false;
    Py_ssize_t place = 0;
    const auto take = [&](auto& field) {
        nb::detail::make_caster<std::remove_reference_t<decltype(field)>> caster;
        if (!caster.from_python(PyTuple_GET_ITEM(source.ptr(), place++), flags, cleanup)) return false;
        field = caster.value;
        return true;
    };
    return (take(fields) && ...);
}

}  // namespace ngrc

namespace nanobind::detail {

template <class T>
struct type_caster<ngrc::Vector<T>> {
    NB_TYPE_CASTER(ngrc::Vector<T>, const_name("numpy.ndarray"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        auto* array = ngrc::readable<T>(source, 1, flags & cast_flags::convert, cleanup);
        if (array == nullptr) return false;
        value = {static_cast<T*>(PyArray_DATA(array)), PyArray_DIM(array, 0)};
        return true;
    }
};

template <class T>
struct type_caster<ngrc::Matrix<T>> {
    NB_TYPE_CASTER(ngrc::Matrix<T>, const_name("numpy.ndarray"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        auto* array = ngrc::readable<T>(source, 2, flags & cast_flags::convert, cleanup);
        if (array == nullptr) return false;
        value = {static_cast<T*>(PyArray_DATA(array)), PyArray_DIM(array, 0), PyArray_DIM(array, 1)};
        return true;
    }
};

template <class T>
struct type_caster<ngrc::Cube<T>> {
    NB_TYPE_CASTER(ngrc::Cube<T>, const_name("numpy.ndarray"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        auto* array = ngrc::readable<T>(source, 3, flags & cast_flags::convert, cleanup);
        if (array == nullptr) return false;
        value = {static_cast<T*>(PyArray_DATA(array)), PyArray_DIM(array, 0), PyArray_DIM(array, 1),
                 PyArray_DIM(array, 2)};
        return true;
    }
};

template <class T, int Axes>
struct type_caster<ngrc::Array<T, Axes>> {
    using Result = ngrc::Array<T, Axes>;
    NB_TYPE_CASTER(Result, const_name("numpy.ndarray"))

    // The vector moves to the heap, and a capsule deletes it with the last array that refers to it.
    static handle from_cpp(Result&& result, rv_policy, cleanup_list*) noexcept {
        auto* owner = new std::vector<T>(std::move(result.values));
        PyObject* array = PyArray_SimpleNewFromData(Axes, result.shape.data(), ngrc::numpy_type<T>(), owner->data());
        PyObject* capsule = PyCapsule_New(owner, nullptr, [](PyObject* held) {
            delete static_cast<std::vector<T>*>(PyCapsule_GetPointer(held, nullptr));
        });
        if (array == nullptr || capsule == nullptr ||
            PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(array), capsule) < 0) {
            if (capsule == nullptr) delete owner;
            Py_XDECREF(array);
            return handle();
        }
        return array;
    }
};

}  // namespace nanobind::detail
