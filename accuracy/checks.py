"""What the automatic model must show, each line with what was measured and its verdict."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accuracy.methods import OURS
from accuracy.scores import Row
from accuracy.short import GROUPS
from accuracy.table import Behind, Duel, behind_naive, by_method, duel, duels, mean_by_series

AHEAD = {"lightgbm": 0.60, "ridge": 0.75}
"""Share of the cases on long series in which the error must be below the peer's."""
ALLOWED = 1.03
"""Error over that of the better of naive and seasonal naive, at most."""
COVERAGE = (0.85, 0.95)
"""Where the share inside the 90 % intervals must lie in every group of short series."""
AUTOMATIC = ("AutoETS", "AutoTheta", "AutoARIMA")


@dataclass(frozen=True, slots=True)
class Check:
    """One line: what is demanded, what was measured."""

    demand: str
    measured: str
    met: bool

    @property
    def verdict(self) -> str:
        """MATCH or MISS."""
        return "MATCH" if self.met else "MISS"


def checks(rows: Sequence[Row]) -> list[Check]:
    """Every line that the rows can decide: long ones, short ones, cost."""
    long = [row for row in rows if row.kind == "long"]
    short = [row for row in rows if row.kind == "short"]
    found: list[Check] = []
    if long:
        found += [geometric(long, season) for season in (False, True)]
        found += [ahead(long, peer, share) for peer, share in AHEAD.items()]
        found += [near_naive(long)]
    if short:
        found += [short_errors(short, peer) for peer in AUTOMATIC]
        found += [group_coverage(short, group) for group in GROUPS]
    return [*found, *costs(long, short)]


def at_horizon(rows: Sequence[Row], season: bool) -> list[Row]:
    """Rows of horizon 1, or of one season ahead."""
    return [row for row in rows if (row.horizon > 1) == season]


def geometric(long: Sequence[Row], season: bool) -> Check:
    """Geometric mean of RMSE at or below every peer's, each peer on the origins that both have."""
    closest = max(long_duels(at_horizon(long, season)), key=lambda one: one.ratio)
    name = "one season" if season else "1"
    return Check(
        f"geometric mean of RMSE at or below every peer's, horizon {name}",
        f"{closest.ratio:.4f} of {closest.peer}'s, the closest",
        closest.ratio <= 1.0,
    )


def whole(long: Sequence[Row]) -> list[Row]:
    """Rows over every origin."""
    return [row for row in long if row.origins == "all"]


def spread_out(long: Sequence[Row]) -> list[Row]:
    """Rows over the evenly spaced origins, which every method has."""
    return [row for row in long if row.origins == "spread"]


def long_duels(long: Sequence[Row]) -> list[Duel]:
    """Ours beside every peer: over every origin where the peer has them all, else over the spread ones."""
    direct = by_method(whole(long), lambda row: row.rmse)
    some = by_method(spread_out(long), lambda row: row.rmse)
    return [*duels(direct, OURS), *(duel(some, OURS, peer) for peer in some if peer not in direct)]


def ahead(long: Sequence[Row], peer: str, share: float) -> Check:
    """Share of the long cases with the smaller RMSE."""
    one = duel(by_method(whole(long), lambda row: row.rmse), OURS, peer)
    return Check(
        f"RMSE below {peer}'s in at least {share:.0%} of the cases",
        f"{one.wins} of {one.cases}, {one.share:.1%}",
        one.share >= share,
    )


def worse(long: Sequence[Row]) -> list[Behind]:
    """The long cases that are more than 3 % worse than the better of naive and seasonal naive."""
    return behind_naive(by_method(whole(long), lambda row: row.rmse), OURS, ALLOWED)


def near_naive(long: Sequence[Row]) -> Check:
    """None of the long cases more than 3 % worse than the better naive forecast."""
    cases = worse(long)
    words = f"{len(cases)} cases are" if cases else "no case is"
    if cases:
        words += f", the worst {cases[0].case[0]} at horizon {cases[0].case[1]}: {cases[0].ratio:.3f}"
    return Check("never more than 3 % worse than the better of naive and seasonal naive", words, not cases)


def short_errors(short: Sequence[Row], peer: str) -> Check:
    """Mean MASE of the paths, each series counted once, at or below a peer's."""
    table = mean_by_series(at_horizon(short, True), lambda row: row.mase)
    common = [case for case in table[OURS] if case in table[peer]]
    first, second = (float(np.mean([table[name][case] for case in common])) for name in (OURS, peer))
    return Check(
        f"mean MASE on short series at or below {peer}'s",
        f"{first:.4f} against {second:.4f} over {len(common)} series",
        first <= second,
    )


def group_coverage(short: Sequence[Row], group: str) -> Check:
    """Share of a group's path inside the intervals."""
    inside = mean_coverage(short, OURS, group)
    low, high = COVERAGE
    return Check(
        f"90 % intervals hold {low:.0%} to {high:.0%} of the {group} short series",
        f"{inside:.1%}",
        low <= inside <= high,
    )


def mean_coverage(short: Sequence[Row], method: str, group: str) -> float:
    """Mean over series of the share of their path inside; NaN where the group or its intervals are absent."""
    rows = [row for row in at_horizon(short, True) if row.group == group and row.method == method]
    if not rows:
        return float("nan")
    return float(np.mean([*mean_by_series(rows, lambda row: row.coverage)[method].values()]))


def costs(long: Sequence[Row], short: Sequence[Row]) -> list[Check]:
    """Total seconds below LightGBM's on the long series and below AutoARIMA's on the short ones."""
    pairs: list[tuple[str, Sequence[Row], str]] = [("long", long, "lightgbm"), ("short", short, "AutoARIMA")]
    return [_cheaper(name, rows, peer) for name, rows, peer in pairs if rows]


def _cheaper(name: str, rows: Sequence[Row], peer: str) -> Check:
    ours, theirs = total_seconds(rows, OURS), total_seconds(rows, peer)
    return Check(
        f"total cost on the {name} series below {peer}'s",
        f"{ours:.0f} s against {theirs:.0f} s",
        ours < theirs,
    )


def total_seconds(rows: Sequence[Row], method: str) -> float:
    """Processor seconds of all the method's rows; a row that is part of another run has none."""
    return float(np.nansum([row.seconds for row in rows if row.method == method]))
