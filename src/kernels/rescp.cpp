// Bindings of reservoir conformal prediction.
#include "numpy.hpp"

#include <optional>

#include "module.hpp"
#include "rescp/ends.hpp"
#include "exponential.hpp"
#include "rescp/ordered.hpp"
#include "rescp/pairs.hpp"
#include "rescp/reservoir.hpp"
#include "rescp/sampler.hpp"
#include "rescp/states.hpp"
#include "rescp/weights.hpp"

namespace nanobind::detail {

namespace ends = ngrc::rescp::ends;

template <>
struct type_caster<ends::Rule> {
    NB_TYPE_CASTER(ends::Rule, const_name("Rule"))

    // Numbers convert in any case: the seed is a scalar of NumPy.
    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        return ngrc::unpack(source, flags | std::uint32_t(cast_flags::convert), cleanup, value.temperatures,
                            value.sizes, value.tails, value.alpha, value.stochastic, value.seed);
    }
};

template <class T>
struct type_caster<ends::Similarities<T>> {
    NB_TYPE_CASTER(ends::Similarities<T>, const_name("Similarities"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        return ngrc::unpack(source, flags, cleanup, value.rows, value.origin, value.rounding);
    }
};

template <>
struct type_caster<ends::Queries> {
    NB_TYPE_CASTER(ends::Queries, const_name("Queries"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        return ngrc::unpack(source, flags, cleanup, value.known, value.clock, value.places);
    }
};

template <>
struct type_caster<ends::Windows> {
    NB_TYPE_CASTER(ends::Windows, const_name("Windows"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        return ngrc::unpack(source, flags, cleanup, value.orders, value.spans);
    }
};

template <>
struct type_caster<ends::Ends> {
    NB_TYPE_CASTER(ends::Ends, const_name("Ends"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        return ngrc::unpack(source, flags, cleanup, value.lower, value.upper, value.effective, value.doubtful);
    }
};

template <>
struct type_caster<ngrc::rescp::pairs::Window> {
    NB_TYPE_CASTER(ngrc::rescp::pairs::Window, const_name("tuple"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        return ngrc::unpack(source, flags, cleanup, value.values, value.tilted, value.order, value.count, value.first,
                            value.total);
    }
};

}  // namespace nanobind::detail

namespace ngrc {

using namespace nb::literals;
using namespace rescp;

namespace {

using Values = Vector<const double>;
using Counter = Vector<sampler::Counter>;

// Lets other threads of Python run during a whole pass; a single step keeps the lock.
std::optional<nb::gil_scoped_release> unlocked(Index steps) {
    if (steps > 1) return std::optional<nb::gil_scoped_release>(std::in_place);
    return std::nullopt;
}

template <class T>
void answer(ends::Similarities<T> near, ends::Queries queries, Values values, ends::Rule rule, ends::Windows windows,
            ends::Ends found) {
    const auto pass = unlocked(near.rows.rows);
    ends::answer(near, queries, values, rule, windows, found);
}

void recur(Vector<const std::int64_t> rows, Vector<const std::int64_t> bounds, Matrix<const double> values,
           Matrix<const std::uint32_t> columns, Values input_weights, double leak, double gain, Values inputs,
           Values initial, Matrix<double> path) {
    const auto pass = unlocked(inputs.size);
    reservoir::recur({rows, bounds, values, columns}, input_weights, leak, gain, inputs, initial, path);
}

void bind_states(nb::module_& m) {
    m.attr("RESERVOIR_LANES") = reservoir::LANES;
    m.def("reservoir_recur", &recur, "rows"_a, "bounds"_a, "values"_a, "columns"_a, "input_weights"_a, "leak"_a,
          "gain"_a, "inputs"_a, "initial"_a, "path"_a);
    m.def("states_normalise", [](Matrix<const double> states, Matrix<double> rows) {
        const auto pass = unlocked(states.rows);
        states::normalise(states, rows);
    }, "states"_a, "rows"_a);
}

void bind_weights(nb::module_& m) {
    m.def("exponentials", &exponential::exponentials<double>, "values"_a, "shift"_a, "factor"_a, "out"_a);
    m.def("exponentials", &exponential::exponentials<float>, "values"_a, "shift"_a, "factor"_a, "out"_a);
    m.def("hyperbolic_tangents", &exponential::hyperbolic_tangents, "values"_a, "out"_a);
    m.def("weights_tilt", &weights::tilt<double>, "near"_a, "temperature"_a, "widest"_a, "tilted"_a);
    m.def("weights_tilt", &weights::tilt<float>, "near"_a, "temperature"_a, "widest"_a, "tilted"_a);
    m.def("weights_ramp_moments", &weights::ramp_moments, "tilted"_a);
    m.def("weights_largest", &weights::largest<double>, "similarity"_a);
    m.def("weights_largest", &weights::largest<float>, "similarity"_a);
}

void bind_pairs(nb::module_& m) {
    m.def("ordered_advance", &ordered::advance, "values"_a, "order"_a, "span"_a, "first"_a, "stop"_a);
    m.def("pairs_narrowest", &pairs::narrowest, "lower"_a, "upper"_a);
    m.def("pairs_exact", [](pairs::Window window, Values tails, double alpha, double doubt) {
        pairs::Candidates found(tails.size);
        const pairs::Pair pair = pairs::exact_pair(window, tails, alpha, doubt, found);
        return std::tuple(pair.lower, pair.upper, pair.doubtful);
    }, "window"_a, "tails"_a, "alpha"_a, "doubt"_a);
}

void bind_sampler(nb::module_& m) {
    m.def("sampler_start_counter", [](std::uint64_t seed, std::int64_t clock) {
        return to_array(std::vector{sampler::start_counter(seed, clock)});
    }, "seed"_a, "clock"_a);
    m.def("sampler_next_word", [](Counter counter) { return sampler::next_word(counter[0]); }, "counter"_a);
    m.def("sampler_uniform", [](Counter counter) { return sampler::uniform(counter[0]); }, "counter"_a);
    m.def("sampler_gamma", [](Counter counter, double shape) { return sampler::gamma(counter[0], shape); }, "counter"_a,
          "shape"_a);
    m.def("sampler_spacing_tails", [](Counter counter, Index count, Index low, Index high) {
        std::vector<double> from_below(low), from_above(high);
        sampler::spacing_tails(counter[0], count, from_below, from_above);
        return std::pair(to_array(std::move(from_below)), to_array(std::move(from_above)));
    }, "counter"_a, "count"_a, "low"_a, "high"_a);
    m.def("sampler_interpolated", &sampler::interpolated, "drawn"_a, "index"_a);
    m.def("sampler_pair", [](pairs::Window window, Values tails, double alpha, Counter counter, double doubt) {
        sampler::Scratch scratch(tails.size);
        const pairs::Pair pair = sampler::sampled_pair(window, tails, alpha, counter[0], doubt, scratch);
        return std::tuple(pair.lower, pair.upper, pair.doubtful);
    }, "window"_a, "tails"_a, "alpha"_a, "counter"_a, "doubt"_a);
}

}  // namespace

void bind_rescp(nb::module_& module) {
    nb::module_ m = module.def_submodule("rescp", "Reservoir conformal prediction.");
    bind_states(m);
    bind_weights(m);
    bind_pairs(m);
    bind_sampler(m);
    m.def("ends_answer", &answer<double>, "near"_a, "queries"_a, "values"_a, "rule"_a, "windows"_a, "ends"_a);
    m.def("ends_answer", &answer<float>, "near"_a, "queries"_a, "values"_a, "rule"_a, "windows"_a, "ends"_a);
}

}  // namespace ngrc
