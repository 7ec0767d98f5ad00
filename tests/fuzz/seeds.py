"""Good files of every kind, small, from which bad ones are made; and words that readers treat specially."""

import bz2
import gzip
import io
import json
import lzma
import zipfile
from datetime import datetime, timedelta

import polars as pl

ROWS = 30
_START = datetime(2024, 2, 20)


def _values(rows: int = ROWS) -> list[float]:
    return [((7 * step) % 11) / 4 - 1.25 for step in range(rows)]


def _frame() -> pl.DataFrame:
    days = [_START + timedelta(days=day) for day in range(ROWS)]
    return pl.DataFrame({"date": days, "load": _values(), "wind": _values()[::-1]})


def _delimited(separator: str, decimal: str = ".", header: bool = True) -> bytes:
    rows = [
        separator.join((str(day.date()), str(load).replace(".", decimal), str(wind).replace(".", decimal)))
        for day, load, wind in _frame().rows()
    ]
    return "\n".join((["date" + separator + "load" + separator + "wind"] if header else []) + rows).encode()


def _long() -> bytes:
    rows = [f"{name},{day.date()},{load}" for name in "ab" for day, load, _ in _frame().rows()]
    return "\n".join(["unique_id,ds,y", *rows]).encode() + b"\n"


def _parted() -> bytes:
    rows = [f"2024;2;{20 + hour // 24};{hour % 24};{value}" for hour, value in enumerate(_values(60))]
    return "\n".join(["year;month;day;hour;y", *rows]).encode()


def _written(method: str, **options: object) -> bytes:
    target = io.BytesIO()
    getattr(_frame(), method)(target, **options)
    return target.getvalue()


def _zipped(content: bytes, name: str = "data.csv") -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return target.getvalue()


def delimited_seeds() -> list[bytes]:
    """CSV, TSV and their kin, in several encodings."""
    plain = _delimited(",")
    return [
        plain,
        _delimited(";", ","),
        _delimited("\t"),
        _delimited("|", header=False),
        _long(),
        _parted(),
        b"\n".join(str(value).encode() for value in _values()),
        b"# made by hand\nStation 7\n\n" + plain.replace(b"\n", b"\r\n") + b"\r\nTotal,7,8\r\n",
        plain.replace(b"date,load,wind\n", b"time,load,wind\nUTC,kW,m/s\n").replace(b"-1.25", b"NA"),
        plain.replace(b"2024-02-", b"").replace(b"2024-03-", b"3-"),
        b'"t","my ""load"" (kW)"\n' + b"\n".join(b'"%d","1,%03d"' % (k, 40 + k) for k in range(20)),
        "date;größe\n01.02.2024;1,5\n02.02.2024;1.234,5\n03.02.2024;7\n".encode("latin-1"),
        plain.decode().encode("utf-16"),
        b"month,2019,2020,2021\n" + b"\n".join(b"%d,1,2,3" % month for month in range(1, 13)),
        b"d t y\n2024-01-01 00:00 1\n2024-01-01 01:00 2\n2024-01-01 02:00 4\n2024-01-01 03:00 3\n",
    ]


def document_seeds() -> list[bytes]:
    """JSON and JSON lines."""
    rows = [
        {"date": str(day.date()), "load": load, "wind": wind} for day, load, wind in _frame().head(12).rows()
    ]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    documents = [
        rows,
        columns,
        {"meta": {"unit": "kW"}, "data": rows},
        {"data": columns, "names": ["a", "b"]},
        [[1704067200000 + 3600000 * k, 1.5 * k] for k in range(9)],
        {"load": {str(k): row["load"] for k, row in enumerate(rows)}},
    ]
    lines = "\n".join(json.dumps(row) for row in rows)
    return [json.dumps(document).encode() for document in documents] + [lines.encode()]


def binary_seeds() -> list[bytes]:
    """Parquet, Feather and Arrow streams."""
    return [
        _written("write_parquet"),
        _written("write_parquet", compression="uncompressed", statistics=False),
        _written("write_parquet", compression="gzip", row_group_size=7),
        _written("write_ipc"),
        _written("write_ipc", compression="lz4"),
        _written("write_ipc_stream"),
    ]


def workbook_seeds() -> list[bytes]:
    """Excel; packed, so that its parts are mutated as they are read, and stored, so that their content is."""
    import xlsxwriter  # type: ignore[import-untyped]

    result = []
    for stored in (False, True):
        target = io.BytesIO()
        with xlsxwriter.Workbook(target, {"in_memory": True}) as book:
            sheet = book.add_worksheet("data")
            sheet.write_row(0, 0, ["date", "load"])
            style = book.add_format({"num_format": "yyyy-mm-dd"})
            for row, (day, load, _) in enumerate(_frame().rows(), 1):
                sheet.write_datetime(row, 0, day, style)
                sheet.write_number(row, 1, load)
        result.append(_stored(target.getvalue()) if stored else target.getvalue())
    return result


def packed_seeds() -> list[bytes]:
    """Files in archives, and compressed ones."""
    plain = _delimited(",")
    return [
        _zipped(plain),
        _stored(_zipped(plain)),
        _zipped(gzip.compress(plain), "data.csv.gz"),
        gzip.compress(plain),
        bz2.compress(plain),
        lzma.compress(plain),
    ]


def _stored(content: bytes) -> bytes:
    """The same zip archive without compression."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(target, "w") as archive:
        for name in source.namelist():
            archive.writestr(name, source.read(name))
    return target.getvalue()


TEXT_TOKENS = tuple(
    word.encode()
    for word in (
        *(
            "nan",
            "NaN",
            "inf",
            "-inf",
            "Infinity",
            "NA",
            "null",
            "None",
            "#N/A",
            "-",
            "",
            " ",
            "?",
            "true",
            "False",
        ),
        *(
            "1e308",
            "1e309",
            "-1e400",
            "1e-400",
            "9" * 400,
            "0." + "1" * 300,
            "1" * 5000,
            "0x10",
            "1_000",
            "١٢٣",
        ),
        *("1,234.5", "1.234,5", "1'000", "(5)", "$5", "5 %", "5 kW", "−5", "½", "5e", "e5", "--5", "+", "."),
        *("2024-02-30", "0000-00-00", "9999-12-31", "-2024-01-01", "2024-13-01", "2024-W53-7", "2024-366"),
        *("99999999999999-01-01", "1970-01-01T00:00:00Z", "2024-01-01T24:00", "2024-01-01T00:00:00+99:99"),
        *(
            "31.12.2024",
            "12/31/24",
            "1/2/3",
            "Feb 2024",
            "2024Q5",
            "2024-Q4",
            "mon",
            "1704067200",
            "-1",
            "1e18",
        ),
        *(
            '"',
            '""',
            "'",
            '"a\nb"',
            "\ufeff",
            "\u2028",
            "\x00",
            "\x1a",
            "\u202e",
            "\U0001f600",
            "\x85",
            "\x0c",
        ),
        *(
            "date,load,wind",
            "unique_id",
            "ds",
            "y",
            "year",
            "month",
            "hour",
            "time",
            "Total",
            "#",
            "sep=;",
            "\r",
        ),
        *("\n", "\n\n", "\r\n", ",", ",,,", ";", "\t", "|", ",\n", ";\n"),
    )
)
JSON_TOKENS = TEXT_TOKENS + tuple(
    word.encode()
    for word in (
        *(
            "[",
            "]",
            "{",
            "}",
            "[]",
            "{}",
            "[[]]",
            '{"a":1}',
            "[1,2]",
            '"a":',
            '"load":',
            "null,",
            "1e999",
            "-0",
        ),
        *(
            "NaN",
            "-Infinity",
            "true",
            "false",
            '"\\ud800"',
            '"\\u0000"',
            "[" * 2000,
            '{"a":' * 1000,
            "1" * 5000,
        ),
    )
)
BINARY_TOKENS = (
    *(
        b"PAR1",
        b"ARROW1\0\0",
        b"\xff\xff\xff\xff",
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"PK\x01\x02",
        b"\x1f\x8b\x08",
    ),
    *(
        b"BZh9",
        b"\xfd7zXZ\x00",
        b"\xd0\xcf\x11\xe0",
        b"\x28\xb5\x2f\xfd",
        b"date",
        b"load",
        b"wind",
        b"\x00" * 64,
    ),
    *(
        b"\xff" * 64,
        b"xl/workbook.xml",
        b"content.xml",
        b"../",
        b"/",
        b'r="XFD1048576"',
        b'r="A1"',
        b"<row",
        b"</c>",
    ),
    *(
        b"<v>1e999</v>",
        b"<v>nan</v>",
        b't="s"',
        b't="d"',
        b't="e"',
        b"&#0;",
        b"<!DOCTYPE a>",
        b"data.csv",
        b".gz",
    ),
)
