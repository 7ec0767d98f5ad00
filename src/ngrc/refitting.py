"""A plan fitted at one end after another: rows are summed once, and every end solves again."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from ngrc._threads import threads_for
from ngrc._types import FloatArray
from ngrc.features.rows import Rows
from ngrc.fitted import AnyReadout, Fitted, Sight
from ngrc.observed import Observed
from ngrc.plan import Plan
from ngrc.readout import Validation, choose_penalty
from ngrc.readout.fit import Solved
from ngrc.readout.forecast import forecast_rows
from ngrc.readout.growing import growing_moments, row_gram, row_moments
from ngrc.readout.tasks import Tasks
from ngrc.readout.tasks.fit import SolvedTasks, validate_tasks
from ngrc.readout.tasks.forecast import forecast_tasks
from ngrc.readout.tasks.moments import Moments, task_grams, union_moments

DOUBLING = 2
"""Growth of the rows after which the penalty is chosen anew. The best one falls like one over the rows, and candidates
lie a factor of three apart: in between the choice would hardly move. So few choices cost about one pass over rows."""


class Stop(Protocol):
    """One end of a walk: the fit there, made whole where it is asked for, and what it says of later origins."""

    def fitted(self) -> Fitted:
        """The whole fit."""

    def fill(self, said: FloatArray, origins: range) -> None:
        """Write its forecasts from `origins`, by target time, into `said` of shape (n, horizons, channels)."""


def fit_at(
    plan: Plan, observed: Observed, ends: Sequence[int], first: int, scale: Any, window: int | None
) -> Iterator[Stop]:
    """The plan fitted to the observations before each of the rising `ends`.

    Where what stands before the moments does not change (no transform, and no limits that the fit block settles), a
    refit keeps scale and penalty and adds the moments of the new rows; else it is a fit like the first, at its scale.
    """
    firsts = [first if window is None else max(first, end - window) for end in ends]
    origins, start = plan.origins(ends[0], firsts[0]), observed.until(ends[0])
    frame = plan.frame(start, scale)
    linear = all(link.linear for link in frame.preparation.links)
    # Whether a later fit would see the same rows as the first one did, and from moments.
    settled = linear and plan.clip is None and not plan.dual(len(origins))
    walk = _Walk.of(plan, frame.see(observed.until(ends[-1]))) if settled else None
    if walk is not None:
        yield from walk.stops(ends, firsts)
        return
    yield _Whole(plan.fit_in(frame, start, origins), observed)
    scales = frame.preparation.scales
    scale = (scales if len(scales) > 1 else scales[0]) if scale is None else scale
    for end, since in zip(ends[1:], firsts[1:], strict=True):
        yield _Whole(plan.fit(observed.until(end), since, scale), observed)


@dataclass(frozen=True, slots=True)
class _Whole:
    """A fit of its own, and all observations."""

    own: Fitted
    observed: Observed

    def fitted(self) -> Fitted:
        return self.own

    def fill(self, said: FloatArray, origins: range) -> None:
        # What lies beyond the last target is cut off: a fit cannot look at what it is not given.
        stop = min(origins.stop + self.own.horizon, self.observed.size)
        found = self.own.see(self.observed.until(stop)).paths(origins.start + 1, origins.stop)
        for place, horizon in enumerate(self.own.horizons):
            targets = slice(origins.start + horizon, min(origins.stop + horizon, stop))
            said[targets, place] = found[targets, place]


@dataclass(frozen=True, slots=True)
class _Refit:
    """Weights of one end, one per task, over the rows of its walk; `whole` makes the rest of the fit."""

    walk: "_Walk"
    intercepts: Sequence[float]
    coefficients: Sequence[FloatArray]
    whole: Callable[[], Fitted]

    def fitted(self) -> Fitted:
        plan = self.walk.plan
        with threads_for(plan.decomposed(self.walk.sight.observed.size)):
            return self.whole()

    def fill(self, said: FloatArray, origins: range) -> None:
        sight, longest = self.walk.sight, self.walk.plan.horizons[-1]
        channels, size = sight.x.shape[1], sight.observed.size
        # Origins from which every horizon has an outcome: the walk has their rows.
        bulk = range(origins.start, min(origins.stop, size - longest))
        if len(bulk):
            rows, found = self.walk.forecasts(bulk, self.intercepts, self.coefficients)
            for number, (row, part) in enumerate(zip(rows, found, strict=True)):
                place, channel = divmod(number, channels)
                said[row.first : row.stop, place, channel] = sight.levels(row, part, channel)
        for number, (constant, raw) in enumerate(zip(self.intercepts, self.coefficients, strict=True)):
            place, channel = divmod(number, channels)
            horizon = self.walk.plan.horizons[place]
            first, stop = max(origins.start, bulk.stop), min(origins.stop, size - horizon)
            if first < stop:
                row = sight.rows(horizon, channel, first + horizon, stop + horizon)
                part = forecast_rows(row, constant, raw)
                said[row.first : row.stop, place, channel] = sight.levels(row, part, channel)


@dataclass(frozen=True, slots=True)
class _Walk:
    """All rows that any end will fit, in the units of the first fit.

    `rows` has one entry per task; `tasks` is None where there is one alone.
    """

    plan: Plan
    sight: Sight
    rows: Sequence[Rows]
    tasks: Tasks | None
    origin: int

    @classmethod
    def of(cls, plan: Plan, sight: Sight) -> "_Walk | None":
        """The walk over all that is seen; None where its tasks have too little in common."""
        longest = plan.horizons[-1]
        origins = range(plan.first_target - longest, sight.observed.size - longest)
        rows = plan.rows(sight, origins)
        if len(rows) == 1:
            return cls(plan, sight, [rows[0].whole()], None, origins.start)
        tasks = Tasks.of(rows)
        if tasks is None:
            return None
        return cls(plan, sight, rows, replace(tasks, union=tasks.union.whole()), origins.start)

    def stops(self, ends: Sequence[int], firsts: Sequence[int]) -> Iterator[_Refit]:
        """All ends, one after the other."""
        plan, like = self.plan, self.sight.fitted
        spans = [self._span(end, first) for end, first in zip(ends, firsts, strict=True)]
        penalties = [] if plan.penalty is None else [plan.penalty] * len(self.rows)
        chosen = 0
        for end, span, moments in zip(ends, spans, growing_moments(spans, self._sums), strict=True):
            plan.check_bounds(self.sight.observed.values[:end])
            if plan.penalty is None and span[1] >= DOUBLING * chosen:
                validations, chosen = tuple(self._validate(span)), span[1]
                penalties = [found.best for found in validations]
                like = replace(like, validations=validations)
            yield self._refit(span, moments, penalties, like)

    def _span(self, end: int, first: int) -> tuple[int, int]:
        """Rows of one end, counted from the first that there is; an error where they are too few."""
        origins = self.plan.origins(end, first)
        return origins.start - self.origin, origins.stop - self.origin

    def _sums(self, start: int, stop: int) -> Moments:
        if self.tasks is None:
            return row_moments(self.rows[0].part(start, stop))
        return union_moments(self.tasks.part(start, stop))

    def _validate(self, span: tuple[int, int]) -> list[Validation]:
        ridges, convention = self.plan.ridges, self.plan.convention
        if self.tasks is None:
            return [choose_penalty(self.rows[0].part(*span), ridges, convention)]
        return validate_tasks(self.tasks.part(*span), ridges, convention)

    def _refit(
        self, span: tuple[int, int], moments: Moments, penalties: Sequence[float], like: Fitted
    ) -> _Refit:
        """The weights of one end; the whole fit is `like` another but for its readouts."""
        convention = self.plan.convention
        if self.tasks is None:
            rows = self.rows[0].part(*span)
            one = Solved.of(rows, row_gram(moments, convention), penalties[0], convention)
            whole = partial(_with, like, lambda: [one.readout(rows)])
            return _Refit(self, [one.intercept], [one.coefficients], whole)
        tasks = self.tasks.part(*span)
        all_ = SolvedTasks.of(tasks, task_grams(tasks, convention, moments), penalties, convention)
        whole = partial(_with, like, lambda: all_.readouts(tasks))
        return _Refit(self, all_.intercepts, all_.coefficients, whole)

    def forecasts(
        self, origins: range, intercepts: Sequence[float], coefficients: Sequence[FloatArray]
    ) -> tuple[Sequence[Rows], Sequence[FloatArray]]:
        """The rows of `origins`, one per task, and what these weights say of them."""
        span = origins.start - self.origin, origins.stop - self.origin
        if self.tasks is None:
            rows = self.rows[0].part(*span)
            return [rows], [forecast_rows(rows, intercepts[0], coefficients[0])]
        tasks = self.tasks.part(*span)
        constants = [np.array([constant]) for constant in intercepts]
        found = forecast_tasks(tasks, constants, [raw[:, None] for raw in coefficients])
        return tasks.rows, [part[:, 0] for part in found]


def _with(like: Fitted, readouts: Callable[[], Sequence[AnyReadout]]) -> Fitted:
    return replace(like, readouts=tuple(readouts()))
