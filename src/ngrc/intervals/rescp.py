"""Reservoir conformal prediction: quantiles of residuals that arose in states like the present one."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from ngrc._types import FloatArray
from ngrc.intervals._rescp_tracker import start_tracker
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.tuning import interval_score
from ngrc.intervals.window import check_window
from ngrc.metrics import coverage
from ngrc.reservoir import Recurrence, Reservoir, check_reservoir, draw_reservoir
from ngrc.similarity.block import block_ends
from ngrc.similarity.pairs import lower_tails
from ngrc.similarity.rows import Ends, Rule
from ngrc.similarity.units import origin_units
from ngrc.validation import check_count, check_grid, check_level, check_positive

Window: TypeAlias = int | Literal["all", "fifo"]
Sampler: TypeAlias = Literal["exact", "stochastic"]

HISTORY_SHARE = 0.9
UNLIMITED = 2**40


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
    coverage error, then the order of the grid, temperatures first. A block keeps 8 `size` bytes a residual.

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
        "None in finite samples: coverage is approached as the history grows if the process mixes and the reservoir "
        "state carries what can be known of the next residual; it tends to undercover after a change."
    )

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
        object.__setattr__(self, "windows", tuple(_checked(window) for window in self.windows))
        if not self.windows:
            raise ValueError("windows must hold at least one candidate, got none")
        if self.temperature is not None:
            check_positive(self.temperature, "temperature")
        if self.window is not None:
            _checked(self.window)
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
        chosen = {"temperature": self.temperature, "window": self.window}
        return {name: value for name, value in chosen.items() if value is not None}

    def tuned(self, history: History, level: float) -> "ResCP":
        """Temperature and window of the best validation score on the last 10 % of the history."""
        if self.temperature is not None and self.window is not None:
            return self
        level = check_level(level)
        stream = _inner(history)
        temperatures = self.temperatures if self.temperature is None else (self.temperature,)
        windows = _admitted(self.windows, stream.known) if self.window is None else (self.window,)
        ends = self._ends(stream, level, temperatures, windows, settle=False)
        best = _best(ends, stream, level)
        temperature, window = divmod(best, len(windows))
        return replace(self, temperature=temperatures[temperature], window=windows[window])

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block; the trace holds the effective sample size 1 / sum of squared weights."""
        level = check_level(level)
        method = self.tuned(stream.history, level)
        assert method.temperature is not None
        assert method.window is not None
        _fits(method.window, stream.known)
        ends = self._ends(stream, level, (method.temperature,), (method.window,))
        return Offsets(ends.lower[0, 0], ends.upper[0, 0], {"effective_size": ends.effective[0, 0]})

    def begin(self, history: History, level: float) -> Tracker:
        """Known residuals, the states of their origins and the reservoir's present state."""
        level = check_level(level)
        method = self.tuned(history, level)
        assert method.temperature is not None
        assert method.window is not None
        known = history.residuals.size
        _fits(method.window, known)
        rule = self._rule(level, (method.temperature,), [_size_of(method.window, known)])
        shift, scale = location_scale(history.residuals)
        return start_tracker(self.reservoir, history.residuals, history.horizon, shift, scale, rule)

    def _ends(
        self,
        stream: Stream,
        level: float,
        temperatures: tuple[float, ...],
        windows: tuple[Window, ...],
        settle: bool = True,
    ) -> Ends:
        """Ends of every candidate, shape (temperatures, windows, steps), from one set of similarities."""
        sizes = np.array([_size_of(window, stream.known) for window in windows])
        widest_first = np.argsort(-sizes, kind="stable")
        rule = self._rule(level, temperatures, sizes[widest_first])
        if stream.steps == 0:
            return Ends.empty(rule, 0)
        shift, scale = location_scale(stream.residuals[: stream.known])
        units, _ = origin_units(self.reservoir, (stream.visible - shift) / scale, stream.horizon)
        found = block_ends(units, stream.visible, stream.known, stream.steps, rule, settle)
        back = np.argsort(widest_first)
        return Ends(*(part[:, back] for part in found))

    def _rule(self, level: float, temperatures: tuple[float, ...], sizes: Any) -> Rule:
        return Rule(
            np.array(temperatures, dtype=np.float64),
            np.array(sizes, dtype=np.int64),
            lower_tails(1.0 - level, self.pairs),
            1.0 - level,
            self.sampler == "stochastic",
            np.uint64(self.seed % 2**64),
        )


def location_scale(residuals: FloatArray) -> tuple[float, float]:
    """Mean and standard deviation of the known history; 1 where it has no spread beyond rounding.

    Examples
    --------
    >>> location_scale(np.array([1.0, 3.0])), location_scale(np.full(3, 0.1))[1]
    ((2.0, 1.0), 1.0)
    """
    spread = float(np.std(residuals))
    negligible = 1e-12 * float(np.max(np.abs(residuals)))
    return float(np.mean(residuals)), spread if spread > negligible else 1.0


def _checked(window: Window) -> Window:
    if isinstance(window, str):
        if window not in ("all", "fifo"):
            raise ValueError(f"window must be a whole number, 'all' or 'fifo', got {window!r}")
        return window
    return check_count(window, "window")


def _size_of(window: Window, known: int) -> int:
    if window == "all":
        return UNLIMITED
    return known if window == "fifo" else int(window)


def _fits(window: Window, known: int) -> None:
    if not isinstance(window, str):
        check_window(window, known)


def _admitted(windows: tuple[Window, ...], known: int) -> tuple[Window, ...]:
    """Windows that the history at the start of tuning fills."""
    kept = tuple(window for window in windows if isinstance(window, str) or window <= known)
    if not kept:
        raise ValueError(
            f"every window of {windows} is larger than the {known} residuals known where tuning starts; "
            "add 'all' or a smaller window, or give more calibration residuals"
        )
    return kept


def _inner(history: History) -> Stream:
    count, horizon = history.residuals.size, history.horizon
    needed = max(2, int(np.ceil(horizon / HISTORY_SHARE - 1e-9)))
    if count < needed:
        raise ValueError(
            f"too little history to tune: {count} known residuals at horizon {horizon}, at least {needed} "
            "are needed; give more calibration residuals or set temperature and window"
        )
    return history.inner(HISTORY_SHARE)


def _best(ends: Ends, stream: Stream, level: float) -> int:
    """Index of the smallest Winkler score, ties by coverage error, then by order, temperatures first."""
    outcomes = stream.residuals[stream.start :]
    lowers, uppers = (side.reshape(-1, outcomes.size) for side in (ends.lower, ends.upper))
    scores = [
        (interval_score(Offsets(low, up), outcomes, level), abs(coverage(outcomes, low, up) - level))
        for low, up in zip(lowers, uppers, strict=True)
    ]
    return min(range(len(scores)), key=lambda i: scores[i])
