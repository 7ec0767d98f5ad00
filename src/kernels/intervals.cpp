// Bindings.
#include "numpy.hpp"

#include "module.hpp"

namespace ngrc {

using namespace nb::literals;

void bind_intervals(nb::module_& module) {
    [[maybe_unused]] nb::module_ m = module.def_submodule("intervals", "Adaptive, weighted and other online methods over residuals.");
}

}  // namespace ngrc
