"""`NGRCForecaster`: NGRC with its intervals as a forecaster of sktime."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from ngrc._optional import load
from ngrc._types import FloatArray, IntArray
from ngrc.adapters.course import Course, Past
from ngrc.ahead.calibrated import Calibrated
from ngrc.automatic import AutoNGRC
from ngrc.series import as_series

load("sktime", "sktime", "NGRCForecaster")

import pandas as pd  # noqa: E402
from sktime.forecasting.base import BaseForecaster  # noqa: E402


class NGRCForecaster(BaseForecaster):  # type: ignore[misc]
    """NGRC as a forecaster of sktime: points, intervals, quantiles, updates, inputs that are known ahead.

    Forecasts and intervals are those of `ngrc.look_ahead`. Every step has a readout of its own, so that the model is
    fitted for as many steps as the horizon has: in `fit` where it is given there, else in the first `predict`, on the
    rows that `fit` had.

    Forecasts inside the sample are one step ahead, each made by a fit on earlier rows alone: NaN before the first fit,
    which takes 30 % of the rows. `update` with `update_params=False` keeps the fits: new rows are forecast by the
    last of them, out of sample, and their residuals join those that calibrate the intervals.

    Parameters
    ----------
    model
        An unfitted `NGRC` or `AutoNGRC`, whose horizon is replaced; None: the automatic model. Its parameters can be
        set and tuned as `model__lags` and the like. Columns of X that it does not declare are known ahead.
    method
        Name of an interval method, or one; None chooses as `look_ahead` does.
    refit_every
        Rows from one refit to the next on the walk that calibrates; None: eight refits.
    seed
        Of a method that is given by name and draws.

    Notes
    -----
    Missing values of y are carried forward, leading ones dropped. Missing values of X are carried forward, and leading
    ones are the first known value: what is known ahead is known from the beginning.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from ngrc import NGRC
    >>> from ngrc.adapters.sktime import NGRCForecaster
    >>> y = pd.Series(np.sin(np.arange(120.0) / 3))
    >>> forecaster = NGRCForecaster(NGRC(lags=3, degree=1)).fit(y, fh=[1, 2])
    >>> forecaster.predict().round(2).tolist(), np.sin(np.array([120, 121]) / 3).round(2).tolist()
    ([0.75, 0.49], [0.75, 0.49])
    >>> forecaster.predict_interval(coverage=0.9).shape
    (2, 2)
    """

    _tags: ClassVar[dict[str, Any]] = {
        "authors": ["The ngrc developers"],
        "maintainers": ["The ngrc developers"],
        "y_inner_mtype": "pd.Series",
        "X_inner_mtype": "pd.DataFrame",
        "capability:multivariate": False,
        "capability:exogenous": True,
        "capability:categorical_in_X": False,
        "capability:insample": True,
        "capability:pred_int": True,
        "capability:pred_int:insample": False,
        "capability:missing_values": True,
        "capability:update": True,
        # A step reads the columns at its own time alone: rows that no step asks for may be missing.
        "capability:non_contiguous_X": True,
        "requires-fh-in-fit": False,
        "X-y-must-have-same-index": True,
        "enforce_index_type": None,
    }

    # The rows are kept here, in the form that the model needs: sktime need not keep them once more, which it announces
    # to be its own default from 1.3 on, with a warning at every construction until then.
    _config: ClassVar[dict[str, Any]] = {"remember_data": False}
    _y: Any = None
    _X: Any = None

    def __init__(self, model: Any = None, method: Any = None, refit_every: Any = None, seed: int = 0) -> None:
        self.model = model
        self.method = method
        self.refit_every = refit_every
        self.seed = seed
        super().__init__()

    def _fit(self, y: Any, X: Any = None, fh: Any = None) -> "NGRCForecaster":
        self._rows, self._columns = y, X
        self._fitted_rows = len(y)
        farthest = 1 if fh is None else int(self._relative(fh).max())
        self._courses: dict[int, Course] = {}
        self._reaching(max(farthest, 1))
        return self

    def _update(self, y: Any, X: Any = None, update_params: bool = True) -> "NGRCForecaster":
        if X is None and self._columns is not None:
            raise ValueError("this forecaster was fitted with X; give X with the new rows of y")
        before = self._rows.index[0]
        # A row that comes again is a revised one.
        self._rows = y.combine_first(self._rows)
        if self._columns is not None:
            self._columns = X.combine_first(self._columns)[self._columns.columns]
        # Rows before the first one make another series than the one that was fitted.
        if update_params or self._rows.index[0] != before:
            self._fitted_rows = len(self._rows)
            self._courses = {steps: self._walked(steps) for steps in self._courses}
        else:
            past = self._past(len(self._rows))
            self._courses = {steps: course.further(past) for steps, course in self._courses.items()}
        return self

    def _predict(self, fh: Any, X: Any = None) -> Any:
        steps = self._relative(fh)
        values = np.empty(steps.size)
        coming = steps > 0
        if np.any(coming):
            values[coming] = self._reaching(int(steps.max())).forecast(self._coming(X, steps))[
                steps[coming] - 1
            ]
        if not np.all(coming):
            said = self._inside()
            values[~coming] = said[steps[~coming] + said.size - 1]
        return pd.Series(values, index=fh.to_absolute_index(self.cutoff), name=self._rows.name)

    def _predict_interval(self, fh: Any, X: Any = None, coverage: Any = None) -> Any:
        def ends(calibrated: Calibrated, levels: list[float]) -> FloatArray:
            found = calibrated.ends(levels)
            return np.stack([np.stack([one.lower, one.upper], axis=1) for one in found], axis=1)

        return self._spread(fh, X, coverage, ends, ("lower", "upper"))

    def _predict_quantiles(self, fh: Any, X: Any, alpha: Any) -> Any:
        return self._spread(fh, X, alpha, Calibrated.quantiles, ())

    def _spread(
        self,
        fh: Any,
        X: Any,
        asked: Sequence[float],
        numbers: Callable[[Calibrated, list[float]], FloatArray],
        sides: tuple[str, ...],
    ) -> Any:
        """A frame of the steps asked for, with columns per variable, level and side.

        `numbers` gives every step at rising levels, shape (steps, levels) or (steps, levels, sides).
        """
        steps, rising = self._relative(fh), sorted({float(level) for level in asked})
        found = numbers(self._calibrated(steps, X), rising)[steps - 1]
        found = found[:, [rising.index(float(level)) for level in asked]]
        names = [self._get_varnames(), list(asked), *([list(sides)] if sides else [])]
        return pd.DataFrame(
            found.reshape(steps.size, -1),
            index=fh.to_absolute_index(self.cutoff),
            columns=pd.MultiIndex.from_product(names),
        )

    def _relative(self, fh: Any) -> IntArray:
        """Steps of a horizon from the last observation, positive ones ahead of it."""
        return np.asarray(fh.to_relative(self.cutoff).to_numpy(), dtype=np.int64)

    def _past(self, rows: int) -> Past:
        """The first rows, complete."""
        series = as_series(self._rows.iloc[:rows])
        if self._columns is None:
            return Past(series)
        columns = self._complete(self._columns.iloc[:rows])
        return Past(series, columns.to_numpy()[series.dropped :], tuple(map(str, columns.columns)))

    def _walked(self, steps: int) -> Course:
        """The model of so many steps: fitted to the rows that it may be fitted to, and shown all of them."""
        fitted = Course.of(self._past(self._fitted_rows), self.model, steps, self.refit_every)
        if self._fitted_rows == len(self._rows):
            return fitted
        return fitted.further(self._past(len(self._rows)))

    def _reaching(self, steps: int) -> Course:
        """The model of so many steps."""
        if steps not in self._courses:
            self._courses[steps] = self._walked(steps)
        return self._courses[steps]

    def _calibrated(self, steps: IntArray, X: Any) -> Calibrated:
        return self._reaching(int(steps.max())).calibrated(self._coming(X, steps), self.method, self.seed)

    def _coming(self, X: Any, steps: IntArray) -> FloatArray | None:
        """Rows of X at the steps 1 to the farthest asked for; None where the model was fitted without X."""
        if self._columns is None or not self._ahead():
            return None
        if X is None:
            raise ValueError(
                "this forecaster was fitted with X; give X with a row for every step of the horizon"
            )
        from sktime.forecasting.base import ForecastingHorizon

        line = np.arange(1, int(steps.max()) + 1)
        index = ForecastingHorizon(line, is_relative=True, freq=self._rows.index).to_absolute_index(
            self.cutoff
        )
        rows = X[self._columns.columns].astype(float)
        missing = ~index.isin(rows.index)
        if np.any(missing & np.isin(line, steps)):
            raise ValueError(
                f"X ends or has a gap before step {line[missing][0]} of the horizon; give a row for every step"
            )
        # What no step asks for is read by no step, and what is missing is carried forward as in the past.
        rows = pd.concat([self._columns, rows]).groupby(level=0).last()
        return np.asarray(self._complete(rows).reindex(index, method="ffill"), dtype=np.float64)

    def _ahead(self) -> list[Any]:
        """Columns that are known ahead: those that the model declares so, all where it declares none."""
        declared = {} if self.model is None else self.model.get_params(deep=False)
        if declared.get("exog") or declared.get("known"):
            return [name for name in self._columns if name in declared["known"]]
        return list(self._columns)

    def _complete(self, columns: Any) -> Any:
        """Missing values carried forward; before the first one by itself, where it was known ahead."""
        filled = columns.astype(float).ffill()
        filled[self._ahead()] = filled[self._ahead()].bfill()
        return filled

    def _inside(self) -> FloatArray:
        """One-step forecasts by row of y, those that were dropped as NaN."""
        # By the model of one step, whatever else is asked for: fits of more steps have fewer rows.
        said = self._reaching(1).one_step
        return np.concatenate([np.full(len(self._rows) - said.size, np.nan), said])

    @classmethod
    def get_test_params(cls, parameter_set: str = "default") -> list[dict[str, Any]]:
        """Parameters for sktime's own checks: small models, two methods."""
        # sktime's checks use series of 15 rows and three steps, for which an NGRC has too few rows to choose a penalty;
        # and one refit, at the last row, makes them quick.
        return [
            {"model": AutoNGRC(periods=(), transform=None), "method": "student", "refit_every": 1000},
            {"method": "split", "refit_every": 1000, "seed": 1},
        ]
