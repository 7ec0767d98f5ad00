"""ResCP's two rows under both recurrences and several settings, beside the print."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.intervals import IntervalMethod, ResCP
from ngrc.study.harness.estimate import error_columns, standard_error
from ngrc.study.harness.printed import printed
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Settings
from ngrc.study.volterra.cells import MEASURES, Replication, policies, replication
from ngrc.study.volterra.pilot import APPENDIX
from ngrc.study.volterra.printed import REPS as PAPER_REPS
from ngrc.study.volterra.printed import ROWS
from ngrc.study.volterra.selection import Selection

POLICIES = ("rescp-all", "rescp-fifo")
REPS, QUICK_REPS = 50, 3
"""Half of the evaluation's: the variants together cost more than it, and differ by far more than the errors."""
TEMPERATURE = 0.10
"""Shown beside the pilot's choice, never evaluated."""
LESSER_RADII = (0.9, 1.0)
"""Reservoirs with less memory than the appendix's, whose radius is 1.2."""
PILOT, FIXED = "pilot's choice", f"appendix's reservoir, {TEMPERATURE:.2f}"


@dataclass(frozen=True, slots=True)
class Variant:
    """A setting of ResCP under one policy: measures, shape (replications, 5), and delays, shape (replications,)."""

    method: ResCP
    settings: str
    policy: str
    measures: FloatArray
    delays: FloatArray

    @property
    def distances(self) -> FloatArray:
        """How many combined standard errors each mean lies from its print, shape (5,)."""
        cells = [printed(text) for text in ROWS[self.policy].measures]
        spread = [cell.spread or cell.unit / 2 for cell in cells]
        error = np.hypot(standard_error(self.measures), spread)
        return np.asarray((self.measures.mean(axis=0) - [cell.value for cell in cells]) / error)

    def record(self) -> dict[str, Any]:
        """A row of the table."""
        columns = error_columns(MEASURES, self.measures.mean(axis=0), standard_error(self.measures))
        return {
            "recurrence": self.method.recurrence,
            "settings": self.settings,
            "history": self.policy.removeprefix("rescp-"),
            "replications": len(self.measures),
            **columns,
            "recovered_share": float(np.isfinite(self.delays).mean()),
            "farthest_in_errors": float(np.abs(self.distances).max()),
        }


def variants(selection: Selection, settings: Settings) -> list[Variant]:
    """All settings but the evaluated one, on the evaluation's own streams."""
    chosen = _settings(selection)
    methods: dict[str, IntervalMethod] = {}
    for number, (method, _) in enumerate(chosen):
        methods |= {f"{number} {name}": one for name, one in policies(method).items()}
    count = QUICK_REPS if settings.quick else min(REPS, settings.replications(REPS))
    done: list[Replication] = replicate(
        partial(replication, methods=methods),
        count,
        name="volterra",
        seed=settings.seed,
        jobs=settings.jobs,
    )
    measures, delays = (np.array([getattr(one, name) for one in done]) for name in ("measures", "delays"))
    found = []
    for place, name in enumerate(methods):
        which, policy = name.split()
        found.append(Variant(*chosen[int(which)], policy, measures[:, place], delays[:, place, 1]))
    return found


def evaluated(selection: Selection, measures: FloatArray, delays: FloatArray) -> list[Variant]:
    """The evaluation's own two rows, which are its last, as variants."""
    method = selection.settled["code"]
    return [
        Variant(method, PILOT, policy, measures[:, place], delays[:, place])
        for place, policy in zip((-2, -1), POLICIES, strict=True)
    ]


def recurrence_table(shown: list[Variant]) -> pl.DataFrame:
    """One row per variant and policy, the paper's two rows first."""
    records = []
    for policy in POLICIES:
        cells = [printed(text) for text in ROWS[policy].measures]
        values, errors = np.array([cell.value for cell in cells]), np.array([cell.spread for cell in cells])
        records.append(
            {"recurrence": "not printed", "settings": "as printed", "history": policy.removeprefix("rescp-"),
             "replications": PAPER_REPS, **error_columns(MEASURES, values, errors),
             "recovered_share": ROWS[policy].recovered / PAPER_REPS, "farthest_in_errors": 0.0}
        )  # fmt: skip
    return pl.DataFrame([*records, *(variant.record() for variant in shown)])


def nearest(shown: Sequence[Variant]) -> tuple[Variant, ...]:
    """Both policies of the variant whose farthest mean lies nearest its print."""
    worst: dict[tuple[ResCP, str], float] = {}
    # Over as many replications each: with more of them the same miss is more errors.
    count = min(len(one.measures) for one in shown)
    for one in shown:
        key = (one.method, one.settings)
        cut = replace(one, measures=one.measures[:count], delays=one.delays[:count])
        worst[key] = max(worst.get(key, 0.0), float(np.abs(cut.distances).max()))
    best = min(worst, key=lambda key: worst[key])
    return tuple(one for one in shown if (one.method, one.settings) == best)


def _settings(selection: Selection) -> list[tuple[ResCP, str]]:
    fixed = replace(APPENDIX, temperature=TEMPERATURE)
    return [
        (fixed, FIXED),
        (selection.settled["paper"], PILOT),
        (replace(fixed, recurrence="paper"), FIXED),
        (replace(fixed, seed=1), f"{FIXED}, another draw of it"),
        *(
            (replace(fixed, spectral_radius=radius), f"{FIXED}, spectral radius {radius:g}")
            for radius in LESSER_RADII
        ),
    ]
