// The module ngrc._kernels._extension: one submodule per group of kernels, bound in the file of that group.
#define NGRC_IMPORTS_NUMPY
#include "numpy.hpp"

#include "module.hpp"

NB_MODULE(_extension, module) {
    if (_import_array() < 0) throw nanobind::python_error();
    ngrc::bind_distributions(module);
    ngrc::bind_order(module);
    ngrc::bind_intervals(module);
    ngrc::bind_local(module);
    ngrc::bind_auto(module);
    ngrc::bind_rescp(module);
    ngrc::bind_models(module);
}
