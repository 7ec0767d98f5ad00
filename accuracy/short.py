"""The short series: `short.csv.gz`, one row per observation with the columns unique_id, index, ds, y, season."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.datasets.registry import DatasetError, Original, fetch

COUNT = 118
"""Series in the file."""
GROUPS = ("yearly", "quarterly", "monthly", "other")
"""Every group of the tables. Other: weekly, daily, and series of no season without yearly times."""
YEARS_AHEAD = 6
"""Steps ahead where there is no season, as for yearly series in the M3 competition (Makridakis and Hibon 2000)."""
SHORT = Original(
    files=("short.csv.gz", "short.csv"),
    check=lambda path: read_short(path),
    advice="put it into the folder that NGRC_DATA names",
)


@dataclass(frozen=True, slots=True)
class ShortSeries:
    """Observations of shape (n,), none missing; times where every row of the file has one."""

    name: str
    season: int
    values: FloatArray
    times: AnyArray | None

    @property
    def group(self) -> str:
        """The group in which it is averaged."""
        known = {4: "quarterly", 12: "monthly"}
        if self.season == 1 and self.times is not None:
            return "yearly"
        return known.get(self.season, "other")

    @property
    def steps(self) -> int:
        """How far ahead: one season, or six steps where there is none."""
        return YEARS_AHEAD if self.season == 1 else self.season


@lru_cache(maxsize=1)
def short_series() -> tuple[ShortSeries, ...]:
    """Every series of the file, in its order."""
    return read_short(fetch(SHORT))


def read_short(path: Path, count: int | None = COUNT) -> tuple[ShortSeries, ...]:
    """Read a file of short series, which must hold `count` of them where that is not None."""
    import polars as pl

    frame = pl.read_csv(path, schema_overrides={"unique_id": pl.String, "ds": pl.String, "y": pl.Float64})
    parts = frame.partition_by("unique_id", maintain_order=True)
    series = tuple(_series(part) for part in parts)
    if count is not None and len(series) != count:
        raise DatasetError(f"{path} holds {len(series)} series where {count} are expected; fetch it again")
    return series


def _series(part: "object") -> ShortSeries:
    import polars as pl

    assert isinstance(part, pl.DataFrame)
    name, values = str(part["unique_id"][0]), part["y"].to_numpy().astype(np.float64)
    if not np.all(np.isfinite(values)):
        raise DatasetError(f"short series {name} has a value that is no number; fetch the file again")
    if not np.array_equal(part["index"].to_numpy(), np.arange(values.size)):
        raise DatasetError(f"short series {name} does not count its rows from 0; fetch the file again")
    if part["season"].n_unique() != 1:
        raise DatasetError(f"short series {name} has more than one season; fetch the file again")
    # Half a column of times is none: a method that reads times must be able to trust them.
    whole = part["ds"].null_count() == 0
    times = part["ds"].to_numpy().astype("M8[D]") if whole else None
    return ShortSeries(name, int(part["season"][0]), values, times)


def group_sizes(series: tuple[ShortSeries, ...]) -> dict[str, int]:
    """How many series each group has."""
    counts = Counter(one.group for one in series)
    return {group: counts[group] for group in GROUPS}
