// Bindings of the aggregate of interval methods.
#include "local/casters.hpp"

#include "auto/walk.hpp"
#include "module.hpp"

namespace nanobind::detail {

template <>
struct type_caster<ngrc::aggregate::members::Members> {
    NB_TYPE_CASTER(ngrc::aggregate::members::Members, const_name("Members"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        return ngrc::unpack(source, flags, cleanup, value.readout, value.plain, value.absolute, value.scores);
    }
};

template <>
struct type_caster<ngrc::aggregate::weights::Weights> {
    NB_TYPE_CASTER(ngrc::aggregate::weights::Weights, const_name("Weights"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        return ngrc::unpack(source, flags, cleanup, value.regrets, value.squares, value.weights, value.active);
    }
};

template <>
struct type_caster<ngrc::aggregate::walk::State> {
    NB_TYPE_CASTER(ngrc::aggregate::walk::State, const_name("State"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        return ngrc::unpack(source, flags, cleanup, value.members, value.weights, value.offsets, value.limits,
                            value.alphas, value.probabilities, value.factors, value.counters);
    }
};

template <>
struct type_caster<ngrc::aggregate::walk::Slots> {
    NB_TYPE_CASTER(ngrc::aggregate::walk::Slots, const_name("Slots"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        return ngrc::unpack(source, flags, cleanup, value.rows, value.sizes, value.members, value.mixtures, value.ends,
                            value.forecasts, value.indices);
    }
};

}  // namespace nanobind::detail

namespace ngrc {

using namespace nb::literals;

namespace {

void bind_control(nb::module_& m) {
    using namespace aggregate;
    m.def("control_apply", &control::apply, "offsets"_a, "alphas"_a, "mixture"_a, "ends"_a);
    m.def("control_learn", &control::learn, "offsets"_a, "alphas"_a, "ends"_a, "residual"_a, "pace"_a);
}

void bind_limits(nb::module_& m) {
    using namespace aggregate;
    m.attr("LIMITS_LOWEST") = limits::LOWEST;
    m.attr("LIMITS_HIGHEST") = limits::HIGHEST;
    m.attr("LIMITS_FLOOR") = limits::FLOOR;
    m.attr("LIMITS_CEILING") = limits::CEILING;
    m.attr("LIMITS_SLACK") = limits::SLACK;
    m.attr("LIMITS_HARD_FLOOR") = limits::HARD_FLOOR;
    m.attr("LIMITS_HARD_CEILING") = limits::HARD_CEILING;
    m.def("limits_learn", &limits::learn, "limits"_a, "outcome"_a);
    m.def("limits_cut", &limits::cut, "members"_a, "largest"_a, "plain"_a);
    m.def("limits_nearby", &limits::nearby, "limits"_a, "forecast"_a, "radii"_a, "mixture"_a);
    m.def("limits_within", &limits::within, "limits"_a, "forecast"_a, "ends"_a);
}

void bind_members(nb::module_& m) {
    using namespace aggregate;
    m.attr("MEMBERS_PLAIN") = to_tuple(members::PLAIN);
    m.attr("MEMBERS_SCALED") = to_tuple(members::SCALED);
    m.attr("MEMBERS_SCALED_FROM") = members::SCALED_FROM;
    m.attr("MEMBERS_QUANTILE_FROM") = members::QUANTILE_FROM;
    m.attr("MEMBERS_COUNT") = members::COUNT;
    m.def("members_look", &members::look, "members"_a, "row"_a, "size"_a, "alphas"_a, "ends"_a);
    m.def("members_learn", &members::learn, "members"_a, "size"_a, "residual"_a);
    m.def("members_families", &members::families, "weights"_a, "shares"_a);
    m.def("weights_mix", &weights::mix, "weights"_a, "members"_a, "mixture"_a);
    m.def("weights_learn", &weights::learn, "weights"_a, "members"_a, "mixture"_a, "probabilities"_a, "residual"_a,
          "unit"_a);
}

void bind_walk(nb::module_& m) {
    using namespace aggregate;
    m.attr("WALK_KNOWN") = walk::KNOWN;
    m.attr("WALK_COUNTERS") = walk::COUNTERS;
    // Returns the ends of the first level, the only one where targets come one at a time.
    m.def("walk_look", [](const walk::State& state, const walk::Slots& slots, Index slot, double forecast,
                          std::int64_t index) {
        walk::look(state, slots, slot, forecast, index);
        const Vector<double> ends = slots.ends[slot];
        return std::pair(ends[0], ends[state.alphas.size]);
    }, "state"_a, "slots"_a, "slot"_a, "forecast"_a, "index"_a);
    m.def("walk_learn", &walk::learn, "state"_a, "slots"_a, "slot"_a, "residual"_a);
    m.def("walk_block", released(&walk::block), "state"_a, "slots"_a, "residuals"_a, "forecasts"_a, "phase"_a,
          "horizon"_a, "start"_a, "ends"_a, "shares"_a);
    m.def("walk_fits", [](nb::handle state, nb::handle slots) {
        return in_place<walk::State>(state) && in_place<walk::Slots>(slots);
    }, "state"_a, "slots"_a);
}

}  // namespace

void bind_auto(nb::module_& module) {
    nb::module_ m = module.def_submodule("auto", "Aggregation of interval methods.");
    bind_control(m);
    bind_limits(m);
    bind_members(m);
    bind_walk(m);
}

}  // namespace ngrc
