"""What a target leaves behind: tables, figures, checks and a page, whole or not at all."""

import json
from collections.abc import Iterable
from pathlib import Path

from ngrc._atomic import check_folder
from ngrc.study.harness.figure import encode
from ngrc.study.harness.page import html_page, markdown_page
from ngrc.study.harness.publication import prepare, publish
from ngrc.study.harness.record import Check, as_row, from_row
from ngrc.study.harness.target import Outcome, Target

CHECKS, PAGE = "checks.json", "index.html"


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
    # NaN is refused: it is not JSON, and a check without a number must say None.
    text = json.dumps(
        [as_row(check) for check in outcome.checks], indent=1, ensure_ascii=False, allow_nan=False
    )
    files[CHECKS] = f"{text}\n".encode()
    files["index.md"] = markdown_page(target, outcome).encode()
    files[PAGE] = html_page(target, outcome, pictures).encode()
    return files


def check_out(out: Path, names: Iterable[str]) -> None:
    """Refuse, before anything is simulated, an `out` that cannot take the targets or whose folders are not ours."""
    check_folder(out)
    for name in names:
        prepare(out / name)


def write(target: Target, outcome: Outcome, out: Path) -> Path:
    """Write one target below `out` and return its page."""
    folder = out / target.name
    publish(folder, render(target, outcome))
    return folder / PAGE


def read_checks(path: Path) -> list[Check]:
    """The checks of a file written by `render`."""
    try:
        return [from_row(row) for row in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ValueError(
            f"{path} cannot be read ({error}); remove its folder or name another --out"
        ) from None
