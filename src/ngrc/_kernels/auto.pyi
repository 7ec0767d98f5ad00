"""Aggregation of interval methods: `src/kernels/auto`."""

from ngrc._types import FloatArray
from ngrc.intervals.auto.members import Members
from ngrc.intervals.auto.walk import Slots, State
from ngrc.intervals.auto.weights import Weights

def control_apply(offsets: FloatArray, alphas: FloatArray, mixture: FloatArray, ends: FloatArray) -> None: ...
def control_learn(
    offsets: FloatArray, alphas: FloatArray, ends: FloatArray, residual: float, pace: float
) -> None: ...

LIMITS_LOWEST: int
LIMITS_HIGHEST: int
LIMITS_FLOOR: int
LIMITS_CEILING: int
LIMITS_SLACK: int
LIMITS_HARD_FLOOR: int
LIMITS_HARD_CEILING: int

def limits_learn(limits: FloatArray, outcome: float) -> None: ...
def limits_cut(members: FloatArray, largest: float, plain: int) -> None: ...
def limits_nearby(limits: FloatArray, forecast: float, radii: FloatArray, mixture: FloatArray) -> None: ...
def limits_within(limits: FloatArray, forecast: float, ends: FloatArray) -> None: ...

MEMBERS_PLAIN: tuple[float, ...]
MEMBERS_SCALED: tuple[float, ...]
MEMBERS_SCALED_FROM: int
MEMBERS_QUANTILE_FROM: int
MEMBERS_COUNT: int

def members_look(
    members: Members, row: FloatArray, size: float, alphas: FloatArray, ends: FloatArray
) -> None: ...
def members_learn(members: Members, size: float, residual: float) -> None: ...
def members_families(weights: FloatArray, shares: FloatArray) -> None: ...
def weights_mix(weights: Weights, members: FloatArray, mixture: FloatArray) -> None: ...
def weights_learn(
    weights: Weights,
    members: FloatArray,
    mixture: FloatArray,
    probabilities: FloatArray,
    residual: float,
    unit: float,
) -> None: ...

WALK_KNOWN: int
WALK_COUNTERS: int

def walk_look(state: State, slots: Slots, slot: int, forecast: float, index: int) -> tuple[float, float]: ...
def walk_learn(state: State, slots: Slots, slot: int, residual: float) -> None: ...
def walk_block(
    state: State,
    slots: Slots,
    residuals: FloatArray,
    forecasts: FloatArray,
    phase: int,
    horizon: int,
    start: int,
    ends: FloatArray,
    shares: FloatArray,
) -> None: ...
def walk_fits(state: State, slots: Slots) -> bool: ...
