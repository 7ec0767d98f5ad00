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
class RClass:
    """A numeric R vector with a class attribute, such as Date."""

    values: AnyArray
    name: Any


@dataclass(frozen=True)
class RFrame:
    """An R data frame of any columns."""

    columns: dict[str, Any]
    classes: tuple[str, ...] = ("data.frame",)


def write_class(data: RClass, converter: Any) -> Any:
    kind = parser.RObjectType.REAL if data.values.dtype.kind == "f" else parser.RObjectType.INT
    attributes = converter.convert_to_r_attributes({"class": data.name})
    return to_r.build_r_object(kind, value=data.values, is_object=True, attributes=attributes)


def write_frame(data: RFrame, converter: Any) -> Any:
    columns = [converter.convert_to_r_object(column) for column in data.columns.values()]
    rows = len(next(iter(data.columns.values())).values)
    attributes = converter.convert_to_r_attributes(
        {
            "names": np.array(list(data.columns)),
            "class": np.array(data.classes),
            "row.names": np.arange(1, rows + 1, dtype=np.int32),
        }
    )
    return to_r.build_r_object(parser.RObjectType.VEC, value=columns, is_object=True, attributes=attributes)


def save(path: Path, **objects: Any) -> Path:
    constructors = {**to_r.DEFAULT_CLASS_MAP, RClass: write_class, RFrame: write_frame}
    rdata.write_rda(path, objects, constructor_dict=constructors)
    return path


@dataclass(frozen=True)
class Plain:
    values: AnyArray


DAYS = np.array([0.0, 1, 1, 2, 4, 3]) + 3652  # 1980-01-01 on, one date twice, two out of order
VALUES = np.array([10.0, 20, 30, 40, 60, 50])
REGULAR = np.arange("1980-01-01", "1980-01-06", dtype="M8[D]")


class RVector(RClass):
    """A numeric R vector without a class."""


def write_vector(data: RVector, converter: Any) -> Any:
    return converter.convert_to_r_object(data.values)


def ozone_frame(date: Any, classes: tuple[str, ...] = ("data.frame",)) -> RFrame:
    return RFrame({"date": date, "value": Column(VALUES)}, classes)


@dataclass(frozen=True)
class Column:
    values: AnyArray


@pytest.mark.parametrize(
    "date",
    [
        RClass(DAYS, "Date"),
        RClass(DAYS.astype(np.int32), "Date"),
        RClass(DAYS * 86_400, np.array(["POSIXct", "POSIXt"])),
        Column(np.array([str(np.datetime64(int(day), "D")) for day in DAYS])),
    ],
)
def test_the_r_frame_becomes_a_daily_series(tmp_path: Path, date: Any) -> None:
    series = read_rdata_ozone(save_columns(tmp_path / "LA_O3.RData", ozone_frame(date)))
    np.testing.assert_array_equal(series.times, REGULAR)
    np.testing.assert_array_equal(series.values, [10, 25, 40, 50, 60])
    assert series.name == "ozone"
    assert series.notes == ("times were not in order and were sorted", "1 repeated time averaged")


def save_columns(path: Path, frame: RFrame, **others: Any) -> Path:
    constructors = {
        **to_r.DEFAULT_CLASS_MAP,
        RClass: write_class,
        RFrame: write_frame,
        Column: lambda data, converter: converter.convert_to_r_object(data.values),
    }
    rdata.write_rda(path, {**others, "LA_O3": frame}, constructor_dict=constructors)
    return path
