"""The part of the page on `make accuracy`: the automatic model beside each peer, and where it is behind."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from accuracy.checks import ALLOWED, at_horizon
from accuracy.interval_cases import OURS_BANDED, PEER
from accuracy.interval_checks import mean_inside
from accuracy.methods import LONG, OURS
from accuracy.methods.base import LEVEL
from accuracy.methods.short import SHORT
from accuracy.scores import Row
from accuracy.series import long_names
from accuracy.short import COUNT
from accuracy.table import Duel

from results_page.duels import (
    HORIZONS,
    exact,
    interval_duels,
    long_duels,
    losses,
    naive_cases,
    path_scores,
    shared,
    short_duels,
)
from results_page.markdown import code, folded, plain, table
from results_page.rows import Rows

GROUPS: Mapping[str, str] = {
    "rates": "exchange rates",
    "solar": "solar plants",
    "beijing": "Beijing air",
    "": "all",
}
"""Groups whose name in the rows is not yet a word for readers."""
INTRODUCTION = (
    "The automatic model, told the horizon and nothing else, beside what the same user would otherwise pick, on the "
    "same origins and with no more tuning than the first example of each package's documentation. A ratio is the "
    "geometric mean over series of our error over the peer's: below 1 we are ahead. *Ahead in* counts series with the "
    "smaller error."
)
KEPT = (
    "No run in this folder had every method on every series: these are the rows that runs kept, by one protocol and "
    "with the same versions of the other packages; ours may come from several days of this library. Every line says "
    "over how many series it is."
)


def beside(given: Rows) -> list[str]:
    """Paragraphs of Markdown; where there are no rows, how to get them."""
    title = "## Accuracy beside other packages"
    if not given.rows:
        return [
            title,
            "*Not run.* `make accuracy` measures it; the folder of results holds none of its rows.",
        ]
    long, short, banded = (
        [row for row in given.rows if row.kind == kind] for kind in ("long", "short", "interval")
    )
    counts = (
        f"Rows of ours cover {_series(long, OURS)} of {len(long_names())} long series (forecasts), "
        f"{_series(banded, OURS_BANDED)} of {len(long_names())} (intervals), and {_series(short, OURS)} of {COUNT} "
        "short ones."
    )
    source = "They come from one run of `make accuracy`." if given.whole else KEPT
    parts = [title, INTRODUCTION, f"{counts} {source}", *long_part(long), *interval_part(banded)]
    return [*parts, *short_part(short), *behind_part(long, short, banded)]


def _series(rows: Sequence[Row], method: str) -> int:
    return len({row.series for row in rows if row.method == method})


def long_part(long: Sequence[Row]) -> list[str]:
    """RMSE on the long series at both horizons."""
    found = [{one.peer: one for one in long_duels(at_horizon(long, season))} for _, season in HORIZONS]
    peers = [peer for peer in LONG if any(peer in duels for duels in found)]
    lines = [(plain(peer), *(cell for duels in found for cell in _cells(duels.get(peer)))) for peer in peers]
    head = ("peer", *(f"{name}: {word}" for name, _ in HORIZONS for word in ("RMSE ratio", "ahead in")))
    return ["### Long series", *_table(head, lines, 4), *_absent(LONG, peers)]


def interval_part(banded: Sequence[Row]) -> list[str]:
    """Winkler score and coverage of our interval beside conformalised quantiles, per group and horizon."""
    lines = []
    for group in [*dict.fromkeys(row.group for row in banded), ""]:
        for name, season in HORIZONS:
            rows = [row for row in at_horizon(banded, season) if group in ("", row.group)]
            part = shared(rows, (OURS_BANDED, PEER))
            for one in interval_duels(part):
                inside = (f"{mean_inside(part, method):.3f}" for method in (OURS_BANDED, PEER))
                lines.append((_group(group), name, *_cells(one), *inside))
    head = ("series", "ahead", "Winkler ratio", "ahead in", "our coverage", "theirs")
    who = f"{code(OURS_BANDED)} beside {code(PEER)}, both refitted at the same ends."
    return [f"### Intervals at {percent(LEVEL)}", who, *_table(head, lines, 4)]


def short_part(short: Sequence[Row]) -> list[str]:
    """MASE of the whole path on the short series."""
    scores = path_scores(short)
    duels = short_duels(short)
    lines = []
    for one in duels:
        common = scores[OURS].keys() & scores[one.peer].keys()
        # Sorted: the last bit of a sum must not depend on the order of a set.
        means = (fmean(scores[name][case] for case in sorted(common)) for name in (OURS, one.peer))
        lines.append((plain(one.peer), *_cells(one), *(f"{mean:.2f}" for mean in means)))
    head = ("peer", "MASE ratio", "ahead in", "our mean MASE", "theirs")
    absent = _absent(SHORT, [one.peer for one in duels])
    return ["### Short series", *_table(head, lines, 4), *absent, *_exact(short)]


def _exact(short: Sequence[Row]) -> list[str]:
    """Series that are left out of the ratios, with our error there."""
    listed = [
        f"{code(series)}, exact: {', '.join(map(plain, names))} (our MASE {ours:.2g})"
        for series, (ours, names) in exact(short).items()
    ]
    return (
        [f"In the means and not in the ratios, as an error is zero: {'; '.join(listed)}."] if listed else []
    )


def behind_part(long: Sequence[Row], short: Sequence[Row], banded: Sequence[Row]) -> list[str]:
    """Every group of series in which a peer is ahead in geometric mean, and every case behind the naive forecasts."""
    lines = [
        (one.score, plain(one.peer), _group(one.group), one.horizon, *_cells(one.duel))
        for one in losses(long, short, banded)
    ]
    head = ("score", "peer", "series", "ahead", "ratio", "ahead in")
    none = "Over no group of series is a peer ahead in geometric mean."
    return ["### Where it is behind", table(head, lines, numbers=2) if lines else none, *behind_naive(long)]


def behind_naive(long: Sequence[Row]) -> list[str]:
    """The cases clearly behind the better naive forecast, every one."""
    cases, found = naive_cases(long)
    text = (
        f"Cases in which it is more than {percent(ALLOWED - 1.0)} worse than the better of naive and seasonal naive: "
        f"{len(found)} of {cases}"
    )
    if not found:
        return [f"{text}."] if cases else []
    lines = [(code(one.case[0]), str(one.case[1]), f"{one.ratio:.3f}") for one in found]
    return [folded(text, table(("series", "steps ahead", "RMSE ratio"), lines, numbers=2))]


def percent(share: float) -> str:
    """A share as our pages write it.

    Examples
    --------
    >>> percent(0.9)
    '90 %'
    """
    return f"{100 * share:.0f} %"


def _group(name: str) -> str:
    return GROUPS.get(name, name)


def _cells(one: Duel | None) -> tuple[str, str]:
    """Ratio and wins of the cases, empty where the two never met."""
    return ("", "") if one is None else (f"{one.ratio:.3f}", f"{one.wins} of {one.cases}")


def _table(head: Sequence[str], lines: Sequence[Sequence[str]], numbers: int) -> list[str]:
    return [table(head, lines, numbers)] if lines else ["No rows that can be compared."]


def _absent(methods: Mapping[str, object], present: Sequence[str]) -> list[str]:
    """The peers that have not met ours."""
    names = [plain(name) for name in methods if name != OURS and name not in present]
    return [f"Not run: {', '.join(names)}."] if names else []
