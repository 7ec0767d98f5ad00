// What each group binds, as a submodule of its name.
#pragma once

#include <nanobind/nanobind.h>

namespace ngrc {

void bind_distributions(nanobind::module_& module);
void bind_order(nanobind::module_& module);
void bind_intervals(nanobind::module_& module);
void bind_local(nanobind::module_& module);
void bind_auto(nanobind::module_& module);
void bind_rescp(nanobind::module_& module);
void bind_models(nanobind::module_& module);

}  // namespace ngrc
