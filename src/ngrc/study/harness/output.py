"""What a target leaves behind: tables, figures, checks and a page, whole or not at all."""

import json
from collections.abc import Iterable
from pathlib import Path

from ngrc._atomic import check_file, check_folder, write_text
from ngrc.study.harness.figure import encode
from ngrc.study.harness.layout import GENERATOR
from ngrc.study.harness.marker import MARKER
from ngrc.study.harness.page import html_index, html_page, markdown_page
from ngrc.study.harness.publication import prepare, publish
from ngrc.study.harness.record import Check, rows
from ngrc.study.harness.target import Outcome, Target
from ngrc.study.registry import MODULES, find

CHECKS, PAGE, INDEX = "checks.json", "index.html", "index.html"
HEAD = 1000
"""Bytes that surely hold the generator line of a page of ours (it ends near byte 200), and little of another's text."""


def render(target: Target, outcome: Outcome) -> dict[str, bytes]:
    """Every file of a target by name, made in memory so that writing takes no time."""
    files: dict[str, bytes] = {}
    pictures: dict[str, bytes] = {}
    for name, table in outcome.tables.items():
        files[f"{name}.csv"] = table.write_csv().encode()
    for name, draw in outcome.figures.items():
        figure = draw()
        pictures[name] = encode(figure, "svg")
        files |= {f"{name}.png": encode(figure, "png"), f"{name}.svg": pictures[name]}
    text = json.dumps(rows(outcome.checks), indent=1, ensure_ascii=False, allow_nan=False)
    files[CHECKS] = f"{text}\n".encode()
    files["index.md"] = markdown_page(target, outcome).encode()
    files[PAGE] = html_page(target, outcome, pictures).encode()
    return files


def check_out(out: Path, names: Iterable[str]) -> None:
    """Refuse, before anything is simulated, an `out` that cannot take the targets or whose files are not ours."""
    check_folder(out)
    for name in names:
        prepare(out / name)
    _check_index(out)
    _entries(out)


def write(target: Target, outcome: Outcome, out: Path) -> Path:
    """Write one target below `out`, refresh the index and return the page."""
    folder = out / target.name
    publish(folder, render(target, outcome))
    write_index(out)
    return folder / PAGE


def write_index(out: Path) -> None:
    """List the targets that `out` holds, with their verdicts."""
    _check_index(out)
    write_text(out / INDEX, html_index(_entries(out)))


def _check_index(out: Path) -> None:
    index = out / INDEX
    if out.is_dir():
        check_file(index)
    if index.exists() and GENERATOR.encode() not in index.read_bytes()[:HEAD]:
        raise ValueError(
            f"{index} was not written by this version of ngrc reproduce and would be replaced; move it away or name "
            "another --out"
        )


def _entries(out: Path) -> list[tuple[str, str, list[Check]]]:
    """Name, title and checks of every target in `out`; a folder without our marker is not looked into."""
    present = [name for name in MODULES if (out / name / MARKER).is_file()]
    return [(name, find(name).title, read_checks(out / name / CHECKS)) for name in present]


def read_checks(path: Path) -> list[Check]:
    """The checks of a file written by `render`."""
    try:
        return [Check(**row) for row in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError) as error:
        raise ValueError(
            f"{path} cannot be read ({error}); remove its folder or name another --out"
        ) from None
