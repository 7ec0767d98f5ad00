"""A model of all steps, fitted and walked: what it said at every origin after its first fit, and what it says now."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np

from ngrc._shares import share
from ngrc._threads import threads_for
from ngrc._types import FloatArray
from ngrc.ahead.seasons import calibrating_end
from ngrc.ahead.single_steps import SingleSteps
from ngrc.ahead.stops import path_stops
from ngrc.auto.bank import MOST
from ngrc.automatic import AutoNGRC
from ngrc.features.link import Link
from ngrc.features.scaling import Scale
from ngrc.forecasters.base import Forecaster
from ngrc.forecasters.beside import Beside
from ngrc.model import NGRC
from ngrc.series.wording import plural
from ngrc.splits import LEAST_ROWS
from ngrc.validation import LONGEST_PATH, check_count, check_path, longest_path

FIRST = 0.3
"""Share of the rows of the first fit, and ..."""
CALIBRATION, CALIBRATION_PER_STEP = 4_000, 100
"""Newest origins whose residuals calibrate a long series, and the same per step ahead at least: its first fit has all
rows before them. Settled on simulated series of 8,000 to 40,000 rows and on exchange rates, Solar and Beijing: with
2,000 intervals one day ahead lose several per cent on Beijing; 8,000 gained nothing clear."""
LONG = 0.4
"""Share of the rows that calibrates at most where a series counts as long: 10,000 observations at a horizon of 40 or
less. Its search then reads at least 60 % of the rows, as the second search of a shorter series does."""
REFITS = 8
"""... refits after it, the last on every row: as `WalkForward` has them up to the first test interval."""
GROWTH = 1.1
"""Rows of a refit over those of the one before it, at least: a long series has fewer refits. Those before the last fit
change its calibration alone. With 1.05 instead, coverage and Winkler score of 20 forecasts of 24 steps differ by 0.2
points and 0.2 % (simulated series and solar plants, 10,400 observations each)."""


@runtime_checkable
class PathForecaster(Forecaster, Protocol):
    """A forecaster of all steps 1..H at once, whose constructor takes `horizon` and `path`; `NGRC` is one.

    What it says has one entry per step, and of a vector series one per step and channel.
    """

    path: bool

    def predict_path(self, y: Any) -> FloatArray:
        """Forecasts by target time and step, shape (n, H) or (n, H, channels)."""

    def forecast(self, y: Any) -> FloatArray:
        """Forecasts of the H values that follow `y`, all made at its last observation."""

    def forecast_leverage(self, y: Any) -> FloatArray:
        """Leverages behind `forecast`, of the same shape."""

    def noise_scale(
        self, method: Literal["gcv", "evidence"], horizon: int | None = None, channel: int = 0
    ) -> Any:
        """Noise of the fit rows of one step and channel; its `scale` is in the link's units."""

    def link(self, channel: int = 0) -> Link:
        """Transform and bounds of one channel."""


@runtime_checkable
class Frugal(Protocol):
    """A forecaster that says on how few observations it can be fitted, as one that can fall back on naive ones."""

    @property
    def least_observations(self) -> int:
        """Fewest observations that `fit` takes."""


@dataclass(frozen=True, slots=True)
class Paths:
    """A fitted model of H steps, and the forecasts whose residuals calibrate it.

    Parameters
    ----------
    model
        The fitted model that forecasts the coming values.
    said
        Forecasts by target time, step and channel, shape (n, H, channels): those made on the way, each from its past
        alone, or the last fit's own where it consists of exponential smoothings (`calibrating_end`).
    end
        Forecasts from the origins end - 1 on calibrate: observations of the first fit, or of a later one where the
        first lacks a season of the last (`calibrating_end`).
    refits
        Fits after the first.
    late
        The fits that spoke at the last H - 1 origins before the newest, each with its first origin.
    before
        Where the fits before the last are gone: how many observations there were then, and what `pending_forecasts`
        gave of them.
    walked
        What was forecast on the way, where that is not `said`.
    """

    model: Any
    said: FloatArray
    end: int
    refits: int
    late: tuple[tuple[int, Any], ...]
    before: tuple[int, FloatArray] | None = None
    walked: FloatArray | None = None

    def usable(self, step: int) -> int:
        """How many residuals of a step are out of sample, all observed by now."""
        return len(self.said) - self.end - (step - 1)


def path_model(model: Any, steps: int) -> Any:
    """An unfitted copy for all horizons up to `steps`: the caller's model is never changed."""
    if not isinstance(model, NGRC | PathForecaster):
        return SingleSteps(model, steps)
    return type(model)(**{**model.get_params(deep=False), "horizon": steps, "path": True})


def threads(model: Any) -> AbstractContextManager[None]:
    """One thread for small maps, whose many short products would wait for each other."""
    # On two threads the forecast of 48 steps took half again the processor time, and no less of the clock's. Other
    # models than NGRC know better than we do what they gain.
    return threads_for(model.feature_map.count(model.horizon)) if isinstance(model, NGRC) else nullcontext()


@dataclass(frozen=True, slots=True)
class OneFit:
    """One fit on the first `share` of the rows; all others calibrate."""

    share: float

    def feasible(self, size: int, model: Any) -> bool:
        """Whether a model of all steps can be fitted, and each step calibrated."""
        end, horizon = self.end(size, model), model.horizon
        # The first horizon - 1 calibration forecasts were made before the fit block closed.
        usable = size - end - (horizon - 1)
        # 5 H fit rows, as in `splits.Sizes`: the penalty is chosen on the last fifth of them, of which H - 1 are
        # guards. H residuals beyond the least, because tuning cuts them once more with the same delay; none is pending.
        return bool(end - model.first_target >= 5 * horizon and usable >= LEAST_ROWS + horizon)

    def end(self, size: int, model: Any) -> int:
        """End of the fit block."""
        first: int = model.first_target
        return first + share(self.share, max(size - first, 0))

    def paths(self, values: FloatArray, model: Any, beside: Beside) -> Paths:
        """Fit once and forecast every step of every target."""
        size, end = len(values), self.end(len(values), model)
        model.fit(values[:end], **beside.until(end))
        said = model.predict_path(values, **beside.until(size)).reshape(size, model.horizon, -1)
        return Paths(model, said, end, 0, ((end - 1, model),))


@dataclass(frozen=True, slots=True)
class ManyFits:
    """A first fit on a small share of the rows, refits on ever more of them, the last on all."""

    refit_every: int | None = None
    window: int | None = None

    def feasible(self, size: int, model: Any) -> bool:
        """Whether the model can be fitted and leaves residuals of one step, which farther steps may borrow."""
        return bool(size - _begin(model)[1] >= LEAST_ROWS)

    def ends(self, size: int, model: Any) -> Iterator[int]:
        """Ends of all fits in rising order, the last being the series' own."""
        first, least = _begin(model)
        rows = max(size - first, 0)
        calibration = max(CALIBRATION, CALIBRATION_PER_STEP * model.horizon)
        wished = first + (rows - calibration if calibration <= LONG * rows else share(FIRST, rows))
        end = max(least, min(wished, size - LEAST_ROWS))
        yield end
        if self.refit_every is not None:
            yield from range(end + check_count(self.refit_every, "refit_every"), size, self.refit_every)
            yield size
            return
        refits = min(REFITS, max(1, round(log(size / end) / log(GROWTH))))
        ends = [end + (size - end) * step // refits for step in range(refits + 1)]
        yield from (later for earlier, later in pairwise(ends) if earlier < later)

    def paths(self, values: FloatArray, model: Any, beside: Beside) -> Paths:
        """Fit at every end, and forecast every origin by the last model that was fitted before it."""
        size, horizon, ends = len(values), model.horizon, tuple(self.ends(len(values), model))
        # One scale for all, that of the first fit: the moments of its rows are in these units.
        scale = _scales(values[: ends[0]])
        said = np.full((size, horizon, values.size // size), np.nan)
        late: list[tuple[int, Any]] = []
        fits: list[AutoNGRC] = []
        stops = path_stops(model, values, ends, scale, self.window, beside)
        for stop, end, later in zip(stops, ends, (*ends[1:], None), strict=True):
            # A longer series is not searched again at its last end, and has residuals enough.
            if isinstance(model, AutoNGRC) and size <= MOST:
                fits.append(stop.model())
            if later is None:
                first, own = calibrating_end(fits, ends, stop, said) if fits else (ends[0], said)
                walked = None if own is said else said
                return Paths(stop.model(), own, first, len(ends) - 1, tuple(late), walked=walked)
            # Origins from end - 1 to later - 2; their farthest target is `horizon` steps on.
            if later - 2 >= size - horizon:
                late.append((end - 1, stop.model()))
            stop.fill(said, range(end - 1, later - 1))
        raise AssertionError("the last end is the series' own")


def _begin(model: Any) -> tuple[int, int]:
    """Where rows begin, and the fewest observations of a first fit: what the model says, or 5 H rows as for one fit."""
    # A model that can fall back on a naive forecast needs no row of the farthest step to begin with: more steps must
    # not cost the nearer ones their residuals.
    if not isinstance(model, NGRC) and isinstance(model, Frugal):
        return 0, model.least_observations
    first: int = model.first_target
    return first, first + 5 * model.horizon


def _scales(values: FloatArray) -> Any:
    return Scale.of(values) if values.ndim == 1 else tuple(Scale.of(column) for column in values.T)


def checked_path(size: int, model: Any, steps: int, plan: OneFit | ManyFits) -> Any:
    """`path_model` of a number of steps that a series of `size` observations allows (`longest_path`).

    Refused before anything is fitted, and before anything is made of a million steps: the largest needs the most rows.
    """
    # Rows only shrink as the horizon grows, so the largest step that can be had is found by halving: `low` is feasible
    # (or zero), `high` is not.
    most = longest_path(size)
    path = path_model(model, min(steps, most))
    if steps <= most and plan.feasible(size, path):
        return path
    low, high = 0, min(steps, most + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if plan.feasible(size, path_model(model, middle)) else (low, middle)
    if low == LONGEST_PATH:
        check_path(steps, "steps")
    shape = _shape(path)
    more = f"give more observations{' or fewer lags' * bool(shape)}"
    remedy = f"at most {plural(low, 'step')} can be had" if low else more
    raise ValueError(
        f"the series is too short for {plural(steps, 'step')} ahead{shape}: {plural(size, 'observation')} "
        f"leave{'s' * (size == 1)} too few rows to fit or to calibrate; {remedy}"
    )


def _shape(model: Any) -> str:
    """What costs the rows, in words: lags, or a map that reads farther back than they do."""
    if not isinstance(model, NGRC):
        return ""
    reach = model.first_target - model.horizon
    lags = model.lags if model.map is None and isinstance(model.lags, int) else 0
    plain = reach == (lags - 1) * model.spacing
    # Where a season or an input reaches farther back than the lags, they are not what costs the rows.
    return f" with {plural(lags, 'lag')}" if plain else f" with a map that reads {plural(reach, 'step')} back"
