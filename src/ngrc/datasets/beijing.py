"""Beijing: hourly PM10, mean over the monitoring sites that report, March 2013 to February 2017 (UCI)."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.datasets.registry import DatasetError, Original, fetch
from ngrc.series import Series, as_series

SITES, HOURS = 12, 35_064
"""Monitoring sites, and hours from March 2013 to February 2017 (paper, appendix "Datasets")."""


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


def site_hours(content: bytes) -> tuple[AnyArray, FloatArray]:
    """Return a site's hours (`datetime64[h]`) and PM10 (NaN where missing), each of shape (n,)."""
    import polars as pl

    frame = pl.read_csv(
        io.BytesIO(content),
        columns=["year", "month", "day", "hour", "PM10"],
        null_values=["NA", ""],
        schema_overrides={"PM10": pl.Float64},
    )
    moments = frame.select(pl.datetime("year", "month", "day", "hour")).to_series()
    return moments.to_numpy().astype("M8[h]"), frame["PM10"].to_numpy().astype(np.float64)


def mean_over_sites(contents: list[bytes]) -> tuple[AnyArray, FloatArray]:
    """Return the hourly grid and the mean of the sites that report, NaN where none does; shapes (n,)."""
    sites = [site_hours(content) for content in contents]
    first = min(hours[0] for hours, _ in sites)
    last = max(hours[-1] for hours, _ in sites)
    grid = np.arange(first, last + np.timedelta64(1, "h"))
    table = np.full((grid.size, len(sites)), np.nan)
    for site, (hours, values) in enumerate(sites):
        table[(hours - first).astype(np.int64), site] = values
    # Not nanmean: it warns about the 83 hours in which no site reports, which are expected here.
    reporting = np.sum(~np.isnan(table), axis=1)
    mean = np.full(grid.size, np.nan)
    np.divide(np.nansum(table, axis=1), reporting, out=mean, where=reporting > 0)
    return grid, mean


def read_beijing(path: Path) -> Series:
    """Read the archive; it must hold 12 sites and 35,064 hours."""
    import polars as pl

    try:
        contents = list(site_files(path.read_bytes()))
        if len(contents) != SITES:
            raise DatasetError(
                f"{path} holds {len(contents)} site files where {SITES} are expected; fetch it again"
            )
        hours, values = mean_over_sites(contents)
    except (zipfile.BadZipFile, zlib.error, EOFError, pl.exceptions.PolarsError) as error:
        raise DatasetError(f"{path} is damaged ({str(error).splitlines()[0]}); fetch it again") from None
    if hours.size != HOURS:
        raise DatasetError(f"{path} spans {hours.size} hours where {HOURS} are expected; fetch it again")
    return as_series(values, time=hours, name="beijing")


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
