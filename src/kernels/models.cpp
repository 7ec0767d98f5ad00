// Bindings of readouts, features, simulated systems, and forecasts in one call.
#include "numpy.hpp"

#include "models/banded.hpp"
#include "models/candidates.hpp"
#include "models/cholesky.hpp"
#include "models/flows.hpp"
#include "models/free_run.hpp"
#include "models/mackey_glass.hpp"
#include "models/moments.hpp"
#include "models/packed.hpp"
#include "models/recursions.hpp"
#include "models/ridge.hpp"
#include "models/scaling.hpp"
#include "models/smoothings.hpp"
#include "models/volterra.hpp"
#include "models/whitening.hpp"
#include "module.hpp"

namespace nanobind::detail {

template <>
struct type_caster<ngrc::free_run::Products> {
    NB_TYPE_CASTER(ngrc::free_run::Products, const_name("tuple"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        return ngrc::unpack(source, flags, cleanup, value.slots, value.factors, value.multipliers, value.drives,
                            value.weights);
    }
};

template <>
struct type_caster<ngrc::free_run::Memories> {
    NB_TYPE_CASTER(ngrc::free_run::Memories, const_name("tuple"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        return ngrc::unpack(source, flags, cleanup, value.gains, value.channels, value.values, value.weights);
    }
};

}  // namespace nanobind::detail

namespace ngrc {

using namespace nb::literals;

namespace {

using Numbers = Vector<const double>;
using Table = Matrix<const double>;

void bind_readouts(nb::module_& m) {
    m.def("moments_standardised", released(&moments::standardised), "means"_a, "covariance"_a, "scales"_a, "matrix"_a);
    m.def("moments_merged", released(&moments::merged), "left"_a, "right"_a, "first"_a, "one"_a, "second"_a, "other"_a,
          "total"_a);
    m.def("ridge_weights", [](Cube<const double> matrices, Vector<const std::int64_t> sizes, Cube<const double> cross,
                              Numbers penalties) {
        const Index folds = matrices.depth, regressions = sizes.size, size = matrices.rows;
        const Index numbers = regressions * size * penalties.size;
        std::vector<double> found(folds * numbers);
        {
            nb::gil_scoped_release unlocked;
            for (Index fold = 0; fold < folds; ++fold) {
                const Cube<double> own(found.data() + fold * numbers, regressions, size, penalties.size);
                ridge::weights(matrices[fold], sizes, cross[fold], penalties, own);
            }
        }
        return Array<double, 4>{std::move(found), {folds, regressions, size, penalties.size}};
    }, "matrices"_a, "sizes"_a, "cross"_a, "penalties"_a);
    m.def("candidate_moments", [](Numbers counts, Table sums, Cube<const double> products,
                                  Vector<const std::int64_t> places, Numbers weights) {
        const Index folds = counts.size, size = places.size;
        std::vector<double> means(folds * size), scales(folds * size), matrices(folds * size * size);
        {
            nb::gil_scoped_release unlocked;
            for (Index fold = 0; fold < folds; ++fold) {
                candidates::standardise({counts[fold], sums[fold], products[fold]}, places, weights,
                                        {means.data() + fold * size, size}, {scales.data() + fold * size, size},
                                        {matrices.data() + fold * size * size, size, size});
            }
        }
        return std::tuple(Array<double, 2>{std::move(means), {folds, size}},
                              Array<double, 2>{std::move(scales), {folds, size}},
                              Array<double, 3>{std::move(matrices), {folds, size, size}});
    }, "counts"_a, "sums"_a, "products"_a, "places"_a, "weights"_a);
    m.attr("CANDIDATE_ROWS") = candidates::ROWS;
    m.def("candidate_forecasts", released(&candidates::forecast), "tiles"_a, "places"_a, "weights"_a, "constants"_a,
          "begin"_a, "end"_a, "forecasts"_a);
    m.def("banded_reduce", [](Table matrix) {
        const Index size = matrix.rows, rows = banded::reflected_rows(size), blocks = banded::panels(size) * banded::BAND;
        std::vector<double> band(size * (banded::BAND + 1)), reflections(rows * banded::BAND), factors(blocks * banded::BAND);
        {
            nb::gil_scoped_release unlocked;
            banded::reduce(matrix, {band.data(), size, banded::BAND + 1}, {reflections.data(), rows, banded::BAND},
                           {factors.data(), blocks, banded::BAND});
        }
        return std::tuple(Array<double, 2>{std::move(band), {size, banded::BAND + 1}},
                          Array<double, 2>{std::move(reflections), {rows, banded::BAND}},
                          Array<double, 2>{std::move(factors), {blocks, banded::BAND}});
    }, "matrix"_a);
    m.def("banded_solutions", [](Table band, Table reflections, Table factors, Table rights, Numbers penalties) {
        std::vector<double> found = released(&banded::solutions)(band, reflections, factors, rights, penalties);
        return Array<double, 2>{std::move(found), {band.rows, penalties.size}};
    }, "band"_a, "reflections"_a, "factors"_a, "rights"_a, "penalties"_a);
    m.def("cholesky_factor", released(&cholesky::factor), "matrix"_a, "penalty"_a, "factor"_a);
    m.def("cholesky_inverse", [](Table lower) {
        return to_array(released(&cholesky::inverse)(lower), lower.rows);
    }, "lower"_a);
    m.def("cholesky_solutions", [](Table lower, Table rights) {
        std::vector<double> found = released(&cholesky::solutions)(lower, rights);
        return Array<double, 2>{std::move(found), {lower.rows, rights.columns}};
    }, "lower"_a, "rights"_a);
    m.def("whitening_squares", [](Table lower, Table design, Numbers means) {
        return to_array(released(&whitening::squares)(lower, design, means));
    }, "lower"_a, "design"_a, "means"_a);
    m.def("free_run_iterate", released(&free_run::iterate), "read"_a, "level"_a, "drive"_a, "products"_a, "memories"_a,
          "base"_a, "limits"_a, "bounds"_a);
    m.def("packed_forecast", &packed::forecast, "values"_a, "size"_a, "numbers"_a, "forecasts"_a);
}

void bind_features(nb::module_& m) {
    m.def("column_scales", [](Numbers means, Numbers variances) {
        return to_array(scaling::column_scales(means, variances));
    }, "means"_a, "variances"_a);
    m.def("recursions_first_order", [](Numbers x, Numbers kept, Numbers gains, Numbers starts) {
        std::vector<double> found = released(&recursions::first_order)(x, kept, gains, starts);
        return Array<double, 2>{std::move(found), {x.size, kept.size}};
    }, "x"_a, "kept"_a, "gains"_a, "starts"_a);
    m.def("smoothings_run", released(&smoothings::run), "x"_a, "begin"_a, "rules"_a, "phases"_a, "levels"_a,
          "slopes"_a, "seasons"_a, "offsets"_a);
}

void bind_systems(nb::module_& m) {
    m.def("flows_lorenz", [](double sigma, double rho, double beta, Numbers start, Index count, Index substeps,
                             double step) {
        return to_array(released(&flows::lorenz)(sigma, rho, beta, start, count, substeps, step), count);
    }, "sigma"_a, "rho"_a, "beta"_a, "start"_a, "count"_a, "substeps"_a, "step"_a);
    m.def("flows_double_scroll", [](Numbers start, Index count, Index substeps, double step) {
        return to_array(released(&flows::double_scroll)(start, count, substeps, step), count);
    }, "start"_a, "count"_a, "substeps"_a, "step"_a);
    m.attr("VOLTERRA_DECAY") = volterra::DECAY;
    m.attr("VOLTERRA_FREQUENCY") = volterra::FREQUENCY;
    m.def("volterra_euler", [](Index states, double step, Index every) {
        return to_array(released(&volterra::euler)(states, step, every));
    }, "states"_a, "step"_a, "every"_a);
    m.def("mackey_glass_path", [](Index count, Index lag, double step, double initial, double gain, double loss,
                                  double power) {
        return to_array(released(&mackey_glass::path)(count, lag, step, initial, {gain, loss, power}));
    }, "count"_a, "lag"_a, "step"_a, "initial"_a, "gain"_a, "loss"_a, "power"_a);
}

}  // namespace

void bind_models(nb::module_& module) {
    nb::module_ m = module.def_submodule("models", "Readouts, features, simulated systems and forecasts in one call.");
    bind_readouts(m);
    bind_features(m);
    bind_systems(m);
}

}  // namespace ngrc
