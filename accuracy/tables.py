"""The tables of the page and of the terminal, as plain lists of words: title, head, lines."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accuracy.checks import at_horizon, long_duels, mean_coverage, spread_out, total_seconds, whole
from accuracy.methods import LONG, OURS
from accuracy.methods.short import SHORT
from accuracy.scores import Row, geometric_mean
from accuracy.short import GROUPS
from accuracy.table import by_method, mean_by_series

REFERENCE = "seasonal naive"


@dataclass(frozen=True, slots=True)
class Words:
    """A table in words."""

    title: str
    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


def relative(rows: Sequence[Row], score: str, method: str) -> float:
    """Geometric mean of a score over that of seasonal naive in the same cases."""
    table = by_method(
        (row for row in rows if row.method in (method, REFERENCE)), lambda row: getattr(row, score)
    )
    # A method may sit out of a whole group.
    own = {case: error for case, error in table.get(method, {}).items() if np.isfinite(error)}
    ratios = np.array([error / table[REFERENCE][case] for case, error in own.items()])
    return geometric_mean(ratios) if ratios.size else float("nan")


def long_table(long: Sequence[Row], season: bool) -> Words:
    """Every method relative to seasonal naive, on the same origins, with its cost."""
    rows = at_horizon(long, season)
    lines = []
    for method in (name for name in LONG if any(row.method == name for row in rows)):
        direct = any(row.method == method for row in whole(rows))
        own = whole(rows) if direct else spread_out(rows)
        covered = [row.coverage for row in own if row.method == method and np.isfinite(row.coverage)]
        lines.append(
            (
                method,
                "every" if direct else "spread",
                *(number(relative(own, score, method)) for score in ("rmse", "mae", "mase", "winkler")),
                f"{np.mean(covered):.3f}" if covered else "",
                f"{total_seconds(own, method):,.0f}",
            )
        )
    head = ("method", "origins", "RMSE", "MAE", "MASE", "Winkler", "coverage", "seconds")
    name = "one season ahead" if season else "one step ahead"
    return Words(f"Long series, {name}: geometric means relative to seasonal naive", head, tuple(lines))


def duel_table(long: Sequence[Row]) -> Words:
    """Wins and losses of ours against every peer, per horizon."""
    lines = [
        (
            one.peer,
            name,
            str(one.cases),
            str(one.wins),
            str(one.losses),
            f"{one.share:.1%}",
            number(one.ratio),
        )
        for name, season in (("1", False), ("season", True))
        for one in long_duels(at_horizon(long, season))
    ]
    head = ("peer", "horizon", "cases", "wins", "losses", "ahead", "RMSE ratio")
    return Words(f"{OURS} beside each peer on the long series", head, tuple(lines))


def group_table(long: Sequence[Row]) -> Words:
    """Geometric mean of RMSE relative to seasonal naive per group, over the spread origins that all have."""
    rows = spread_out(long)
    groups = list(dict.fromkeys(row.group for row in rows))
    lines = [
        (
            method,
            *(
                number(
                    relative([row for row in at_horizon(rows, season) if row.group == group], "rmse", method)
                )
                for group in groups
                for season in (False, True)
            ),
        )
        for method in LONG
        if any(row.method == method for row in rows)
    ]
    head = ("method", *(f"{group} {name}" for group in groups for name in ("1", "season")))
    return Words("RMSE relative to seasonal naive by group, spread origins", head, tuple(lines))


def short_table(short: Sequence[Row], season: bool) -> Words:
    """Mean MASE per group, each series counted once, with the cost of all."""
    rows = at_horizon(short, season)
    lines = []
    for method in (name for name in SHORT if any(row.method == name for row in rows)):
        scores = mean_by_series([row for row in rows if row.method == method], lambda row: row.mase)[method]
        groups = {row.series: row.group for row in rows}
        means = [[score for case, score in scores.items() if groups[case[0]] == group] for group in GROUPS]
        lines.append(
            (
                method,
                str(len(scores)),
                *(number(float(np.mean(part))) if part else "" for part in means),
                number(float(np.mean([*scores.values()]))),
                f"{total_seconds(short, method):,.1f}",
            )
        )
    name = "the whole path" if season else "its first step"
    head = ("method", "series", *GROUPS, "mean", "seconds")
    return Words(f"Short series, MASE of {name}", head, tuple(lines))


def interval_table(short: Sequence[Row]) -> Words:
    """Coverage and Winkler score of the paths' 90 % intervals per group."""
    rows = [row for row in at_horizon(short, True) if np.isfinite(row.coverage)]
    lines = []
    for method in dict.fromkeys(row.method for row in rows):
        line = [method]
        for group in GROUPS:
            own = [row for row in rows if row.method == method and row.group == group]
            winklers = mean_by_series(own, lambda row: row.winkler).get(method, {})
            inside = mean_coverage(short, method, group)
            line += [f"{inside:.3f}", number(float(np.mean([*winklers.values()])))] if own else ["", ""]
        lines.append(tuple(line))
    head = ("method", *(f"{group} {name}" for group in GROUPS for name in ("coverage", "Winkler")))
    return Words("Short series, 90 % intervals of the path (Winkler in units of MASE)", head, tuple(lines))


def number(value: float) -> str:
    """Four digits; nothing where there is no number."""
    return "" if np.isnan(value) else f"{value:.4g}"
