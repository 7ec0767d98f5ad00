// Bindings.
#include "numpy.hpp"

#include "module.hpp"

namespace ngrc {

using namespace nb::literals;

void bind_models(nb::module_& module) {
    [[maybe_unused]] nb::module_ m = module.def_submodule("models", "Readouts, features, simulated systems and forecasts in one call.");
}

}  // namespace ngrc
