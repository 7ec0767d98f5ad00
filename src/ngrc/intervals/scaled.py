"""Any method on residuals over their expected size: wide where errors are large, narrow where they are small."""

from collections import deque
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any, ClassVar

import numpy as np

from ngrc._kernels.local import (
    readout_fits,
    readout_fits_row,
    readout_learn,
    readout_look,
    readout_sizes,
)
from ngrc._types import FloatArray
from ngrc.archive import check_shape, check_that
from ngrc.intervals.adaptive import Adaptive
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.context import Context
from ngrc.intervals.local.readout import NO_QUANTILES, Readout, start_readout, width


@dataclass(frozen=True, slots=True)
class Scaled(IntervalMethod):
    """The offsets of another method for e / size, times the size.

    The size is exp of a ridge readout of log |e| on what is known at the origin: recent |e| at three memories, the
    forecast and its square, its distance from the last value, the last change, the clock, and |e| at this place on the
    clock. It is fitted to residuals out of sample alone and again as they grow by a quarter; its penalty is the one
    with the smallest errors so far, and the largest leaves a constant.

    Parameters
    ----------
    inner
        The method that sees e / size: `Split`, `Rolling`, `Weighted`, `Adaptive`, `ResCP` or another that sees
        residuals alone and does not read the fit's own scale.

    Examples
    --------
    >>> from ngrc.intervals import Stream
    >>> day = 1.0 + (np.arange(2400) % 24 >= 12)
    >>> residuals = day * np.random.default_rng(0).normal(size=2400)
    >>> stream = Stream(residuals, start=1200, context=Context(np.zeros(2400), (24.0,)))
    >>> width = Scaled().run(stream, 0.9).upper
    >>> bool(width[12:24].mean() > 1.5 * width[:12].mean())
    True
    """

    name: ClassVar[str] = "scaled"
    feedback: ClassVar[bool] = True
    sees: ClassVar[tuple[str, ...]] = ("residuals", "forecasts", "clock")
    guarantee: ClassVar[str] = (
        "That of the inner method for residuals over their size, which is a rule fixed before the outcome; where sizes "
        "are learned as residuals arrive the scores are not exactly exchangeable, so a finite-sample guarantee of the "
        "inner method becomes an approximate one, and feedback keeps what it steers."
    )

    inner: IntervalMethod = field(default_factory=Adaptive)

    def __post_init__(self) -> None:
        if not isinstance(self.inner, IntervalMethod):
            raise ValueError(f"inner must be an interval method such as Adaptive(), got {self.inner!r}")
        if self.inner.sees != ("residuals",) or self.inner.name in ("bayes", "scaled"):
            raise ValueError(
                f"inner must be a method that sees residuals alone, got {self.inner.name}; use Split(), Rolling(), "
                "Weighted(), Adaptive() or ResCP()"
            )

    @property
    def selected(self) -> dict[str, Any]:
        """The inner method and what was chosen for it."""
        return {"inner": self.inner.name, **self.inner.selected}

    @property
    def validates(self) -> bool:
        """As the inner method does."""
        return self.inner.validates

    def tuned(self, history: History, level: float) -> "Scaled":
        """The inner method tuned on the history's scores."""
        sizes = _sizes(history, history.residuals, history.context)
        return replace(self, inner=self.inner.tuned(_scores(history, sizes), level))

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block; the trace of the inner method, and the size."""
        sizes = _sizes(stream.history, stream.residuals, stream.context)
        offsets = self.inner.run(Stream(stream.residuals / sizes, stream.start, stream.horizon), level)
        wanted = sizes[stream.start :]
        return Offsets(offsets.lower * wanted, offsets.upper * wanted, {**offsets.trace, "size": wanted})

    def begin(self, history: History, level: float) -> Tracker:
        """The readout after the known history, sizes of the pending targets, and the inner method's state."""
        context, horizon = history.context, history.horizon
        known = history.residuals.size
        readout = start_readout(history.residuals, context, horizon, NO_QUANTILES)
        forecasts = np.zeros(known + horizon - 1) if context is None else context.forecasts
        phase = 0 if context is None else context.phase
        sizes, rows = np.empty(forecasts.size), np.empty((horizon, width(readout)))
        readout_sizes(readout, history.residuals, forecasts, phase, horizon, rows, sizes)
        last = (known - 1) % horizon
        readout_learn(
            readout,
            rows[last],
            sizes[known - 1],
            history.residuals[-1],
            forecasts[known - 1],
            phase + known - 1,
        )
        inner = self.inner.begin(_scores(history, sizes[:known]), level)
        waiting = deque(
            Waiting(rows[place % horizon].copy(), sizes[place], forecasts[place], phase + place, None)
            for place in range(known, forecasts.size)
        )
        return ScaledTracker(readout, inner, context is not None, phase + forecasts.size, waiting)


def _scores(history: History, sizes: FloatArray) -> History:
    """Residuals over their sizes, and nothing else."""
    return History(history.residuals / sizes, history.horizon)


def _sizes(history: History, residuals: FloatArray, context: Context | None) -> FloatArray:
    """Size of every residual as it was expected H steps before."""
    readout = start_readout(history.residuals, history.context, history.horizon, NO_QUANTILES)
    forecasts = np.zeros(residuals.size) if context is None else context.forecasts[: residuals.size]
    phase = 0 if context is None else context.phase
    sizes = np.empty(residuals.size)
    rows = np.empty((history.horizon, width(readout)))
    readout_sizes(readout, residuals, forecasts, phase, history.horizon, rows, sizes)
    return sizes


@dataclass(slots=True)
class Waiting:
    """A target whose residual is not known yet: its row, size and place, and the inner offsets issued for it."""

    row: FloatArray
    size: float
    forecast: float
    index: int
    offsets: tuple[float, float] | None


@dataclass(slots=True)
class ScaledTracker(Tracker):
    """The readout, the inner method's state, and the targets that wait."""

    readout: Readout
    inner: Tracker
    sighted: bool
    index: int
    waiting: deque[Waiting]

    def check_kept(self) -> None:
        """Refuse rows of another readout."""
        check_that(readout_fits(self.readout), "arrays are those that the kernels read in place")
        for target in self.waiting:
            check_shape(target.row, (width(self.readout),), "the row of a target that waits")
            check_that(readout_fits_row(target.row), "a row is one that the kernels read in place")

    def issue(self, leverage: float = 0.0, forecast: float = 0.0) -> tuple[float, float]:
        """The inner offsets times the size of the next target."""
        row = np.empty(width(self.readout))
        seen = float(forecast) if self.sighted else 0.0
        size = readout_look(self.readout, seen, self.index, row)
        lower, upper = self.inner.issue()
        self.waiting.append(Waiting(row, size, seen, self.index, (lower, upper)))
        self.index += 1
        return lower * size, upper * size

    def observe(self, residual: float, missed: bool | None) -> None:
        """The score goes to the inner method, the residual to the readout."""
        target = self.waiting[0]
        score = residual / target.size
        # Decided on scores, as the block does: the rounding of offset times size could turn a hit on the end.
        missed = None if target.offsets is None else not target.offsets[0] <= score <= target.offsets[1]
        if not isfinite(score):
            raise ValueError(
                f"a residual of {residual!r} over a size of {target.size!r} overflows; skip the target"
            )
        self.inner.observe(score, missed)
        self.waiting.popleft()
        readout_learn(self.readout, target.row, target.size, residual, target.forecast, target.index)

    def skip(self) -> None:
        """The oldest waiting target is forgotten."""
        self.inner.skip()
        self.waiting.popleft()
