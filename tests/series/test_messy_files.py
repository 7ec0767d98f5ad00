"""What people put into tables besides a header and numbers: read rightly, and said."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ngrc.series import Series

Reader = Callable[..., Series]
Refusal = Callable[..., str]

DAYS = np.arange("2024-01-01", "2024-01-07", dtype="M8[D]")
HOURS = np.datetime64("2024-01-01T00", "h") + np.arange(6)
UNUSUAL = ("-", "--", ".", "n/e", "n.a.", "missing", "?", "\u2013")
VALUES = [1.5, -2.25, 1234.5, 0.5, 7.0, 12345678.9]
PLAIN = "date,y\n" + "".join(f"{day},{value}\n" for day, value in zip(DAYS, VALUES, strict=True))


def table(times: list[Any], values: list[Any], separator: str = ";", header: str = "when;y") -> str:
    rows = [f"{time}{separator}{value}" for time, value in zip(times, values, strict=True)]
    return "\n".join([header.replace(";", separator), *rows]) + "\n"


def check(series: Series, times: Any = DAYS, values: Any = VALUES) -> None:
    np.testing.assert_array_equal(series.values, values)
    assert series.times is not None
    np.testing.assert_array_equal(series.times, times)


def said(series: Series, words: str) -> bool:
    return any(words in note for note in series.notes)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        (["1,5", "-2,25", "1234,5", "0,5", "7", "12345678,9"], "decimal commas"),
        (["1,5", "-2,25", "1.234,5", "0,5", "7", "12.345.678,9"], "decimal commas and thousands separators"),
        (["1.5", "-2.25", "1,234.5", ".5", "7", "12,345,678.9"], "thousands separators"),
        (["1,5", "-2,25", "1 234,5", "0,5", "7", "12 345 678,9"], "thousands separators"),
        (
            ["1,5", "-2,25", "1\u202f234,5", "0,5", "7", "12\u202f345\u202f678,9"],
            "decimal commas and thousands",
        ),
        (
            ["1,5", "-2,25", "1\u00a0234,5", "0,5", "7", "12\u00a0345\u00a0678,9"],
            "decimal commas and thousands",
        ),
        (["1.5", "-2.25", "1'234.5", "0.5", "7", "12'345'678.9"], "thousands separators"),
        (["1.5", "\u22122.25", "1\u2019234.5", "0.5", "7", "12\u2019345\u2019678.9"], "thousands separators"),
        (
            ["1.5 kW", "-2.25 kW", "1234.5 kW", "0.5 kW", "7 kW", "12345678.9 kW"],
            "unit 'kW' of column 'y' left out",
        ),
        (
            ["1,5 %", "-2,25 %", "1.234,5 %", "0,5 %", "7 %", "12.345.678,9 %"],
            "unit '%' of column 'y' left out",
        ),
        (
            [
                "1.5\u00b5g/m3",
                "-2.25\u00b5g/m3",
                "1234.5\u00b5g/m3",
                "0.5\u00b5g/m3",
                "7",
                "12345678.9\u00b5g/m3",
            ],
            "m3' of",
        ),
        (["$1.50", "(2.25)", "$1,234.50", "$0.50", "$7", "$12,345,678.90"], "thousands separators"),
        (["1.5e0", "-225E-2", "1.2345e3", "5e-1", "7", "1.23456789e+7"], "values from column 'y'"),
    ],
)
def test_numbers_as_people_write_them(read: Reader, numbers: list[str], words: str) -> None:
    series = read(table(DAYS.tolist(), numbers))
    check(series)
    assert said(series, words)
    # Quoted, and separated by tabs.
    check(read(table(DAYS.tolist(), [f'"{number}"' for number in numbers], "\t")))


def test_numbers_quoted_in_a_file_of_commas(read: Reader) -> None:
    numbers = ['"1,234"', '"950"', '"2,345"', '"12,000"', '"7"', '"1,234,567"']
    check(read(table(DAYS.tolist(), numbers, ",")), values=[1234, 950, 2345, 12000, 7, 1234567])
    # Nothing in the column proves it: the decimal point of the other one does.
    rows = "\n".join(f'{day},"{k},234",{k}.5' for k, day in enumerate(DAYS.tolist(), 1))
    check(read(f"d,count,share\n{rows}\n", column="count"), values=np.arange(1, 7) * 1000 + 234)


@pytest.mark.parametrize(("share", "factor"), [("0,5", 1000), ("0.5", 1)])
def test_another_column_settles_what_a_point_means(read: Reader, share: str, factor: int) -> None:
    rows = "\n".join(f"{day};{k}.250;{share}" for k, day in enumerate(DAYS.tolist(), 1))
    series = read(f"d;sold;share\n{rows}\n", column="sold")
    check(series, values=(np.arange(1, 7) + 0.25) * factor)


@pytest.mark.parametrize(
    "numbers",
    [
        ["1,234", "2,345", "3,456", "4,567", "5,678", "6,789"],
        ["1,5", "2.5", "3.5", "4.5", "5.5", "6.5"],
        ["1 kW", "2 MW", "3 kW", "4 MW", "5 kW", "6 MW"],
        ["1.5", "2.5", "3,5", "4.5", "5.5", "6.5"],
        ["1.5", "12 34", "3.5", "4.5", "5.5", "6.5"],
        ["1.5", "5x", "3.5", "4.5", "5.5", "6.5"],
        ["1.5", "<5", "3.5", "4.5", "5.5", "6.5"],
        ["1.5", "about 7", "3.5", "4.5", "5.5", "6.5"],
        ["1.5", "1.2.3", "3.5", "4.5", "5.5", "6.5"],
        ["1.5", "2024-01-01", "3.5", "4.5", "5.5", "6.5"],
    ],
)
def test_doubtful_numbers_are_named_with_their_line(refused: Refusal, numbers: list[str]) -> None:
    message = refused(table(DAYS.tolist(), numbers), column="y")
    assert "where a number belongs; " in message
    assert "file line" in message


@pytest.mark.parametrize(
    "token",
    [
        "",
        "NA",
        "N/A",
        "n/a",
        "null",
        "None",
        "#N/A",
        "-",
        "--",
        ".",
        "n/e",
        "n.a.",
        "nan",
        "missing",
        "?",
        "\u2013",
        "NaT",
    ],
)
def test_missing_values(read: Reader, token: str) -> None:
    series = read(table(DAYS.tolist(), [1.5, token, 2.5, token, token, 3.5]))
    check(series, values=[1.5, 1.5, 2.5, 2.5, 2.5, 3.5])
    assert series.missing is not None
    assert series.missing.tolist() == [False, True, False, True, True, False]
    assert series.filled == 3
    assert said(series, f"'{token}' in column 'y' taken as missing") == (token in UNUSUAL)


@pytest.mark.parametrize("filler", [-999, -9999, -99, -999.9, 9999])
def test_fillers_are_remarked_on_and_kept(read: Reader, filler: float) -> None:
    series = read(table(DAYS.tolist(), [1.5, filler, 2.5, filler, 4.5, 3.5]))
    assert series.values[1] == filler
    assert said(series, f"{filler:g} in 2 rows of column 'y' may mean missing")
    assert not said(read(table(DAYS.tolist(), [1.5, -99.5, 2.5, 7, 4.5, 3.5])), "may mean missing")
    assert not said(read(table(DAYS.tolist(), [-500, -999, 700, -998, 999, 3.5])), "may mean missing")


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("# made by hand\n", "1 line above the header left out"),
        ("# a, b, c\n# source: x, y\n#\n", "2 lines above the header left out"),
        ("Daily values\n\nStation 7\n", "2 lines above the header left out"),
        ("Station,Berlin\nCreated,2024-02-01\n\n", "2 lines above the header left out"),
        ('"Title, with comma"\n', "1 line above the header left out"),
        ("sep=,\n", "values from"),
        ("\n\n\n", "values from"),
    ],
)
def test_what_stands_above_the_header(read: Reader, before: str, words: str) -> None:
    series = read(before + PLAIN)
    check(series)
    assert series.name == "y"
    assert said(series, words)


def test_a_header_behind_a_comment_sign(read: Reader) -> None:
    series = read("# file of 2024\n#" + PLAIN)
    check(series)
    assert series.name == "y"


@pytest.mark.parametrize("units", ["-,kW", "[],[kW]", ",(m/s)", "UTC,\u00b0C", "yyyy-mm-dd,%", "date,float"])
def test_a_row_of_units_under_the_header(read: Reader, units: str) -> None:
    series = read(PLAIN.replace("date,y\n", f"date,y\n{units}\n"))
    check(series)
    assert series.name == "y"
    assert said(series, "row of units left out")


def test_three_rows_of_headers(read: Reader) -> None:
    rows = "".join(f"{day},{value},{k}\n" for k, (day, value) in enumerate(zip(DAYS, VALUES, strict=True)))
    series = read(f"Price,Close,Volume\nTicker,ABC,ABC\nDate,,\n{rows}")
    check(series)
    assert series.name == "Close"


@pytest.mark.parametrize(
    "after",
    [
        ",\n",
        ",\n,\n,\n",
        " \n\n  \n",
        "\n,,\n",
        "Total,12346919.1\n",
        "Sum,5\nMean,6\n",
        "Source: the office\n",
        "\x1a",
    ],
)
def test_what_stands_below_the_table(read: Reader, after: str) -> None:
    series = read(PLAIN + after)
    check(series)
    assert series.missing is None
    assert said(series, "left out") == any(sign.isalpha() for sign in after)


def test_empty_rows_below_one_column(read: Reader) -> None:
    for after in ("\n", "\n\n \n", "  \n\t\n"):
        assert read("y\n1\n2\n4\n" + after).values.tolist() == [1, 2, 4]
    assert read("y\n1\n\n4\n\n").values.tolist() == [1, 1, 4]


@pytest.mark.parametrize(
    "content",
    [
        PLAIN.replace("\n", ",\n"),
        "date,y\n" + PLAIN.split("\n", 1)[1].replace("\n", ",\n"),
        PLAIN.replace("\n", ",,,\n"),
        PLAIN.replace("date,y\n", "date,y,,\n"),
        PLAIN.replace("1.5\n", "1.5,,\n"),
        PLAIN.replace("2024-01-03", "\n,\n2024-01-03"),
        PLAIN + PLAIN.split("\n")[0] + "\n",
        PLAIN.replace("2024-01-04", "date,y\n2024-01-04"),
        PLAIN.replace("2024-01-04", "# restarted\n2024-01-04"),
    ],
)
def test_delimiters_and_rows_too_many(read: Reader, content: str) -> None:
    check(read(content))


def test_the_repeated_header_is_said(read: Reader) -> None:
    series = read(PLAIN.replace("2024-01-04", "date,y\n2024-01-04"))
    assert said(series, "header repeated in 1 row")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (PLAIN.replace("2024-01-03,", "2024-01-03,9,"), "line 4 has 3 fields, but line 1 has 2"),
        (PLAIN.replace("2024-01-03,1234.5", "2024-01-03"), "line 4 has 1 field, but line 1 has 2"),
        (PLAIN + "2024-01-07\n", "line 8 has 1 field, but line 1 has 2"),
        (
            "date,y\n2024-01-01,20,64\n2024-01-02,21,75\n2024-01-03,19,30\n",
            "decimal signs, separate the columns by semi",
        ),
    ],
)
def test_ragged_rows(refused: Refusal, content: str, words: str) -> None:
    assert words in refused(content)


def test_rows_newest_first_and_rows_in_disorder(read: Reader, refused: Refusal) -> None:
    header, *rows = PLAIN.strip().split("\n")
    series = read("\n".join([header, *rows[::-1]]))
    check(series)
    assert said(series, "rows stood newest first and were turned round")
    mixed = read("\n".join([header, rows[3], rows[0], rows[5], *rows[1:3], rows[4]]))
    check(mixed)
    assert said(mixed, "rows were not in the order of time and were sorted")
    assert "repeats the time of the row before" in refused("\n".join([header, *rows[:3], rows[2], *rows[3:]]))
    assert "does not follow" in refused("\n".join([header, *rows[:3], *rows[4:]]))


@pytest.mark.parametrize(
    "name", ["My value (kW)", '"a ""b"""', "Gr\u00f6\u00dfe", "\u6e29\u5ea6", "y y", "'y'", "a.b/c"]
)
def test_names_of_columns(read: Reader, name: str) -> None:
    series = read(PLAIN.replace("date,y", f"date,{name}"))
    check(series)
    assert series.name == ('a "b"' if name[0] == '"' else name)


def test_five_rows_and_one(read: Reader) -> None:
    assert len(read("date,y\n" + "".join(PLAIN.splitlines(keepends=True)[1:6]))) == 5
    assert read("date,y\n2024-01-01,5\n").values.tolist() == [5]


def test_columns_separated_by_blanks(read: Reader) -> None:
    rows = "\n".join(f"{day}   {value}" for day, value in zip(DAYS, VALUES, strict=True))
    check(read(rows))
    rows = "\n".join(
        f" {str(hour)[:10]} {str(hour)[11:]}:00 {value} 7" for hour, value in zip(HOURS, VALUES, strict=True)
    )
    check(read(rows), HOURS)
    assert read("t   y\n0.5 1\n1.0 5\n1.5 3\n", time="t").values.tolist() == [1, 5, 3]


def test_what_was_taken_is_said_first(read: Reader) -> None:
    assert read(PLAIN).notes == (
        "values from column 'y', times from column 'date': every day, 2024-01-01 to 2024-01-06",
    )
    wide = read(PLAIN.replace("\n", ",1\n").replace("y,1", "a,b"))
    assert wide.notes[0].startswith("values from column 'a', times from column 'date': every day")
    assert said(wide, "choose another with column= (--column): 'b'")
    assert (
        read("1\n2\n3\n").notes[0] == "values from column 'column_1'; no times, rows are taken in their order"
    )


@pytest.mark.parametrize(
    "header",
    [
        "series,2024-01,2024-02,2024-03,2024-04",
        "month,2019,2020,2021,2022",
        "id,01.01.2024,02.01.2024,03.01.2024",
        "a,b,c,2019-Q1,2019-Q2,2019-Q3",
    ],
)
def test_a_table_on_its_side(refused: Refusal, header: str) -> None:
    row = ",".join("1234567"[: header.count(",")])
    for title in ("", '"Source","The office",\n\n'):
        message = refused(f"{title}{header}\na,{row}\nb,{row}\nc,{row}\n")
        assert "the columns are named by times" in message
        assert ".melt" in message


def test_columns_that_are_hardly_the_values(read: Reader) -> None:
    years = "".join(
        f"{1990 + k // 12},{k % 12 + 1},{1990 + (k + 0.5) / 12:.4f},3,{k * k % 7}\n" for k in range(40)
    )
    series = read("year,month,decimal date,flag,average\n" + years)
    assert series.values.tolist() == [k * k % 7 for k in range(40)]
    assert said(series, "column 'decimal date' rises evenly and is not taken as values")
    assert said(series, "constant and not taken as values: 'flag'")
    assert read("a,b\n3,1\n3,1\n3,1\n").name == "a"
