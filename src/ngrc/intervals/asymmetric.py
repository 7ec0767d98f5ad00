"""Asymmetric split conformal prediction: two corrected quantiles of the signed calibration residuals."""

from dataclasses import dataclass
from typing import ClassVar

from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream
from ngrc.intervals.fixed import FixedTracker, repeated
from ngrc.order.quantiles import signed_quantiles


@dataclass(frozen=True, slots=True)
class Asymmetric(IntervalMethod):
    """Forecast plus e_(floor((m + 1) alpha / 2)) and e_(ceil((m + 1)(1 - alpha / 2))) of m signed residuals.

    An end whose rank falls outside 1..m is infinite. Source: paper, appendix "Uncertainty-Quantification
    Implementation".

    Examples
    --------
    >>> import numpy as np
    >>> stream = Stream(np.arange(1.0, 41.0), start=39)
    >>> offsets = Asymmetric().run(stream, 0.9)
    >>> offsets.lower.tolist(), offsets.upper.tolist()
    ([2.0], [38.0])
    """

    name: ClassVar[str] = "asymmetric"
    guarantee: ClassVar[str] = (
        "Finite-sample marginal coverage of at least the level, with at most half the miscoverage in each "
        "tail, when residuals are exchangeable; none for general time series, and no adaptation to change."
    )

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block."""
        return repeated(stream, *signed_quantiles(stream.history.residuals, level))

    def begin(self, history: History, level: float) -> FixedTracker:
        """The settled offsets as a tracker."""
        return FixedTracker(*signed_quantiles(history.residuals, level))
