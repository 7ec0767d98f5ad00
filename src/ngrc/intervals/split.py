"""Split conformal prediction: one corrected quantile of the absolute calibration residuals."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream
from ngrc.intervals.fixed import FixedTracker, repeated
from ngrc.order.quantiles import conformal_quantile


@dataclass(frozen=True, slots=True)
class Split(IntervalMethod):
    """Forecast plus and minus S_(k), k = ceil((m + 1) level), of the m scores |residual| known at the start.

    Infinite when k > m. The quantile stays fixed (paper, equation `split_interval`).

    Examples
    --------
    >>> stream = Stream(np.arange(1.0, 22.0), start=19)
    >>> Split().run(stream, 0.9).upper.tolist()
    [18.0, 18.0]
    """

    name: ClassVar[str] = "split"
    guarantee: ClassVar[str] = (
        "Finite-sample marginal coverage of at least the level when calibration and test residuals are "
        "exchangeable; none for general time series, and no adaptation to change."
    )

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block."""
        width = conformal_quantile(np.abs(stream.history.residuals), level)
        return repeated(stream, -width, width)

    def begin(self, history: History, level: float) -> FixedTracker:
        """The settled offsets as a tracker."""
        width = conformal_quantile(np.abs(history.residuals), level)
        return FixedTracker(-width, width)
