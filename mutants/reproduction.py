"""`ngrc reproduce` over a planted error, against the same run without it."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter

from mutants.errors import SetupError
from mutants.planted import Planted
from mutants.tree import Ending, Tree

# Errors cost time, but not this many times the time of the run without one.
PATIENCE, LEAST_SECONDS = 5.0, 300.0
LONGEST = 3600.0
Row = tuple[str, str, str]
"""Target, table and cell: what a row is known by."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """A target's rows without a planted error: which are *different* already, and how long it took.

    `prints` tells whether it judges numbers that the paper prints, and not formulas and claims alone.
    """

    different: frozenset[Row]
    seconds: float
    prints: bool


@dataclass(frozen=True, slots=True)
class Notice:
    """What a target says of a planted error: rows that became *different*, or that it did not end well."""

    target: str
    rows: int
    failure: str = ""
    prints: bool = True

    @property
    def caught(self) -> bool:
        """Whether anything changed."""
        return self.rows > 0 or bool(self.failure)


def baseline(tree: Tree, target: str) -> Baseline:
    """Run a target in the tree as it is."""
    begin = perf_counter()
    ending = _reproduce(tree, target, LONGEST)
    if ending.code != 0:
        raise SetupError(
            f"ngrc reproduce {target} fails without a planted error: {ending.output.strip()[-500:]}"
        )
    verdicts = _verdicts(ending)
    if not set(verdicts.values()) - {"not comparable"}:
        raise SetupError(f"ngrc reproduce {target} judges no row; set NGRC_DATA to the original files")
    prints = any(
        kind == "printed" and verdicts[row] != "not comparable" for row, kind in _kinds(ending).items()
    )
    return Baseline(_different(verdicts), perf_counter() - begin, prints)


def notices(tree: Tree, error: Planted, baselines: Mapping[str, Baseline]) -> tuple[Notice, ...]:
    """Run the error's targets one after the other, until one notices."""
    answers: list[Notice] = []
    for target in error.targets:
        before = baselines[target]
        ending = _reproduce(tree, target, max(LEAST_SECONDS, PATIENCE * before.seconds))
        answers.append(_notice(target, ending, before))
        if answers[-1].caught:
            break
    return tuple(answers)


def _notice(target: str, ending: Ending, before: Baseline) -> Notice:
    if ending.code is None:
        return Notice(target, 0, "no end in sight", before.prints)
    if ending.code != 0:
        lines = ending.output.strip().splitlines()
        return Notice(target, 0, lines[-1][:80] if lines else f"exit {ending.code}", before.prints)
    return Notice(target, len(_different(_verdicts(ending)) - before.different), prints=before.prints)


def _reproduce(tree: Tree, target: str, seconds: float) -> Ending:
    out = tree.root.parent / "results"
    # One process, as the workers run side by side; numbers do not depend on it.
    arguments = (*shlex.split(target), "--seed", "0", "--jobs", "1", "--out", str(out))
    ending = tree.run("reproduce", *arguments, seconds=seconds)
    return Ending(ending.code, ending.output, out / shlex.split(target)[0] / "checks.json")


def _verdicts(ending: Ending) -> dict[Row, str]:
    rows = json.loads(ending.report.read_text(encoding="utf-8"))
    return {(row["target"], row["table"], row["cell"]): row["verdict"] for row in rows}


def _kinds(ending: Ending) -> dict[Row, str]:
    rows = json.loads(ending.report.read_text(encoding="utf-8"))
    return {(row["target"], row["table"], row["cell"]): row["kind"] for row in rows}


def _different(verdicts: Mapping[Row, str]) -> frozenset[Row]:
    return frozenset(row for row, verdict in verdicts.items() if verdict == "different")
