"""`Continuation`: a fitted model and the residuals that calibrate it, to go on from with newer data."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ngrc._frames import Frame
from ngrc._types import AnyArray, BoolArray, FloatArray
from ngrc.ahead.calibrated import BANDS, Band, Calibrated
from ngrc.ahead.joining import Joined, join
from ngrc.ahead.outlook import Outlook, outlook_of
from ngrc.ahead.paths import Paths, threads
from ngrc.ahead.pending import carried_on, pending_forecasts
from ngrc.ahead.steps import Calibrator, Known
from ngrc.archive import Keepable, check_shape, check_that, load
from ngrc.automatic import AutoNGRC
from ngrc.forecasters.beside import Beside, place_beside
from ngrc.intervals.base import IntervalMethod
from ngrc.model import NGRC
from ngrc.series import Series, as_series
from ngrc.series.regular import coming_times
from ngrc.validation import check_count, check_levels


@dataclass(frozen=True, slots=True, eq=False)
class Continuation(Keepable):
    """What is needed to forecast newer rows of a series without a fit; `Outlook.continuation` makes one.

    Parameters
    ----------
    model
        The last fit, of all steps 1..H.
    calibrator
        How residuals become intervals.
    values, times, name
        The series to its last row, shape (n,); no times where it has none.
    channels
        Columns beside it, shape (n or more, columns), or None.
    said
        Forecasts by target and step of the rows from `end` on, each by the fit of its time, shape (n - end, H).
    pending
        Those of the last H - 1 origins, partly of targets that are still to come, shape (H - 1, H).
    end, refits
        Observations of the first fit, and how many fits came after it.
    missing
        Which values were carried forward, shape (n,); None where none was.

    Examples
    --------
    >>> from ngrc import NGRC, look_ahead
    >>> wave = np.sin(np.arange(320) / 5) + np.random.default_rng(0).normal(0, 0.1, 320)
    >>> kept = look_ahead(wave[:300], NGRC(lags=4), steps=3, method="adaptive").continuation()
    >>> kept.look_ahead(wave, steps=2).forecast.shape
    (2,)
    """

    model: Any
    calibrator: Calibrator
    values: FloatArray
    times: AnyArray | None
    name: str
    channels: FloatArray | None
    said: FloatArray
    pending: FloatArray
    end: int
    refits: int
    missing: BoolArray | None = None

    def __repr__(self) -> str:
        return (
            f"Continuation({self.steps} steps after {len(self.values)} rows of {self.name!r}, {self.model!r})"
        )

    @property
    def steps(self) -> int:
        """How many steps ahead the model forecasts."""
        return int(self.model.horizon)

    def look_ahead(
        self,
        series: Any,
        *,
        exog: Any = None,
        steps: int | None = None,
        level: float | Sequence[float] = 0.95,
        band: Band = "pointwise",
    ) -> Outlook:
        """Forecast the coming values after the newest row of a series, with the model as it was kept.

        Newer rows are forecast as they would have been at the time, and their residuals join those that were kept.

        Parameters
        ----------
        series
            The kept series with newer rows, anything `as_series` takes. With times it may begin later, at any kept row
            or right after the last one; rows that were kept must be as they were.
        exog
            Columns beside it, where the model has any; those that are known ahead reach all kept steps beyond its end.
        steps
            How many of the kept steps; None: all.
        level, band
            As in `ngrc.look_ahead`.
        """
        count = self.steps if steps is None else check_count(steps, "steps")
        if count > self.steps:
            raise ValueError(
                f"the kept model forecasts {self.steps} steps ahead, got steps={count}; ask for fewer"
            )
        if band not in BANDS:
            raise ValueError(f"band must be 'pointwise' or 'path', got {band!r}")
        levels, newer = check_levels(level), as_series(series)
        joined = join(self.values, self.times, newer)
        given = place_beside(series, newer, self.model, exog, ahead=self.steps)
        beside = joined.beside(self.channels, given, self.steps)
        clock = None if joined.times is None else coming_times(joined.times, count)
        with threads(self.model):
            paths = self._paths(joined, beside)
            whole = replace(
                newer,
                values=joined.values,
                times=joined.times,
                missing=joined.missing(self.missing, newer.missing),
            )
            (calibrated,) = self.calibrator.channels(
                joined.values, [joined.times], paths, beside, [whole.missing]
            )
            calibrated = _nearer(calibrated, whole, paths, count)
            onward = Onward(self.calibrator, joined.values, whole, paths, beside)
            return outlook_of(series, whole, clock, calibrated, levels, band, paths, onward)

    def save(self, path: str | Path) -> None:
        """Keep it in a file that `ngrc.load` reads."""
        if not isinstance(self.model, NGRC | AutoNGRC):
            name = type(getattr(self.model, "model", self.model)).__name__
            raise ValueError(
                f"a continuation of {name} goes on in this process alone; forecast with NGRC or AutoNGRC to keep one"
            )
        Keepable.save(self, path)

    def _paths(self, joined: Joined, beside: Beside) -> Paths:
        """What was said of every row: of the kept ones then, of the newer ones by the model, as if at the time."""
        kept = len(self.values)
        then = np.full((kept, self.steps), np.nan)
        then[self.end :] = self.said
        said = carried_on(self.model, then, self.pending, joined.values, beside)[:, :, np.newaxis]
        before = kept, self.pending[:, :, np.newaxis]
        return Paths(self.model, said, self.end, self.refits, ((kept - 1, self.model),), before)

    @classmethod
    def migrated(cls, kept: dict[str, Any]) -> dict[str, Any]:
        """Before 0.3.0 it was not kept which values were missing; they go on calibrating there."""
        return kept if "missing" in kept else {**kept, "missing": None}

    def check_kept(self) -> None:
        """Refuse a model without a fit of all steps, and forecasts of other rows or steps."""
        check_that(type(self.model) in (NGRC, AutoNGRC), "the model is an NGRC or AutoNGRC")
        check_that(self.model.path is True and hasattr(self.model, "fitted_"), "it is fitted to all steps")
        size, steps = self.values.size, self.steps
        check_that(
            steps >= 1 and 0 < self.end < size and self.refits >= 0, "the first fit had some of the rows"
        )
        check_shape(self.values, (size,), "values")
        check_shape(self.said, (size - self.end, steps), "said")
        check_shape(self.pending, (steps - 1, steps), "pending")
        check_that(bool(np.all(np.isfinite(self.values))), "values are finite")
        if self.missing is not None:
            check_shape(self.missing, (size,), "missing")
        if self.times is not None:
            check_shape(self.times, (size,), "times")
            check_that(bool(np.all(self.times[1:] > self.times[:-1])), "times rise")
        columns = len(self.model.exog) + len(self.model.known)
        if self.channels is None:
            check_that(columns == 0, "columns beside the series are there")
        else:
            check_that(len(self.channels) >= size, "columns beside the series are as long")
            check_shape(self.channels, (len(self.channels), columns), "channels")


@dataclass(frozen=True, slots=True, eq=False)
class Onward:
    """What an outlook rests on, from which a continuation is made when it is asked for."""

    calibrator: Calibrator
    values: FloatArray
    series: Series
    paths: Paths
    beside: Beside

    def continuation(self) -> Continuation:
        """Everything that newer rows need."""
        if self.values.ndim > 1:
            raise ValueError(
                "only one series can be gone on from, and this one was forecast together with others; forecast it alone"
            )
        channels, end = self.beside.channels, self.paths.end
        return Continuation(
            model=self.paths.model,
            calibrator=self.calibrator,
            values=self.values,
            times=self.series.times,
            name=self.series.name,
            channels=None if channels is None else channels.values,
            said=self.paths.said[end:, :, 0],
            pending=pending_forecasts(self.values, self.paths, self.beside)[:, :, 0],
            end=end,
            refits=self.paths.refits,
            missing=self.series.missing,
        )

    def outlook(
        self,
        like: Frame,
        method: str | IntervalMethod,
        levels: Sequence[float],
        band: Band,
        steps: int,
        seed: int,
    ) -> Outlook:
        """The same forecasts with the intervals of another method, tables in the library of `like`."""
        if self.values.ndim > 1:
            raise ValueError(
                "another method takes one series, and this one was forecast together with others; forecast it alone"
            )
        times, calibrator = self.series.times, replace(self.calibrator, method=method, seed=seed)
        with threads(self.paths.model):
            (calibrated,) = calibrator.channels(
                self.values, [times], self.paths, self.beside, [self.series.missing]
            )
            nearer = _nearer(calibrated, self.series, self.paths, steps)
            clock = None if times is None else coming_times(times, steps)
            onward = replace(self, calibrator=calibrator)
            return outlook_of(like, self.series, clock, nearer, levels, band, self.paths, onward)


def _nearer(calibrated: Calibrated, series: Series, paths: Paths, count: int) -> Calibrated:
    """The first `count` of the calibrated steps."""
    if count == len(calibrated.steps):
        return calibrated
    known = Known(series.values, paths, 0, None, series.times, series.missing)
    return replace(calibrated, steps=calibrated.steps[:count], paths=known.whole_paths(count))


def load_continuation(path: str | Path) -> Continuation:
    """A `Continuation` out of a file; `ValueError` where the file holds something else."""
    value = load(path)
    if not isinstance(value, Continuation):
        raise ValueError(
            f"{path} holds {type(value).__name__}, and no continuation of a forecast; give a file that "
            "outlook.continuation().save or ngrc forecast --save wrote"
        )
    return value
