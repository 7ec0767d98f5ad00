"""Rows by case and method, and what is read off them: relative errors, wins, geometric means."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from accuracy.scores import Row, geometric_mean
from ngrc._types import FloatArray

Case = tuple[str, int, str]
Score = Callable[[Row], float]


@dataclass(frozen=True, slots=True)
class Duel:
    """Two methods over their common cases: how often the first has the smaller error, and the mean ratio."""

    peer: str
    cases: int
    wins: int
    losses: int
    ratio: float
    """Geometric mean of the first's error over the peer's: below 1 where the first is ahead."""

    @property
    def share(self) -> float:
        """Wins over cases; a tie is no win."""
        return self.wins / self.cases


def by_method(rows: Iterable[Row], score: Score) -> dict[str, dict[Case, float]]:
    """Scores by method and case."""
    table: dict[str, dict[Case, float]] = {}
    for row in rows:
        table.setdefault(row.method, {})[row.case] = score(row)
    return table


def duel(table: Mapping[str, Mapping[Case, float]], ours: str, peer: str) -> Duel:
    """Compare on the cases that both have.

    Examples
    --------
    >>> one, two = ("a", 1, "all"), ("b", 1, "all")
    >>> duel({"x": {one: 1.0, two: 2.0}, "y": {one: 2.0, two: 1.0}}, "x", "y")
    Duel(peer='y', cases=2, wins=1, losses=1, ratio=1.0)
    """
    common = [case for case in table[ours] if case in table[peer]]
    if not common:
        raise ValueError(f"{ours} and {peer} have no case in common; run both on the same series")
    first = np.array([table[ours][case] for case in common])
    second = np.array([table[peer][case] for case in common])
    wins, losses = int(np.sum(first < second)), int(np.sum(first > second))
    return Duel(peer, len(common), wins, losses, geometric_mean(_ratios(first, second)))


def _ratios(first: FloatArray, second: FloatArray) -> FloatArray:
    """Ratios of errors; two errors of zero are equal, and one alone would make the mean zero or infinite."""
    # Short paths of constant series are forecast exactly by several methods: a floor far below any error that counts.
    floor = 1e-12 * max(float(np.max(first)), float(np.max(second)), 1e-300)
    return np.maximum(first, floor) / np.maximum(second, floor)


def duels(table: Mapping[str, Mapping[Case, float]], ours: str) -> list[Duel]:
    """Ours beside every peer."""
    return [duel(table, ours, peer) for peer in table if peer != ours]


@dataclass(frozen=True, slots=True)
class Behind:
    """A case in which ours is worse than the better of naive and seasonal naive, by which factor."""

    case: Case
    ratio: float


def behind_naive(table: Mapping[str, Mapping[Case, float]], ours: str, allowed: float) -> list[Behind]:
    """Cases in which the error exceeds `allowed` times that of the better of the two, the worst first."""
    found = []
    for case, error in table[ours].items():
        best = min(table["naive"][case], table["seasonal naive"][case])
        if error > allowed * best:
            found.append(Behind(case, error / best if best > 0 else float("inf")))
    return sorted(found, key=lambda one: -one.ratio)


def mean_by_series(rows: Sequence[Row], score: Score) -> dict[str, dict[Case, float]]:
    """Scores by method and series, averaged over the ends of a short series: each series counts once."""
    parts: dict[str, dict[Case, list[float]]] = {}
    for row in rows:
        parts.setdefault(row.method, {}).setdefault((row.series, row.horizon, ""), []).append(score(row))
    return {
        method: {case: float(np.mean(values)) for case, values in cases.items()}
        for method, cases in parts.items()
    }


def in_every_case(table: Mapping[str, Mapping[Case, float]]) -> dict[str, Mapping[Case, float]]:
    """The methods that sit out nowhere: only these can be ranked."""
    every = set().union(*table.values())
    return {method: cases for method, cases in table.items() if set(cases) == every}
