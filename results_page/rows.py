"""The rows that `make accuracy` left: of a finished run, or those that unfinished runs kept."""

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from accuracy.scores import Row

CASES, KEPT = "cases.csv", "cache"


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows, and whether one run gave them all."""

    rows: tuple[Row, ...]
    whole: bool


def read_rows(folder: Path) -> Rows:
    """Rows of a finished run if there was one, else those kept by method and series; none where nothing is there."""
    if (folder / CASES).is_file():
        return Rows(read_cases(folder / CASES), whole=True)
    return Rows(read_kept(folder / KEPT), whole=False)


def read_cases(path: Path) -> tuple[Row, ...]:
    """The CSV of every case."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return tuple(_row(line) for line in csv.DictReader(file))
    except (OSError, ValueError, TypeError) as error:
        raise ValueError(_unreadable(path, error)) from None


def read_kept(folder: Path) -> tuple[Row, ...]:
    """The rows of one file per method and series, all made by the same protocol and versions of packages."""
    rows: list[Row] = []
    protocols: dict[str, str] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            found, protocol = [_row(row) for row in content["rows"]], str(content["protocol"])
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise ValueError(_unreadable(path, error)) from None
        for row in found:
            if protocols.setdefault(row.kind, protocol) != protocol:
                raise ValueError(
                    f"{folder} holds {row.kind} rows of several protocols or versions of packages, which cannot be "
                    "compared; run `make accuracy` without CACHED, or remove the older files"
                )
        rows += found
    # In the order of the columns that make a row unique, whatever the files are called.
    return tuple(sorted(rows, key=lambda row: (row.kind, row.series, row.horizon, row.origins, row.method)))


def _row(line: Mapping[str | Any, Any]) -> Row:
    """One row from text or JSON; an empty field is a score that does not apply."""
    names = {field.name for field in fields(Row)}
    if set(line) != names:
        raise ValueError(f"a row has the columns {sorted(map(str, line))}, not {sorted(names)}")
    values: dict[str, Any] = {
        name: str(line[name]) for name in ("kind", "group", "series", "origins", "method")
    }
    values |= {name: int(line[name]) for name in ("horizon", "count")}
    values |= {name: float(line[name] if line[name] != "" else "nan") for name in names - {*values}}
    return Row(**values)


def _unreadable(path: Path, error: Exception) -> str:
    return f"{path} cannot be read ({error}); run `make accuracy` again, or move it away"
