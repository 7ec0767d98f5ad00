"""Ours beside each peer on the cases that both have, and the groups of series in which a peer is ahead."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from accuracy.checks import at_horizon, spread_out, whole, worse
from accuracy.interval_cases import OURS_BANDED, PEER
from accuracy.methods import LONG, OURS
from accuracy.methods.short import SHORT
from accuracy.scores import Row
from accuracy.table import Behind, Case, Duel, by_method, duel, mean_by_series

HORIZONS = (("one step", False), ("one season", True))
Scores = Mapping[str, Mapping[Case, float]]
Compare = Callable[[Sequence[Row]], list[Duel]]


@dataclass(frozen=True, slots=True)
class Loss:
    """A peer that is ahead of ours over a group of series, in geometric mean."""

    score: str
    peer: str
    group: str
    horizon: str
    duel: Duel


def met(scores: Scores, ours: str, peers: Sequence[str]) -> list[Duel]:
    """Ours beside each peer that has a case in common with it."""
    own = scores.get(ours, {})
    return [duel(scores, ours, peer) for peer in peers if own.keys() & scores.get(peer, {}).keys()]


def long_duels(rows: Sequence[Row]) -> list[Duel]:
    """RMSE of rows of one horizon: over every origin where the peer has them all, else over the spread ones."""
    direct = {row.method for row in whole(rows)}
    found = []
    for peer in (name for name in LONG if name != OURS):
        part = whole(rows) if peer in direct else spread_out(rows)
        found += met(by_method(part, lambda row: row.rmse), OURS, [peer])
    return found


def path_scores(rows: Sequence[Row]) -> Scores:
    """MASE of the whole path by method and series."""
    return mean_by_series(at_horizon(rows, True), lambda row: row.mase)


def short_duels(rows: Sequence[Row]) -> list[Duel]:
    """MASE of the whole path, each series counted once, but for those that one of the two forecasts exactly."""
    scores = path_scores(rows)
    # The logarithm of a ratio to zero would outweigh every other series; `exact` names what is left out.
    inexact = {
        method: {case: error for case, error in own.items() if error > 0.0} for method, own in scores.items()
    }
    return met(inexact, OURS, [name for name in SHORT if name != OURS])


def exact(rows: Sequence[Row]) -> dict[str, tuple[float, list[str]]]:
    """Short series that a method forecasts without any error: by name, our MASE and the exact methods."""
    scores = path_scores(rows)
    found: dict[str, tuple[float, list[str]]] = {}
    for case, ours in scores.get(OURS, {}).items():
        names = [name for name in SHORT if scores.get(name, {}).get(case) == 0.0]
        if names:
            found[case[0]] = (ours, names)
    return found


def interval_duels(rows: Sequence[Row]) -> list[Duel]:
    """Winkler score of rows of one horizon."""
    return met(by_method(rows, lambda row: row.winkler), OURS_BANDED, [PEER])


def shared(rows: Sequence[Row], methods: Sequence[str]) -> list[Row]:
    """Rows of the cases that all those methods have: a coverage is read beside the score of the same cases."""
    cases = [{row.case for row in rows if row.method == method} for method in methods]
    return [row for row in rows if row.case in set.intersection(*cases)]


def losses(long: Sequence[Row], short: Sequence[Row], banded: Sequence[Row]) -> list[Loss]:
    """Groups in which the geometric mean of a peer's score is below ours, the furthest behind first."""
    found = _lost(short, "MASE", short_duels, "the path")
    for name, season in HORIZONS:
        found += _lost(at_horizon(long, season), "RMSE", long_duels, name)
        found += _lost(at_horizon(banded, season), "Winkler", interval_duels, name)
    return sorted(found, key=lambda one: (-one.duel.ratio, one.score, one.peer, one.group))


def _lost(rows: Sequence[Row], score: str, compare: Compare, horizon: str) -> list[Loss]:
    return [
        Loss(score, one.peer, group, horizon, one)
        for group in dict.fromkeys(row.group for row in rows)
        for one in compare([row for row in rows if row.group == group])
        if one.ratio > 1.0
    ]


def naive_cases(long: Sequence[Row]) -> tuple[int, list[Behind]]:
    """How many cases ours and both naive forecasts have, and those in which ours is clearly behind the better."""
    rows = shared(whole(long), (OURS, "naive", "seasonal naive"))
    return sum(row.method == OURS for row in rows), worse(rows) if rows else []
