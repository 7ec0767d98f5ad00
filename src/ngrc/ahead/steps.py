"""What calibrates each step of each channel: residuals of its own or of a nearer step, and what stands beside them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from ngrc._types import AnyArray, BoolArray, FloatArray
from ngrc.ahead.calibrated import Calibrated
from ngrc.ahead.levels import EXACT, Step
from ngrc.ahead.paths import Paths
from ngrc.ahead.pending import pending_forecasts
from ngrc.ahead.pooled import CHOSEN, Pool, growth, relative_scales, responses
from ngrc.ahead.seasons import seasons_of
from ngrc.automatic import AutoNGRC
from ngrc.features.bounds import Bounds
from ngrc.features.limits import found_bounds
from ngrc.features.link import Link
from ngrc.forecasters.beside import Beside
from ngrc.intervals import Student
from ngrc.intervals.auto.walk import FEW
from ngrc.intervals.base import History, IntervalMethod
from ngrc.intervals.context import Context
from ngrc.intervals.defaults import USUAL, resolve
from ngrc.intervals.gaps import stand_ins
from ngrc.origins import clock_periods, context_of, wants_context
from ngrc.splits import LEAST_ROWS

NEWEST = 4000
"""Residuals per step, the newest, for methods that read forecasts and clock: they move a readout at every residual, and
48 steps of 14,000 residuals each would take longer than the forecasts. Their memories end long before, and 4,000 are
five months of hours: every phase of a day a hundred and sixty times."""

LONGEST: Mapping[str, int] = {"rescp": 65_536}
"""Residuals per step, the newest, of methods that keep a state of each: 256 MB of them at 4 kB."""


@dataclass(frozen=True, slots=True)
class Calibrator:
    """How residuals become intervals.

    Parameters
    ----------
    method
        A name or a method; None chooses one.
    seed
        Of a named method.
    smooth
        Whether widths are shared among neighbouring steps; None: where the method is the library's own choice, or
        reads more than residuals.
    """

    method: str | IntervalMethod | None
    seed: int
    smooth: bool | None = None

    def channels(
        self,
        values: FloatArray,
        times: Sequence[AnyArray | None],
        paths: Paths,
        beside: Beside,
        missing: Sequence[BoolArray | None] | None = None,
    ) -> list[Calibrated]:
        """Forecasts of the last fit and what calibrates them, all of it out of sample.

        `missing` says of every channel which values were carried forward: they calibrate nothing.
        """
        size, model = len(values), paths.model
        horizon = model.horizon
        # Shapes with an axis of channels, also of the one channel of a scalar series.
        outcomes = values.reshape(size, -1)
        coming = beside.until(size, horizon)
        said = [model.forecast(values, **coming), model.fit_scale_, model.ridge_]
        leverages = Leverages(model, values, coming)
        tables = [np.reshape(part, (horizon, -1)) for part in said]
        wanted = usual_method(paths) if self.method is None else self.method
        method = resolve(wanted, seed=self.seed)
        pending = pending_forecasts(values, paths, beside) if wants_context([method]) else None
        channels = []
        for channel in range(outcomes.shape[1]):
            gaps = None if missing is None else missing[channel]
            known = Known(outcomes[:, channel], paths, channel, pending, times[channel], gaps)
            steps = self._steps(known, wanted, leverages, *(table[:, channel] for table in tables))
            # A method that the library chose obeys what the series shows of its bounds, whichever it is.
            bounds = found_bounds(known.outcomes) if method.bounded or self.method is None else Bounds()
            pool = known.pool(values, coming) if isinstance(method, Student) else None
            smooth, paths_then = self._smooth(method), known.whole_paths()
            channels.append(Calibrated(tuple(steps), known.link, paths_then, smooth, bounds, pool))
        return channels

    def _steps(
        self,
        known: "Known",
        wanted: str | IntervalMethod,
        leverages: "Leverages",
        forecasts: FloatArray,
        fit_scales: FloatArray,
        ridges: FloatArray,
    ) -> Iterator[Step]:
        """Every step of one channel, from the nearest on."""
        model, periods, method = known.paths.model, known.periods, resolve(wanted, seed=self.seed)
        for step in range(1, len(forecasts) + 1):
            place, own = step - 1, _own(step, known.paths, wanted)
            came = known.came(own)
            residuals = known.residuals(own)
            exact = _exact(residuals[came], known.outcomes[-came.size :][came])
            # One beside a clock keeps its place, and an observed one stands in for it; else it is left out.
            residuals = _grown(residuals if wants_context([method]) else residuals[came], own, step)
            residuals = residuals[-LONGEST.get(method.name, residuals.size) :]
            scales: dict[str, float] = {
                name: model.noise_scale(name, step, known.channel).scale for name in method.noise_estimates
            }
            context = None
            if periods is not None and wants_context([method]):
                # A copy, as a view would keep all of them, 11 MB per step of 2 million rows.
                residuals = residuals[-NEWEST:].copy()
                # Errors of a nearer step have its forecasts beside them, and not those of the coming target.
                if own == step:
                    context = known.context(step, residuals.size, float(forecasts[place]), periods)
            before = None if context is None else context.until(residuals.size + own - 1)
            history = History(residuals, own, float(fit_scales[place]), scales, before)
            said = float(forecasts[place]), float(ridges[place])
            leverage = partial(leverages.of, step, known.channel)
            yield Step(step, own, method, history, context, *said, leverage, exact)

    def _smooth(self, method: IntervalMethod) -> bool:
        if isinstance(method, Student):
            return False
        return self.method is None or wants_context([method]) if self.smooth is None else self.smooth


class Leverages:
    """Leverages behind the coming forecasts, all made when the first is asked for: of the methods `bayes` alone does.

    Parameters
    ----------
    model
        A fitted model of all steps.
    values
        The series, shape (n,) or (n, channels).
    coming
        What stands beside it, as the model takes it.
    """

    def __init__(self, model: Any, values: FloatArray, coming: Mapping[str, Any]) -> None:
        self.model, self.values, self.coming = model, values, coming

    @cached_property
    def table(self) -> FloatArray:
        """By step and channel."""
        said = self.model.forecast_leverage(self.values, **self.coming)
        return np.reshape(said, (self.model.horizon, -1))

    def of(self, step: int, channel: int) -> float:
        """The leverage of one coming target."""
        return float(self.table[step - 1, channel])


class Known:
    """One channel at the last observation: its residuals by step, and the forecasts beside them.

    Parameters
    ----------
    outcomes
        The channel's values.
    paths
        What was said of all channels.
    channel
        Which one.
    pending
        As of `pending_forecasts`; None where no method reads forecasts.
    times
        Of the series, or None.
    missing
        Which values were carried forward; None where none was.
    """

    def __init__(
        self,
        outcomes: FloatArray,
        paths: Paths,
        channel: int,
        pending: FloatArray | None,
        times: AnyArray | None,
        missing: BoolArray | None = None,
    ) -> None:
        self.outcomes, self.paths, self.channel, self.pending = outcomes, paths, channel, pending
        self.missing = missing
        self.link: Link = paths.model.link(channel)
        self.periods = None if pending is None else clock_periods(outcomes, times)

    def residuals(self, step: int) -> FloatArray:
        """Of one step, in the units of the link, those out of sample; stand-ins for those of missing outcomes."""
        said = self.paths.said[:, step - 1, self.channel]
        residuals = self.link.residuals(self.outcomes, said)[-self.paths.usable(step) :]
        return residuals if self.missing is None else stand_ins(residuals, ~self.came(step))

    def came(self, step: int) -> BoolArray:
        """Which outcomes of those residuals were observed."""
        count = self.paths.usable(step)
        return np.ones(count, dtype=np.bool_) if self.missing is None else ~self.missing[-count:]

    def context(self, step: int, count: int, coming: float, periods: tuple[float, ...]) -> Context:
        """Forecasts `step` steps ahead of the last `count` targets, the step - 1 pending ones, and the coming one."""
        assert self.pending is not None
        size = self.outcomes.size
        known = self.paths.said[size - count :, step - 1, self.channel]
        # Row i was said at the origin n - H + i: the newest step - 1 rows speak of targets that are not observed yet.
        pending = self.pending[len(self.pending) - (step - 1) :, step - 1, self.channel]
        forecasts = np.concatenate([known, pending, [coming]])
        return context_of(forecasts, periods, size - count, self.link)

    def pool(self, values: FloatArray, coming: Mapping[str, Any]) -> Pool:
        """What the widths of `student` share over the steps; `values` are those of all channels."""
        model = self.paths.model
        usual = float(np.sqrt(np.mean(np.square(self.residuals(1)))))
        moves = responses(model, values, coming, self.channel, self.link, usual)
        plain, outcomes = [], self.outcomes
        for step in range(1, model.horizon + 1):
            count = max(self.paths.usable(step), 0)
            targets = np.arange(outcomes.size - count, outcomes.size)
            if count and self.missing is not None:
                targets = targets[~self.missing[targets]]
            plain.append(outcomes[targets] - self.paths.said[targets, step - 1, self.channel])
        typical = float(np.sqrt(np.mean(np.square(outcomes[-self.paths.usable(1) :]))))
        smoothings = isinstance(model, AutoNGRC) and all(
            selection.causal and not selection.seasons for selection in model.selections_
        )
        chosen = CHOSEN if smoothings else 0
        return Pool(growth(moves), outcomes.size, tuple(plain), typical, self._relative(), chosen)

    def _relative(self) -> FloatArray:
        """Scales of the coming errors by the longest season of the model of which the residuals hold two cycles."""
        model = self.paths.model
        residuals = np.where(self.came(1), self.residuals(1), np.nan)
        seasons = seasons_of(model) if isinstance(model, AutoNGRC) else ()
        period = max((season for season in seasons if 2.0 * season <= residuals.size), default=np.inf)
        return relative_scales(residuals, period, model.horizon)

    def whole_paths(self, steps: int | None = None) -> FloatArray:
        """Residuals of all steps from one origin, one origin per row, the newest with all of them observed last."""
        horizon: int = self.paths.model.horizon if steps is None else steps
        count = max(self.paths.usable(horizon), 0)
        whole = np.empty((count, horizon))
        for step in range(1, horizon + 1 if count else 1):
            whole[:, step - 1] = self.residuals(step)[:count]
        return whole


def _exact(residuals: FloatArray, outcomes: FloatArray) -> tuple[float, float] | None:
    """Lowest and highest outcome of those that were forecast without an error, rounding aside."""
    sizes = np.abs(residuals)
    reached = outcomes[sizes <= EXACT * sizes.max(initial=0.0)]
    return (float(reached.min()), float(reached.max())) if reached.size else None


def usual_method(paths: Paths) -> str:
    """`student` for all steps where the farthest has few independent residuals, else `auto`.

    Errors of forecasts `step` steps ahead overlap, so that their number over the step counts.
    """
    farthest: int = paths.model.horizon
    return "student" if paths.usable(farthest) < FEW * farthest else USUAL


def _own(step: int, paths: Paths, method: str | IntervalMethod) -> int:
    """The step itself, or the farthest nearer one that has enough residuals."""
    # Steps have one residual less each, so that the nearest has the most; the caller has seen to that one. `student`
    # weighs each step's residuals by their number, and asks for one.
    fewest = 1 if method == "student" or isinstance(method, Student) else LEAST_ROWS
    return min(step, max(paths.usable(1) - fewest + 1, 1))


def _grown(residuals: FloatArray, own: int, step: int) -> FloatArray:
    """Residuals of a nearer step as those of a farther one: times the square root of the ratio of the steps.

    So the errors of a random walk grow; those of a series that returns to its mean grow less, and its interval is wide
    rather than narrow.
    """
    return residuals if own == step else residuals * np.sqrt(step / own)
