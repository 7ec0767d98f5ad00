"""Interval methods that read residuals alone: `src/kernels/intervals`."""

from ngrc._types import FloatArray, IntArray

def adaptive_bounds(alpha: float, rate: float) -> tuple[float, float]: ...
def adaptive_moved(current: float, rate: float, alpha: float, missed: bool) -> float: ...
def adaptive_width(table: FloatArray, current: float) -> float: ...
def adaptive_observe(
    table: FloatArray, residual: float, missed: bool | None, current: float, rate: float, alpha: float
) -> tuple[float, float]: ...
def adaptive_passes(
    scores: FloatArray, order: IntArray, known: int, steps: int, horizon: int, alpha: float, rates: FloatArray
) -> tuple[FloatArray, FloatArray]: ...

def unprojected_width(table: FloatArray, alpha: float, rate: float, resolved: int, misses: int) -> float: ...
def unprojected_observe(
    table: FloatArray, residual: float, alpha: float, rate: float, resolved: int, misses: int
) -> float: ...
def unprojected_pass(
    scores: FloatArray, order: IntArray, known: int, steps: int, horizon: int, alpha: float, rate: float
) -> tuple[FloatArray, FloatArray]: ...

def weighted_find(table: FloatArray, share: float, decay: float) -> float: ...
def weighted_observe(
    table: FloatArray, residual: float, newest: float, decay: float, level: float
) -> tuple[float, float]: ...

def nexcp_known_share(count: int, decay: float, level: float) -> float: ...
def nexcp_known_shares(first: int, last: int, decay: float, level: float) -> FloatArray: ...
def nexcp_find(table: FloatArray, decay: float, level: float) -> float: ...
def nexcp_observe(
    table: FloatArray, residual: float, newest: float, decay: float, level: float
) -> tuple[float, float]: ...

RING_HEAD: int
RING_LENGTH: int
RING_NONE: float

def ring_pop(ring: FloatArray) -> int: ...

DTACI_HELD: int

def dtaci_observe(
    table: FloatArray,
    experts: FloatArray,
    pending: FloatArray,
    residual: float,
    missed: bool | None,
    alpha: float,
    sharpness: float,
    mixing: float,
) -> None: ...
def dtaci_issue(table: FloatArray, experts: FloatArray, pending: FloatArray) -> float: ...
def dtaci_step(
    table: FloatArray,
    experts: FloatArray,
    pending: FloatArray,
    residual: float,
    missed: bool | None,
    alpha: float,
    sharpness: float,
    mixing: float,
) -> float: ...
def dtaci_pass(
    scores: FloatArray,
    order: IntArray,
    known: int,
    steps: int,
    horizon: int,
    alpha: float,
    rates: FloatArray,
    sharpness: float,
    mixing: float,
) -> tuple[FloatArray, FloatArray, FloatArray]: ...

SAOCP_QUANTITIES: int
SAOCP_CLASSES: int
SAOCP_PLACES: int
SAOCP_HELD: int

def saocp_classes_at(clock: int) -> int: ...
def saocp_start(scores: FloatArray, alpha: float) -> FloatArray: ...
def saocp_observe(
    experts: FloatArray,
    pending: FloatArray,
    residual: float,
    missed: bool | None,
    alpha: float,
    size: float,
    clock: int,
) -> tuple[float, int]: ...
def saocp_issue(experts: FloatArray, pending: FloatArray, clock: int) -> float: ...
def saocp_step(
    experts: FloatArray,
    pending: FloatArray,
    residual: float,
    missed: bool | None,
    alpha: float,
    size: float,
    clock: int,
) -> tuple[float, float, int]: ...
def saocp_pass(scores: FloatArray, known: int, steps: int, horizon: int, alpha: float) -> FloatArray: ...

PID_SIZE: int

def pid_start(scores: FloatArray, alpha: float) -> FloatArray: ...
def pid_half_width(state: FloatArray, alpha: float, gain: float, saturation: float) -> float: ...
def pid_observe(
    state: FloatArray,
    residual: float,
    missed: bool | None,
    alpha: float,
    rate: float,
    gain: float,
    saturation: float,
) -> float: ...
def pid_pass(
    scores: FloatArray,
    state: FloatArray,
    known: int,
    steps: int,
    horizon: int,
    alpha: float,
    rate: float,
    gain: float,
    saturation: float,
) -> FloatArray: ...

GAUSSIAN_LARGEST: float

def gaussian_slide(state: FloatArray, residual: float, factor: float) -> float: ...
