"""Readouts, features, simulated systems and forecasts in one call: `src/kernels/models`."""

from ngrc._types import FloatArray, IntArray

def moments_standardised(
    means: FloatArray, covariance: FloatArray, scales: FloatArray, matrix: FloatArray
) -> None: ...
def moments_merged(
    left: FloatArray,
    right: FloatArray,
    first: float,
    one: FloatArray,
    second: float,
    other: FloatArray,
    total: FloatArray,
) -> None: ...
def ridge_weights(
    matrices: FloatArray, sizes: IntArray, cross: FloatArray, penalties: FloatArray
) -> FloatArray: ...
def candidate_moments(
    counts: FloatArray, sums: FloatArray, products: FloatArray, places: IntArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]: ...

CANDIDATE_ROWS: int

def candidate_forecasts(
    tiles: FloatArray,
    places: IntArray,
    weights: FloatArray,
    constants: FloatArray,
    begin: int,
    end: int,
    forecasts: FloatArray,
) -> None: ...
def banded_reduce(matrix: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]: ...
def banded_solutions(
    band: FloatArray, reflections: FloatArray, factors: FloatArray, rights: FloatArray, penalties: FloatArray
) -> FloatArray: ...
def cholesky_factor(matrix: FloatArray, penalty: float, factor: FloatArray) -> bool: ...
def cholesky_inverse(lower: FloatArray) -> FloatArray: ...
def cholesky_solutions(lower: FloatArray, rights: FloatArray) -> FloatArray: ...
def whitening_squares(lower: FloatArray, design: FloatArray, means: FloatArray) -> FloatArray: ...
def free_run_iterate(
    read: FloatArray,
    level: FloatArray,
    drive: FloatArray,
    products: tuple[IntArray, IntArray, IntArray, FloatArray, FloatArray],
    memories: tuple[FloatArray, IntArray, FloatArray, FloatArray],
    base: int,
    limits: FloatArray,
    bounds: FloatArray,
) -> None: ...
def packed_forecast(values: FloatArray, size: int, numbers: FloatArray, forecasts: FloatArray) -> bool: ...
def column_scales(means: FloatArray, variances: FloatArray) -> FloatArray: ...
def recursions_first_order(
    x: FloatArray, kept: FloatArray, gains: FloatArray, starts: FloatArray
) -> FloatArray: ...
def smoothings_run(
    x: FloatArray,
    begin: int,
    rules: FloatArray,
    phases: FloatArray,
    levels: FloatArray,
    slopes: FloatArray,
    seasons: FloatArray,
    offsets: FloatArray,
) -> None: ...
def flows_lorenz(
    sigma: float, rho: float, beta: float, start: FloatArray, count: int, substeps: int, step: float
) -> FloatArray: ...
def flows_double_scroll(start: FloatArray, count: int, substeps: int, step: float) -> FloatArray: ...

VOLTERRA_DECAY: float
VOLTERRA_FREQUENCY: float

def volterra_euler(states: int, step: float, every: int) -> FloatArray: ...
def mackey_glass_path(
    count: int, lag: int, step: float, initial: float, gain: float, loss: float, power: float
) -> FloatArray: ...
