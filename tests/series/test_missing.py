"""Where values were carried forward is known, whatever way a series came in."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc.series import Series, as_series, read_channels, read_series

VALUES = [np.nan, 1.0, np.nan, 3.0, 4.0, np.nan]
DAYS = np.datetime64("2024-01-01") + np.arange(6)
MASK = [False, True, False, False, True]


@pytest.mark.parametrize(
    "data",
    [
        VALUES,
        np.array(VALUES),
        pd.Series(VALUES),
        pd.Series(VALUES, index=pd.DatetimeIndex(DAYS)),
        pl.Series(VALUES),
        pl.DataFrame({"day": DAYS, "y": VALUES}),
        pd.DataFrame({"day": DAYS, "y": VALUES}),
    ],
)
def test_every_way_in(data: Any) -> None:
    series = as_series(data)
    assert series.missing is not None
    assert series.missing.tolist() == MASK
    assert series.missing.sum() == series.filled == 2
    # A new name, and a copy of the value, keep it.
    for again in (as_series(series, name="other"), replace(series, name="third"), as_series(series)):
        assert again.missing is not None
        assert again.missing.tolist() == MASK


def test_files_and_their_channels(tmp_path: Path) -> None:
    rows = zip(DAYS, VALUES, range(6), strict=True)
    (tmp_path / "a.csv").write_text("day,y,wind\n" + "".join(f"{d},{v},{k}\n" for d, v, k in rows))
    for series in (
        read_series(tmp_path / "a.csv", column="y"),
        read_channels(tmp_path / "a.csv", targets=["y"], exog=["wind"]).targets[0],
        read_channels(tmp_path / "a.csv", targets=["y", "wind"]).targets[0],
    ):
        assert series.missing is not None
        assert series.missing.tolist() == MASK
    assert read_channels(tmp_path / "a.csv", targets=["y", "wind"]).targets[1].missing is None


def test_points_without_a_row_are_missing() -> None:
    series = as_series([1.0, 2.0, 5.0], time=[0, 1, 4], resample=True)
    assert series.missing is not None
    assert series.missing.tolist() == [False, False, True, True, False]


def test_nothing_missing_is_none() -> None:
    assert as_series([1.0, 2.0]).missing is None
    assert as_series([np.nan, 1.0, 2.0]).missing is None
    assert Series(np.ones(2), missing=np.zeros(2, dtype=bool)).missing is None


@pytest.mark.parametrize("mask", [np.zeros(3, dtype=bool), np.array([0, 1]), np.zeros((2, 1), dtype=bool)])
def test_a_mask_of_another_shape_is_refused(mask: Any) -> None:
    with pytest.raises(ValueError, match=r"one boolean per value, shape \(2,\)"):
        Series(np.ones(2), missing=mask)
