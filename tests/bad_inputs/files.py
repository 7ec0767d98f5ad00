"""Files that are no series: every kind of wrongness, and the line that says so after the file's name."""

import gzip

import polars as pl

from tests.bad_inputs.making import DAYS, parquet, workbook, zipped

FILES: dict[str, tuple[bytes, str]] = {
    "empty file": (b"", "the file is empty; at least one value is needed"),
    "blank file": (b"\n \n\t\n", "the file is empty; at least one value is needed"),
    "header alone": (b"date,y\n", "the file has a header and no rows: date, y; add at least one"),
    "one word": (b"hello\n", "the file has a header and no rows: hello; add at least one"),
    "words throughout": (b"a,b\nx,y\nz,w\n", "no column of numbers to use as values among 'a', 'b'; add one"),
    "zero bytes": (
        b"\0" * 100,
        "this is no table of text: line 1 holds the byte 0x00; name a CSV, TSV, Excel, Parquet, "
        "Feather or JSON file",
    ),
    "binary noise": (
        bytes(range(256)),
        "this is no table of text: line 1 holds the byte 0x00; name a CSV, TSV, Excel, Parquet, "
        "Feather or JSON file",
    ),
    "PDF": (b"%PDF-1.7\n", "this is a PDF document, not a table; copy its table into a CSV file"),
    "PNG": (
        b"\x89PNG\r\n\x1a\n",
        "this is a PNG picture, not a table; name a CSV, TSV, Excel, Parquet, Feather or JSON file",
    ),
    "HTML page": (
        b"<!doctype html><html><body>404</body></html>",
        "this is a web page, not a table; download the file itself, or copy its table into a CSV file",
    ),
    "SQLite database": (
        b"SQLite format 3\0" + b"\0" * 100,
        "this is an SQLite database, not a table; export the table as CSV",
    ),
    "pickle": (
        b"\x80\x04K\x01.",
        "this is a pickle, which is never loaded, as that would run what it holds; write it as "
        "CSV or Parquet",
    ),
    "XML": (b"<?xml version='1.0'?><a/>", "this is an XML document, not a table; export the table as CSV"),
    "zstandard": (b"\x28\xb5\x2f\xfd abc", "this is compressed by Zstandard; unpack it first, with zstd -d"),
    "UTF-16 that breaks off": (
        "date,y\n".encode("utf-16") + b"\x00",
        "the file begins like UTF-16 text and breaks off; save it again in UTF-8",
    ),
    "neither UTF-8 nor Windows-1252": (
        b"date,y\n2024-01-01,\x81\n",
        "line 2 is neither UTF-8 nor Windows-1252 text; save the file in UTF-8",
    ),
    "word among numbers": (
        DAYS.replace(",7\n", ",seven\n", 1).encode(),
        "data row 1 (file line 2): column 'y' holds 'seven' where a number belongs; correct it "
        "or leave it empty",
    ),
    "infinite value": (
        DAYS.replace(",7\n", ",inf\n", 1).encode(),
        "data row 1 (file line 2): column 'y' holds the infinite value 'inf'; leave it empty",
    ),
    "overflowing value": (
        DAYS.replace(",7\n", ",1e999\n", 1).encode(),
        "data row 1 (file line 2): column 'y' holds the infinite value '1e999'; leave it empty",
    ),
    "two decimal signs": (
        DAYS.replace(",7\n", ",1.2.3\n", 1).encode(),
        "data row 1 (file line 2): column 'y' holds '1.2.3' where a number belongs; correct it "
        "or leave it empty",
    ),
    "all values missing": (
        b"date,y\n2024-01-01,NA\n2024-01-02,\n2024-01-03,nan\n",
        "all 3 values are missing; at least one number is needed",
    ),
    "row too long": (
        DAYS.replace("2024-01-03,", "2024-01-03,9,").encode(),
        "line 4 has 3 fields, but line 1 has 2; give every row the same number; if its commas "
        "are decimal signs, separate the columns by semicolons",
    ),
    "row too short": (
        DAYS.replace("2024-01-03,10", "2024-01-03").encode(),
        "line 4 has 1 field, but line 1 has 2; give every row the same number",
    ),
    "quote that is not closed": (
        DAYS.replace("2024-01-03,", '"2024-01-03,').encode(),
        "line 4: the quotes do not match (*); close or remove them",
    ),
    "quote inside a field": (
        DAYS.replace("2024-01-03,", '20"24-01-03,"').encode(),
        "line 4: the quotes do not match (*); close or remove them",
    ),
    "decimal commas in a file of commas": (
        b"date,y\n2024-01-01,20,64\n2024-01-02,21,75\n2024-01-03,19,30\n",
        "line 2 has 3 fields, but line 1 has 2; give every row the same number; if its commas "
        "are decimal signs, separate the columns by semicolons",
    ),
    "same column twice": (
        b"date,y,y\n2024-01-01,1,2\n2024-01-02,1,2\n2024-01-03,2,2\n",
        "the header names 'y' more than once; rename one",
    ),
    "duplicate time": (
        DAYS.replace("2024-01-04", "2024-01-03").encode(),
        "data row 4 (file line 5): time 2024-01-03 repeats the time of the row before, "
        "2024-01-03; sort and merge, or put the series on the regular grid with resample=True "
        "(--resample)",
    ),
    "gap in the times": (
        DAYS.replace("2024-01-04,6\n", "").encode(),
        "data row 4 (file line 5): time 2024-01-05 does not follow 2024-01-03 by 1 day as most "
        "rows do; put the series on the regular grid with resample=True (--resample)",
    ),
    "impossible date": (
        DAYS.replace("2024-01-28", "2024-02-30").encode(),
        "data row 28 (file line 29): column 'date' holds '2024-02-30' where a time like "
        "'2024-01-01' belongs; correct it or drop it",
    ),
    "month 13": (
        DAYS.replace("2024-01-28", "2024-13-01").encode(),
        "data row 28 (file line 29): column 'date' holds '2024-13-01' where a time like "
        "'2024-01-01' belongs; correct it or drop it",
    ),
    "time missing": (
        DAYS.replace("2024-01-04,", ",").encode(),
        "data row 4 (file line 5): column 'date' holds no time where a time like '2024-01-01' "
        "belongs; correct it or drop it",
    ),
    "day or month first": (
        b"date,y\n01/02/2024,1\n02/03/2024,2\n03/04/2024,3\n",
        "dates like '01/02/2024' can be read with the day or the month first; write them as 2024-01-31",
    ),
    "irregular times": (
        b"date,y\n2024-01-01 00:00,1\n2024-01-01 00:07,2\n2024-01-01 00:30,3\n2024-01-02 00:00,4\n2024-01-05 11:00,3\n",
        "data row 3 (file line 4): time 2024-01-01 00:30 does not follow 2024-01-01 00:07 by 7 "
        "minutes as most rows do; put the series on the regular grid with resample=True "
        "(--resample)",
    ),
    "years across the top": (
        b"month,2019,2020,2021,2022\n1,1,2,3,4\n2,1,2,3,4\n",
        "the columns are named by times ('2019', '2020', ...), one row per series; turn the "
        "table so that every time has a row (in pandas: .T of one row, or .melt), or name one "
        "column with column= (--column)",
    ),
    "huge integer": (
        b"y\n" + b"1\n" * 9 + b"9" * 400 + b"\n",
        "data row 10 (file line 11): column 'y' holds the infinite value "
        "'999999999999999999999999999999999999999999999999999999999999'... (400 characters); "
        "leave it empty",
    ),
    "boolean words": (
        b"date,y\n2024-01-01,true\n2024-01-02,false\n2024-01-03,true\n",
        "data row 1 (file line 2): column 'y' holds 'true' where a number belongs; correct it or "
        "leave it empty",
    ),
    "JSON broken off": (
        b'[{"date": "2024-01-01", "y": 1}, {"date"',
        'the JSON text is damaged (*); write [{"date": "2024-01-31", "value": 1.5}, ...], or one '
        "such object per line",
    ),
    "JSON empty list": (
        b"[]",
        'the JSON text is no table; write [{"date": "2024-01-31", "value": 1.5}, ...], or one '
        "such object per line",
    ),
    "JSON empty object": (
        b"{}",
        'the JSON text is no table; write [{"date": "2024-01-31", "value": 1.5}, ...], or one '
        "such object per line",
    ),
    "JSON number": (
        b"[[[1]]]",
        'the JSON text holds \'[1]\' where one value belongs; write [{"date": "2024-01-31", '
        '"value": 1.5}, ...], or one such object per line',
    ),
    "JSON nested value": (
        b'[{"y": [1, 2]}, {"y": 3}]',
        'the JSON text holds \'[1, 2]\' where one value belongs; write [{"date": "2024-01-31", '
        '"value": 1.5}, ...], or one such object per line',
    ),
    "JSON nested deeply": (
        b"[" * 100000,
        'the JSON text is nested too deeply for a table; write [{"date": "2024-01-31", "value": '
        "1.5}, ...], or one such object per line",
    ),
    "JSON two tables": (
        b'{"a": [{"d": 1, "y": 2}, {"d": 2, "y": 3}], "b": [{"d": 1, "y": 2}, {"d": 2, "y": 3}]}',
        'the JSON text holds 2 tables; keep one of them: write [{"date": "2024-01-31", "value": '
        "1.5}, ...], or one such object per line",
    ),
    "JSON ragged columns": (
        b'{"d": [1, 2, 3], "y": [1, 2]}',
        'the JSON text is no table; write [{"date": "2024-01-31", "value": 1.5}, ...], or one '
        "such object per line",
    ),
    "JSON line broken": (
        b'{"y": 1}\n{"y": 2\n{"y": 3}\n',
        'line 2 is no JSON object: \'{"y": 2\'; write [{"date": "2024-01-31", "value": 1.5}, ...], '
        "or one such object per line",
    ),
    "JSON number too large": (
        b'[{"y": 1}, {"y": 1e999}, {"y": 2}]',
        "object 2: column 'y' holds the infinite value 'inf'; leave it empty",
    ),
    "JSON NaN": (b'[{"y": NaN}, {"y": NaN}]', "all 2 values are missing; at least one number is needed"),
    "JSON word": (
        b'[{"y": 1}, {"y": "x"}, {"y": 2}, {"y": 3}]',
        "object 2: column 'y' holds 'x' where a number belongs; correct it or leave it empty",
    ),
    "JSON digits without end": (
        b'[{"y": ' + b"1" * 5000 + b"}]",
        'the JSON text is damaged (*); write [{"date": "2024-01-31", "value": 1.5}, ...], or one '
        "such object per line",
    ),
    "Parquet cut": (
        parquet(pl.DataFrame({"y": [1.0, 2.0]}))[:60],
        "the Parquet file is damaged (*); write it again",
    ),
    "Parquet mark alone": (b"PAR1", "the Parquet file is damaged (*); write it again"),
    "Parquet without rows": (
        parquet(pl.DataFrame({"y": pl.Series([], dtype=pl.Float64)})),
        "the table has no rows; at least one value is needed",
    ),
    "Parquet of words": (
        parquet(pl.DataFrame({"y": ["a", "b", "c"]})),
        "row 1 (counting from 1): 'a' stands where a number belongs; convert text to numbers first",
    ),
    "Parquet of lists": (
        parquet(pl.DataFrame({"y": [[1.0], [2.0]]})),
        "row 1 (counting from 1): array([1.]) stands where a number belongs; correct it or leave it missing",
    ),
    "Parquet infinite": (
        parquet(pl.DataFrame({"y": [1.0, float("inf"), 2.0]})),
        "row 2 (counting from 1): inf is infinite; correct it or leave it missing (NaN)",
    ),
    "Parquet year 300000": (
        parquet(
            pl.DataFrame(
                {"t": pl.Series([2**62] * 3, dtype=pl.Int64).cast(pl.Datetime("us")), "y": [1.0, 2.0, 3.0]}
            )
        ),
        "row 1 (counting from 1): the time 148108-07-06 14:00:27.387904 is outside the years 1 "
        "to 9999; correct it, or pass times as numbers",
    ),
    "Arrow cut": (b"ARROW1\0\0" + b"\0" * 20, "the Arrow file is damaged (*); write it again"),
    "Arrow stream cut": (b"\xff\xff\xff\xff\x10\0\0\0", "the Arrow file is damaged (*); write it again"),
    "Excel cut": (
        workbook([["date", "y"], [1, 2], [2, 3]])[:500],
        "the zip archive or Excel workbook is damaged (*); fetch it again",
    ),
    "Excel without numbers": (
        workbook([["date", "y"], ["a", "b"]]),
        "no sheet of the workbook holds a table of numbers: 'Sheet1'; save it as CSV",
    ),
    "Excel empty": (
        workbook([]),
        "no sheet of the workbook holds a table of numbers: 'Sheet1'; save it as CSV",
    ),
    "old Excel cut": (
        b"\xd0\xcf\x11\xe0" + b"\0" * 600,
        "the Excel workbook is damaged or locked (*); save it again",
    ),
    "zip cut": (
        zipped(**{"data.csv": DAYS})[:40],
        "the zip archive or Excel workbook is damaged (*); fetch it again",
    ),
    "zip empty": (zipped(), "the zip archive is empty; pack the table again"),
    "zip of two tables": (
        zipped(**{"a.csv": DAYS, "b.csv": DAYS}),
        "the zip archive holds 'a.csv', 'b.csv'; unpack it and name one of them",
    ),
    "zip in a zip": (
        zipped(**{"a.zip": zipped(**{"b.csv": DAYS})}),
        "the zip archive holds another one; unpack it first",
    ),
    "zip of a picture": (
        zipped(**{"a.png": b"\x89PNG"}),
        "this is a PNG picture, not a table; name a CSV, TSV, Excel, Parquet, Feather or JSON file",
    ),
    "gzip cut": (
        gzip.compress(DAYS.encode())[:30],
        "the compressed file is damaged (it ends before its end mark); fetch it again",
    ),
    "gzip with a wrong checksum": (
        gzip.compress(DAYS.encode())[:-8] + b"\0" * 8,
        "the compressed file is damaged (*); fetch it again",
    ),
    "bzip2 damaged": (b"BZh9" + b"\0" * 30, "the compressed file is damaged (*); fetch it again"),
    "xz damaged": (b"\xfd7zXZ\x00" + b"\0" * 30, "the compressed file is damaged (*); fetch it again"),
}
"""By name: the content of the file, and what is said of it."""
