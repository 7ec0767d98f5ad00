// Bindings.
#include "numpy.hpp"

#include "module.hpp"

namespace ngrc {

using namespace nb::literals;

void bind_rescp(nb::module_& module) {
    [[maybe_unused]] nb::module_ m = module.def_submodule("rescp", "Reservoir conformal prediction.");
}

}  // namespace ngrc
