from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc.series import as_series

NAN = float("nan")


@pytest.mark.parametrize(
    "data",
    [
        [1, None, 3],
        (1, NAN, 3),
        np.array([1, NAN, 3], dtype=np.float32),
        np.array([[1], [NAN], [3]]),
        np.array([1, None, 3], dtype=object),
        np.array([Decimal(1), pd.NA, Fraction(3)], dtype=object),
        np.ma.masked_equal(np.array([1, 99, 3]), 99),
        np.ma.masked_invalid(np.array([1, np.inf, 3])),
        pd.Series([1, None, 3]),
        pd.Series([1, None, 3], dtype="Int64"),
        pd.Series([1, None, 3], dtype=object),
        pd.array([1, None, 3], dtype="Float64"),
        pl.Series([1, None, 3]),
        pl.Series(["1.00", None, "3.00"]).cast(pl.Decimal(6, 2)),
        pl.DataFrame({"y": [1.0, NAN, 3.0]}),
        pd.DataFrame({"y": [1.0, NAN, 3.0]}),
    ],
)
def test_every_container_gives_the_same_series(data: Any) -> None:
    series = as_series(data)
    np.testing.assert_array_equal(series.values, [1.0, 1.0, 3.0])
    assert series.values.dtype == np.float64
    assert (series.filled, series.dropped) == (1, 0)
    assert series.notes == ("1 missing value carried forward",)


@pytest.mark.parametrize("kind", ["i1", "u8", "f2", "f8", ">f8", ">i4"])
def test_every_number_type(kind: str) -> None:
    np.testing.assert_array_equal(as_series(np.array([1, 2, 5], dtype=kind)).values, [1, 2, 5])


def test_the_users_array_is_not_shared() -> None:
    data = np.array([1.0, 2.0])
    as_series(data).values[0] = 9.0
    assert data[0] == 1.0


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([1, "x", 2], r"row 2 \(counting from 1\): 'x' stands where a number belongs"),
        (["1", "2"], r"row 1 .*'1' .*convert text to numbers first"),
        (np.array(["a", "b"]), r"row 1 .*'a'"),
        (pd.Series(["1", "2"]), r"row 1 .*'1'"),
        (pl.Series(["a"], dtype=pl.Categorical), r"row 1 .*'a'"),
        (np.array([1, [2], 3], dtype=object), r"row 2 .*\[2\]"),
        (np.array([1.5, True], dtype=object), r"row 2 .*True"),
        ([1.0, np.inf], r"row 2 .*inf is infinite"),
        (pl.Series([1.0, 2.0, -np.inf]), r"row 3 .*-inf is infinite"),
        ([10**400, 1], r"row 1 .*too large"),
        ([True, False], "got booleans"),
        (pl.Series([True]), "got booleans"),
        (np.array([1j]), "got complex numbers"),
        (np.array(["2020-01-01"], dtype="M8[D]"), "got dates"),
        (np.array([5], dtype="m8[D]"), "got durations"),
        (np.ones((3, 2)), r"shape \(3, 2\); pass one column"),
        (np.ones((1, 2)), r"shape \(1, 2\)"),
        (np.ones((2, 2, 2)), "3 dimensions"),
        ([[1, 2], [3]], "nested lists"),
        ([], "empty"),
        (np.zeros(0), "empty"),
        (pl.DataFrame({"y": []}), "no rows"),
        ([None, NAN], "all 2 values are missing"),
        (pl.Series([None, None]), "all 2 values are missing"),
        (pd.DataFrame({"y": [None, None]}), "all 2 values are missing"),
        (5.0, "got a float"),
        (np.float64(5.0), "got a float64"),
        ({"y": [1]}, "got a dict"),
        ((value for value in (1, 2)), "got a generator"),
        ("series.csv", "read files with read_series"),
        (pl.LazyFrame({"y": [1]}), "call .collect"),
        (None, "got a NoneType"),
    ],
)
def test_bad_input_is_one_clear_line(data: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message) as raised:
        as_series(data)
    assert "\n" not in str(raised.value)
