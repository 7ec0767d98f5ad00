"""Beijing: hourly PM10, mean over the monitoring sites that report, March 2013 to February 2017 (UCI)."""

import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from math import cos, pi, sin
from pathlib import Path

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.datasets.filled import with_filled_as_observed
from ngrc.datasets.registry import DatasetError, Original, fetch
from ngrc.series import Series, as_series

SITES, HOURS = 12, 35_064
"""Monitoring sites, and hours from March 2013 to February 2017 (paper, appendix "Datasets")."""
TARGET = "PM10"
"""The column of the site files that is forecast."""
DIRECTION = "wd"
"""The column of the site files that holds the direction from which the wind blows, as one of 16 compass points."""
POINTS = ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"]
# Rounded: the cosine of a quarter turn is 6e-17 otherwise, and two opposite winds would not cancel.
COMPASS = {
    "wd_sin": {point: round(sin(2 * pi * k / 16), 12) for k, point in enumerate(POINTS)},
    "wd_cos": {point: round(cos(2 * pi * k / 16), 12) for k, point in enumerate(POINTS)},
}
"""Two columns for that one: sine and cosine of its angle from north, clockwise; their means over sites."""


def site_files(archive: bytes) -> Iterator[bytes]:
    """Yield the sites' CSV files, also from an archive inside the archive, as UCI has them."""
    with zipfile.ZipFile(io.BytesIO(archive)) as folder:
        # Sorted, as the order of the sites decides the last bit of their mean.
        for name in sorted(folder.namelist()):
            base = name.rsplit("/", 1)[-1]
            if base.endswith(".zip"):
                yield from site_files(folder.read(name))
            elif base.startswith("PRSA_Data_") and base.endswith(".csv"):
                yield folder.read(name)


def site_hours(content: bytes, columns: Sequence[str] = (TARGET,)) -> tuple[AnyArray, FloatArray]:
    """Return a site's hours (`datetime64[h]`, shape (n,)) and columns (NaN where missing, shape (n, c))."""
    import polars as pl

    wanted = dict.fromkeys(DIRECTION if name in COMPASS else name for name in columns)
    frame = pl.read_csv(
        io.BytesIO(content),
        columns=["year", "month", "day", "hour", *wanted],
        null_values=["NA", ""],
        schema_overrides={name: pl.String if name == DIRECTION else pl.Float64 for name in wanted},
    )
    moments = frame.select(pl.datetime("year", "month", "day", "hour")).to_series()
    values = [
        # Strict: a point that is no compass point is a damaged file, and no missing value.
        frame[DIRECTION].replace_strict(COMPASS[name], return_dtype=pl.Float64)
        if name in COMPASS
        else frame[name]
        for name in columns
    ]
    return moments.to_numpy().astype("M8[h]"), np.stack(
        [column.to_numpy().astype(np.float64) for column in values], axis=1
    )


def means_over_sites(contents: list[bytes], columns: Sequence[str]) -> tuple[AnyArray, FloatArray]:
    """Return the hourly grid and each column's mean over the sites that report, NaN where none does; shape (n, c)."""
    sites = [site_hours(content, columns) for content in contents]
    first = min(hours[0] for hours, _ in sites)
    last = max(hours[-1] for hours, _ in sites)
    grid = np.arange(first, last + np.timedelta64(1, "h"))
    table = np.full((grid.size, len(columns), len(sites)), np.nan)
    for site, (hours, values) in enumerate(sites):
        table[(hours - first).astype(np.int64), :, site] = values
    # Not nanmean: it warns about the hours in which no site reports, which are expected here.
    reporting = np.sum(~np.isnan(table), axis=-1)
    means = np.full(reporting.shape, np.nan)
    np.divide(np.nansum(table, axis=-1), reporting, out=means, where=reporting > 0)
    return grid, means


def mean_over_sites(contents: list[bytes]) -> tuple[AnyArray, FloatArray]:
    """Return the hourly grid and the mean PM10 of the sites that report, NaN where none does; shapes (n,)."""
    grid, means = means_over_sites(contents, (TARGET,))
    return grid, means[:, 0]


def read_columns(path: Path, columns: Sequence[str]) -> tuple[AnyArray, FloatArray]:
    """Hours and means over sites of the archive, which must hold 12 sites and 35,064 hours."""
    import polars as pl

    try:
        contents = list(site_files(path.read_bytes()))
        if len(contents) != SITES:
            raise DatasetError(
                f"{path} holds {len(contents)} site files where {SITES} are expected; fetch it again"
            )
        hours, means = means_over_sites(contents, columns)
    except (zipfile.BadZipFile, zlib.error, EOFError, pl.exceptions.PolarsError) as error:
        raise DatasetError(f"{path} is damaged ({str(error).splitlines()[0]}); fetch it again") from None
    if hours.size != HOURS:
        raise DatasetError(f"{path} spans {hours.size} hours where {HOURS} are expected; fetch it again")
    return hours, means


def read_beijing(path: Path) -> Series:
    """Read PM10 from the archive."""
    hours, means = read_columns(path, (TARGET,))
    return with_filled_as_observed(as_series(means[:, 0], time=hours, name="beijing"))


BEIJING = Original(
    files=(
        "PRSA_Data_20130301-20170228.zip",
        "PRSA2017_Data_20130301-20170228.zip",
        "beijing+multi+site+air+quality+data.zip",
    ),
    check=read_beijing,
    url="https://archive.ics.uci.edu/static/public/501/beijing+multi+site+air+quality+data.zip",
    # The archive is 8 MB; twice that leaves room for one that was packed anew, and none for a flood.
    most=16_000_000,
    # No sha256: the public archive's could not be verified here. The shape verifies it, and its hash is recorded then.
)


def load_beijing(path: Path | None = None) -> Series:
    """Return hourly PM10 in micrograms per cubic metre; hours without any report carried forward."""
    return read_beijing(path or fetch(BEIJING))
