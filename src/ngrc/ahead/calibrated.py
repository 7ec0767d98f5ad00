"""All steps of one channel together: ends of any level, quantiles, and paths."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ngrc._progress import followed
from ngrc._types import FloatArray
from ngrc.ahead.band import path_factor, scores, shape, widened
from ngrc.ahead.levels import Choice, Step, issued_levels, supported, tuned_levels
from ngrc.ahead.pooled import Pool
from ngrc.ahead.quantiles import MIDDLE, level_of, quantile_columns
from ngrc.ahead.samples import drawn_ranks, through_quantiles, through_scales
from ngrc.ahead.smooth import smoothed
from ngrc.features.bounds import Bounds
from ngrc.features.link import Link
from ngrc.intervals import Student
from ngrc.intervals.base import IntervalMethod, Offsets, nested
from ngrc.origins import wants_context

Band = Literal["pointwise", "path"]
BANDS: tuple[Band, ...] = ("pointwise", "path")

SAMPLED = (MIDDLE, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99)
"""Levels between whose ends samples are interpolated: close where the law has its mass, and as far out as one in two
hundred on either side. Every level costs a method that fits its ends about as much as the first."""
ROUNDING = 1e-9
"""Of a bound and a forecast, relative: forecast plus residual misses the outcome's last digits."""
UNIT = 0.8
"""Of these, the level in whose widths past residuals are ranked: its ends are well known, and far from the centre."""
FEWEST = 100
"""Past paths in such units that are worth more than all of them as they are: ranks of fewer are coarse."""


Settled = tuple[IntervalMethod, Mapping[str, FloatArray]]
"""A method with its open parameters chosen, and what it traced for the coming target."""


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Ends of all steps at one level, in the series' own units, and what they rest on.

    `factor` is what the band of a whole path multiplied the pointwise widths by, and `enough` says whether there were
    enough past paths for the level; 1 and True of a pointwise one.
    """

    level: float
    lower: FloatArray
    upper: FloatArray
    tuned: tuple["Settled", ...]
    factor: float = 1.0
    enough: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Calibrated:
    """Steps 1..H of one channel with what calibrates them.

    Parameters
    ----------
    steps
        From the nearest on.
    link
        Between the series' own units and those of the residuals.
    paths
        Residuals of past paths, one origin per row, the newest with all steps observed last: shape (m, H).
    smooth
        Whether widths are shared among neighbouring steps.
    bounds
        What the series was found to obey, for a method that keeps to it; beside those of the link.
    pool
        What the steps share where the method is `student`.
    """

    steps: tuple[Step, ...]
    link: Link
    paths: FloatArray
    smooth: bool
    bounds: Bounds = Bounds()  # noqa: RUF009 (frozen)
    pool: Pool | None = None

    @property
    def forecast(self) -> FloatArray:
        """One per step, within the bounds."""
        return self.bounds.clip(self._unbounded)

    @property
    def _unbounded(self) -> FloatArray:
        """The model's own, around which offsets are."""
        return np.array([step.forecast for step in self.steps])

    def ends(self, levels: Sequence[float], band: Band = "pointwise") -> tuple[Ends, ...]:
        """Ends of several levels, those of a higher one never inside those of a lower one."""
        each, tuned = self.offsets(levels)
        offsets = nested([one.with_forecast() for one in each], levels)
        factors = [(1.0, True)] * len(levels)
        if band == "path":
            factors = [
                path_factor(self._needed(one, level), level, len(self.steps))
                for one, level in zip(offsets, levels, strict=True)
            ]
            wide = [
                Offsets(*widened(one.lower, one.upper, factor))
                for one, (factor, _) in zip(offsets, factors, strict=True)
            ]
            offsets = nested(wide, levels)
        return tuple(
            Ends(level, *self._moved(one), methods, *factor)
            for level, one, methods, factor in zip(levels, offsets, tuned, factors, strict=True)
        )

    def offsets(
        self, levels: Sequence[float]
    ) -> tuple[tuple[Offsets, ...], tuple[tuple["Settled", ...], ...]]:
        """Pointwise offsets per level by origin and step, the coming ones in the last row; and the tuned methods.

        Levels are as they come, and may cross.
        """
        if isinstance(self.steps[0].method, Student):
            return self._pooled(levels)
        before: tuple[Choice, ...] | None = None
        issued, tuned = [], []
        for step in followed(self.steps, "steps"):
            before = tuned_levels(step, levels, before)
            methods = [chosen for _, chosen in before]
            issued.append(supported(step, issued_levels(step, methods, levels)))
            tuned.append([(method, _last(one)) for method, one in zip(methods, issued[-1], strict=True)])
        # Every step's last position is the coming one, issued at the last observation: rows are aligned at their end.
        rows = min(one[0].lower.size for one in issued)
        together = tuple(
            self._settled(
                np.stack([one[place].lower[-rows:] for one in issued], axis=1),
                np.stack([one[place].upper[-rows:] for one in issued], axis=1),
            )
            for place in range(len(levels))
        )
        by_level = tuple(tuple(methods[place] for methods in tuned) for place in range(len(levels)))
        return together, by_level

    def _pooled(
        self, levels: Sequence[float]
    ) -> tuple[tuple[Offsets, ...], tuple[tuple["Settled", ...], ...]]:
        """Offsets of `student` for the coming targets, the scales of all steps together."""
        assert self.pool is not None
        ends = [self.pool.offsets(self._own, self._unbounded, self.link, level) for level in levels]
        methods: tuple[Settled, ...] = tuple((step.method, {}) for step in self.steps)
        offsets = (Offsets(lower[np.newaxis], upper[np.newaxis]) for lower, upper in ends)
        return tuple(offsets), (methods,) * len(levels)

    def pooled_variances(self) -> FloatArray:
        """Variances of the errors of `student` by step, those of all steps together, in the units of the link."""
        assert self.pool is not None
        return self.pool.variances(self._own)

    @property
    def _own(self) -> list[FloatArray]:
        """By step, residuals of its own."""
        none = np.empty(0)
        return [step.history.residuals if step.own == step.step else none for step in self.steps]

    def _settled(self, lower: FloatArray, upper: FloatArray) -> Offsets:
        """Offsets over the steps, which have something to tell each other."""
        if not self.smooth:
            return Offsets(lower, upper)
        low, high = smoothed(lower, upper)
        # An end on a bound is no estimate: outcomes pile up there, and the least move inwards would miss them all.
        floor, ceiling = self._beyond(len(lower))
        return Offsets(np.where(lower <= floor, lower, low), np.where(upper >= ceiling, upper, high))

    def _beyond(self, rows: int) -> tuple[FloatArray, FloatArray]:
        """Offsets of the bounds by origin and step, inwards by their rounding; NaN where there is none."""
        forecasts = np.full((rows, len(self.steps)), np.nan)
        forecasts[-1] = self.link.forward(self._unbounded)
        contexts = [step.context for step in self.steps if step.context is not None]
        if len(contexts) == len(self.steps):
            forecasts = np.stack([context.forecasts[-rows:] for context in contexts], axis=1)
        sides = []
        for bound, inwards in ((self.bounds.lower, 1.0), (self.bounds.upper, -1.0)):
            place = np.nan if bound is None else float(self.link.forward(np.array([bound]))[0])
            sides.append(place - forecasts + inwards * ROUNDING * (np.abs(place) + np.abs(forecasts)))
        return sides[0], sides[1]

    def _needed(self, offsets: Offsets, level: float) -> FloatArray:
        """The factor that each past path needed, by the offsets issued then where there are enough of them."""
        self._check_paths("a band of the whole path")
        horizon = len(self.steps)
        # Rows end at the newest origin, and the paths from the last H origins are not all observed.
        then = offsets.lower.shape[0] - horizon
        if then > 0:
            needed = scores(self.paths[-then:], offsets.lower[:then], offsets.upper[:then])
            if path_factor(needed, level, horizon)[1]:
                return needed
        return scores(self.paths, offsets.lower[-1:], offsets.upper[-1:])

    def _moved(self, offsets: Offsets) -> tuple[FloatArray, FloatArray]:
        ends = [
            self.link.ends(step.forecast, float(lower), float(upper))
            for step, lower, upper in zip(self.steps, offsets.lower[-1], offsets.upper[-1], strict=True)
        ]
        lower, upper = (np.array([float(pair[side]) for pair in ends]) for side in (0, 1))
        if not self.bounds.given:
            return lower, upper
        lower, upper = self.bounds.clip(lower), self.bounds.clip(upper)
        floor, ceiling = self._beyond(1)
        if self.bounds.lower is not None:
            lower = np.where(offsets.lower[-1] <= floor[0], self.bounds.lower, lower)
        if self.bounds.upper is not None:
            upper = np.where(offsets.upper[-1] >= ceiling[0], self.bounds.upper, upper)
        return lower, upper

    def quantiles(self, probabilities: Sequence[float]) -> FloatArray:
        """Quantiles in the series' own units, shape (steps, probabilities)."""
        offsets = quantile_columns(probabilities, self._by_level({level_of(p) for p in probabilities}))
        columns = [self.link.moved(self._unbounded, column) for column in offsets.T]
        return self.bounds.clip(np.stack(columns, axis=1))

    def _by_level(self, levels: Iterable[float]) -> dict[float, Offsets]:
        rising = sorted(levels)
        return dict(zip(rising, self.offsets(rising)[0], strict=True))

    def samples(self, count: int, seed: int) -> FloatArray:
        """Whole paths in the series' own units, shape (count, steps)."""
        self._check_paths("samples of whole paths")
        rng = np.random.default_rng(seed)
        normal = [step.method.assumes_normal(step.history) for step in self.steps]
        if all(normal):
            drawn = through_scales(drawn_ranks(self.paths, count, rng), self.paths)
        else:
            tails = [0.5 * (1.0 - level) for level in SAMPLED[:0:-1]]
            probabilities = np.array([*tails, 0.5, *(1.0 - tail for tail in tails[::-1])])
            offsets = self._by_level(SAMPLED)
            values = quantile_columns(probabilities.tolist(), offsets)
            ranks = drawn_ranks(self._ranked(offsets[UNIT]), count, rng)
            drawn = through_scales(ranks, self.paths)
            for place in np.flatnonzero(~np.array(normal)):
                drawn[:, place] = through_quantiles(ranks[:, place], probabilities, values[place])
        columns = [
            self.link.moved(step.forecast, column) for step, column in zip(self.steps, drawn.T, strict=True)
        ]
        return self.bounds.clip(np.stack(columns, axis=1))

    def _ranked(self, offsets: Offsets) -> FloatArray:
        """Past paths whose ranks are kept: residuals, or how far they lay out by the offsets issued then.

        Errors that follow the clock are large or small together at every step, in the past at other hours than now; a
        method that reads the clock has told what to expect of them, and what is left is how they go together.
        """
        then = offsets.lower.shape[0] - len(self.steps)
        if then < FEWEST or not wants_context([self.steps[0].method]):
            return self.paths
        centre, half = shape(offsets.lower[:then], offsets.upper[:then])
        return (self.paths[-then:] - centre) / half

    def _check_paths(self, what: str) -> None:
        if not len(self.paths):
            raise ValueError(
                f"{what} needs past paths of all {len(self.steps)} steps that were forecast out of sample, and there "
                "is none; give more observations or ask for fewer steps"
            )


def _last(offsets: Offsets) -> dict[str, FloatArray]:
    """The trace at the coming target, which is the last position."""
    return {name: values[-1:] for name, values in offsets.trace.items()}
