// Bindings of the readout of the next error.
#include "local/casters.hpp"

#include "module.hpp"

namespace ngrc {

using namespace nb::literals;

namespace {

void bind_bins(nb::module_& m) {
    using namespace local;
    m.attr("BINS_OCTAVE") = bins::OCTAVE;
    m.attr("BINS_REACH") = bins::REACH;
    m.attr("BINS_CELLS") = bins::CELLS;
    m.attr("BINS_SPARE") = bins::SPARE;
    m.def("bins_cell", &bins::cell, "size"_a);
    m.def("bins_edge", &bins::edge, "place"_a);
    m.def("bins_add", &bins::add, "tree"_a, "score"_a, "decay"_a);
    m.def("bins_quantile", &bins::quantile, "tree"_a, "probability"_a, "decay"_a);
}

void bind_columns(nb::module_& m) {
    using namespace local;
    m.attr("COLUMNS_MEMORIES") = to_tuple(columns::MEMORIES);
    m.attr("COLUMNS_MEANS") = to_tuple(columns::MEANS);
    m.attr("COLUMNS_LAGS") = columns::LAGS;
    m.attr("COLUMNS_CROSSED") = columns::CROSSED;
    m.attr("COLUMNS_PLACES") = columns::PLACES;
    m.def("columns_learn", &columns::learn, "columns"_a, "residual"_a, "forecast"_a, "index"_a);
    m.def("columns_look", &columns::look, "columns"_a, "forecast"_a, "index"_a, "sizes"_a, "signs"_a);
    m.def("columns_table", released(&columns::table), "columns"_a, "residuals"_a, "forecasts"_a, "phase"_a,
          "horizon"_a, "table"_a, "signs"_a);
}

void bind_fits(nb::module_& m) {
    using namespace local;
    m.def("products_dot", &products::dot, "first"_a, "second"_a);
    m.def("products_of_rows", &products::of_rows, "rows"_a, "weights"_a, "products"_a);
    m.def("cholesky_solve", &cholesky::solve, "matrix"_a, "right"_a);
    // The total of the smoothed loss, its estimate and how far the two may be apart.
    m.def("smoothing_totals", [](Vector<const double> left, Vector<const double> slopes, double share,
                                 double probability, double width) {
        const smoothing::Loss loss{probability, 0.0, width};
        const smoothing::Estimate estimate = smoothing::estimate(left, slopes, share, loss);
        return std::tuple(smoothing::total(left, slopes, share, loss), estimate.value, estimate.error);
    }, "left"_a, "slopes"_a, "share"_a, "probability"_a, "width"_a);
    m.def("pinball_fit", released(&pinball::fit), "rows"_a, "scores"_a, "probability"_a, "penalty"_a, "smooth"_a,
          "weights"_a, "warm"_a);
    m.attr("SIZE_PENALTIES") = to_tuple(size::PENALTIES);
    m.attr("SIZE_FLOOR") = size::FLOOR;
    m.attr("SIZE_LARGEST") = size::LARGEST;
    m.def("size_of", &size::of, "size"_a, "row"_a);
    m.def("size_learn", &size::learn, "size"_a, "row"_a, "error"_a);
    m.def("size_refit", &size::refit, "size"_a);
}

void bind_readout(nb::module_& m) {
    using namespace local;
    m.attr("READOUT_ROWS") = readout::ROWS;
    m.attr("READOUT_PENALTIES") = to_tuple(readout::PENALTIES);
    m.def("readout_look", &readout::look, "readout"_a, "forecast"_a, "index"_a, "row"_a);
    m.def("readout_quantiles", &readout::quantiles, "readout"_a, "row"_a, "size"_a, "ends"_a);
    m.def("readout_learn", &readout::learn, "readout"_a, "row"_a, "size"_a, "residual"_a, "forecast"_a, "index"_a);
    m.def("readout_sizes", released(&readout::sizes), "readout"_a, "residuals"_a, "forecasts"_a, "phase"_a,
          "horizon"_a, "rows"_a, "expected"_a);
    m.def("readout_fits", &in_place<readout::Readout>, "readout"_a);
    m.def("readout_fits_row", &in_place<Vector<double>>, "row"_a);
}

}  // namespace

void bind_local(nb::module_& module) {
    nb::module_ m = module.def_submodule("local", "The size and the quantiles of the next error, learned online.");
    bind_bins(m);
    bind_columns(m);
    bind_fits(m);
    bind_readout(m);
}

}  // namespace ngrc
