"""Made-up series for whole commands: a load in half hours and a monthly one, with their times in a CSV."""

from pathlib import Path

import numpy as np

from ngrc._types import FloatArray

DAY, YEAR = 48, 12
WEEK = 7 * DAY


def half_hours(rows: int) -> FloatArray:
    """A load with a day of 48 half hours, a quieter weekend and a level that drifts, shape (rows,)."""
    noise = np.random.default_rng(0).normal(size=(2, rows))
    steps = np.arange(rows)
    day = 200 * np.sin(2 * np.pi * steps / DAY)
    weekend = np.where(steps % WEEK >= 5 * DAY, 0.8, 1.0)
    return np.asarray((1000 + day) * weekend + np.cumsum(noise[0]) / 2 + 10 * noise[1])


def months(rows: int) -> FloatArray:
    """Growth of 10 % and a season that grows with it, with noise of 3 %, shape (rows,)."""
    steps = np.arange(rows)
    season = 1.0 + 0.2 * np.sin(2 * np.pi * steps / YEAR)
    return np.asarray(
        100 * 1.1 ** (steps / YEAR) * season * np.exp(np.random.default_rng(0).normal(0, 0.03, rows))
    )


def write_csv(path: Path, values: FloatArray, *, monthly: bool = False) -> Path:
    """Columns `time` and `value`, from the first of January 2020 on."""
    times = (
        np.datetime64("2020-01") + np.arange(values.size)
        if monthly
        else np.datetime64("2020-01-01T00:00") + np.arange(values.size) * np.timedelta64(30, "m")
    )
    stamps = np.datetime_as_string(times.astype("datetime64[s]"))
    lines = (f"{stamp},{value:.6f}" for stamp, value in zip(stamps, values, strict=True))
    path.write_text("\n".join(("time,value", *lines, "")), encoding="utf-8")
    return path
