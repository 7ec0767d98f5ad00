"""ResCP one observation at a time: the rows of the block form, kept in buffers that grow or slide."""

from dataclasses import dataclass

import numpy as np

from ngrc._kernels.rescp import ends_answer, ordered_advance, states_normalise
from ngrc._types import FloatArray
from ngrc.archive import check_shape, check_that
from ngrc.intervals.base import Tracker
from ngrc.intervals.rescp.ends import Ends, Queries, Rule, Similarities, Windows, start_windows
from ngrc.intervals.rescp.reservoir import Reservoir
from ngrc.intervals.rescp.states import origin_units

FIRST = np.zeros(1, dtype=np.int64)


@dataclass(slots=True)
class RescpTracker(Tracker):
    """Residuals, their origins' unit states and the ordered window; `start_tracker` makes one.

    Row j of `units` belongs to residual j, so the row of the next target is known + horizon - 1. A bounded
    window keeps twice its size in the buffers, so that they slide once in a window's length.
    """

    reservoir: Reservoir
    rule: Rule
    horizon: int
    shift: float
    scale: float
    state: FloatArray
    units: FloatArray
    values: FloatArray
    windows: Windows
    ends: Ends
    known: int
    clock: int

    def check_kept(self) -> None:
        """Refuse rows, windows and answers that do not fit each other."""
        rows, size, window = len(self.units), self.reservoir.size, int(self.rule.sizes.flat[0])
        orders, (spans,) = self.windows.orders, self.windows.spans
        for name, array, shape in (
            ("temperatures", self.rule.temperatures, (1,)),
            ("sizes", self.rule.sizes, (1,)),
            ("tails", self.rule.tails, (self.rule.tails.size,)),
            ("state", self.state, (size,)),
            ("units", self.units, (rows, size)),
            ("values", self.values, (rows,)),
            ("orders", orders, (1, rows)),
            ("spans", spans, (2,)),
            *((f"ends of {name}", part, (1, 1, 1)) for name, part in self.ends._asdict().items()),
        ):
            check_shape(array, shape, name)
        check_that(self.horizon >= 1 and 1 <= self.known <= rows - self.horizon, "targets have rows")
        check_that(window >= 1 and self.known <= self.clock, "the window holds residuals")
        check_that(
            0 <= spans[0] <= spans[1] <= self.known and bool(np.all(orders < rows)), "positions are there"
        )
        check_that(bool(np.all(self.rule.tails >= 0.0)), "tails are shares")
        check_that(
            bool(np.all(self.rule.tails <= self.rule.alpha)) and self.rule.alpha < 1.0, "tails are shares"
        )
        check_that(self.scale > 0.0 and bool(np.all(self.rule.temperatures > 0.0)), "scales are above zero")

    @property
    def effective_size(self) -> float:
        """1 / sum of squared weights of the last issued interval."""
        return float(self.ends.effective[0, 0, 0])

    def issue(self, leverage: float = 0.0, forecast: float = 0.0) -> tuple[float, float]:
        """Offsets from the residuals known now, weighted by the present state."""
        first = max(0, self.known - int(self.rule.sizes[0]))
        # The next target lies H steps after the last known one, at position known - 1; H - 1 others are pending.
        query = self.units[self.known + self.horizon - 1]
        near = Similarities((self.units[first : self.known] @ query)[np.newaxis], first, 0.0)
        queries = Queries(np.array([self.known]), np.array([self.clock]), FIRST)
        ends_answer(near, queries, self.values, self.rule, self.windows, self.ends)
        return float(self.ends.lower[0, 0, 0]), float(self.ends.upper[0, 0, 0])

    def observe(self, residual: float, missed: bool | None) -> None:
        """The residual joins the history and moves the reservoir on."""
        standardised = (residual - self.shift) / self.scale
        if not np.isfinite(standardised):
            raise ValueError(
                f"a residual must be finite over the history's spread {self.scale}, got {residual}; skip the target"
            )
        if self.known + self.horizon == len(self.units):
            self._make_room()
        self.values[self.known] = residual
        self.state = self.reservoir.step(self.state, standardised)
        # The state after this residual is that at the origin of the target H steps later.
        place = self.known + self.horizon
        states_normalise(self.state[np.newaxis], self.units[place : place + 1])
        self.known += 1
        self.clock += 1

    def skip(self) -> None:
        """The reservoir reads nothing, and the lost target's row makes way for those of the targets after it."""
        waiting = self.units[self.known : self.known + self.horizon]
        waiting[:-1] = waiting[1:].copy()

    def _make_room(self) -> None:
        """Double the buffers or, where the window is bounded, drop what has left it."""
        drop = max(0, self.known - int(self.rule.sizes[0]))
        # Less than half could be dropped: then moving would come again soon, and doubling is cheaper in the long run.
        if 2 * drop < self.known:
            extra = len(self.units)
            self.units = np.concatenate([self.units, np.zeros((extra, self.reservoir.size))])
            self.values = np.concatenate([self.values, np.zeros(extra)])
            orders = np.concatenate([self.windows.orders, np.zeros((1, extra), dtype=np.uint32)], axis=1)
            self.windows = Windows(orders, self.windows.spans)
            return
        ordered_advance(self.values, self.windows.orders[0], self.windows.spans[0], drop, self.known)
        # Copies, as source and destination overlap. Positions in `orders` are renumbered with the rows they name.
        remaining = len(self.units) - drop
        self.units[:remaining] = self.units[drop:].copy()
        self.values[: self.known - drop] = self.values[drop : self.known].copy()
        self.windows.spans[0] -= drop
        self.windows.orders[0, : self.known - drop] -= np.uint32(drop)
        self.known -= drop


def start_tracker(
    reservoir: Reservoir, residuals: FloatArray, horizon: int, shift: float, scale: float, rule: Rule
) -> RescpTracker:
    """The state after a known history of shape (m,), for a rule of one temperature and one window."""
    units, state = origin_units(reservoir, (residuals - shift) / scale, horizon)
    known = residuals.size
    values = np.concatenate([residuals, np.zeros(horizon)])
    return RescpTracker(
        reservoir=reservoir,
        rule=rule,
        horizon=horizon,
        shift=shift,
        scale=scale,
        state=state,
        units=units,
        values=values,
        windows=start_windows(values, known, rule, values.size),
        ends=Ends.empty(rule, 1),
        known=known,
        clock=known,
    )
