"""A plan fitted at one end after another: rows are summed once, and every end solves again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ngrc.features.rows import Rows
from ngrc.fitted import AnyReadout, Fitted, tasks_rows
from ngrc.observed import Observed
from ngrc.plan import Plan
from ngrc.readout import fit_readout
from ngrc.readout.dual_readout import DualReadout
from ngrc.readout.growing import growing_moments, row_gram, row_moments
from ngrc.readout.tasks import Tasks
from ngrc.readout.tasks.fit import solve_tasks
from ngrc.readout.tasks.moments import Moments, task_grams, union_moments

DOUBLING = 2
"""Growth of the rows after which the penalty is chosen anew. The best one falls like one over the rows, and candidates
lie a factor of three apart: in between the choice would hardly move. So few choices cost about one pass over rows."""


def fit_at(
    plan: Plan, observed: Observed, ends: Sequence[int], first: int, scale: Any, window: int | None
) -> Iterator[Fitted]:
    """The plan fitted to the observations before each of the rising `ends`.

    Where what stands before the moments does not change (no transform, and no limits that the fit block settles), a
    refit keeps scale and penalty and adds the moments of the new rows; else it is a fit like the first, at its scale.
    """
    firsts = [first if window is None else max(first, end - window) for end in ends]
    begin = plan.fit(observed.until(ends[0]), firsts[0], scale)
    yield begin
    walk = _Walk.of(plan, observed.until(ends[-1]), begin) if _settled(plan, begin) else None
    if walk is not None:
        yield from walk.refits(ends, firsts, begin)
        return
    scales = begin.preparation.scales
    scale = (scales if len(scales) > 1 else scales[0]) if scale is None else scale
    for end, start in zip(ends[1:], firsts[1:], strict=True):
        yield plan.fit(observed.until(end), start, scale)


def _settled(plan: Plan, fitted: Fitted) -> bool:
    """Whether a later fit would see the same rows as the first one did, and from moments."""
    dual = any(isinstance(readout, DualReadout) for readout in fitted.readouts)
    return not dual and plan.clip is None and all(link.linear for link in fitted.preparation.links)


@dataclass(frozen=True, slots=True)
class _Walk:
    """All rows that any end will fit, in the units of the first fit.

    `rows` has one entry per task; `tasks` is None where there is one alone.
    """

    plan: Plan
    observed: Observed
    rows: Sequence[Rows]
    tasks: Tasks | None
    origin: int

    @classmethod
    def of(cls, plan: Plan, observed: Observed, fitted: Fitted) -> "_Walk | None":
        """The walk of a first fit; None where its tasks have too little in common."""
        preparation = fitted.preparation
        x = preparation.standardise(preparation.linked(observed.values))
        inputs = preparation.inputs(x, observed.beside, observed.times)
        longest = plan.horizons[-1]
        origins = range(plan.first_target - longest, observed.size - longest)
        rows = tasks_rows(plan.feature_map, plan.goal, inputs, x, plan.horizons, origins)
        if len(rows) == 1:
            return cls(plan, observed, [rows[0].kept()], None, origins.start)
        tasks = Tasks.of(rows)
        return None if tasks is None else cls(plan, observed, rows, tasks, origins.start)

    def refits(self, ends: Sequence[int], firsts: Sequence[int], begin: Fitted) -> Iterator[Fitted]:
        """Fits at all ends but the first."""
        spans = [self._span(end, first) for end, first in zip(ends, firsts, strict=True)]
        sums = growing_moments(spans, self._sums)
        # The first fit has summed its rows its own way; here they are the first segment.
        next(sums)
        penalties, validations = [readout.penalty for readout in begin.readouts], begin.validations
        chosen = spans[0][1]
        for end, span, moments in zip(ends[1:], spans[1:], sums, strict=True):
            self.plan.check_bounds(self.observed.values[:end])
            if self.plan.penalty is None and span[1] >= DOUBLING * chosen:
                readouts, found = self.plan.readouts([row.part(*span) for row in self.rows], dual=False)
                penalties, chosen = [readout.penalty for readout in readouts], span[1]
                validations = None if found is None else tuple(found)
            else:
                readouts = self._readouts(span, moments, penalties)
            yield replace(begin, readouts=tuple(readouts), validations=validations)

    def _span(self, end: int, first: int) -> tuple[int, int]:
        """Rows of one end, counted from the first that there is; an error where they are too few."""
        origins = self.plan.origins(end, first)
        return origins.start - self.origin, origins.stop - self.origin

    def _sums(self, start: int, stop: int) -> Moments:
        if self.tasks is None:
            return row_moments(self.rows[0].part(start, stop))
        return union_moments(self.tasks.part(start, stop))

    def _readouts(
        self, span: tuple[int, int], moments: Moments, penalties: Sequence[float]
    ) -> Sequence[AnyReadout]:
        convention = self.plan.convention
        if self.tasks is None:
            gram = row_gram(moments, convention)
            return [fit_readout(self.rows[0].part(*span), penalties[0], convention, gram)]
        tasks = self.tasks.part(*span)
        return solve_tasks(tasks, task_grams(tasks, convention, moments), penalties, convention)
