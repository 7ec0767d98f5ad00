// Bindings of probability distributions.
#include "numpy.hpp"

#include "distributions/normal.hpp"
#include "distributions/student.hpp"
#include "module.hpp"

namespace ngrc {

using namespace nb::literals;

void bind_distributions(nb::module_& module) {
    nb::module_ m = module.def_submodule("distributions", "Quantiles and tails of probability distributions.");
    m.def("normal_quantiles", [](Vector<const double> probabilities) {
        return to_array(released(&normal::quantiles)(probabilities));
    }, "probabilities"_a);
    m.def("student_quantiles", [](Vector<const double> freedoms, double probability) {
        return to_array(released(&student::quantiles)(freedoms, probability));
    }, "freedoms"_a, "probability"_a);
    m.def("student_upper_tail", &student::upper_tail, "freedom"_a, "t"_a);
}

}  // namespace ngrc
