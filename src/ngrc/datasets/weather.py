"""The other columns of the Beijing files, hour by hour beside the series: weather and other pollutants."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ngrc._types import AnyArray
from ngrc.datasets.beijing import BEIJING, COMPASS, read_columns
from ngrc.datasets.registry import DatasetError, fetch
from ngrc.series.gaps import carry_forward
from ngrc.series.wording import closest

if TYPE_CHECKING:
    import polars as pl

WEATHER = ("TEMP", "PRES", "DEWP", "WSPM", *COMPASS)
"""Temperature and dew point (degrees Celsius), pressure (hPa), wind speed (m/s) and direction."""
COLUMNS = (*WEATHER, "RAIN", "PM2.5", "SO2", "NO2", "CO", "O3")
"""Every column that can be asked for; rain in millimetres, pollutants in micrograms per cubic metre."""


def beijing_channels(names: Sequence[str] = WEATHER, path: Path | None = None) -> "pl.DataFrame":
    """Columns beside the series `load("beijing")`, row by row: a polars frame with "time" first.

    Every column is the mean over the sites that report in that hour; an hour without any report has the last mean
    before it, as in the series.

    Parameters
    ----------
    names
        Which columns: TEMP, PRES, DEWP, RAIN, WSPM, wd_sin and wd_cos (the wind's direction, from north clockwise),
        PM2.5, SO2, NO2, CO, O3. By default the weather without rain.
    path
        The archive; by default it is looked for as `load` does.
    """
    import polars as pl

    wanted = (names,) if isinstance(names, str) else tuple(names)
    unknown = [name for name in wanted if name not in COLUMNS]
    if unknown or not wanted or len(set(wanted)) < len(wanted):
        hint = closest(str(unknown[0]), COLUMNS) if unknown else ""
        raise ValueError(
            f"names must be columns of the Beijing files, each once, got {wanted}; there are "
            f"{', '.join(COLUMNS)}{hint}"
        )
    source = path or fetch(BEIJING)
    hours, means = read_columns(source, wanted)
    columns: dict[str, AnyArray] = {"time": hours.astype("M8[ms]")}
    for place, name in enumerate(wanted):
        filled, _, dropped = carry_forward(means[:, place])
        # A shorter column would stand beside the wrong hours.
        if dropped:
            raise DatasetError(f"{source} has no {name} in its first {dropped} hours; fetch it again")
        columns[name] = filled
    return pl.DataFrame(columns)
