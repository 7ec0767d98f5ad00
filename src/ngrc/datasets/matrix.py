"""The matrix files of Lai et al.: comma-separated numbers, one row per time, one column per sensor, no header."""

import gzip
import io
import zlib
from pathlib import Path

import numpy as np

from ngrc._types import FloatArray
from ngrc.datasets.registry import DatasetError

WIDEST = 26
"""Characters of the longest number, sign, exponent and separator included: -1.7976931348623157e+308 and a comma."""
REPOSITORY = "https://raw.githubusercontent.com/laiguokun/multivariate-time-series-data/master"


def read_matrix(path: Path, rows: int, columns: int) -> FloatArray:
    """Return a gzipped or plain matrix file as floats of shape (rows, columns), which it must have."""
    import polars as pl

    data = path.read_bytes()
    try:
        if data.startswith(b"\x1f\x8b"):
            data = _unpacked(data, rows * columns * WIDEST)
        schema = {f"column_{k}": pl.Float64 for k in range(columns)}
        frame = pl.read_csv(io.BytesIO(data), has_header=False, schema=schema)
    except (OSError, EOFError, zlib.error, pl.exceptions.PolarsError) as error:
        raise DatasetError(
            f"{path} is not a matrix of {columns} columns: {str(error).splitlines()[0]}; fetch it again"
        ) from None
    if len(frame) != rows:
        raise DatasetError(f"{path} has {len(frame)} rows where {rows} are expected; fetch it again")
    # An empty field is null in polars and NaN here.
    matrix = frame.to_numpy()
    bad = np.argwhere(~np.isfinite(matrix))
    if bad.size:
        raise DatasetError(
            f"{path} has no number in row {bad[0][0] + 1}, column {bad[0][1] + 1}; fetch it again"
        )
    return np.asarray(matrix, dtype=np.float64)


def _unpacked(data: bytes, most: int) -> bytes:
    """Gunzip, but never more than the matrix can need: a small file may unpack to more than the memory holds."""
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        # One byte too many is asked for: that it comes is the proof.
        text = file.read(most + 1)
    if len(text) > most:
        raise OSError(f"it unpacks to more than {most:,} bytes")
    return text
