"""What a target leaves behind: tables, figures, checks and a page, whole or not at all."""

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ngrc._atomic import write_text
from ngrc.study.harness.figure import encode
from ngrc.study.harness.page import html_index, html_page, markdown_page
from ngrc.study.harness.record import Check, rows
from ngrc.study.harness.target import Outcome, Target
from ngrc.study.registry import MODULES, find

CHECKS, PAGE, INDEX = "checks.json", "index.html", "index.html"


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


def publish(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put the files into `folder` as one step, in place of whatever it held.

    They are written to a neighbour that is then renamed: a kill leaves the old folder, the new one or none.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{folder.name}.part-", dir=folder.parent))
    retired = partial.with_name(f"{partial.name}-old")
    try:
        for name, content in files.items():
            (partial / name).write_bytes(content)
        # mkdtemp makes private folders; the result is as public as the folder it lies in.
        partial.chmod(folder.parent.stat().st_mode & 0o777)
        if folder.exists():
            os.replace(folder, retired)
        os.replace(partial, folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        shutil.rmtree(retired, ignore_errors=True)


def write(target: Target, outcome: Outcome, out: Path) -> Path:
    """Write one target below `out`, refresh the index and return the page."""
    folder = out / target.name
    publish(folder, render(target, outcome))
    write_index(out)
    return folder / PAGE


def write_index(out: Path) -> None:
    """List the targets that `out` holds, with their verdicts."""
    entries = []
    for name in MODULES:
        path = out / name / CHECKS
        if path.is_file():
            entries.append((name, find(name).title, read_checks(path)))
    write_text(out / INDEX, html_index(entries))


def read_checks(path: Path) -> list[Check]:
    """The checks of a file written by `render`."""
    return [Check(**row) for row in json.loads(path.read_text(encoding="utf-8"))]
