"""The page that lists every target in a folder of results, with its verdicts."""

import hashlib
from pathlib import Path

from ngrc._atomic import check_file, write_text
from ngrc.study.harness.layout import GENERATOR
from ngrc.study.harness.marker import MARKER
from ngrc.study.harness.output import CHECKS, read_checks
from ngrc.study.harness.page import html_index
from ngrc.study.harness.record import Check
from ngrc.study.harness.target import Target
from ngrc.study.registry import MODULES, find

INDEX = "index.html"
SEAL = '<meta name="generator" content="ngrc reproduce, sha256 {}">'
"""Takes the place of the generator line: the hash of the page without it, by which an edited page is known."""


def check_index(out: Path) -> None:
    """Refuse an index that we did not write, and targets beside it that cannot be listed."""
    # Before anything is simulated: a run of an hour must not end at a page that may not be replaced.
    index = out / INDEX
    if out.is_dir():
        check_file(index, follow=False)
    if index.exists() and not _ours(index.read_bytes()):
        raise ValueError(
            f"{index} was not written by this version of ngrc reproduce, or changed since, and would be replaced; "
            "move it away or name another --out"
        )
    _entries(out)


def write_index(out: Path) -> Path:
    """List the targets that `out` holds, with their verdicts."""
    check_index(out)
    write_text(out / INDEX, _sealed(html_index(_entries(out))), follow=False)
    return out / INDEX


def _sealed(page: str) -> str:
    """The page with its own hash in the generator line."""
    return page.replace(GENERATOR, SEAL.format(hashlib.sha256(page.encode()).hexdigest()), 1)


def _ours(content: bytes) -> bool:
    """Whether a page is as we wrote it."""
    before, start, rest = content.partition(SEAL.partition("{}")[0].encode())
    _, end, after = rest.partition(b"\n")
    page = before + GENERATOR.encode() + end + after
    seal = SEAL.format(hashlib.sha256(page).hexdigest()).encode()
    # The whole is put together anew and compared, so that not even the seal's own line can differ.
    return bool(start) and content == page.replace(GENERATOR.encode(), seal, 1)


def _entries(out: Path) -> list[tuple[Target, list[Check]]]:
    """Every target in `out` with its checks; a folder without our marker is not looked into."""
    present = [name for name in MODULES if (out / name / MARKER).is_file()]
    return [(find(name), read_checks(out / name / CHECKS)) for name in present]
