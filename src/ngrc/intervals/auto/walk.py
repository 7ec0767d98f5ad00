"""Everything that `Auto` knows, as arrays: `src/kernels/auto` moves them by one observation at a time."""

from typing import NamedTuple

import numpy as np

from ngrc._kernels.auto import MEMBERS_COUNT, WALK_COUNTERS, WALK_KNOWN
from ngrc._types import FloatArray
from ngrc.archive import check_shape, check_that
from ngrc.intervals.auto import limits
from ngrc.intervals.auto import members as crew
from ngrc.intervals.auto import weights as shares
from ngrc.intervals.auto.members import Members
from ngrc.intervals.auto.weights import Weights
from ngrc.intervals.context import Context
from ngrc.intervals.local.readout import start_readout
from ngrc.intervals.student import radius

CALM = 48.0
"""Steps ahead at which control is half as quick: errors of forecasts H steps ahead come in runs of H, and a run of
misses is one event and not H of them."""
FEW = 30
"""Independent residuals, H of them counted as one, below which the interval is Student's: from there on his factor
exceeds the normal one by 4.2 % at 95 % and 6.8 % at 99 %, and below it quantiles of residuals vary by five points of
coverage and more."""
WARM = 0.25
"""Share of the known history before weights and offsets begin to learn: until then members are beginners themselves."""


class State(NamedTuple):
    """Members, weights, offsets of the ends, limits.

    `factors` are Student's by residuals known and level, times the root of 1 + 1/m over m, while they are few.
    `counters` hold residuals known, the count from which weights learn, the pace of control, the sum of squares in
    units, the largest residual, and the mean logarithm of recent |e| in units.
    """

    members: Members
    weights: Weights
    offsets: FloatArray
    limits: FloatArray
    alphas: FloatArray
    probabilities: FloatArray
    factors: FloatArray
    counters: FloatArray

    def check_kept(self) -> None:
        """Refuse parts of other levels or ends."""
        levels = self.alphas.size
        for name, array, shape in (
            ("alphas", self.alphas, (levels,)),
            ("probabilities", self.probabilities, (2 * levels,)),
            ("quantiles", self.members.readout.probabilities, (2 * levels,)),
            ("weights", self.weights.weights, (2 * levels, MEMBERS_COUNT)),
            ("offsets", self.offsets, (3 * levels,)),
            ("limits", self.limits, limits.start_limits(None).shape),
            ("factors", self.factors, (len(self.factors), levels)),
            ("counters", self.counters, (WALK_COUNTERS,)),
        ):
            check_shape(array, shape, name)
        check_that(
            levels > 0 and bool(np.all((self.alphas > 0.0) & (self.alphas < 1.0))), "levels are shares"
        )
        check_that(bool(np.all(np.isfinite(self.counters))), "residuals are counted")
        check_that(0.0 <= self.counters[WALK_KNOWN] < 2.0**52, "residuals are counted")


class Slots(NamedTuple):
    """What was said of targets whose residuals are not known yet, one place each."""

    rows: FloatArray
    sizes: FloatArray
    members: FloatArray
    mixtures: FloatArray
    ends: FloatArray
    forecasts: FloatArray
    indices: FloatArray

    def check_kept(self) -> None:
        """Refuse places of different number, or indices that are none."""
        for name, part in self._asdict().items():
            check_shape(part, (self.sizes.size, *part.shape[1:]), name)
        check_that(bool(np.all(np.abs(self.indices) < 2.0**52)), "indices are whole numbers")


def start_state(
    residuals: FloatArray,
    context: Context | None,
    horizon: int,
    levels: FloatArray,
    families: tuple[str, ...] = crew.FAMILIES,
) -> State:
    """Before the first residual; only members of the families named take part."""
    alphas = 1.0 - levels
    probabilities = np.concatenate([0.5 * alphas, 1.0 - 0.5 * alphas])
    readout = start_readout(residuals, context, horizon, probabilities)
    known = np.arange(1.0, FEW * horizon)
    outcomes = None if context is None else context.forecasts[: residuals.size] + residuals
    return State(
        members=crew.start_members(readout),
        weights=shares.start_weights(probabilities.size, crew.taking_part(families)),
        offsets=np.zeros(probabilities.size + alphas.size),
        limits=limits.start_limits(outcomes),
        alphas=alphas,
        probabilities=probabilities,
        factors=np.stack([radius(np.ones(known.size), known, horizon, level) for level in levels], axis=1),
        counters=np.array(
            [0.0, np.floor(WARM * residuals.size), 1.0 / (1.0 + (horizon - 1) / CALM), 0.0, 0.0, 0.0]
        ),
    )


def start_slots(state: State, count: int) -> Slots:
    """Places for `count` targets."""
    ends = state.probabilities.size
    return Slots(
        rows=np.zeros((count, state.members.readout.rows.shape[1])),
        sizes=np.zeros(count),
        members=np.zeros((count, MEMBERS_COUNT, ends)),
        mixtures=np.zeros((count, ends)),
        ends=np.zeros((count, ends)),
        forecasts=np.zeros(count),
        indices=np.zeros(count),
    )
