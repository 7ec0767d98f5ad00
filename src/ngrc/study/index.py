"""The page that lists every target in a folder of results, with its verdicts."""

from pathlib import Path

from ngrc._atomic import check_file, write_text
from ngrc.study.harness.layout import GENERATOR
from ngrc.study.harness.marker import MARKER
from ngrc.study.harness.output import CHECKS, read_checks
from ngrc.study.harness.page import html_index
from ngrc.study.harness.record import Check
from ngrc.study.registry import MODULES, find

INDEX = "index.html"
HEAD = 1000
"""Bytes that surely hold the generator line of a page of ours (it ends near byte 200), and little of another's text."""


def check_index(out: Path) -> None:
    """Refuse an index that we did not write, and targets beside it that cannot be listed."""
    # Before anything is simulated: a run of an hour must not end at a page that may not be replaced.
    index = out / INDEX
    if out.is_dir():
        check_file(index)
    if index.exists() and GENERATOR.encode() not in index.read_bytes()[:HEAD]:
        raise ValueError(
            f"{index} was not written by this version of ngrc reproduce and would be replaced; move it away or name "
            "another --out"
        )
    _entries(out)


def write_index(out: Path) -> Path:
    """List the targets that `out` holds, with their verdicts."""
    check_index(out)
    write_text(out / INDEX, html_index(_entries(out)))
    return out / INDEX


def _entries(out: Path) -> list[tuple[str, str, list[Check]]]:
    """Name, title and checks of every target in `out`; a folder without our marker is not looked into."""
    present = [name for name in MODULES if (out / name / MARKER).is_file()]
    return [(name, find(name).title, read_checks(out / name / CHECKS)) for name in present]
