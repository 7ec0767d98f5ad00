"""Fit, calibration and test blocks of target times, and the ends at which the model is fitted again.

A row belongs to the block in which its *target* lies. With horizon H the first H - 1 calibration targets are
guards (their forecasts were issued before the fit block closed) and the last H - 1 are pending when the first
test interval is issued.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from ngrc._types import FloatArray
from ngrc.intervals.base import Stream
from ngrc.intervals.context import Context
from ngrc.validation import check_count


@dataclass(frozen=True, slots=True)
class Blocks:
    """Fit, calibration and test blocks: consecutive slices of target times.

    Parameters
    ----------
    start
        First fit target.
    fit_rows, calibration_rows, test_rows
        Targets in each block.
    horizon
        Forecast horizon H.
    scale_end
        The series' mean and standard deviation are taken from its first `scale_end` observations; zero leaves
        the series in its own units.
    ends
        Numbers of observations at which the model is fitted again, after its first fit on those before `fit.stop`:
        rising, each above `fit.stop`. Target t is forecast by the model of the last end e with e <= t - H + 1, the last
        that had been fitted when the forecast was made.
    window
        How many observations before its end a model is fitted to; None: all since `start`. Columns may read older ones.

    Examples
    --------
    >>> blocks = Blocks(start=5, fit_rows=20, calibration_rows=10, test_rows=4, horizon=3, scale_end=0)
    >>> blocks.test, blocks.history, blocks.pending
    (slice(35, 39, None), slice(27, 33, None), slice(33, 35, None))
    >>> walked = Blocks(5, 20, 10, 4, 3, 0, ends=(30, 36))
    >>> list(walked.stretches()), walked.fitted
    ([(25, slice(0, 32, None)), (30, slice(32, 38, None)), (36, slice(38, 39, None))], slice(5, 30, None))
    """

    start: int
    fit_rows: int
    calibration_rows: int
    test_rows: int
    horizon: int
    scale_end: int
    ends: tuple[int, ...] = ()
    window: int | None = None

    def __post_init__(self) -> None:
        every = (self.fit.stop, *self.ends)
        if any(later <= earlier for earlier, later in pairwise(every)):
            raise ValueError(
                f"ends must rise, the first above the fit block's {self.fit.stop}, got {self.ends}; sort them and drop "
                "doubles"
            )
        if self.window is not None:
            check_count(self.window, "window")

    @property
    def fit(self) -> slice:
        """Targets that the model is first fitted to, older ones than its window included."""
        return slice(self.start, self.start + self.fit_rows)

    @property
    def calibration(self) -> slice:
        """Targets between the fit and the test block, guards and pending ones included."""
        return slice(self.fit.stop, self.fit.stop + self.calibration_rows)

    @property
    def test(self) -> slice:
        """Targets that intervals are issued for."""
        return slice(self.calibration.stop, self.calibration.stop + self.test_rows)

    @property
    def history(self) -> slice:
        """Calibration targets whose residuals are usable when the first test interval is issued."""
        guard = self.horizon - 1
        return slice(self.calibration.start + guard, self.calibration.stop - guard)

    @property
    def history_rows(self) -> int:
        """How many residuals are usable when the first test interval is issued."""
        return self.calibration_rows - 2 * (self.horizon - 1)

    @property
    def pending(self) -> slice:
        """Calibration targets that are not observed yet when the first test interval is issued."""
        return slice(self.calibration.stop - (self.horizon - 1), self.calibration.stop)

    @property
    def fitted(self) -> slice:
        """Targets of the last fit that was made when the first test interval is issued."""
        issued = self.test.start - self.horizon + 1
        end = max(end for end in (self.fit.stop, *self.ends) if end <= max(issued, self.fit.stop))
        return slice(self.first_row(end), end)

    def first_row(self, end: int) -> int:
        """First target that the model of an end is fitted to."""
        return self.start if self.window is None else max(self.start, end - self.window)

    def stretches(self) -> Iterator[tuple[int, slice]]:
        """Every end, the first fit's included, with the targets that its model forecasts; none without a target.

        The first model also says what it would have forecast before its own end, in sample.
        """
        every, last = (self.fit.stop, *self.ends), self.test.stop
        firsts = [0, *(end + self.horizon - 1 for end in self.ends), last]
        for end, first, stop in zip(every, firsts, firsts[1:], strict=False):
            if first < last:
                yield end, slice(first, min(stop, last))

    def stream(
        self,
        residuals: FloatArray,
        leverage: FloatArray | None = None,
        fit_scale: float | None = None,
        noise_scales: Mapping[str, float] | None = None,
        context: Context | None = None,
    ) -> Stream:
        """What an interval method may see, from residuals and leverage indexed by target time.

        The context is that of the stream's own positions, from `history.start` to the end of the test block.
        """
        # From the first residual after the guards on: a guard's forecast was made before the fit block closed, so that
        # the fit has seen outcomes which that forecast could not have been judged by.
        begin = self.history.start
        window = slice(begin, self.test.stop)
        return Stream(
            residuals[window],
            self.test.start - begin,
            self.horizon,
            None if leverage is None else leverage[window],
            fit_scale,
            noise_scales or {},
            context,
        )
