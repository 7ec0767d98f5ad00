"""A model walked over a series, in two parts: other packages fit first, and ask for forecasts and intervals later."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.ahead import PathForecaster
from ngrc.ahead.calibrated import Calibrated
from ngrc.ahead.paths import ManyFits, Paths, checked_path, threads
from ngrc.ahead.pending import carried_on, pending_forecasts
from ngrc.ahead.steps import Calibrator
from ngrc.forecasters.beside import Beside, place_beside
from ngrc.intervals.base import IntervalMethod
from ngrc.presets import default_model
from ngrc.series import Series
from ngrc.series.channels import Channels
from ngrc.splits import LEAST_ROWS
from ngrc.validation import check_count


@dataclass(frozen=True, slots=True, eq=False)
class Past:
    """A series and the columns beside it, row by row.

    Parameters
    ----------
    series
        Finite, with its times where it has some.
    columns
        Shape (n, c), finite; None where there are none.
    names
        Of the columns.
    """

    series: Series
    columns: FloatArray | None = None
    names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.series)

    def until(self, end: int) -> "Past":
        """The first `end` rows."""
        series = self.series
        times = None if series.times is None else series.times[:end]
        columns = None if self.columns is None else self.columns[:end]
        return replace(self, series=replace(series, values=series.values[:end], times=times), columns=columns)

    def joined(self, later: "Past") -> "Past":
        """These rows and later ones, of a series without times."""
        values = np.concatenate([self.series.values, later.series.values])
        columns = None
        if self.columns is not None and later.columns is not None:
            columns = np.vstack([self.columns, later.columns])
        return Past(replace(self.series, values=values), columns, self.names)

    def beside(self, model: Any, coming: FloatArray | None = None, ahead: int = 0) -> Beside:
        """What stands beside the series for a model: columns that it does not declare are known ahead."""
        if self.columns is None:
            return place_beside(self.series, self.series, model, ahead=ahead)
        rows = self.columns if coming is None else np.vstack([self.columns, coming])
        declared = any(model.get_params(deep=False).get(name) for name in ("exog", "known"))
        known = () if declared else self.names
        channels = Channels(self.names, rows)
        return place_beside(self.series, self.series, model, channels, known, ahead=ahead)


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """A model of all steps, fitted at the end of a past, and what it and its earlier fits said on the way.

    It is `ngrc.look_ahead` cut in two: `of` walks and fits, `calibrated` forecasts.

    Parameters
    ----------
    past
        What was observed, and maybe more than what was fitted.
    model
        As the user gave it, unfitted.
    paths
        The fitted model, and forecasts by target time and step.
    """

    past: Past
    model: Any
    paths: Paths

    @classmethod
    def of(
        cls, past: Past, model: PathForecaster | None, steps: int, refit_every: int | None = None
    ) -> "Course":
        """Walk a model of 1 to `steps` steps over all rows; by default the automatic model."""
        model = default_model() if model is None else model
        if isinstance(model, type) or not isinstance(model, PathForecaster):
            raise ValueError(f"model must be an unfitted NGRC or AutoNGRC, got {model!r}")
        plan = ManyFits(None if refit_every is None else check_count(refit_every, "refit_every"))
        beside = past.beside(model)
        path = checked_path(len(past), beside.equip(model), steps, plan)
        with threads(path):
            return cls(past, model, plan.paths(past.series.values, path, beside))

    @property
    def steps(self) -> int:
        """How many steps ahead the model reaches."""
        return int(self.paths.model.horizon)

    @property
    def one_step(self) -> FloatArray:
        """One-step forecasts by target time, each by a fit on earlier rows; NaN before the first fit."""
        return self.paths.said[:, 0, 0]

    def further(self, past: Past) -> "Course":
        """The same fits on more rows: those after the last fit are forecast by it, and calibrate with the others."""
        size, fitted = len(self.past), self.paths.model
        if len(past) < size:
            raise ValueError(f"newer data must hold the {size} rows known before, got {len(past)}")
        if len(past) == size:
            return replace(self, past=past)
        values, beside = past.series.values, past.beside(self.model)
        with threads(fitted):
            pending = pending_forecasts(values[:size], self.paths, beside)[:, :, 0]
            said = carried_on(fitted, self.paths.said[:, :, 0], pending, values, beside)
        late = (*self.paths.late, (size - 1, fitted))
        return replace(self, past=past, paths=replace(self.paths, said=said[:, :, np.newaxis], late=late))

    def elsewhere(self, past: Past) -> "Course":
        """The last fit on another series, none of whose rows it has seen: all of them calibrate."""
        values, fitted, beside = past.series.values, self.paths.model, past.beside(self.model)
        with threads(fitted):
            said = np.asarray(fitted.predict_path(values, **beside.until(len(past))))
        firsts = [np.flatnonzero(np.isfinite(column)) for column in said.T]
        # The origin after which every step has its forecasts; that of the first observation where one has none.
        end = max(int(rows[0]) - step if rows.size else len(past) for step, rows in enumerate(firsts))
        if len(past) - end < LEAST_ROWS:
            raise ValueError(
                f"the series is too short to be forecast by a model that was fitted elsewhere: {len(past)} "
                f"observations leave {max(len(past) - end, 0)} to calibrate on, and {LEAST_ROWS} are needed; give more"
            )
        paths = Paths(fitted, said[:, :, None], end, 0, ((end - 1, fitted),))
        return replace(self, past=past, paths=paths)

    def forecast(self, coming: FloatArray | None) -> FloatArray:
        """Forecasts of every step from the last row, those of `calibrated`, shape (steps,)."""
        beside = self.past.beside(self.model, coming, self.steps)
        with threads(self.paths.model):
            said = self.paths.model.forecast(
                self.past.series.values, **beside.until(len(self.past), self.steps)
            )
            return np.asarray(said)

    def calibrated(
        self, coming: FloatArray | None, method: str | IntervalMethod | None, seed: int
    ) -> Calibrated:
        """Forecasts from the last row and what calibrates them.

        Parameters
        ----------
        coming
            Rows of the columns beside the series at the coming steps, shape (steps, c); None where there are none.
        method, seed
            As of `look_ahead`.
        """
        series = self.past.series
        beside = self.past.beside(self.model, coming, self.steps)
        with threads(self.paths.model):
            (channel,) = Calibrator(method, seed).channels(
                series.values, [series.times], self.paths, beside, [series.missing]
            )
            return channel
