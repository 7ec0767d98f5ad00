"""What an unfitted model is going to do: checked parameters, and the fit that follows from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from ngrc._types import FloatArray
from ngrc.features import FeatureMap, Rows, Scale, Target
from ngrc.features.bounds import Bounds
from ngrc.features.calendar import has_calendar
from ngrc.features.constant import Constant
from ngrc.features.link import Link
from ngrc.features.preparation import Preparation, check_clip
from ngrc.features.scaling import as_scale, check_range
from ngrc.features.transforms import Specification, fit_transform_of
from ngrc.fitted import AnyReadout, Fitted, Sight, tasks_rows
from ngrc.observed import Observed
from ngrc.readout import Validation, fit_readout, select_readout
from ngrc.readout.convention import Convention
from ngrc.readout.dual_cost import check_columns, check_work, choose_solver, primal_cost
from ngrc.readout.dual_rows import fit_dual_rows
from ngrc.readout.penalty import check_ridges, rows_needed
from ngrc.readout.spectrum import check_penalty
from ngrc.readout.tasks import Tasks, fit_tasks
from ngrc.readout.tasks.value import ordered
from ngrc.validation import check_count, check_path

Solver = Literal["auto", "primal", "dual"]
# Work below which the primal takes tens of milliseconds, and nobody gains by another way; in the units of `dual_cost`.
SMALL = 1e9


# Without slots, as `cached_property` keeps its value in the instance's dictionary.
@dataclass(frozen=True)
class Plan:
    """A model's parameters, checked before the first feature is computed: a wrong one costs no waiting.

    Parameters
    ----------
    feature_map, goal
        The columns, and what is fitted.
    horizons
        In rising order.
    convention
        Intercept and scaling of the columns.
    penalty, ridges
        The penalty, or None and the candidates for its choice.
    transform, bounds
        Monotone transform of the series, and what forecasts may not cross.
    clip
        Share by which inputs may exceed the fit block's range.
    known
        Inputs that are known ahead.
    path
        Whether all horizons up to the longest are fitted.
    solver
        "primal" (moments), "dual" (kernel), or "auto": the cheaper.
    words
        The shape of the map for messages.
    """

    feature_map: FeatureMap
    goal: Target
    horizons: tuple[int, ...]
    convention: Convention
    penalty: float | None
    ridges: Sequence[float]
    transform: Specification
    bounds: Bounds
    clip: float | None
    known: Sequence[str]
    path: bool
    solver: Solver
    words: str

    def __post_init__(self) -> None:
        if self.solver not in ("auto", "primal", "dual"):
            raise ValueError(f"solver must be 'auto', 'primal' or 'dual', got {self.solver!r}")

    @cached_property
    def first_target(self) -> int:
        """First time that the longest horizon can forecast.

        One origin serves all horizons of a path: the first from which each of them has its columns.
        """
        reach = max(
            max(self.feature_map.reach(horizon), self.goal.reach(horizon)) for horizon in self.horizons
        )
        return reach + self.horizons[-1]

    def origins(self, size: int, first: int) -> range:
        """Origins of the fit rows, the longest horizon's first target being `first` at the earliest."""
        longest = self.horizons[-1]
        first = max(check_count(first, "first", 0), self.first_target)
        longest_period = max(
            (period for group in self.feature_map.groups for period in _periods(group)), default=0.0
        )
        if longest_period > size:
            raise ValueError(
                f"the period {longest_period:g} is longer than the fit block's {size} observations; give more or "
                "leave that period out"
            )
        # A fixed penalty needs one row; the choice of one also needs validation rows beyond H - 1 guards.
        needed = first + (rows_needed(longest) if self.penalty is None else 1)
        if size < needed:
            raise ValueError(
                f"{self.words}, horizon {longest} and first target {first} "
                f"need at least {needed} observations, got {size}; give more, or use fewer lags{self._reaching()}"
            )
        return range(first - longest, size - longest)

    def _reaching(self) -> str:
        """What else reaches far back, for the message; empty where it is the delays."""
        reaches = {type(group).__name__: group.reach(self.horizons[-1]) for group in self.feature_map.groups}
        farthest = max(reaches, key=lambda name: reaches[name])
        return {"Seasonal": " or seasonal cycles, which reach farthest back"}.get(farthest, "")

    def decomposed(self, rows: int) -> int:
        """Rows and columns of the matrix that a fit to so many rows decomposes; where it may choose, of the smaller."""
        columns = self.feature_map.count(self.horizons[-1])
        return {"primal": columns, "dual": rows}.get(self.solver, min(columns, rows))

    def fit(self, observed: Observed, first: int, scale: Any) -> Fitted:
        """Fit every horizon and channel."""
        origins = self.origins(observed.size, first)
        return self.fit_in(self.frame(observed, scale), observed, origins)

    def fit_in(self, frame: Fitted, observed: Observed, origins: range) -> Fitted:
        """Fit the rows of `origins` in a frame that is settled already."""
        rows = self.rows(frame.see(observed), origins)
        readouts, validations = self.readouts(rows, self.dual(len(origins)))
        return replace(
            frame,
            readouts=tuple(readouts),
            validations=None if validations is None else tuple(validations),
        )

    def rows(self, sight: Sight, origins: range) -> list[Rows]:
        """Rows of every horizon and channel at the same origins."""
        check_range(sight.x[: origins.stop + self.horizons[-1]])
        return tasks_rows(self.feature_map, self.goal, sight.inputs, sight.x, self.horizons, origins)

    def frame(self, observed: Observed, scale: Any) -> Fitted:
        """A fit but for its readouts: what the observations settle before the first row is looked at."""
        if has_calendar(self.feature_map) and observed.times is None:
            raise ValueError(
                "calendar columns need the series' times, and there are none; give dates with times= or a pandas "
                "DatetimeIndex, or leave the calendar out"
            )
        preparation = Preparation.of(
            observed.values,
            observed.names,
            observed.beside,
            self.known,
            links=[self._link(column) for column in observed.values.T],
            clip=self.clip,
            scales=_scales(scale, len(observed.names)),
        )
        return Fitted(
            feature_map=self.feature_map,
            goal=self.goal,
            preparation=preparation,
            horizons=self.horizons,
            path=self.path,
            vector=observed.vector,
            readouts=(),
            validations=None,
        )

    def check_bounds(self, values: FloatArray) -> None:
        """Refuse a series, shape (n, channels), that breaks the word given of it."""
        if self.bounds.given:
            for column in values.T:
                self.bounds.check(column, "the series")

    def _link(self, column: Any) -> Link:
        """Transform and bounds of one channel, from the fit block alone."""
        self.bounds.check(column, "the series")
        return Link(fit_transform_of(self.transform, column), self.bounds)

    def dual(self, count: int) -> bool:
        """Whether the kernel is to be solved instead of the moments; an error where neither fits into memory."""
        columns = self.feature_map.count(self.horizons[-1]) - 1
        # With a core the moments come from lagged sums, which the cost model calls degree 2.
        degree = 2 if self.feature_map.core is not None else 3
        dual = self._chosen(count, columns, degree)
        if dual and self.convention.columns == "standardised":
            check_work(count, columns)
        return dual

    def _chosen(self, count: int, columns: int, degree: int) -> bool:
        """Whether the dual is asked for, or the cheaper."""
        if self.solver == "auto":
            small = primal_cost(count, columns, degree) < SMALL
            moving = any(group.moving for group in self.feature_map.groups)
            kept = len(self.horizons) if moving else 1
            return not small and choose_solver(count, columns, degree, kept) == "dual"
        if self.solver == "primal":
            check_columns(columns)
        return self.solver == "dual"

    def readouts(self, rows: list[Rows], dual: bool) -> tuple[Sequence[AnyReadout], list[Validation] | None]:
        """One readout per task; a task alone, or tasks with too little in common, by themselves."""
        if dual:
            return fit_dual_rows(rows, self.ridges, self.convention, self.penalty)
        tasks = Tasks.of(rows) if len(rows) > 1 else None
        if tasks is not None:
            return fit_tasks(tasks, self.ridges, self.convention, self.penalty)
        alone = [Rows.of(r.feature_map, r.inputs, r.series, r.horizon, r.first, r.stop, r.goal) for r in rows]
        if self.penalty is not None:
            return [fit_readout(row, self.penalty, self.convention) for row in alone], None
        found = [select_readout(row, self.ridges, self.convention) for row in alone]
        return [readout for readout, _ in found], [validation for _, validation in found]


def plan_of(given: Mapping[str, Any], feature_map: FeatureMap, goal: Target, channels: Sequence[str]) -> Plan:
    """The plan of a model's parameters by name, for a series of these channels."""
    horizon = check_path(given["horizon"]) if given["path"] else check_count(given["horizon"], "horizon")
    # Checked first with what the user wrote.
    convention = Convention(given["intercept"], given["columns"], goal.kind != "level")
    if convention.intercept == "penalised" and convention.columns == "raw":
        # Columns as they are, and a constant penalised like them: one more column, no intercept, nothing centred.
        feature_map = FeatureMap((*feature_map.groups, Constant()))
        convention = replace(convention, intercept="none")
    penalty = None if given["ridge"] is None else check_penalty(given["ridge"])
    return Plan(
        # Several readouts share what does not move with the target, which stands first then.
        feature_map=ordered(feature_map) if given["path"] or len(channels) > 1 else feature_map,
        goal=goal,
        horizons=tuple(range(1, horizon + 1)) if given["path"] else (horizon,),
        convention=convention,
        penalty=penalty,
        ridges=() if penalty is not None else check_ridges(given["ridges"]),
        transform=given["transform"],
        bounds=Bounds(given["lower"], given["upper"]),
        clip=check_clip(given["clip"]),
        known=tuple(given["known"]),
        path=bool(given["path"]),
        solver=given["solver"],
        words="the map" if given["map"] is not None else f"lags {given['lags']}, spacing {given['spacing']}",
    )


def _periods(group: Any) -> Sequence[float]:
    """Periods of the groups that have them, also through the clock of clock products."""
    return getattr(getattr(group, "clock", group), "periods", ())


def _scales(scale: Any, channels: int) -> list[Scale | None]:
    """One scale per channel: none, one pair for all, or a pair for each."""
    if scale is None:
        return [None] * channels
    if channels > 1 and len(scale) == channels and all(np.ndim(pair) == 1 for pair in scale):
        return [as_scale(pair) for pair in scale]
    return [as_scale(scale)] * channels
