"""The size and the quantiles of the next error, learned online: `src/kernels/local`."""

from ngrc._types import FloatArray
from ngrc.intervals.local.columns import Columns
from ngrc.intervals.local.readout import Readout
from ngrc.intervals.local.size import Size

BINS_OCTAVE: int
BINS_REACH: int
BINS_CELLS: int
BINS_SPARE: int

def bins_cell(size: float) -> int: ...
def bins_edge(place: int) -> float: ...
def bins_add(tree: FloatArray, score: float, decay: float) -> None: ...
def bins_quantile(tree: FloatArray, probability: float, decay: float) -> float: ...

COLUMNS_MEMORIES: tuple[float, ...]
COLUMNS_MEANS: tuple[float, ...]
COLUMNS_LAGS: int
COLUMNS_CROSSED: int
COLUMNS_PLACES: int

def columns_learn(columns: Columns, residual: float, forecast: float, index: int) -> None: ...
def columns_look(
    columns: Columns, forecast: float, index: int, sizes: FloatArray, signs: FloatArray
) -> None: ...
def columns_table(
    columns: Columns,
    residuals: FloatArray,
    forecasts: FloatArray,
    phase: int,
    horizon: int,
    table: FloatArray,
    signs: FloatArray,
) -> None: ...
def products_dot(first: FloatArray, second: FloatArray) -> float: ...
def products_of_rows(rows: FloatArray, weights: FloatArray, products: FloatArray) -> None: ...
def cholesky_solve(matrix: FloatArray, right: FloatArray) -> bool: ...
def smoothing_totals(
    left: FloatArray, slopes: FloatArray, share: float, probability: float, width: float
) -> tuple[float, float, float]: ...
def pinball_fit(
    rows: FloatArray,
    scores: FloatArray,
    probability: float,
    penalty: float,
    smooth: float,
    weights: FloatArray,
    warm: bool,
) -> None: ...

SIZE_PENALTIES: tuple[float, ...]
SIZE_FLOOR: float
SIZE_LARGEST: float

def size_of(size: Size, row: FloatArray) -> float: ...
def size_learn(size: Size, row: FloatArray, error: float) -> None: ...
def size_refit(size: Size) -> None: ...

READOUT_ROWS: int
READOUT_PENALTIES: tuple[float, ...]

def readout_look(readout: Readout, forecast: float, index: int, row: FloatArray) -> float: ...
def readout_quantiles(readout: Readout, row: FloatArray, size: float, ends: FloatArray) -> bool: ...
def readout_learn(
    readout: Readout, row: FloatArray, size: float, residual: float, forecast: float, index: int
) -> None: ...
def readout_sizes(
    readout: Readout,
    residuals: FloatArray,
    forecasts: FloatArray,
    phase: int,
    horizon: int,
    rows: FloatArray,
    expected: FloatArray,
) -> None: ...
def readout_fits(readout: Readout) -> bool: ...
def readout_fits_row(row: FloatArray) -> bool: ...
