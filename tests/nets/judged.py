"""The rows of `checks.json`: every number that `ngrc reproduce TARGET --quick` compares, and with what.

    python -m tests.nets.judged RESULTS      compares a folder of results with the rows that are kept here
    python -m tests.nets.update --checks RESULTS

Table, cell, kind, rule and the paper's digits are compared exactly; our number to `RELATIVE`, and the verdict with it.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.nets.outputs import RELATIVE

FOLDER = Path(__file__).parent / "checks"
EXACT = ("table", "cell", "kind", "rule", "paper", "verdict")


def row_text(row: dict[str, Any]) -> str:
    """One row as a line; the number of ours last, to nine digits."""
    ours = row.get("ours")
    number = f"{ours:.9g}" if isinstance(ours, float) else json.dumps(ours)
    return "\t".join([*(json.dumps(row.get(key), ensure_ascii=False) for key in EXACT), number])


def rows_of(results: Path, target: str) -> list[str]:
    """The rows of one target of a folder of results, in their order."""
    return [row_text(row) for row in json.loads((results / target / "checks.json").read_text("utf-8"))]


def differing(before: list[str], now: list[str]) -> Iterator[str]:
    """Lines that differ: rows are found by table and cell, so that their order may change."""
    kept, new = _by_cell(before), _by_cell(now)
    yield from (f"gone: {key}" for key in kept if key not in new)
    yield from (f"new: {key}" for key in new if key not in kept)
    for key in kept:
        if key in new and not _alike(kept[key], new[key]):
            yield f"{key}: {kept[key]} became {new[key]}"


def _by_cell(lines: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    # A target without rows is one empty line.
    for line in filter(None, lines):
        table, cell, *rest = line.split("\t")
        # Two rows may judge one cell, by different rules.
        key = f"{table} {cell}"
        while key in found:
            key += "'"
        found[key] = rest
    return found


def _alike(one: list[str], other: list[str]) -> bool:
    if one[:-1] != other[:-1]:
        return False
    try:
        before, now = float(one[-1]), float(other[-1])
    except ValueError:
        return one[-1] == other[-1]
    return abs(before - now) <= 2 * RELATIVE * max(abs(before), abs(now), 1e-6) or before == now


def kept_rows(target: str) -> list[str]:
    """The rows that are kept of a target."""
    return (FOLDER / f"{target}.tsv").read_text("utf-8").split("\n")[:-1]


def main(results: Path) -> int:
    """Compare every target that a folder of results has; the number that differs is the exit code's."""
    failed = 0
    for path in sorted(FOLDER.glob("*.tsv")):
        if not (results / path.stem / "checks.json").is_file():
            print(f"{path.stem}: no results")
            continue
        lines = list(differing(kept_rows(path.stem), rows_of(results, path.stem)))
        print(f"{path.stem}: {len(kept_rows(path.stem))} rows, {len(lines)} differ")
        print("".join(f"  {line}\n" for line in lines[:20]), end="")
        failed += bool(lines)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
