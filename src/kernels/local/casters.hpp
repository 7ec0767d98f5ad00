// How the named tuples of `intervals/local` become structs of views.
#pragma once

#include "numpy.hpp"

#include "local/bins.hpp"
#include "local/readout.hpp"

namespace nanobind::detail {

template <>
struct type_caster<ngrc::local::columns::Columns> {
    NB_TYPE_CASTER(ngrc::local::columns::Columns, const_name("Columns"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        return ngrc::unpack(source, flags, cleanup, value.memory, value.tables, value.lengths, value.waves,
                            value.constants);
    }
};

template <>
struct type_caster<ngrc::local::size::Size> {
    NB_TYPE_CASTER(ngrc::local::size::Size, const_name("Size"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        return ngrc::unpack(source, flags, cleanup, value.gram, value.moment, value.weights, value.errors,
                            value.chosen);
    }
};

template <>
struct type_caster<ngrc::local::readout::Scratch> {
    NB_TYPE_CASTER(ngrc::local::readout::Scratch, const_name("tuple"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        return ngrc::unpack(source, flags, cleanup, value.sizes, value.signs);
    }
};

template <>
struct type_caster<ngrc::local::readout::Readout> {
    NB_TYPE_CASTER(ngrc::local::readout::Readout, const_name("Readout"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        return ngrc::unpack(source, flags, cleanup, value.columns, value.size, value.centre, value.spread, value.rows,
                            value.scores, value.probabilities, value.weights, value.counters, value.scratch);
    }
};

}  // namespace nanobind::detail

namespace ngrc {

// Whether an object is of the type that a kernel takes, read in place and without conversion. A state from a file is
// asked once: what a kernel reads in place at every step must not be converted at every step.
template <class T>
bool in_place(nb::handle source) {
    return nb::detail::make_caster<T>().from_python(source, 0, nullptr);
}

// A constant of several numbers, for Python.
template <class Numbers>
nb::tuple to_tuple(const Numbers& numbers) {
    nb::list list;
    for (const auto number : numbers) list.append(number);
    return nb::tuple(list);
}

}  // namespace ngrc
