"""Exchange: daily log returns of the Australian dollar, 1990 to 2016 (Lai et al.)."""

import functools
from pathlib import Path

import numpy as np

from ngrc._types import FloatArray
from ngrc.datasets.matrix import REPOSITORY, read_matrix
from ngrc.datasets.registry import Original, fetch
from ngrc.series import Series

SHAPE = (7588, 8)
"""Days and currencies of the public file."""
EXCHANGE = Original(
    files=("exchange_rate.txt.gz", "exchange_rate.txt"),
    check=functools.partial(read_matrix, rows=SHAPE[0], columns=SHAPE[1]),
    url=f"{REPOSITORY}/exchange_rate/exchange_rate.txt.gz",
    # The public file is exactly this long.
    most=177_142,
    sha256="6a4fbb561dcdee43f071a83badbeec9223a335552278348656738b556f1c2e9d",
)


def log_returns(levels: FloatArray) -> FloatArray:
    """Return 100 {log P_t - log P_(t-1)} in per cent, shape (n - 1,).

    Examples
    --------
    >>> log_returns(np.array([1.0, np.exp(0.01)])).round(6)
    array([1.])
    """
    if np.any(levels <= 0):
        raise ValueError(
            f"log returns need levels above zero, got {levels.min():g}; correct the level or take plain differences"
        )
    return np.asarray(100.0 * np.diff(np.log(levels)))


def load_exchange(path: Path | None = None) -> Series:
    """Return the 7,587 daily returns of the first currency, in per cent."""
    levels = read_matrix(path or fetch(EXCHANGE), *SHAPE)[:, 0]
    return Series(log_returns(levels), name="exchange", notes=("100 x log returns of column 0 (Australia)",))
