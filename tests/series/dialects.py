"""One series written in the ways that people and programs write tables, drawn at random from a seed."""

import bz2
import gzip
import io
import json
import zipfile
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ngrc._types import AnyArray, FloatArray

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "windows-1252")
NARROW = "\u202f"
MISSING = ("", "NA", "N/A", "null", "None", "#N/A", "-", "--", ".", "n/e", "n.a.", "nan", "missing", "?")
UNITS = ("", "", "", " kW", "%", " %", " \u00b5g/m3", "\u00b0C")

# How a step of a month, a day or an hour is written, by `strftime`.
MONTHS = (
    "%Y-%m",
    "%Y/%m",
    "%b %Y",
    "%B %Y",
    "%b-%y",
    "%m/%Y",
    "%m.%Y",
    "%Y%m",
    "%Y-%m-%d",
    "%d.%m.%Y",
    "%YM%m",
)
DAYS = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%d.%m.%y",
    "%m/%d/%y",
    "%Y%m%d",
    "%d %b %Y",
    "%d-%b-%y",
    "%b %d, %Y",
    "%a, %d %b %Y",
)
CLOCKS = (
    " %H:%M",
    "T%H:%M",
    " %H:%M:%S",
    ", %H:%M",
    " %I:%M %p",
    " %I:%M%p",
    "T%H:%M:%SZ",
    "T%H:%M:%S+01:00",
)


@dataclass(frozen=True)
class Dialect:
    """How a table is written."""

    separator: str
    decimal: str
    group: str
    places: int
    unit: str
    missing: str
    pattern: str
    encoding: str
    newline: str
    quoted: bool
    header: bool
    title: int
    units_row: bool
    trailing: bool
    blank_rows: int
    backward: bool
    total: bool
    container: str
    step: str


def draw(rng: np.random.Generator) -> Dialect:
    """A dialect that some program or person writes."""

    def one(choices: Any) -> Any:
        return choices[int(rng.integers(len(choices)))]

    separator = one(",;\t|;")
    decimal = "." if separator == "," else one(".,,")
    group = one(("", "", " ", NARROW, "'", "\u2019", "." if decimal == "," else ","))
    quoted = bool(rng.random() < 0.3) or group == ","
    if separator == "," and group == ",":
        quoted = True
    step = one(("month", "day", "day", "hour", "hour"))
    pattern = one(MONTHS) if step == "month" else one(DAYS)
    if step == "hour":
        day = one([day for day in DAYS if day != "%Y%m%d"])
        pattern = day + one(CLOCKS)
        # A bare T and zones belong to ISO dates.
        if ("T" in pattern or "," in pattern[-8:]) and day != "%Y-%m-%d":
            pattern = day + " %H:%M"
    if "," in pattern and separator == ",":
        quoted = True
    header = bool(rng.random() < 0.85)
    encoding = one(ENCODINGS)
    if encoding == "windows-1252" and group == NARROW:
        group = "\u00a0"
    return Dialect(
        separator=separator, decimal=decimal, group=group, places=int(rng.integers(1, 3)), unit=one(UNITS),
        missing=one(MISSING), pattern=pattern, encoding=encoding, newline=one(("\n", "\r\n", "\n", "\r")),
        quoted=quoted, header=header, title=int(rng.integers(0, 4)) if header and rng.random() < 0.3 else 0,
        units_row=header and bool(rng.random() < 0.15), trailing=bool(rng.random() < 0.15),
        blank_rows=int(rng.integers(0, 3)), backward=bool(rng.random() < 0.15),
        total=header and bool(rng.random() < 0.1),
        container=one(("plain", "plain", "plain", "gzip", "zip", "bz2")), step=step,
    )  # fmt: skip


@dataclass(frozen=True)
class Truth:
    """What must come back: times and values of shape (n,), NaN where missing."""

    times: AnyArray
    values: FloatArray


def truth(rng: np.random.Generator, dialect: Dialect) -> Truth:
    """A series whose days and months tell the orders of a date apart."""
    size = int(rng.integers(45, 80))
    if dialect.step == "month":
        times = (np.datetime64("2019-11") + np.arange(size)).astype("M8[D]")
    elif dialect.step == "day":
        times = np.datetime64("2023-12-25") + np.arange(size)
    else:
        times = np.datetime64("2023-12-30T05", "h") + np.arange(size)
    values = np.round(rng.normal(0, 3000, size), dialect.places)
    values[rng.random(size) < 0.1] = np.nan
    values[0], values[-1] = 1234567.5, -0.5
    return Truth(times, values)


def spell(value: float, dialect: Dialect) -> str:
    if np.isnan(value):
        return dialect.missing
    text = f"{value:,.{dialect.places}f}"
    text = text.replace(",", "\0").replace(".", dialect.decimal).replace("\0", dialect.group)
    return text + dialect.unit


def write(truth: Truth, dialect: Dialect) -> bytes:
    """The bytes of a table in a dialect."""
    clock = [time.astype("M8[s]").item().strftime(dialect.pattern) for time in truth.times]
    rows = [[time, spell(value, dialect)] for time, value in zip(clock, truth.values, strict=True)]
    rows = rows[::-1] if dialect.backward else rows
    lines = ["Messwerte der Größe Q", "", "Station 4711 (Nord)"][: dialect.title]
    if dialect.header:
        rows = [["Zeitpunkt", "Größe 1"], *([["", "[kW]"]] if dialect.units_row else []), *rows]
    if dialect.total:
        rows = [*rows, ["Total", spell(float(np.nansum(truth.values)), dialect)]]
    lines += [
        dialect.separator.join(map(_field(dialect), row)) + dialect.separator * dialect.trailing
        for row in rows
    ]
    lines += [dialect.separator] * dialect.blank_rows
    data = (dialect.newline.join(lines) + dialect.newline).encode(dialect.encoding)
    return packed(data, dialect.container)


def _field(dialect: Dialect) -> Any:
    return lambda field: f'"{field}"' if dialect.quoted else field


def packed(data: bytes, container: str) -> bytes:
    if container == "gzip":
        return gzip.compress(data, mtime=0)
    if container == "bz2":
        return bz2.compress(data)
    if container == "zip":
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("folder/data.csv", data)
        return buffer.getvalue()
    return data


def typed(truth: Truth, kind: str) -> bytes:
    """The bytes of a typed file: parquet, feather, arrow stream, JSON, JSON lines or Excel."""
    frame = pl.DataFrame({"when": truth.times.astype("M8[ms]"), "y": truth.values}).with_columns(
        pl.col("y").fill_nan(None)
    )
    buffer = io.BytesIO()
    if kind == "parquet":
        frame.write_parquet(buffer)
    elif kind == "feather":
        frame.write_ipc(buffer)
    elif kind == "stream":
        frame.write_ipc_stream(buffer)
    elif kind == "excel":
        frame.write_excel(buffer)
    else:
        rows = [{"when": str(row["when"]), "y": row["y"]} for row in frame.to_dicts()]
        text = json.dumps(rows) if kind == "json" else "\n".join(map(json.dumps, rows))
        buffer.write(text.encode())
    return buffer.getvalue()
