// Bindings of the interval methods that read residuals alone.
#include "numpy.hpp"

#include "intervals/adaptive.hpp"
#include "intervals/dtaci.hpp"
#include "intervals/gaussian.hpp"
#include "intervals/nexcp.hpp"
#include "intervals/outcomes.hpp"
#include "intervals/pid.hpp"
#include "intervals/ring.hpp"
#include "intervals/saocp.hpp"
#include "intervals/unprojected.hpp"
#include "intervals/weighted.hpp"
#include "module.hpp"

namespace nanobind::detail {

// None, or whether the interval missed: whatever has a truth value, as NumPy's own booleans do.
template <>
struct type_caster<ngrc::outcomes::Outcome> {
    NB_TYPE_CASTER(ngrc::outcomes::Outcome, const_name("bool | None"))

    bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
        using ngrc::outcomes::Outcome;
        if (source.is_none()) {
            value = Outcome::unissued;
            return true;
        }
        const int truth = PyObject_IsTrue(source.ptr());
        if (truth < 0) PyErr_Clear();
        value = truth > 0 ? Outcome::missed : Outcome::covered;
        return truth >= 0;
    }
};

}  // namespace nanobind::detail

namespace ngrc {

using namespace nb::literals;

namespace {

using Scores = Vector<const double>;
using Positions = Vector<const std::int64_t>;

void bind_adaptive(nb::module_& m) {
    m.def("adaptive_bounds", &adaptive::bounds, "alpha"_a, "rate"_a);
    m.def("adaptive_moved", &adaptive::moved, "current"_a, "rate"_a, "alpha"_a, "missed"_a);
    m.def("adaptive_width", &adaptive::width, "table"_a, "current"_a);
    m.def("adaptive_observe", &adaptive::observe, "table"_a, "residual"_a, "missed"_a.none(), "current"_a, "rate"_a,
          "alpha"_a);
    m.def("adaptive_passes", [](Scores scores, Positions order, Index known, Index steps, Index horizon, double alpha,
                                Vector<const double> rates) {
        auto made = released(&adaptive::passes)(scores, order, known, steps, horizon, alpha, rates);
        return std::pair(to_array(std::move(made.widths), rates.size), to_array(std::move(made.levels), rates.size));
    }, "scores"_a, "order"_a, "known"_a, "steps"_a, "horizon"_a, "alpha"_a, "rates"_a);

    m.def("unprojected_width", &unprojected::width, "table"_a, "alpha"_a, "rate"_a, "resolved"_a, "misses"_a);
    m.def("unprojected_observe", &unprojected::observe, "table"_a, "residual"_a, "alpha"_a, "rate"_a, "resolved"_a,
          "misses"_a);
    m.def("unprojected_pass", [](Scores scores, Positions order, Index known, Index steps, Index horizon, double alpha,
                                 double rate) {
        auto [widths, levels] = released(&unprojected::pass)(scores, order, known, steps, horizon, alpha, rate);
        return std::pair(to_array(std::move(widths)), to_array(std::move(levels)));
    }, "scores"_a, "order"_a, "known"_a, "steps"_a, "horizon"_a, "alpha"_a, "rate"_a);
}

void bind_weighted(nb::module_& m) {
    m.def("weighted_find", &weighted::find, "table"_a, "share"_a, "decay"_a);
    m.def("weighted_observe", &weighted::observe, "table"_a, "residual"_a, "newest"_a, "decay"_a, "level"_a);

    m.def("nexcp_known_share", &nexcp::known_share, "count"_a, "decay"_a, "level"_a);
    m.def("nexcp_known_shares", [](Index first, Index last, double decay, double level) {
        return to_array(nexcp::known_shares(first, last, decay, level));
    }, "first"_a, "last"_a, "decay"_a, "level"_a);
    m.def("nexcp_find", &nexcp::find, "table"_a, "decay"_a, "level"_a);
    m.def("nexcp_observe", &nexcp::observe, "table"_a, "residual"_a, "newest"_a, "decay"_a, "level"_a);
}

void bind_experts(nb::module_& m) {
    m.attr("RING_HEAD") = ring::HEAD;
    m.attr("RING_LENGTH") = ring::LENGTH;
    m.attr("RING_NONE") = ring::NONE;
    m.def("ring_pop", &ring::pop, "ring"_a);

    m.attr("DTACI_HELD") = dtaci::HELD;
    m.def("dtaci_observe", &dtaci::observe, "table"_a, "experts"_a, "pending"_a, "residual"_a, "missed"_a.none(),
          "alpha"_a, "sharpness"_a, "mixing"_a);
    m.def("dtaci_issue", &dtaci::issue, "table"_a, "experts"_a, "pending"_a);
    m.def("dtaci_step", &dtaci::step, "table"_a, "experts"_a, "pending"_a, "residual"_a, "missed"_a.none(), "alpha"_a,
          "sharpness"_a, "mixing"_a);
    m.def("dtaci_pass", [](Scores scores, Positions order, Index known, Index steps, Index horizon, double alpha,
                           Vector<const double> rates, double sharpness, double mixing) {
        auto made = released(&dtaci::pass)(scores, order, known, steps, horizon, alpha, rates, sharpness, mixing);
        return std::tuple(to_array(std::move(made.widths)), to_array(std::move(made.levels)),
                          to_array(std::move(made.rates)));
    }, "scores"_a, "order"_a, "known"_a, "steps"_a, "horizon"_a, "alpha"_a, "rates"_a, "sharpness"_a, "mixing"_a);

    m.attr("SAOCP_QUANTITIES") = saocp::QUANTITIES;
    m.attr("SAOCP_CLASSES") = saocp::CLASSES;
    m.attr("SAOCP_PLACES") = saocp::PLACES;
    m.attr("SAOCP_HELD") = saocp::HELD;
    m.def("saocp_classes_at", &saocp::classes_at, "clock"_a);
    m.def("saocp_start", [](Scores scores, double alpha) {
        return Array<double, 3>{saocp::start(scores, alpha), {saocp::QUANTITIES, saocp::CLASSES, saocp::PLACES}};
    }, "scores"_a, "alpha"_a);
    m.def("saocp_observe", &saocp::observe, "experts"_a, "pending"_a, "residual"_a, "missed"_a.none(), "alpha"_a,
          "size"_a, "clock"_a);
    m.def("saocp_issue", &saocp::issue, "experts"_a, "pending"_a, "clock"_a);
    m.def("saocp_step", &saocp::step, "experts"_a, "pending"_a, "residual"_a, "missed"_a.none(), "alpha"_a, "size"_a,
          "clock"_a);
    m.def("saocp_pass", [](Scores scores, Index known, Index steps, Index horizon, double alpha) {
        return to_array(released(&saocp::pass)(scores, known, steps, horizon, alpha));
    }, "scores"_a, "known"_a, "steps"_a, "horizon"_a, "alpha"_a);
}

void bind_pid(nb::module_& m) {
    m.attr("PID_SIZE") = pid::SIZE;
    m.def("pid_start", [](Scores scores, double alpha) { return to_array(pid::start(scores, alpha)); }, "scores"_a,
          "alpha"_a);
    m.def("pid_half_width", &pid::half_width, "state"_a, "alpha"_a, "gain"_a, "saturation"_a);
    m.def("pid_observe", &pid::observe, "state"_a, "residual"_a, "missed"_a.none(), "alpha"_a, "rate"_a, "gain"_a,
          "saturation"_a);
    m.def("pid_pass", [](Scores scores, Vector<double> state, Index known, Index steps, Index horizon, double alpha,
                         double rate, double gain, double saturation) {
        return to_array(released(&pid::pass)(scores, state, known, steps, horizon, alpha, rate, gain, saturation));
    }, "scores"_a, "state"_a, "known"_a, "steps"_a, "horizon"_a, "alpha"_a, "rate"_a, "gain"_a, "saturation"_a);
}

}  // namespace

void bind_intervals(nb::module_& module) {
    nb::module_ m = module.def_submodule("intervals", "Adaptive, weighted and other online methods over residuals.");
    bind_adaptive(m);
    bind_weighted(m);
    bind_experts(m);
    bind_pid(m);

    m.attr("GAUSSIAN_LARGEST") = gaussian::LARGEST;
    m.def("gaussian_slide", &gaussian::slide, "state"_a, "residual"_a, "factor"_a);
}

}  // namespace ngrc
