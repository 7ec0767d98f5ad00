"""How far the summaries move when the integration step is halved, the innovations the same."""

from typing import NamedTuple

import numpy as np
import polars as pl

from ngrc._types import FloatArray, IntArray
from ngrc.study.harness.compare import ERRORS, holds, incomparable, monte_carlo
from ngrc.study.harness.estimate import Estimate, standard_error
from ngrc.study.harness.printed import printed
from ngrc.study.harness.record import Cell, Check
from ngrc.study.volterra.cells import MEASURES
from ngrc.study.volterra.printed import HALVED, REPS, TITLES

RESAMPLES = 1000
"""The error of an error is then 2 %."""
LEAST = 5
"""Recovered replications that a mean delay needs; below, resampling may leave a method without any."""
COLUMNS = {
    "coverage": [i for i, name in enumerate(MEASURES) if "coverage" in name],
    "width": [i for i, name in enumerate(MEASURES) if "width" in name],
}


class Paired(NamedTuple):
    """Measures, shape (replications, rows, 5), and delays, shape (replications, rows), with one step."""

    measures: FloatArray
    delays: FloatArray

    def take(self, places: IntArray) -> "Paired":
        """The replications at these places."""
        return Paired(self.measures[places], self.delays[places])


def largest_changes(full: Paired, half: Paired) -> dict[str, tuple[float, str]]:
    """The largest absolute change of a mean coverage, of a mean width and of a mean delay, and whose it is."""
    moved = np.abs(half.measures.mean(axis=0) - full.measures.mean(axis=0))
    changes = {name: moved[:, columns].max(axis=1) for name, columns in COLUMNS.items()}
    enough = (np.isfinite(full.delays).sum(axis=0) >= LEAST) & (np.isfinite(half.delays).sum(axis=0) >= LEAST)
    later = np.zeros(enough.size)
    later[enough] = np.abs(
        np.nanmean(half.delays[:, enough], axis=0) - np.nanmean(full.delays[:, enough], axis=0)
    )
    if enough.any():
        changes["delay"] = later
    titles = list(TITLES.values())
    return {
        name: (float(each.max()), titles[int(each.argmax())] if each.any() else "none")
        for name, each in changes.items()
    }


def resampled_errors(full: Paired, half: Paired) -> dict[str, float]:
    """Standard errors of the largest changes, from replications drawn again with replacement."""
    rng = np.random.default_rng(0)
    draws: dict[str, list[float]] = {}
    for _ in range(RESAMPLES):
        places = rng.integers(len(full.delays), size=len(full.delays))
        for name, (value, _) in largest_changes(full.take(places), half.take(places)).items():
            draws.setdefault(name, []).append(value)
    return {name: float(np.std(values, ddof=1)) for name, values in draws.items()}


def halving_table(full: Paired, half: Paired) -> pl.DataFrame:
    """One row per kind of summary: its largest change, the error of that, and whose it is."""
    errors = resampled_errors(full, half)
    return pl.DataFrame(
        [
            {"summary": name, "largest_change": value, "largest_change_se": errors[name], "method": title}
            for name, (value, title) in largest_changes(full, half).items()
        ]
    )


def halving_checks(full: Paired, half: Paired, cell: Cell, why: str = "") -> list[Check]:
    """The printed largest changes, the unchanged recoveries, and that the changes are small beside chance."""
    reps = len(full.delays)
    table = {row["summary"]: row for row in halving_table(full, half).iter_rows(named=True)}
    checks = []
    for name, text in HALVED.items():
        place = _named(cell, f"largest change of a mean {name}, step halved")
        row, paper = table.get(name), printed(text)
        if reps != REPS or row is None:
            few = (
                f"a largest change falls with the replications; comparable at {REPS} alone"
                if reps != REPS
                else f"fewer than {LEAST} replications recovered under either step"
            )
            checks.append(
                incomparable(place, paper.value, few, None if row is None else row["largest_change"])
            )
            continue
        ours = Estimate(row["largest_change"], row["largest_change_se"], reps)
        reason = f"a maximum over all rows; its error by resampling replications; ours: {row['method']}"
        checks.append(monte_carlo(place, ours, paper, REPS, reason))
    return [*checks, *_insensitive(full, half, cell, why), _without_reservoirs(full, half, cell)]


def _without_reservoirs(full: Paired, half: Paired, cell: Cell) -> Check:
    """The rows without ResCP, whose settings are printed: their largest changes cannot exceed the printed ones."""
    place = _named(cell, "largest changes without ResCP that stay below the printed ones")
    if len(full.delays) != REPS:
        return incomparable(place, len(HALVED), f"judged at {REPS} replications", kind="claim")
    plain = [i for i, name in enumerate(TITLES) if not name.startswith("rescp")]
    parts = [Paired(each.measures[:, plain], each.delays[:, plain]) for each in (full, half)]
    changes, errors = largest_changes(*parts), resampled_errors(*parts)
    below = [
        changes[name][0] <= printed(text).value + ERRORS * errors[name]
        for name, text in HALVED.items()
        if name in changes
    ]
    reason = ", ".join(f"{name} {value:.2g} ± {errors[name]:.1g}" for name, (value, _) in changes.items())
    return holds(place, sum(below), len(below), f"each within {ERRORS:g} of its standard errors: {reason}")


def _insensitive(full: Paired, half: Paired, cell: Cell, why: str) -> list[Check]:
    before, after = (np.isfinite(each.delays).sum(axis=0) for each in (full, half))
    same = int((before == after).sum())
    other = [
        f"{title} {a} to {b}" for title, a, b in zip(TITLES.values(), before, after, strict=True) if a != b
    ]
    moved = np.abs(half.measures.mean(axis=0) - full.measures.mean(axis=0))
    below = moved <= standard_error(full.measures)
    larger = [
        f"not {title}, {measure.replace('_', ' ')}"
        for i, title in enumerate(TITLES.values())
        for j, measure in enumerate(MEASURES)
        if not below[i, j]
    ]
    return [
        holds(_named(cell, "methods whose count of recoveries is unchanged"), same, before.size,
              "; ".join([*other, why] if other else [])),
        holds(_named(cell, "mean coverages and widths that move by less than their standard error"),
              int(below.sum()), moved.size, "; ".join([*larger, why] if larger else [])),
    ]  # fmt: skip


def _named(cell: Cell, name: str) -> Cell:
    return Cell(cell.target, cell.table, name)
