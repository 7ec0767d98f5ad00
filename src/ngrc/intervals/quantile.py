"""Ends by a quantile readout of what is known at the origin, conformalised online."""

from dataclasses import dataclass
from typing import ClassVar

from ngrc.intervals.auto.aggregate import Aggregate


@dataclass(frozen=True, slots=True)
class Quantile(Aggregate):
    """Lower and upper ends by pinball loss with a ridge on columns known at the origin, then held to their miss rates.

    Two readouts of e over its size, with a small and a large ridge, are fitted to the newest 8,000 rows as the rows
    grow by a quarter, and weighted by the pinball loss of their ends so far. Ends need not lie around the forecast: for
    skew, for tails that depend on the state, and for forecasts whose errors can be told from the last ones. Below 150
    residuals quantiles of e over its size stand in, below 30 per step ahead Student's interval.

    Examples
    --------
    >>> import numpy as np
    >>> from ngrc.intervals import Stream
    >>> stream = Stream(np.random.default_rng(0).exponential(size=1200), start=900)
    >>> offsets = Quantile().run(stream, 0.9)
    >>> bool(np.median(offsets.lower) > -0.1), bool(np.median(offsets.upper) > 2.0)
    (True, True)
    """

    name: ClassVar[str] = "quantile"
    families: ClassVar[tuple[str, ...]] = ("quantile",)
    guarantee: ClassVar[str] = (
        "Steers the misses on either side towards half of one minus the level by feedback; in the long run that holds "
        "as far as the ends that control asks for stay within their bounds. No finite-sample guarantee."
    )
