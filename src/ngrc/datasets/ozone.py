"""Ozone: daily values near Los Angeles, from the paper's R file or from EPA's monitor file as a stand-in."""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np

from ngrc._types import AnyArray
from ngrc.datasets.filled import with_filled_as_observed
from ngrc.datasets.registry import DatasetError, Original, fetch, find
from ngrc.series import Series, as_series, read_series
from ngrc.series.delimited import read_delimited
from ngrc.series.encoding import decoded
from ngrc.series.entry import series_from_table
from ngrc.series.origin import content
from ngrc.series.table import Table
from ngrc.series.wording import array_row

_STAND_IN = "stand-in: EPA monitor 060371103 (Los Angeles North Main), not the paper's LA_O3.RData"
_AIRDATA_COLUMN = "Daily Max 8-hour Ozone Concentration"


def read_rdata_ozone(path: Path) -> Series:
    """Read the R data frame with `date` and `value`; several values of one date are averaged."""
    frames = {name: item for name, item in _r_objects(path).items() if {"date", "value"} <= _columns(item)}
    if not frames:
        raise DatasetError(
            f"{path} holds no R data frame with the columns date and value; save one that has them"
        )
    # The paper's object by name; a file that was saved again may call it something else.
    frame = frames.get("LA_O3", next(iter(frames.values())))
    table = frame[["date", "value"]]
    return with_filled_as_observed(as_series(table, column="value", time="date", resample=True, name="ozone"))


def _columns(item: Any) -> set[str]:
    return {str(name) for name in getattr(item, "columns", ())}


def _r_objects(path: Path) -> dict[str, Any]:
    try:
        import rdata
    except ImportError:
        raise DatasetError(
            "reading .RData needs rdata; install it with pip install 'ngrc[datasets]'"
        ) from None
    constructors = {**rdata.conversion.DEFAULT_CLASS_MAP, "Date": _r_days, "POSIXct": _r_seconds}
    try:
        with warnings.catch_warnings():
            # Extra R classes such as a tibble's are announced one by one; their data frame is what counts.
            warnings.simplefilter("ignore", UserWarning)
            objects: dict[str, Any] = rdata.read_rda(path, constructor_dict=constructors)
    except Exception as error:  # a damaged file makes the parser raise whatever comes first
        raise DatasetError(
            f"{path} cannot be read as R data ({type(error).__name__}: {str(error)[:80]}); "
            "save the data frame again in R with save(LA_O3, file = 'LA_O3.RData')"
        ) from None
    return objects


def _r_days(values: AnyArray, attributes: Mapping[str, Any]) -> AnyArray:
    """R's Date: days since 1970."""
    return _since_1970(values, 86_400)


def _r_seconds(values: AnyArray, attributes: Mapping[str, Any]) -> AnyArray:
    """R's POSIXct: seconds since 1970 in UTC."""
    return _since_1970(values, 1)


def _since_1970(values: AnyArray, seconds: int) -> AnyArray:
    # R's NA is NaN, or masked where the column is of whole numbers.
    counts = np.ma.filled(np.ma.asarray(values, dtype=np.float64), np.nan)
    times = np.full(counts.shape, "NaT", dtype="M8[s]")
    known = ~np.isnan(counts)
    # A fraction of a second belongs to the second in which it lies, before 1970 as well: floor, not truncation.
    times[known] = np.floor(counts[known] * seconds).astype(np.int64).astype("M8[s]")
    return times


def read_epa_ozone(path: Path) -> Series:
    """Read a daily ozone CSV: date and value, or EPA's AirData download, monitors of one day averaged."""
    if _AIRDATA_COLUMN.encode() in content(path).split(b"\n", 1)[0]:
        # Monitors of one site are averaged on purpose, so the columns that tell them apart are left out.
        frame = read_delimited(decoded(content(path)).text).frame.select("Date", _AIRDATA_COLUMN)
        daily = Table(nw.from_native(frame, eager_only=True), text=True)
        series = series_from_table(daily, _AIRDATA_COLUMN, "Date", True, None, array_row)
    else:
        series = read_series(path, resample=True)
    return with_filled_as_observed(replace(series, name="ozone-epa", notes=(_STAND_IN, *series.notes)))


LA_O3 = Original(
    files=("LA_O3.RData", "LA_O3.rda"),
    check=read_rdata_ozone,
    advice="it comes with the paper's supplementary material: put it into the folder that NGRC_DATA names, "
    "or use the stand-in ozone-epa",
)
EPA_O3 = Original(
    files=("la_north_main_o3_daily_2010_2023.csv.gz", "la_north_main_o3_daily_2010_2023.csv"),
    check=read_epa_ozone,
    advice="make it from EPA's AirData (daily ozone, site 06-037-1103, 2010 to 2023) with the columns date "
    "and o3_max8h_ppm, and put it into the folder that NGRC_DATA names",
)


def load_ozone() -> Series:
    """Return the paper's daily ozone, or where its file is absent the EPA stand-in, whose name says so."""
    # Where neither is there, the error is that of the paper's file, which says how to get it.
    if find(LA_O3) is None and find(EPA_O3) is not None:
        return read_epa_ozone(fetch(EPA_O3))
    return read_rdata_ozone(fetch(LA_O3))


def load_ozone_epa() -> Series:
    """Return daily maximum 8-hour ozone in ppm at Los Angeles North Main, 2010 to 2023."""
    return read_epa_ozone(fetch(EPA_O3))
