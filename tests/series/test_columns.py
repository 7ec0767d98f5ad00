from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl
import pytest

from ngrc.series import read_series
from ngrc.series.columns import Choice, choose
from ngrc.series.table import Table


def pick(columns: dict[str, list[str]], column: str | None = None, time: str | None = None) -> Choice:
    return choose(Table(nw.from_native(pl.DataFrame(columns), eager_only=True), text=True), column, time)


DATES = ["2024-01-01", "2024-01-02", "2024-01-03"]
A, B, COUNT = ["4", "5", "7"], ["8", "7", "8"], ["0", "1", "2"]
WORDS = ["x", "y", "z"]


@pytest.mark.parametrize(
    ("columns", "value", "time"),
    [
        ({"price": A}, "price", None),
        ({"date": DATES, "price": A}, "price", "date"),
        ({"price": A, "whenever": DATES}, "price", "whenever"),
        ({"first": DATES, "date": DATES, "price": A}, "price", "first"),
        ({"a": A, "Y": B}, "Y", None),
        ({"a": A, "value": B}, "value", None),
        ({"a": A, "target": A, "y": B}, "y", None),
        ({"year": ["1990", "1991", "1992"], "price": A}, "price", "year"),
        ({"year": ["1990", "1990", "1990"], "month": ["1", "2", "3"], "price": A}, "price", None),
        ({"time": ["3", "1", "2"], "price": A}, "price", "time"),
        ({"timestamp": ["100", "200", "300"], "price": A}, "price", "timestamp"),
        ({"": COUNT, "price": A}, "price", None),
        ({"Unnamed: 0": ["1", "2", "3"], "price": A}, "price", None),
        ({"No": ["1", "2", "3"], "price": A}, "price", None),
        ({"y": COUNT, "price": A}, "y", None),
        ({"trend": COUNT}, "trend", None),
        ({"name": WORDS, "price": A}, "price", None),
        ({"price": ["4", "oops", "7"], "name": WORDS}, "price", None),
        ({"day": ["5", "5", "5"]}, "day", None),
        ({"name": WORDS, "empty": ["", "NA", ""]}, "empty", None),
    ],
)
def test_what_is_taken_without_options(columns: dict[str, list[str]], value: str, time: str | None) -> None:
    choice = pick(columns)
    assert (choice.value, choice.time) == (value, time)


def test_a_choice_among_several_is_noted_with_the_others() -> None:
    choice = pick({"open": A, "close": B, "high": A})
    assert choice.value == "open"
    assert choice.notes == (
        "using column 'open', the first numeric one; choose another with column= (--column): 'close', 'high'",
    )
    assert pick({"y": A, "close": B}).notes == ()
    many = pick({f"c{k}": A for k in range(12)})
    assert many.notes[0].endswith("'c8' and 3 more")


def test_a_counter_is_left_out_with_a_note() -> None:
    assert pick({"No": COUNT, "price": A}).notes == ("column 'No' rises evenly and is not taken as values",)
    assert pick({"": COUNT, "price": A}).notes == ()
    with pytest.raises(ValueError, match="no column of numbers"):
        pick({"": COUNT, "name": WORDS})


def test_named_columns_are_taken_as_they_are() -> None:
    choice = pick({"date": DATES, "No": COUNT, "price": A}, column="No", time="price")
    assert (choice.value, choice.time, choice.notes) == ("No", "price", ())
    assert pick({"date": DATES, "price": A}, column="date").time is None


def test_typed_text_is_never_a_number() -> None:
    table = Table(nw.from_native(pl.DataFrame({"a": A, "b": [1, 2, 4]}), eager_only=True), text=False)
    assert table.kind("a") == "other"
    assert choose(table, None, None).value == "b"


@pytest.mark.parametrize("name", ["c", "id_"])
def test_thousands_of_text_columns_are_refused_at_once(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []
    look = Table._look

    def counted(table: Table, column: Any) -> Any:
        looks.append(column)
        return look(table, column)

    monkeypatch.setattr(Table, "_look", counted)
    names = [f"{name}{k}" for k in range(3000)]
    path = tmp_path / "wide.csv"
    path.write_text(",".join(names) + "\n" + (",".join(["a12"] * 3000) + "\n") * 5)
    with pytest.raises(ValueError, match=r"no column of numbers.*--column.*--time"):
        read_series(path)
    assert len(looks) <= 250
    path.write_text(",".join([*names, "size"]) + "\n" + (",".join(["a12"] * 3000) + ",1.5\n") * 5)
    assert read_series(path).name == "size"
