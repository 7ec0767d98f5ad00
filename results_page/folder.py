"""What a folder of results holds of each target: its checks, what came out, how it was run."""

from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from ngrc.study.harness.marker import MARKER
from ngrc.study.harness.output import CHECKS, read_checks
from ngrc.study.harness.record import KINDS, VERDICTS, Check
from ngrc.study.harness.target import Target
from ngrc.study.registry import MODULES, find

WORDS = "index.md"
COMPARED = "**Compared: "
"""Begins the paragraph between findings and notes of a target's page."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One target, and what its run left; nothing but the target where it was not run."""

    target: Target
    checks: tuple[Check, ...] = ()
    findings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    run: bool = False


def read_entries(folder: Path) -> list[Entry]:
    """Every target of `ngrc reproduce --list` in its order, those that were not run too."""
    return [read_entry(folder, name) for name in MODULES]


def read_entry(folder: Path, name: str) -> Entry:
    """One target; a folder without the marker of a finished run counts as not run."""
    target, place = find(name), folder / name
    if not (place / MARKER).is_file():
        return Entry(target)
    try:
        checks = tuple(read_checks(place / CHECKS))
        for check in checks:
            _validate(check, name)
        findings, notes = read_words(place / WORDS)
    except (ValueError, OSError) as error:
        # The reason alone: what the reader of checks advises is meant for `ngrc reproduce`.
        reason = str(error).split("; remove its folder")[0]
        raise ValueError(f"{reason}; run `ngrc reproduce {name}` again, or move {place} away") from None
    return Entry(target, checks, findings, notes, run=True)


def read_words(path: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Findings and notes of a target's page: the paragraphs before and the list after its count of comparisons."""
    parts = path.read_text(encoding="utf-8").split("\n\n")
    middle = [place for place, part in enumerate(parts) if part.startswith(COMPARED)]
    # The first two are the title and what the target shows, which the target itself says.
    if len(middle) != 1 or middle[0] < 2:
        raise ValueError(f"{path} is not a page that this version of ngrc reproduce writes")
    after = parts[middle[0] + 1] if middle[0] + 1 < len(parts) else ""
    notes = after.removeprefix("- ").split("\n- ") if after.startswith("- ") else []
    return tuple(parts[2 : middle[0]]), tuple(notes)


def _validate(check: Check, name: str) -> None:
    where = f"{CHECKS} of {name}: row {check.cell!r}"
    if check.target != name:
        raise ValueError(f"{where} belongs to {check.target!r}")
    if check.kind not in KINDS or check.verdict not in VERDICTS:
        raise ValueError(f"{where} has kind {check.kind!r} and verdict {check.verdict!r}")
    if not all(isinstance(text, str) for text in (check.table, check.cell, check.reason)):
        raise ValueError(f"{where} has a table, cell or reason that is no text")
    for value in (check.ours, check.expected, check.tolerance):
        if value is not None and not (isinstance(value, int | float) and isfinite(value)):
            raise ValueError(f"{where} has the value {value!r}, which is no finite number")
