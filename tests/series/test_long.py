"""Several series in one file: named, refused where one is expected, and read as a long table."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc.series import SeveralSeriesError, as_series, read_channels, read_long, read_series
from ngrc.series.long import long_from_frame

DAYS = [str(np.datetime64("2024-01-01") + day) for day in range(12)]


def written(folder: Path, header: str, rows: list[str]) -> Path:
    path = folder / "long.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


@pytest.mark.parametrize("blocks", [True, False])
def test_a_long_file(tmp_path: Path, blocks: bool) -> None:
    pairs = [(s, d) for s in "ab" for d in DAYS] if blocks else [(s, d) for d in DAYS for s in "ab"]
    rows = [f"{s};{d};{'' if d == DAYS[3] else f'{k},5'};{2 * k}" for k, (s, d) in enumerate(pairs)]
    path = written(tmp_path, "unique_id;ds;y;price", rows)
    for read in (read_series, read_channels):
        with pytest.raises(
            SeveralSeriesError, match=r"long.csv: the table holds 2 series, told apart by"
        ) as raised:
            read(path)
        assert raised.value.columns == ("unique_id",)
        assert "\n" not in str(raised.value)
    table = read_long(path)
    assert (table.ids, table.time, table.value) == (("unique_id",), "ds", "y")
    assert table.frame.columns == ["unique_id", "ds", "y", "price"]
    assert table.frame["unique_id"].to_list() == [s for s, _ in pairs]
    assert [str(day) for day in table.frame["ds"]] == [d for _, d in pairs]
    assert table.frame["y"].to_list() == [None if d == DAYS[3] else k + 0.5 for k, (_, d) in enumerate(pairs)]
    assert table.frame["price"].to_list() == [2 * k for k in range(24)]
    assert "2 series, told apart by 'unique_id'" in table.notes


def test_ids_of_two_columns_and_dates_with_the_day_first(tmp_path: Path) -> None:
    days = [f"{day:%d/%m/%Y}" for day in pd.date_range("2024-01-20", periods=25)]
    rows = [
        f"{s},{i},{d},{k}"
        for k, (s, i, d) in enumerate((s, i, d) for s in "xy" for i in (1, 2) for d in days)
    ]
    table = read_long(written(tmp_path, "store,item,date,sales", rows))
    assert table.ids == ("store", "item")
    assert table.frame["unique_id"].unique(maintain_order=True).to_list() == ["x/1", "x/2", "y/1", "y/2"]
    assert str(table.frame["ds"][1]) == "2024-01-21"
    early = [f"0{k}/02/2024" for k in range(1, 10)]
    rows = [f"{s},{d},{k}" for k, (s, d) in enumerate((s, d) for s in "xy" for d in early)]
    with pytest.raises(ValueError, match="day or the month first"):
        read_long(written(tmp_path, "store,date,sales", rows))


def test_one_series_is_no_long_table(tmp_path: Path) -> None:
    path = written(tmp_path, "ds,y", [f"{day},{k}" for k, day in enumerate(DAYS)])
    with pytest.raises(ValueError, match="holds one series; several are expected") as raised:
        read_long(path)
    assert not isinstance(raised.value, SeveralSeriesError)


def test_frames(tmp_path: Path) -> None:
    hours = pd.date_range("2024-01-01", periods=6, freq="h", tz="Europe/Berlin")
    frame = pd.DataFrame({"meter": [7] * 6 + [9] * 6, "when": [*hours, *hours], "load": np.arange(12.0)})
    for data in (frame, pl.from_pandas(frame)):
        with pytest.raises(SeveralSeriesError):
            as_series(data)
        table = long_from_frame(data)
        assert table.frame["unique_id"].to_list() == [7] * 6 + [9] * 6
        assert table.frame["ds"].dtype.time_zone == "Europe/Berlin"  # type: ignore[attr-defined]
        assert table.frame["y"].to_list() == list(range(12))
