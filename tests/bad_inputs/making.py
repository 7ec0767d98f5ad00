"""What the cases are made of."""

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

DAYS = "date,y\n" + "".join(f"2024-01-{day:02d},{day * 7 % 11}\n" for day in range(1, 29))
"""Four weeks of a good file, of which one thing is made wrong."""


def zipped(**members: str | bytes) -> bytes:
    """A zip archive."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target.getvalue()


def parquet(frame: pl.DataFrame) -> bytes:
    """A frame as the bytes of a Parquet file."""
    target = io.BytesIO()
    frame.write_parquet(target)
    return target.getvalue()


def workbook(rows: list[list[Any]]) -> bytes:
    """Rows as the bytes of an Excel workbook."""
    import xlsxwriter  # type: ignore[import-untyped]

    target = io.BytesIO()
    with xlsxwriter.Workbook(target, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for place, row in enumerate(rows):
            sheet.write_row(place, 0, row)
    return target.getvalue()


def furnish(folder: Path) -> None:
    """The files of which the command lines speak."""
    start = np.datetime64("2024-01-01")
    steps = [(start + step, 7 * step % 11, step % 5) for step in range(150)]
    texts = {
        "y.csv": "y\n" + "".join(f"{7 * step % 11}\n" for step in range(200)),
        "t.csv": "date,y,wind\n" + "".join(f"{day},{value},{wind}\n" for day, value, wind in steps),
        "l.csv": "id,ds,y\n" + "".join(f"{name},{day},{y}\n" for name in "ab" for day, y, _ in steps[:60]),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    (folder / "damaged.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 4000)
    (folder / "folder").mkdir()
    for name in ("loop.csv", "loop.db", "loop.ngrc"):
        (folder / name).symlink_to(name)
