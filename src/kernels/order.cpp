// Bindings of the order statistics.
#include "numpy.hpp"

#include "module.hpp"
#include "order/bits.hpp"
#include "order/blocks.hpp"
#include "order/exact.hpp"
#include "order/fenwick.hpp"
#include "order/multisets.hpp"
#include "order/quantiles.hpp"
#include "order/ranks.hpp"
#include "order/sums.hpp"
#include "order/window.hpp"

namespace ngrc {

using namespace nb::literals;

namespace {

using Words = Vector<bits::Word>;
using Counts = Vector<bits::Count>;
using Weights = Vector<double>;
using Positions = Vector<const std::int64_t>;

void bind_fenwick(nb::module_& m) {
    m.def("fenwick_tree_size", &fenwick::tree_size, "count"_a);
    m.def("fenwick_build", &fenwick::build<bits::Count>, "tree"_a);
    m.def("fenwick_build", &fenwick::build<double>, "tree"_a);
    m.def("fenwick_add", &fenwick::add<bits::Count>, "tree"_a, "position"_a, "amount"_a);
    m.def("fenwick_add", &fenwick::add<double>, "tree"_a, "position"_a, "amount"_a);
    m.def("fenwick_before", &fenwick::before<bits::Count>, "tree"_a, "position"_a);
    m.def("fenwick_before", &fenwick::before<double>, "tree"_a, "position"_a);
    m.def("fenwick_descend", &fenwick::descend<bits::Count, bits::Count>, "tree"_a, "target"_a);
    m.def("fenwick_descend", &fenwick::descend<double, double>, "tree"_a, "target"_a);
    m.def("fenwick_reach", &fenwick::reach, "tree"_a, "target"_a);
}

void bind_bits(nb::module_& m) {
    m.def("bits_popcount", &bits::popcount, "word"_a);
    m.def("bits_nth_bit", &bits::nth_bit, "word"_a, "rank"_a);
    m.def("bits_filled", [](Positions order, Index known) {
        bits::Set set = bits::filled(order, known);
        return std::pair(to_array(std::move(set.words)), to_array(std::move(set.tree)));
    }, "order"_a, "known"_a);
    m.def("bits_fill", &bits::fill, "words"_a, "tree"_a, "slot"_a);
    m.def("bits_clear", &bits::clear, "words"_a, "tree"_a, "slot"_a);
    m.def("bits_nth", &bits::nth, "words"_a, "tree"_a, "rank"_a);
    m.def("bits_below", &bits::below, "words"_a, "tree"_a, "slot"_a);
}

void bind_blocks(nb::module_& m) {
    m.attr("BLOCKS_COUNT") = blocks::COUNT;
    m.attr("BLOCKS_TOTAL") = blocks::TOTAL;
    m.attr("BLOCKS_USED") = blocks::USED;
    m.attr("BLOCKS_ORDER") = blocks::ORDER;
    m.attr("BLOCKS_SIZE") = blocks::SIZE;
    m.attr("BLOCKS_SUM") = blocks::SUM;
    m.attr("BLOCKS_TOP") = blocks::TOP;
    m.attr("BLOCKS_FIRST") = blocks::FIRST;
    m.def("blocks_insert", &blocks::insert, "table"_a, "value"_a, "weight"_a);
    m.def("blocks_nth", &blocks::nth, "table"_a, "rank"_a);
    m.def("blocks_reach", &blocks::reach, "table"_a, "target"_a);
    m.def("blocks_below", &blocks::below, "table"_a, "value"_a);
    m.def("blocks_scale", &blocks::scale, "table"_a, "factor"_a);
}

void bind_multisets(nb::module_& m) {
    m.attr("WEIGHT_CEILING") = multisets::WEIGHT_CEILING;
    m.attr("WEIGHT_FLOOR") = multisets::WEIGHT_FLOOR;
    m.attr("DOUBTFUL") = multisets::DOUBTFUL;
    m.def("sliding_select", [](Positions order, Index window, Index rank) {
        return to_array(released(&multisets::sliding_select)(order, window, rank));
    }, "order"_a, "window"_a, "rank"_a);
    m.def("decayed_start", [](Index count, double decay) {
        auto [weights, total] = multisets::decayed_start(count, decay);
        return std::pair(to_array(std::move(weights)), total);
    }, "count"_a, "decay"_a);
    m.def("decayed_pass", [](Positions order, Index known, double decay, Vector<const double> shares, double rounding) {
        return to_array(released(&multisets::decayed_pass)(order, known, decay, shares, rounding));
    }, "order"_a, "known"_a, "decay"_a, "shares"_a, "rounding"_a);
}

void bind_exact(nb::module_& m) {
    m.attr("EXACT_LIMB") = exact::LIMB;
    m.attr("EXACT_MASK") = exact::MASK;
    m.def("exact_rounding_share", &exact::rounding_share, "decay"_a, "count"_a, "terms"_a);
    m.def("exact_whole_weights", [](double decay, Index count) { return to_array(exact::whole_weights(decay, count)); },
          "decay"_a, "count"_a);
    m.def("exact_total", &exact::total, "weights"_a);
    m.def("exact_reach", released(&exact::reach), "order"_a, "weights"_a, "high"_a, "low"_a);
}

}  // namespace

void bind_order(nb::module_& module) {
    nb::module_ m = module.def_submodule("order", "Order statistics.");
    bind_fenwick(m);
    bind_bits(m);
    bind_blocks(m);
    bind_multisets(m);
    bind_exact(m);

    m.attr("LEVEL_SLACK") = quantiles::LEVEL_SLACK;
    m.attr("TIE_FACTOR") = quantiles::TIE_FACTOR;
    m.def("conformal_rank", &quantiles::conformal_rank, "count"_a, "level"_a);
    m.def("signed_ranks", &quantiles::signed_ranks, "count"_a, "level"_a);
    m.def("weight_target", &quantiles::weight_target, "level"_a, "total"_a);

    m.def("ranks_packed", [](Vector<const double> scores, std::int64_t mask) {
        return to_array(ranks::packed(scores, mask));
    }, "scores"_a, "mask"_a);
    m.def("ranks_unpacked", released(&ranks::unpacked), "keys"_a, "scores"_a, "mask"_a);

    m.attr("SUMS_HEAD") = sums::HEAD;
    m.attr("SUMS_FILLED") = sums::FILLED;
    m.attr("SUMS_FIRST") = sums::FIRST;
    m.def("sums_total", &sums::total, "state"_a);
    m.def("sums_push", &sums::push, "state"_a, "value"_a);

    m.attr("WINDOW_RANK") = window::RANK;
    m.attr("WINDOW_OLDEST") = window::OLDEST;
    m.attr("WINDOW_FIRST") = window::FIRST;
    m.def("window_slide", &window::slide, "state"_a, "residual"_a);
}

}  // namespace ngrc
