"""What a scan of ResCP's grid says of the printed numbers: as a table, as a reason, as sentences."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from ngrc.study.harness.compare import ERRORS
from ngrc.study.harness.estimate import ERROR
from ngrc.study.harness.printed import Printed
from ngrc.study.real.scan import RECURRENCES, Reached, Scan, distance

CAPTION = (
    "ResCP on the test block at every temperature and window of its grid: how many settings give coverage, width and "
    "Winkler score all within the allowed standard errors of the print, the closest and its distance in standard "
    "errors, and beside them what ResCP selects on the history (temperature, window, with how many of the seeds)."
)


class Pair(NamedTuple):
    """A model on a dataset that can be compared: its name, its scan and what is printed."""

    dataset: str
    model: str
    scan: Scan
    printed: Mapping[str, Printed]

    def __str__(self) -> str:
        return f"{self.dataset} with {self.model}"


def within(found: Sequence[Reached], allowed: float) -> list[Reached]:
    """Those that give all three printed numbers."""
    return [reached for reached in found if reached.distance <= allowed]


def explained(scan: Scan, printed: Mapping[str, Printed]) -> str:
    """Whether a choice of temperature and window would give the print."""
    found = scan.reach(printed)
    near, best = within(found, scan.allowed), found[0]
    if near:
        return (
            f"a choice of T and W would do: {len(near)} of {len(found)} settings give all three printed numbers, the "
            f"closest {best.setting}, at {best.distance:.1f} standard errors"
        )
    return (
        f"no choice of T and W would do: none of {len(found)} settings gives all three printed numbers, the "
        f"closest {best.setting}, at {best.distance:.1f} standard errors"
    )


def scan_table(pairs: Sequence[Pair]) -> pl.DataFrame:
    """One row per pair and recurrence."""
    records = []
    for pair in pairs:
        for recurrence in RECURRENCES:
            found = pair.scan.reach(pair.printed, recurrence)
            best = found[0]
            record: dict[str, Any] = {
                "dataset": pair.dataset,
                "model": pair.model,
                "recurrence": recurrence,
                "seeds": pair.scan.seeds,
                "settings": len(found),
                "allowed": pair.scan.allowed,
                "give_the_print": len(within(found, pair.scan.allowed)),
                "closest": f"{best.setting.temperature:g} {best.setting.window}",
                "distance": best.distance,
            }
            for name, estimate in pair.scan.at(best.setting).items():
                record |= {name: estimate.mean, f"{name}{ERROR}": estimate.error}
            record["selected"] = pair.scan.selections(recurrence)
            record["selected_distance"] = distance(pair.scan.own(recurrence), pair.printed)
            records.append(record)
    return pl.DataFrame(records)


def scan_findings(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """Which printed rows are reachable by a choice of temperature and window, and which are not."""
    if not pairs:
        return ()
    reached, beyond = [], []
    for pair in pairs:
        found = pair.scan.reach(pair.printed)
        near, best = within(found, pair.scan.allowed), found[0]
        if near:
            reached.append(f"{pair} ({len(near)} of {len(found)} settings)")
        else:
            beyond.append(f"{pair} ({best.distance:.1f} standard errors at the closest, {best.setting})")
    sentences = [
        f"The paper does not print ResCP's temperature and window for the models other than NGRC. Of {len(pairs)} "
        f"rows, {len(reached)} can be had by some setting of the grid: {', '.join(reached) or 'none'}."
    ]
    if beyond:
        sentences.append(f"Not by any: {'; '.join(beyond)}.")
    few = max((pair.scan for pair in pairs), key=lambda scan: scan.allowed)
    if few.allowed > 2.0 * ERRORS:
        sentences.append(
            "Where seeds or trainings are few their spread is hardly known, and up to "
            f"{few.allowed:.0f} standard errors are allowed: a row that can be had says little then."
        )
    return (" ".join(sentences),)
