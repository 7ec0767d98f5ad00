"""`NGRCModel`: NGRC with its intervals as a model for StatsForecast, which it does not need to be installed for."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from ngrc._params import Parameters
from ngrc._types import FloatArray
from ngrc.adapters.course import Course, Past
from ngrc.external import around
from ngrc.intervals.defaults import USUAL
from ngrc.series import as_series
from ngrc.series.channels import as_channels
from ngrc.validation import check_count

LEAST_OVERLAP = 8
"""Rows that a series must share with those of `fit` to be taken for their continuation. One or two may agree by chance,
as zeros at night do; eight in a row, of which two differ, do not."""

Answer = dict[str, FloatArray]
"""What StatsForecast's models return: "mean", and "lo-95" and "hi-95" of a level; "fitted" inside the sample."""


class NGRCModel(Parameters):
    """NGRC as a model object of StatsForecast.

    Forecasts and intervals are those of `ngrc.look_ahead`; intervals are its own whatever `prediction_intervals` says.
    Every step has a readout of its own, so that `predict` fits the model for as many steps as are asked for, on the
    rows that `fit` had. Values inside the sample are one step ahead, each forecast by a fit on earlier rows alone: NaN
    before the first fit, which takes 30 % of the rows; their intervals are NaN in the first half of the others too,
    which calibrate.

    Parameters
    ----------
    model
        An unfitted `NGRC` or `AutoNGRC`, whose horizon is replaced; None: the automatic model. Columns X are known
        ahead, and called exog0, exog1 and so on.
    method
        Name of an interval method, or one; None chooses as `look_ahead` does.
    refit_every
        Rows from one refit to the next on the walk that calibrates; None: eight refits.
    seed
        Of a method that is given by name and draws.
    alias
        Name of the model's columns.

    Examples
    --------
    >>> from ngrc import NGRC
    >>> y = np.sin(np.arange(120.0) / 3)
    >>> answer = NGRCModel(NGRC(lags=3, degree=1)).forecast(y, h=2, level=[80, 95])
    >>> list(answer), answer["mean"].round(2).tolist()
    (['mean', 'lo-95', 'lo-80', 'hi-80', 'hi-95'], [0.75, 0.49])
    """

    uses_exog = True
    prediction_intervals: Any = None

    def __init__(
        self,
        model: Any = None,
        method: Any = None,
        refit_every: int | None = None,
        seed: int = 0,
        alias: str = "NGRC",
    ) -> None:
        self.model = model
        self.method = method
        self.refit_every = refit_every
        self.seed = seed
        self.alias = alias

    def __repr__(self) -> str:
        # StatsForecast names columns after it.
        return self.alias

    def new(self) -> Self:
        """A copy that can be fitted without changing this one."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def fit(self, y: Any, X: Any = None) -> Self:
        """Fit to a series, shape (n,), and columns beside it, shape (n, c)."""
        self._fitted, self._courses = _past(y, X), dict[int, Course]()
        self._reaching(1)
        return self

    def predict(self, h: int, X: Any = None, level: Sequence[float] | None = None) -> Answer:
        """Forecasts of the `h` steps after the rows of `fit`, and intervals of levels in per cent."""
        return self._coming(self._reaching(h), X, level)

    def predict_in_sample(self, level: Sequence[float] | None = None) -> Answer:
        """One-step forecasts of the rows of `fit`, each by a fit on earlier ones."""
        return self._inside(self._reaching(1), level)

    def forecast(
        self,
        y: Any,
        h: int,
        X: Any = None,
        X_future: Any = None,
        level: Sequence[float] | None = None,
        fitted: bool = False,
    ) -> Answer:
        """Fit and forecast in one, and keep nothing."""
        past = _past(y, X)
        answer = self._coming(self._walked(past, check_count(h, "h")), X_future, level)
        return answer | self._inside(self._walked(past, 1), level) if fitted else answer

    def forward(
        self,
        y: Any,
        h: int,
        X: Any = None,
        X_future: Any = None,
        level: Sequence[float] | None = None,
        fitted: bool = False,
    ) -> Answer:
        """Forecast a longer or another series without a fit.

        A series that goes on from the rows of `fit`, or from the later of them, is taken as their continuation: its
        new rows calibrate beside the old ones. Of any other series all rows do.
        """
        past = _past(y, X)
        answer = self._coming(self._moved(self._reaching(h), past), X_future, level)
        if not fitted:
            return answer
        inside = self._inside(self._moved(self._reaching(1), past), level)
        dropped = np.full(past.series.dropped, np.nan)
        return answer | {name: np.concatenate([dropped, part[-len(past) :]]) for name, part in inside.items()}

    def _walked(self, past: Past, steps: int) -> Course:
        return Course.of(past, self.model, steps, self.refit_every)

    def _reaching(self, steps: int) -> Course:
        """The fitted model of so many steps."""
        if not hasattr(self, "_fitted"):
            raise ValueError("this NGRCModel is not fitted yet; call fit first")
        if check_count(steps, "h") not in self._courses:
            self._courses[steps] = self._walked(self._fitted, steps)
        return self._courses[steps]

    def _moved(self, course: Course, past: Past) -> Course:
        """The fitted model on other rows."""
        before = _shared(self._fitted.series.values, past.series.values)
        if before is None:
            return course.elsewhere(past)
        return course.further(self._fitted.until(before).joined(past) if before else past)

    def _coming(self, course: Course, coming: Any, level: Sequence[float] | None) -> Answer:
        rows = _future(coming, course)
        answer = {"mean": course.forecast(rows)}
        levels = _levels(level)
        if not levels:
            return answer
        ends = course.calibrated(rows, self.method, self.seed).ends([one / 100 for one in levels])
        return answer | _named("", levels, [(one.lower, one.upper) for one in ends])

    def _inside(self, course: Course, level: Sequence[float] | None) -> Answer:
        """One-step forecasts by row, and intervals around them that know earlier outcomes alone."""
        series, said = course.past.series, course.one_step
        answer = {"fitted": said}
        levels = _levels(level)
        if levels:
            method = USUAL if self.method is None else self.method
            bands = around(series.values, said, method, level=[one / 100 for one in levels], seed=self.seed)
            unknown = np.full(bands.start, np.nan)
            ends = [
                (np.concatenate([unknown, band.lower]), np.concatenate([unknown, band.upper]))
                for band in bands.bands
            ]
            answer |= _named("fitted-", levels, ends)
        return {
            name: np.concatenate([np.full(series.dropped, np.nan), part]) for name, part in answer.items()
        }


def _past(y: Any, X: Any) -> Past:
    series = as_series(np.asarray(y, dtype=np.float64))
    if X is None:
        return Past(series)
    columns = as_channels(np.asarray(X, dtype=np.float64), count=len(series), skip=series.dropped)
    return Past(series, columns.values, columns.names)


def _future(coming: Any, course: Course) -> FloatArray | None:
    """Columns at the coming steps, shape (h, c)."""
    if coming is None:
        return None
    rows, wanted = np.asarray(coming, dtype=np.float64), (course.steps, len(course.past.names))
    if rows.ndim == 1 and wanted[1] == 1:
        rows = rows[:, np.newaxis]
    if rows.shape != wanted:
        raise ValueError(
            f"X of the coming steps must have {wanted[0]} rows, one per step, of {wanted[1]} columns as X of the past, "
            f"got shape {rows.shape}"
        )
    return rows


def _levels(level: Sequence[float] | None) -> list[float]:
    """Levels in per cent, rising; none where none are asked for."""
    levels = sorted(level) if level is not None else []
    if any(not 1.0 <= one < 100.0 for one in levels):
        raise ValueError(
            f"level must hold numbers in per cent, from 1 to below 100, got {level!r}; use 95 for 95 %"
        )
    return levels


def _named(prefix: str, levels: Sequence[float], ends: Sequence[tuple[FloatArray, FloatArray]]) -> Answer:
    """Ends by name, from the lowest line to the highest."""
    lower = {f"{prefix}lo-{one}": pair[0] for one, pair in zip(levels, ends, strict=True)}
    upper = {f"{prefix}hi-{one}": pair[1] for one, pair in zip(levels, ends, strict=True)}
    return dict(reversed(lower.items())) | upper


def _shared(old: FloatArray, new: FloatArray) -> int | None:
    """How many values of `old` stand before `new`, which begins with the others; None where it does not.

    Examples
    --------
    >>> _shared(np.arange(10.0), np.arange(2.0, 15.0))
    2
    >>> _shared(np.arange(10.0), np.arange(9.0, 15.0)) is None
    True
    """
    for before in np.flatnonzero(old == new[0]):
        kept = old[before:]
        agrees = new.size >= kept.size and np.array_equal(kept, new[: kept.size])
        telling = before == 0 or (kept.size >= LEAST_OVERLAP and np.ptp(kept) > 0.0)
        if agrees and telling:
            return int(before)
    return None
