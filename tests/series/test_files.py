import gzip
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.series import read_series
from ngrc.series.table import Table

Writer = Callable[..., Path]
LOOK = Table._look


@pytest.fixture
def write(tmp_path: Path) -> Writer:
    def writer(content: str | bytes, name: str = "data.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return writer


DAILY = "date,y\n2024-01-01,1.5\n2024-01-02,2.5\n2024-01-03,4\n"


@pytest.mark.parametrize(
    "content",
    [
        DAILY,
        DAILY.replace(",", ";"),
        DAILY.replace(",", "\t"),
        DAILY.replace(",", "|"),
        DAILY.replace(",", " , "),
        DAILY.replace("\n", "\r\n"),
        DAILY.replace("\n", "\r"),
        "\n\n" + DAILY + "\n\n",
        DAILY.replace("\n2024-01-02", "\n\n2024-01-02"),
        "\ufeff" + DAILY,
        DAILY.replace("date", '"date"').replace("2.5", '"2.5"'),
        DAILY.replace(",", ";").replace(".", ","),
        gzip.compress(DAILY.encode(), mtime=0),
        DAILY.split("\n", 1)[1],
        "id;" + DAILY.replace(",", ";").replace("\n2024", "\nx;2024"),
        'note,date,y\n"two\nlines",2024-01-01,1.5\n"a ""b"", c",2024-01-02,2.5\n,2024-01-03,4\n',
    ],
)
def test_one_table_in_many_dresses(write: Writer, content: str | bytes) -> None:
    series = read_series(write(content, "any.name"))
    np.testing.assert_array_equal(series.values, [1.5, 2.5, 4.0])
    np.testing.assert_array_equal(series.times, np.arange("2024-01-01", "2024-01-04", dtype="M8[D]"))


def test_parquet(tmp_path: Path) -> None:
    days = np.arange("2024-01-01", "2024-01-04", dtype="M8[D]")
    pl.DataFrame({"when": days, "y": [1.0, None, 2.0], "z": [1, 2, 4]}).write_parquet(tmp_path / "a.parquet")
    series = read_series(tmp_path / "a.parquet")
    np.testing.assert_array_equal(series.times, days)
    assert (series.name, series.values.tolist(), series.filled) == ("y", [1, 1, 2], 1)
    assert read_series(str(tmp_path / "a.parquet"), column="z", time="when").values.tolist() == [1, 2, 4]


def test_without_header(write: Writer) -> None:
    one = read_series(write("1.5\n2\nNA\n3\n", "wind.txt"))
    assert (one.name, one.values.tolist(), one.filled) == ("wind", [1.5, 2, 2, 3], 1)
    assert one.notes[1] == "no header: the first row is data"
    two = read_series(write("1,2\n3,4\n6,9\n"), column="column_2")
    assert two.values.tolist() == [2, 4, 9]
    assert "columns are column_1 to column_2" in two.notes[1]


def test_the_numbered_header_of_pandas_is_a_header(write: Writer) -> None:
    assert read_series(write(",0\n0,1.5\n1,2.5\n")).values.tolist() == [1.5, 2.5]
    assert read_series(write("0,1\n4.5,1.5\n1.5,2.5\n")).values.tolist() == [4.5, 1.5]
    assert read_series(write("0,1\n1,5\n2,7\n")).values.tolist() == [1, 5, 7]


def test_an_empty_line_is_missing_only_in_one_column(write: Writer) -> None:
    assert read_series(write("y\n1\n\n3\n")).values.tolist() == [1, 1, 3]
    assert read_series(write('"y"\n1\n\n3\n')).values.tolist() == [1, 1, 3]
    assert read_series(write("x,y\n5,1\n\n6,3\n"), column="y").values.tolist() == [1, 3]


def test_options(write: Writer) -> None:
    path = write("date,a,b\n2024-01-01,1,5\n2024-01-02,2,6\n2024-01-05,3,7\n2024-01-06,3,8\n")
    series = read_series(path, column="b", time="date", resample=True)
    assert series.values.tolist() == [5, 6, 6, 6, 7, 8]
    assert series.filled == 2
    assert read_series(path, column="b", time="a", resample=True).values.tolist() == [5, 6, 7.5]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            DAILY.replace("2.5", "abc"),
            r"data row 2 \(file line 3\): column 'y' holds 'abc' where a number belongs",
        ),
        ('t,y\n"a\nb",1\nc,oops\nd,2\ne,3\n', r"data row 2 \(file line 4\): column 'y' holds 'oops'"),
        ("\n\n" + DAILY.replace(",4", ",four"), r"data row 3 \(file line 6\)"),
        (DAILY.replace("2.5", "inf"), r"data row 2 .*infinite value 'inf'"),
        (DAILY.replace("01-02", "01-04"), r"data row 3 .*comes before"),
        (DAILY.replace("01-02", "01-01"), r"data row 2 .*repeats"),
        (
            DAILY + "2024-01-06,3\n",
            r"data row 4 \(file line 5\): time 2024-01-06 does not follow 2024-01-03 by 1 day",
        ),
        (DAILY.replace("2024-01-02", "soon"), r"data row 2 .*holds 'soon' where a time like '2024-01-01'"),
        ("", "the file is empty"),
        (b"", "the file is empty"),
        (" \n\n \n", "the file is empty"),
        ("date,y\n", "a header and no rows: date, y"),
        ("a,b\nx,y\n", "no column of numbers"),
        ("y\nNA\n\nnull\n", "all 3 values are missing"),
        ("a,b\n1,2\n3\n", "line 3 has 1 field, but line 1 has 2"),
        ("a,b\n1,2,3\n3,4\n5,6\n", "line 2 has 3 fields, but line 1 has 2"),
        ('a,b\n"1,2\n3,4\n', "line 2: the quotes do not match"),
        ("y,y\n1,2\n", "names 'y' more than once"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "this is a PNG picture, not a table; name a CSV"),
        (b"PK\x03\x04....", "zip archive or Excel workbook is damaged"),
        (b"\x1f\x8bjunk", "compressed file is damaged"),
        (gzip.compress(b"y\n1\n2\n" * 500, mtime=0)[:-12], "compressed file is damaged"),
        (b"PAR1junkjunkjunkPAR1", "Parquet file is damaged"),
        ("ort,caf\xe9\n1,\x81\n".encode("latin-1"), "line 1 is neither UTF-8 nor Windows-1252"),
        ("y\n1\n" + "9" * 400 + "\n2\n", r"data row 2 .*infinite value '9{60}'\.\.\. \(400 characters\)"),
        (
            "date,y\n2024-01-01," + "x" * 200_000 + "\n2024-01-02,2\n2024-01-03,3\n",
            r"data row 1 .*200,000 char",
        ),
        ('date,y\n2024-01-01,"' + "x" * 200_000 + '"\n', "line 2: a quoted field is longer than 131,072"),
        ('\n\ny,z\n1,"\n', "line 4: the quotes do not match"),
        (b"y\n1\n\x00\n2\n", "no table of text: line 3 holds the byte 0x00"),
        ("y;z\n1,234;2\n5,678;3\n", "'1,234' where a number belongs; write numbers like 1234.5"),
    ],
)
def test_bad_files_are_one_line_errors(write: Writer, content: str | bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message) as raised:
        read_series(write(content))
    assert "\n" not in str(raised.value)
    assert "data.csv: " in str(raised.value)


@pytest.mark.parametrize(
    ("content", "values"),
    [
        ("20,64\n21,05\n19,3\n", [20.64, 21.05, 19.3]),
        ("-0,05\n21,50\n19,30\n", [-0.05, 21.5, 19.3]),
        ("2024-01-01,20,64\n2024-01-02,20,05\n2024-01-03,7,50\n", [20.64, 20.05, 7.5]),
    ],
)
def test_decimal_commas_without_header(write: Writer, content: str, values: list[float]) -> None:
    series = read_series(write(content))
    assert series.values.tolist() == values
    assert "numbers read with decimal commas" in series.notes


@pytest.mark.parametrize(
    "content",
    [
        "20,64\n21,35\n19,30\n",
        "20,6\n21,3\n19,0\n",
        "0,05\n1,15\n2,25\n",
        "2024-01-01,20,64\n2024-01-02,21,35\n",
        # Thousands, even with a zero behind the comma.
        "3,624\n2,413\n7,005\n",
    ],
)
def test_commas_of_two_meanings_are_refused(write: Writer, content: str) -> None:
    with pytest.raises(ValueError, match="may hold a decimal comma or two columns; write"):
        read_series(write(content))
    if content[:4] != "2024":
        assert len(read_series(write(content), column="column_2")) == 3


@pytest.mark.parametrize(
    "content",
    [
        "1950,20,31\n1951,21,58\n1952,22,49\n1953,20,33\n",
        "1950,20,3\n1951,21,05\n1952,22,49\n",
        "2024-01-01,0,07,3,05\n2024-01-02,1,17,2,15\n2024-01-03,0,27,3,25\n",
        "20,07,3,05\n21,17,2,15\n19,27,3,25\n",
    ],
)
def test_halves_of_decimal_numbers_are_refused(write: Writer, content: str) -> None:
    with pytest.raises(ValueError, match=r"may hold decimal commas or \d columns; write \d+\.\d+, or name"):
        read_series(write(content))
    assert len(read_series(write(content), column="column_2")) >= 3


@pytest.mark.parametrize(
    ("content", "values"),
    [
        ("5,20,31\n9,21,58\n7,22,49\n", [5, 9, 7]),
        ("1950,20,310\n1951,22,58\n1952,21,49\n", [20, 22, 21]),
        ("20,600\n21,30\n19,5\n", [20, 21, 19]),
        ("1,64\n2,35\n3,30\n", [64, 35, 30]),
        ("a,b\n20,64\n21,05\n19,30\n", [20, 21, 19]),
        ("20;64\n21;05\n19;30\n", [20, 21, 19]),
    ],
)
def test_two_columns_stay_two_columns(write: Writer, content: str, values: list[float]) -> None:
    assert read_series(write(content)).values.tolist() == values


def test_digits_of_other_scripts_are_digits(write: Writer) -> None:
    arabic = read_series(write("date,y\n٢٠٢٤-٠١-٠١,٢٠\n٢٠٢٤-٠١-٠٢,٢١٫٥\n٢٠٢٤-٠١-٠٣,٣\n"))
    assert arabic.values.tolist() == [20, 21.5, 3]
    assert str(arabic.times[0]) == "2024-01-01"  # type: ignore[index]
    assert read_series(write("y\n２０\n２１\n－３．５\n")).values.tolist() == [20, 21, -3.5]


def test_a_wide_file_is_looked_at_in_part(write: Writer) -> None:
    rows = [",".join(f"{day}.{k % 97}" for k in range(4000)) for day in range(1, 31)]
    names = [f"c{k}" for k in range(4000)]
    names[3990] = "y"
    wide = write(
        ",".join(["when", *names])
        + "\n"
        + "".join(f"2024-01-{k:02d},{row}\n" for k, row in enumerate(rows, 1))
    )
    looks: list[object] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Table, "_look", lambda table, name: looks.append(name) or LOOK(table, name))  # type: ignore[func-returns-value]
        series = read_series(wide)
    assert series.name == "y"
    assert series.values[0] == 1 + (3990 % 97) / 100
    # Not every column: the first few hundred, and those with a telling name.
    assert len(looks) < 250


def test_a_time_that_is_not_understood_is_refused(write: Writer) -> None:
    for name, tokens in (
        ("date", "24-02-01"),
        ("time", "10:00"),
        ("timestamp", "soon"),
    ):
        text = f"{name},y\n" + "".join(f"{tokens},{k}\n" for k in range(5))
        with pytest.raises(ValueError, match=f"column '{name}' .*'{tokens}' in it cannot be read") as raised:
            read_series(write(text))
        assert "--time" in str(raised.value)
    named = write("date,t,y\nsoon,1,5\nlater,2,6\nnever,3,7\n")
    assert read_series(named, time="t", column="y").values.tolist() == [5, 6, 7]


@pytest.mark.parametrize("words", [["Mon", "Tue", "Wed"], ["Jan", "Feb", "Mar"]])
def test_names_of_days_and_months_are_remarked_on(write: Writer, words: list[str]) -> None:
    series = read_series(write("day,y\n" + "".join(f"{word},{k * k}\n" for k, word in enumerate(words))))
    assert series.values.tolist() == [0, 1, 4]
    assert any("column 'day' was not understood as times" in note for note in series.notes)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"absent.csv: there is no such file"):
        read_series(tmp_path / "absent.csv")
    with pytest.raises(ValueError, match=r"this is a folder"):
        read_series(tmp_path)
    (tmp_path / "file").write_text("y\n1\n")
    with pytest.raises(ValueError, match=r"cannot be read"):
        read_series(tmp_path / "file" / "below.csv")


def test_unknown_columns(write: Writer) -> None:
    with pytest.raises(ValueError, match=r"no column 'yy'; there are 'date', 'y'; did you mean 'y'"):
        read_series(write(DAILY), column="yy")
    with pytest.raises(ValueError, match=r"no column 'when'"):
        read_series(write(DAILY), time="when")


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.one_of(st.none(), st.floats(-1e9, 1e9)), min_size=1, max_size=30), st.sampled_from(",;\t|")
)
def test_a_written_series_comes_back(
    tmp_path_factory: pytest.TempPathFactory, values: list[float | None], sign: str
) -> None:
    path = tmp_path_factory.mktemp("round") / "trip.csv"
    days = np.datetime64("2023-12-25") + np.arange(len(values))
    frame = pl.DataFrame({"day": days, "y": pl.Series(values, dtype=pl.Float64)})
    buffer = io.StringIO()
    frame.write_csv(buffer, separator=sign)
    path.write_text(buffer.getvalue())
    if all(value is None for value in values):
        with pytest.raises(ValueError, match="missing"):
            read_series(path)
        return
    series = read_series(path)
    first = next(k for k, value in enumerate(values) if value is not None)
    known = np.array([np.nan if value is None else value for value in values[first:]])
    np.testing.assert_array_equal(series.values[~np.isnan(known)], known[~np.isnan(known)])
    np.testing.assert_array_equal(series.times, days[first:])
    assert (series.dropped, series.filled) == (first, int(np.isnan(known).sum()))


@settings(deadline=None, max_examples=60)
@given(
    st.one_of(st.binary(max_size=60), st.text(alphabet='019.,;\n\t"-:naxZT/ ', max_size=60).map(str.encode))
)
def test_rubbish_gives_a_series_or_one_line(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("rubbish") / "file.csv"
    path.write_bytes(content)
    series, message = None, ""
    try:
        series = read_series(path)
    except ValueError as error:
        message = str(error)
    assert len(message.splitlines()) == (1 if series is None else 0)
    assert series is None or np.isfinite(series.values).all()
