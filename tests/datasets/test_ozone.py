import gzip
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ngrc import datasets
from ngrc._types import AnyArray
from ngrc.datasets.ozone import EPA_O3, read_epa_ozone, read_rdata_ozone
from ngrc.datasets.registry import DatasetError, find

rdata = pytest.importorskip("rdata")
to_r = pytest.importorskip("rdata.conversion.to_r")
parser = pytest.importorskip("rdata.parser")


@dataclass(frozen=True)
class Vector:
    """An R vector, with a class such as Date where `kind` names one."""

    values: AnyArray
    kind: tuple[str, ...] = ()


@dataclass(frozen=True)
class Frame:
    """An R data frame of such vectors."""

    columns: dict[str, Vector]
    kind: tuple[str, ...] = ("data.frame",)


def write_vector(data: Vector, converter: Any) -> Any:
    if not data.kind:
        return converter.convert_to_r_object(data.values)
    storage = parser.RObjectType.REAL if data.values.dtype.kind == "f" else parser.RObjectType.INT
    attributes = converter.convert_to_r_attributes({"class": np.array(data.kind)})
    return to_r.build_r_object(storage, value=data.values, is_object=True, attributes=attributes)


def write_frame(data: Frame, converter: Any) -> Any:
    columns = [converter.convert_to_r_object(column) for column in data.columns.values()]
    rows = len(next(iter(data.columns.values())).values)
    attributes = converter.convert_to_r_attributes(
        {
            "names": np.array(list(data.columns)),
            "class": np.array(data.kind),
            "row.names": np.arange(1, rows + 1, dtype=np.int32),
        }
    )
    return to_r.build_r_object(parser.RObjectType.VEC, value=columns, is_object=True, attributes=attributes)


def save(path: Path, compression: str | None = "gzip", **objects: Any) -> Path:
    constructors = {**to_r.DEFAULT_CLASS_MAP, Vector: write_vector, Frame: write_frame}
    rdata.write_rda(path, objects, constructor_dict=constructors, compression=compression)
    return path


# From 1980-01-01, one date twice and two out of order.
DAYS = np.array([0.0, 1, 1, 2, 4, 3]) + 3652
VALUES = Vector(np.array([10.0, 20, 30, 40, 60, 50]))
DATES = Vector(DAYS, ("Date",))


@pytest.mark.parametrize(
    "date",
    [
        DATES,
        Vector(DAYS.astype(np.int32), ("Date",)),
        Vector(DAYS * 86_400, ("POSIXct", "POSIXt")),
        Vector(np.array([str(np.datetime64(int(day), "D")) for day in DAYS])),
    ],
)
@pytest.mark.parametrize("compression", ["gzip", "bzip2", "xz", None])
def test_the_r_frame_becomes_a_daily_series(tmp_path: Path, date: Vector, compression: str | None) -> None:
    frame = Frame({"site": VALUES, "value": VALUES, "date": date})
    series = read_rdata_ozone(save(tmp_path / "LA_O3.RData", compression, LA_O3=frame))
    np.testing.assert_array_equal(series.times, np.arange("1980-01-01", "1980-01-06", dtype="M8[D]"))
    np.testing.assert_array_equal(series.values, [10, 25, 40, 50, 60])
    assert series.name == "ozone"
    order, repeated = series.notes
    assert order == "times were not in order and were sorted"
    # Dates that are counted in days or seconds are written with their hour.
    assert repeated.removesuffix("T00:00") == "1 repeated time averaged: 1980-01-02"


def test_tibbles_and_other_objects_beside_it(tmp_path: Path) -> None:
    frame = Frame({"date": DATES, "value": VALUES}, ("tbl_df", "tbl", "data.frame"))
    other = Frame({"date": DATES, "value": Vector(np.zeros(6))})
    path = save(tmp_path / "LA_O3.RData", other=other, numbers=np.arange(3.0), LA_O3=frame)
    assert read_rdata_ozone(path).values.tolist() == [10, 25, 40, 50, 60]
    renamed = save(tmp_path / "renamed.RData", numbers=np.arange(3.0), anything=frame)
    assert read_rdata_ozone(renamed).values.tolist() == [10, 25, 40, 50, 60]


def test_missing_values_and_dates_of_r(tmp_path: Path) -> None:
    days = Vector(np.arange(4.0) + 3652, ("Date",))
    gap = Frame({"date": days, "value": Vector(np.array([np.nan, 1.0, np.nan, 2.0]))})
    series = read_rdata_ozone(save(tmp_path / "gap.RData", LA_O3=gap))
    assert (series.values.tolist(), series.filled, series.dropped) == ([1, 1, 2], 1, 1)
    undated = Frame(
        {"date": Vector(np.array([3652, np.nan]), ("Date",)), "value": Vector(np.array([1.0, 2.0]))}
    )
    with pytest.raises(ValueError, match=r"row 2 .*has no time"):
        read_rdata_ozone(save(tmp_path / "undated.RData", LA_O3=undated))


def test_files_that_are_not_the_frame(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no R data frame with the columns date and value"):
        read_rdata_ozone(save(tmp_path / "other.RData", LA_O3=Frame({"date": DATES})))
    (tmp_path / "rubbish.RData").write_bytes(b"rubbish")
    with pytest.raises(DatasetError, match="cannot be read as R data"):
        read_rdata_ozone(tmp_path / "rubbish.RData")


def test_ozone_prefers_the_papers_file_and_names_the_stand_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NGRC_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, advice in (("ozone", "supplementary material"), ("ozone-epa", "AirData")):
        with pytest.raises(DatasetError, match=f"no public address.*{advice}"):
            datasets.load(name)
    text = "date,o3_max8h_ppm\n2010-01-01,0.024\n2010-01-02,\n2010-01-03,0.03\n"
    (tmp_path / EPA_O3.files[0]).write_bytes(gzip.compress(text.encode()))
    stand_in = datasets.load("ozone")
    assert stand_in.name == "ozone-epa"
    assert stand_in.notes[0].startswith("stand-in: EPA monitor")
    assert (stand_in.values.tolist(), stand_in.filled) == ([0.024, 0.024, 0.03], 1)
    save(tmp_path / "LA_O3.RData", LA_O3=Frame({"date": DATES, "value": VALUES}))
    assert datasets.load("ozone").name == "ozone"
    assert datasets.load("ozone-epa").name == "ozone-epa"


def test_airdata_downloads_with_two_monitors_a_day(tmp_path: Path) -> None:
    path = tmp_path / "airdata.csv"
    rows = [(1, 1, 0.02), (1, 2, 0.04), (2, 1, 0.05), (3, 1, 0.06), (15, 1, 0.01)]
    lines = [f'01/{day:02d}/2020,AQS,60371103,{monitor},{value},"ppm"' for day, monitor, value in rows]
    path.write_text("\n".join(["Date,Source,Site ID,POC,Daily Max 8-hour Ozone Concentration,Units", *lines]))
    series = read_epa_ozone(path)
    np.testing.assert_allclose(series.values, [0.03, 0.05, 0.06] + 11 * [0.06] + [0.01])
    assert series.filled == 11


@pytest.mark.paper
@pytest.mark.skipif(
    not Path(os.environ.get("NGRC_DATA", "nowhere")).is_dir(),
    reason="NGRC_DATA names no folder with the original files",
)
def test_the_real_epa_file() -> None:
    if find(EPA_O3) is None:
        pytest.skip("the EPA file is not in NGRC_DATA")
    series = datasets.load("ozone-epa")
    assert (len(series), series.filled) == (5113, 243)
    assert series.times is not None
    np.testing.assert_array_equal(series.times, np.arange("2010-01-01", "2024-01-01", dtype="M8[D]"))
