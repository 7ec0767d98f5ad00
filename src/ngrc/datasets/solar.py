"""Solar: mean power of 137 plants in Alabama, every 10 minutes of 2006 (Lai et al.)."""

import functools
from pathlib import Path

import numpy as np

from ngrc.datasets.matrix import REPOSITORY, read_matrix
from ngrc.datasets.registry import Original, fetch
from ngrc.series import Series

SHAPE = (52560, 137)
"""Ten-minute steps of the year 2006 and plants of the public file."""
SOLAR = Original(
    files=("solar_AL.txt.gz", "solar_AL.txt"),
    check=functools.partial(read_matrix, rows=SHAPE[0], columns=SHAPE[1]),
    url=f"{REPOSITORY}/solar-energy/solar_AL.txt.gz",
    # 52,560 x 137 numbers of up to 7 characters with a comma are 58 MB of plain text; gzipped it is a tenth of that.
    most=64_000_000,
    # No sha256: the public file's is not known here. The shape verifies it, and its hash is recorded then.
)


def load_solar(path: Path | None = None) -> Series:
    """Return the mean over all plants at each of the 52,560 times."""
    matrix = read_matrix(path or fetch(SOLAR), *SHAPE)
    # The file has no times; the paper says that it covers 2006 in steps of 10 minutes, 365 * 144 of them.
    times = np.datetime64("2006-01-01T00:00", "m") + 10 * np.arange(SHAPE[0]).astype("m8[m]")
    return Series(matrix.mean(axis=1), times, name="solar", notes=("mean of 137 plants",))
