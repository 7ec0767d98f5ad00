// Bindings.
#include "numpy.hpp"

#include "module.hpp"

namespace ngrc {

using namespace nb::literals;

void bind_local(nb::module_& module) {
    [[maybe_unused]] nb::module_ m = module.def_submodule("local", "The size and the quantiles of the next error, learned online.");
}

}  // namespace ngrc
