"""Reservoir conformal prediction: quantiles of residuals that arose in states like the present one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from ngrc._types import FloatArray
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.rescp.block import block_ends, states_made
from ngrc.intervals.rescp.ends import Ends, Rule, lower_tails
from ngrc.intervals.rescp.pace import ASKED, PIECE, Rate, Work, announce, measured
from ngrc.intervals.rescp.reservoir import Recurrence, Reservoir, check_reservoir, draw_reservoir
from ngrc.intervals.rescp.states import origin_units
from ngrc.intervals.rescp.tracker import start_tracker
from ngrc.intervals.rescp.tuning import (
    Window,
    admitted,
    best_candidate,
    checked_window,
    require_filled,
    validation_stream,
    window_size,
)
from ngrc.intervals.rescp.units import units_of
from ngrc.order.deviation import deviation
from ngrc.validation import check_count, check_grid, check_level, check_positive

Sampler: TypeAlias = Literal["exact", "stochastic"]


@dataclass(frozen=True, slots=True)
class ResCP(IntervalMethod):
    """The narrowest [Q(beta), Q(1 - alpha + beta)] of known signed residuals, weighted by likeness of state.

    A reservoir reads the residuals, standardised by the mean and deviation of the known history. Residual j is
    paired with the state at its forecast's origin; its weight is exp(cos(h_t, h_j) / T) times its place in the
    window, 0 for the oldest to n - 1 for the newest. Source: Neglia et al., ICLR 2026, as their code does it.

    Parameters
    ----------
    temperature
        T above zero; None chooses it from `temperatures`.
    temperatures
        Candidates.
    window
        How many of the newest known residuals are weighted: a number, "all", or "fifo" for as many as are known
        when the first interval is issued (the shift-aware version); None chooses from `windows`.
    windows
        Candidates. A number larger than the history at the start of tuning is left out.
    sampler
        "exact" takes quantiles of the weighted residuals; "stochastic" those of as many residuals as the window
        holds, drawn by weight with replacement, as the authors do.
    recurrence
        "code": h <- (1 - leak) h + tanh(...), "paper": h <- (1 - leak) h + leak tanh(...).
    size, spectral_radius, leak, input_scaling, connectivity
        The reservoir.
    pairs
        How many values of beta are tried.
    seed
        Of the reservoir and of the draws.

    Notes
    -----
    Open parameters are chosen on the last 10 % of the known history: smallest Winkler score, then smallest
    coverage error, then the order of the grid, temperatures first. A block keeps 8 `size` bytes per residual up to
    200 MB, and makes states again beyond: with 160 MB of similarities it stays below 500 MB on a million residuals. The
    time grows with their square, and what would take minutes is announced in the log "ngrc".

    Examples
    --------
    >>> noise = np.random.default_rng(0).normal(size=320)
    >>> stream = Stream(noise * (1 + (np.arange(320) // 40) % 2), start=300)
    >>> offsets = ResCP(temperature=0.1, window="all", size=64).run(stream, 0.9)
    >>> bool(np.all(offsets.lower < offsets.upper)), sorted(offsets.trace)
    (True, ['effective_size'])
    """

    name: ClassVar[str] = "rescp"
    guarantee: ClassVar[str] = (
        "None in finite samples; weights that favour few alike and recent residuals make it undercover when those "
        "are few or the process has changed."
    )

    # Grids and reservoir of the paper's appendix "Reservoir Conformal Prediction".
    temperature: float | None = None
    temperatures: tuple[float, ...] = (0.05, 0.10, 0.15, 0.25)
    window: Window | None = None
    windows: tuple[Window, ...] = (100, 250, 500, 1000, 1500, 3200, 3800, 7600, "all")
    sampler: Sampler = "exact"
    recurrence: Recurrence = "code"
    size: int = 512
    spectral_radius: float = 1.2
    leak: float = 0.9
    input_scaling: float = 0.25
    connectivity: float = 0.2
    pairs: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "temperatures", check_grid(self.temperatures, "temperatures"))
        object.__setattr__(self, "windows", tuple(checked_window(window) for window in self.windows))
        if not self.windows:
            raise ValueError("windows must hold at least one candidate, got none")
        if self.temperature is not None:
            check_positive(self.temperature, "temperature")
        if self.window is not None:
            checked_window(self.window)
        if self.sampler not in ("exact", "stochastic"):
            raise ValueError(f"sampler must be 'exact' or 'stochastic', got {self.sampler!r}")
        check_count(self.pairs, "pairs")
        check_reservoir(**self._reservoir_settings)

    @property
    def _reservoir_settings(self) -> dict[str, Any]:
        names = ("size", "spectral_radius", "leak", "input_scaling", "connectivity", "recurrence", "seed")
        return {name: getattr(self, name) for name in names}

    @property
    def reservoir(self) -> Reservoir:
        """The reservoir of this seed."""
        return draw_reservoir(**self._reservoir_settings)

    @property
    def selected(self) -> dict[str, Any]:
        """Temperature and window, once they are fixed or chosen."""
        parameters = {"temperature": self.temperature, "window": self.window}
        return {name: value for name, value in parameters.items() if value is not None}

    def tuned(self, history: History, level: float) -> "ResCP":
        """Temperature and window of the best validation score on the last 10 % of the history."""
        if self.temperature is not None and self.window is not None:
            return self
        return self.tuned_on(validation_stream(history), level)

    def tuned_on(self, stream: Stream, level: float) -> "ResCP":
        """Temperature and window of the best score on the wanted part of a stream."""
        level = check_level(level)
        temperatures, windows = self._candidates(stream.known)
        best = 0
        if len(temperatures) * len(windows) > 1:
            # Enough to compare: single precision hardly moves a mean over the whole validation block.
            ends = self._ends(stream, level, temperatures, windows, settle=False)
            best = best_candidate(ends, stream, level)
        # Candidates are numbered as the ends lie in memory, windows running fastest.
        temperature, window = divmod(best, len(windows))
        return replace(self, temperature=temperatures[temperature], window=windows[window])

    def rehearsal(self) -> "ResCP":
        """The same on a reservoir of sixteen units; always tuned."""
        return replace(self, size=16, connectivity=1.0, windows=(8, "all"), window=None, temperature=None)

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block; the trace holds the effective sample size 1 / sum of squared weights."""
        level = check_level(level)
        temperature, window = self._settled(stream.history, level)
        ends = self._ends(stream, level, (temperature,), (window,))
        return _offsets(ends, 0, 0)

    def run_grid(self, stream: Stream, level: float) -> dict[tuple[float, Window], Offsets]:
        """Offsets of the whole block for every candidate temperature and window, from one set of similarities.

        For studies of the choice itself: each entry is what `run` gives with those two fixed, at a small part of the
        time. Similarities over large windows are in single precision, as for the choice, which changes scores by some
        millionths. Windows larger than the known history are left out.
        """
        temperatures, windows = self._candidates(stream.known)
        ends = self._ends(stream, check_level(level), temperatures, windows, settle=False)
        return {
            (temperature, window): _offsets(ends, a, b)
            for a, temperature in enumerate(temperatures)
            for b, window in enumerate(windows)
        }

    def run_asked(self, stream: Stream, asked: Sequence[tuple[Sampler, float]]) -> tuple[Offsets, ...]:
        """Offsets of the whole block by each sampler and level, from one set of similarities.

        For studies that compare them: each entry is what `run` gives with that sampler at that level. Temperature and
        window must be fixed, as a choice would be one for all levels.
        """
        if self.temperature is None or self.window is None:
            raise ValueError("several samplers and levels share a fixed temperature and window; set both")
        require_filled(self.window, stream.known)
        sizes = [window_size(self.window, stream.known)]
        rules = [
            replace(self, sampler=sampler)._rule(check_level(level), (self.temperature,), sizes)
            for sampler, level in asked
        ]
        return tuple(_offsets(ends, 0, 0) for ends in self._shared(stream, rules))

    def begin(self, history: History, level: float) -> Tracker:
        """Known residuals, the states of their origins and the reservoir's present state."""
        level = check_level(level)
        temperature, window = self._settled(history, level)
        rule = self._rule(level, (temperature,), [window_size(window, history.residuals.size)])
        shift, scale = location_scale(history.residuals)
        return start_tracker(self.reservoir, history.residuals, history.horizon, shift, scale, rule)

    def _settled(self, history: History, level: float) -> tuple[float, Window]:
        method = self.tuned(history, level)
        assert method.temperature is not None
        assert method.window is not None
        require_filled(method.window, history.residuals.size)
        return method.temperature, method.window

    def _candidates(self, known: int) -> tuple[tuple[float, ...], tuple[Window, ...]]:
        """What is open of temperature and window, and the fixed value of what is not."""
        temperatures = self.temperatures if self.temperature is None else (self.temperature,)
        return temperatures, admitted(self.windows, known) if self.window is None else (self.window,)

    def _ends(
        self,
        stream: Stream,
        level: float,
        temperatures: tuple[float, ...],
        windows: tuple[Window, ...],
        *,
        settle: bool = True,
    ) -> Ends:
        """Ends of every candidate, shape (temperatures, windows, steps), from one set of similarities."""
        sizes = np.array([window_size(window, stream.known) for window in windows])
        widest_first = np.argsort(-sizes, kind="stable")
        rule = self._rule(level, temperatures, sizes[widest_first])
        (ends,) = self._shared(stream, (rule,), settle=settle)
        return ends.windows(np.argsort(widest_first))

    def _shared(self, stream: Stream, rules: Sequence[Rule], *, settle: bool = True) -> tuple[Ends, ...]:
        """Ends by every rule from one set of similarities."""
        if stream.steps == 0:
            return tuple(Ends.empty(rule, 0) for rule in rules)
        # By what is known at the first interval: a residual to come must not reach back through the scale.
        shift, scale = location_scale(stream.residuals[: stream.known])
        values = np.ascontiguousarray(stream.visible)
        inputs = (values - shift) / scale
        size = min(max(int(rule.sizes[0]) for rule in rules), stream.known + stream.steps)
        work = Work(stream.steps, size, states_made(self.size, values.size, size, stream.steps))
        if work.heavy:
            announce(work, self._rate(inputs, values, rules, settle=settle))
        units = units_of(self.reservoir, inputs, stream.horizon)
        return block_ends(units, values, stream.known, stream.steps, rules, settle=settle)

    def _rate(self, inputs: FloatArray, values: FloatArray, rules: Sequence[Rule], *, settle: bool) -> Rate:
        """The rate at which the oldest residuals, known to all, are compared."""
        units, _ = origin_units(self.reservoir, inputs[:PIECE], 1)
        return measured(
            lambda: origin_units(self.reservoir, inputs[:PIECE], 1),
            lambda: block_ends(units, values[:PIECE], PIECE - ASKED + 1, ASKED, rules, settle=settle),
        )

    def _rule(self, level: float, temperatures: tuple[float, ...], sizes: Any) -> Rule:
        return Rule(
            temperatures=np.array(temperatures, dtype=np.float64),
            sizes=np.array(sizes, dtype=np.int64),
            tails=lower_tails(1.0 - level, self.pairs),
            alpha=1.0 - level,
            stochastic=self.sampler == "stochastic",
            seed=np.uint64(self.seed % 2**64),
        )


def _offsets(ends: Ends, temperature: int, window: int) -> Offsets:
    """Those of one candidate."""
    lower, upper, effective = (part[temperature, window] for part in ends[:3])
    return Offsets(lower, upper, {"effective_size": effective})


def location_scale(residuals: FloatArray) -> tuple[float, float]:
    """Mean and standard deviation of the known history; 1 where it has no spread beyond rounding.

    Examples
    --------
    >>> location_scale(np.array([1.0, 3.0])), location_scale(np.full(3, 0.1))[1]
    ((2.0, 1.0), 1.0)
    """
    # Equal residuals have a deviation of a few ulps, not of zero; dividing by it would feed the reservoir noise.
    spread = deviation(residuals)
    negligible = 1e-12 * float(np.max(np.abs(residuals)))
    return float(np.mean(residuals)), spread if spread > negligible else 1.0
