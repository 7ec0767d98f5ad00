// Bindings.
#include "numpy.hpp"

#include "module.hpp"

namespace ngrc {

using namespace nb::literals;

void bind_auto(nb::module_& module) {
    [[maybe_unused]] nb::module_ m = module.def_submodule("auto", "Aggregation of interval methods.");
}

}  // namespace ngrc
