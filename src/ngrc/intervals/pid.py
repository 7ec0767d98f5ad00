"""Conformal PID control: the half-width itself is steered, by tracking and by the sum of all errors."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ngrc._kernels.intervals import PID_SIZE, pid_half_width, pid_observe, pid_pass, pid_start
from ngrc._types import FloatArray
from ngrc.archive import check_floats
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.symmetric import SymmetricTracker
from ngrc.intervals.tuning import HISTORY_SHARE, select
from ngrc.validation import check_grid, check_level, check_positive


@dataclass(frozen=True, slots=True)
class PID(IntervalMethod):
    """Forecast plus and minus a half-width that grows with every miss and shrinks with every hit.

    Proportional: a tracked quantile, moved by eta scale (err - alpha), where the scale is the trailing mean |residual|.
    Integral: gain scale tan(x log(n + 1) / (n C)) of the sum x of all n errors less alpha, infinite where x is too
    large. Derivative: none; the paper's scorecaster is a forecast of the scores, which `scaled` does better with what
    is known at the origin. One error of a million usual ones widens intervals until the trailing mean has forgotten it,
    some thousands of steps. Source: Angelopoulos, Candes and Tibshirani (2023), arXiv:2307.16895.

    Parameters
    ----------
    rate
        eta, in units of the scale; None chooses it from `rates`, which suits a history that goes on as it was.
    rates
        Candidates, tried in this order on the last 40 % of the known history.
    gain, saturation
        K_I, in units of the scale, and C of the integral part.

    Examples
    --------
    >>> stream = Stream(np.array([1.0, 1.0, 1.0, 1.0, 3.0, 1.0, 1.0]), start=4)
    >>> PID(rate=0.5).run(stream, 0.8).upper.round(3).tolist()
    [1.0, 2.435, 1.887]
    """

    name: ClassVar[str] = "pid"
    feedback: ClassVar[bool] = True
    guarantee: ClassVar[str] = (
        "On any sequence the misses of T intervals exceed alpha T by no more than (pi / 2) C T / log(T + 1) + H, since "
        "the integral part then answers with an infinite interval, and fall short by no more unless outcomes equal "
        "their forecasts exactly; that share fades only as 1 / log T, while in practice tracking holds coverage far "
        "closer."
    )

    # A miss then widens a 90 % interval of normal errors by a twenty-third. That costs 1 % in Winkler score where
    # nothing changes, and brings coverage back in about a hundred steps where the scale trebles; a rate tuned on a calm
    # history would be too slow for that.
    rate: float | None = 0.1
    rates: tuple[float, ...] = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
    # At n = 1000 and 90 %, a share of misses that is a point too large widens a normal interval by as much as it lacks.
    gain: float = 1.0
    saturation: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "rates", check_grid(self.rates, "rates"))
        for name in ("gain", "saturation") if self.rate is None else ("gain", "saturation", "rate"):
            check_positive(getattr(self, name), name)

    @property
    def selected(self) -> dict[str, float]:
        """The rate, once it is fixed or chosen."""
        return {} if self.rate is None else {"rate": self.rate}

    def tuned(self, history: History, level: float) -> "PID":
        """The rate with the smallest Winkler score on the last 40 % of the history."""
        if self.rate is not None:
            return self
        candidates = [replace(self, rate=rate) for rate in self.rates]
        return select(candidates, history, HISTORY_SHARE, check_level(level), run_together)

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block."""
        level = check_level(level)
        return run_together([self.tuned(stream.history, level)], stream, level)[0]

    def begin(self, history: History, level: float) -> Tracker:
        """The state after the known history."""
        level = check_level(level)
        tuned = self.tuned(history, level)
        assert tuned.rate is not None
        state = pid_start(np.abs(history.residuals), 1.0 - level)
        return PIDTracker(state, 1.0 - level, float(tuned.rate), float(self.gain), float(self.saturation))


@dataclass
class PIDTracker(SymmetricTracker):
    """The five numbers of the state, the nominal miscoverage and the parameters."""

    state: FloatArray
    alpha: float
    rate: float
    gain: float
    saturation: float

    def __post_init__(self) -> None:
        self.check_kept()
        self.width = pid_half_width(self.state, self.alpha, self.gain, self.saturation)

    def check_kept(self) -> None:
        """Refuse another number of numbers."""
        check_floats(self.state, (PID_SIZE,), "state")

    def observe(self, residual: float, missed: bool | None) -> None:
        """The scale takes in the score; a coverage error moves both parts."""
        self.width = pid_observe(
            self.state,
            residual,
            missed,
            self.alpha,
            self.rate,
            self.gain,
            self.saturation,
        )


def run_together(candidates: Sequence[PID], stream: Stream, level: float) -> list[Offsets]:
    """Offsets of several candidates from one start."""
    scores, alpha = np.abs(stream.visible), 1.0 - level
    state = pid_start(scores[: stream.known], alpha)
    results = []
    for one in candidates:
        assert one.rate is not None
        parameters = (alpha, float(one.rate), float(one.gain), float(one.saturation))
        width = pid_pass(scores, state.copy(), stream.known, stream.steps, stream.horizon, *parameters)
        results.append(Offsets(-width, width))
    return results
