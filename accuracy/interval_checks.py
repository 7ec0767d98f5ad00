"""What the automatic model with the automatic interval must show beside conformalised quantiles."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accuracy.checks import Check
from accuracy.interval_cases import INTERVALS, OURS_BANDED, PEER
from accuracy.methods.base import LEVEL
from accuracy.scores import Row
from accuracy.series import long_names
from accuracy.table import Case, Duel, by_method, duel

RATIO = 0.95
"""Geometric mean of the Winkler score over the peer's, at most."""
AHEAD = 0.65
"""Share of the cases in which the Winkler score must be below the peer's."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One case in which both have intervals."""

    case: Case
    ratio: float
    """Our Winkler score over the peer's."""
    coverage: float
    peer_coverage: float


def of_intervals(rows: Sequence[Row]) -> list[Row]:
    """The rows of methods with intervals of their own."""
    return [row for row in rows if row.kind == "interval"]


def every_series(rows: Sequence[Row]) -> bool:
    """Whether both methods have rows on every long series, so that the demands can be judged."""
    found = {(row.method, row.series) for row in of_intervals(rows)}
    return found == {(method, series) for method in INTERVALS for series in long_names()}


def interval_checks(rows: Sequence[Row]) -> list[Check]:
    """Winkler score in geometric mean and case by case."""
    one = winkler_duel(rows)
    inside = ", ".join(f"{mean_inside(rows, name):.1%} inside for {name}" for name in (OURS_BANDED, PEER))
    return [
        Check(
            f"geometric mean of Winkler at {LEVEL:.0%} at or below {RATIO} of {PEER}'s",
            f"{one.ratio:.4f} over {one.cases} cases; {inside}",
            one.ratio <= RATIO,
        ),
        Check(
            f"Winkler at {LEVEL:.0%} below {PEER}'s in at least {AHEAD:.0%} of the cases",
            f"{one.wins} of {one.cases}, {one.share:.1%}",
            one.share >= AHEAD,
        ),
    ]


def winkler_duel(rows: Sequence[Row]) -> Duel:
    """Ours beside the peer by Winkler score."""
    return duel(by_method(of_intervals(rows), lambda row: row.winkler), OURS_BANDED, PEER)


def mean_inside(rows: Sequence[Row], method: str) -> float:
    """Mean coverage of a method over its cases."""
    return float(np.mean([row.coverage for row in of_intervals(rows) if row.method == method]))


def pairs(rows: Sequence[Row]) -> list[Pair]:
    """Every case that both have, the largest ratio first."""
    own, other = (
        {row.case: row for row in of_intervals(rows) if row.method == name} for name in (OURS_BANDED, PEER)
    )
    found = [
        Pair(case, row.winkler / other[case].winkler, row.coverage, other[case].coverage)
        for case, row in own.items()
        if case in other
    ]
    return sorted(found, key=lambda one: -one.ratio)
