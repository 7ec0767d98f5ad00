"""Order statistics: the one corrected quantile, and multisets that answer it in logarithmic time."""

from ngrc.order.quantiles import (
    conformal_quantile,
    conformal_rank,
    signed_quantiles,
    signed_ranks,
)
from ngrc.order.sorted_blocks import SortedBlocks
from ngrc.order.sums import MovingSum, moving_sums

__all__ = [
    "MovingSum",
    "SortedBlocks",
    "conformal_quantile",
    "conformal_rank",
    "moving_sums",
    "signed_quantiles",
    "signed_ranks",
]
