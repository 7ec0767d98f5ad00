"""The tables of the methods with intervals of their own."""

from collections.abc import Sequence

import numpy as np

from accuracy.checks import at_horizon
from accuracy.interval_cases import INTERVALS, OURS_BANDED, PEER
from accuracy.interval_checks import mean_inside, of_intervals, pairs, winkler_duel
from accuracy.methods.base import LEVEL
from accuracy.scores import Row, geometric_mean
from accuracy.tables import Words, number

WORST = 10
"""Cases with the largest ratios that are listed."""


def interval_words(rows: Sequence[Row]) -> list[Words]:
    """Every table that the rows of intervals can fill."""
    own = of_intervals(rows)
    if not own:
        return []
    found = [group_words(own)]
    if _both(own):
        found.append(worst_words(own))
    return found


def group_words(own: Sequence[Row]) -> Words:
    """Coverage and Winkler score per group and horizon, and who is ahead where both have run."""
    methods = [name for name in INTERVALS if any(row.method == name for row in own)]
    parts = [
        (group, name, [row for row in at_horizon(own, season) if row.group == group])
        for group in dict.fromkeys(row.group for row in own)
        for name, season in (("1", False), ("season", True))
    ]
    # A total over one line would only repeat it.
    parts = [part for part in parts if part[2]]
    if len(parts) > 1:
        parts.append(("all", "both", list(own)))
    lines = tuple((group, name, *_scores(part, methods), *_ahead(part)) for group, name, part in parts)
    scores = (f"{name} {score}" for name in methods for score in ("coverage", "Winkler"))
    head = ("group", "horizon", *scores, "cases", "wins", "losses", "ahead", "Winkler ratio")
    title = f"Long series, {LEVEL:.0%} intervals: mean coverage, geometric mean of the Winkler score"
    return Words(title, head, lines)


def worst_words(own: Sequence[Row]) -> Words:
    """The cases in which ours is furthest behind, or least ahead."""
    lines = tuple(
        (
            one.case[0],
            str(one.case[1]),
            number(one.ratio),
            f"{one.coverage:.3f}",
            f"{one.peer_coverage:.3f}",
        )
        for one in pairs(own)[:WORST]
    )
    head = ("series", "horizon", "Winkler ratio", f"{OURS_BANDED} coverage", f"{PEER} coverage")
    return Words(f"Largest Winkler scores relative to {PEER}'s", head, lines)


def _both(rows: Sequence[Row]) -> bool:
    return {row.method for row in rows} == set(INTERVALS)


def _scores(part: Sequence[Row], methods: Sequence[str]) -> list[str]:
    found = []
    for method in methods:
        winklers = np.array([row.winkler for row in part if row.method == method])
        if winklers.size:
            found += [f"{mean_inside(part, method):.3f}", number(geometric_mean(winklers))]
        else:
            found += ["", ""]
    return found


def _ahead(part: Sequence[Row]) -> tuple[str, ...]:
    if not _both(part):
        return ("", "", "", "", "")
    one = winkler_duel(part)
    return str(one.cases), str(one.wins), str(one.losses), f"{one.share:.1%}", number(one.ratio)
