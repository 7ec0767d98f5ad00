"""`forecast`, `backtest` and `cross_validation` of a long frame, and the same with the failures beside them."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, ParamSpec

from ngrc._frames import Frame
from ngrc.ahead import PathForecaster
from ngrc.ahead.calibrated import Band
from ngrc.forecasters.base import Forecaster
from ngrc.intervals.base import IntervalMethod
from ngrc.intervals.defaults import USUAL
from ngrc.panel.answers import Answer, PanelWarning
from ngrc.panel.frames import read_panel
from ngrc.panel.layout import known_ahead, layout_of, tuple_of
from ngrc.panel.outward import ERROR, answer_frames
from ngrc.panel.running import answers_of
from ngrc.panel.task import Task
from ngrc.panel.work import Forecasting, Rolling, Scoring
from ngrc.splits import Splitter

P = ParamSpec("P")
_SHOWN = 3
"""Reasons that a warning gives in full; the others are in the failures."""


def answered(df: Any, task: Task, *, X_df: Any = None, jobs: int = 1) -> Answer:
    """Do a task for every series of a long frame, in this process or in several."""
    ids, panel, frame = read_panel(df, task.layout, X_df)
    return answer_frames(answers_of(panel, task, jobs), ids, frame.get_column(task.layout.time), task)


def forecasts(
    df: Any,
    horizon: int = 1,
    *,
    level: float | Sequence[float] = 0.95,
    model: PathForecaster | None = None,
    method: str | IntervalMethod | None = None,
    exog: Sequence[str] = (),
    known: Sequence[str] | None = None,
    X_df: Any = None,
    id_col: str = "unique_id",
    time_col: str = "ds",
    target_col: str = "y",
    resample: bool = False,
    band: Band = "pointwise",
    smooth: bool | None = None,
    fit: float | None = None,
    refit_every: int | None = None,
    window: int | None = None,
    seed: int = 0,
    name: str = "NGRC",
    jobs: int = 1,
) -> Answer:
    """Forecast the coming values of every series of a long frame, with the series that failed beside them.

    Parameters
    ----------
    df
        A pandas or polars frame with one row per series and time, in any order; series may differ in length.
    horizon
        How many values to forecast, after the last of each series.
    level, model, method, band, smooth, fit, refit_every, window, seed
        As of `look_ahead`. A model is copied for each series; by default each gets an `AutoNGRC` of its own, which
        takes seconds: with many series, name one, such as `NGRC(lags=12)`.
    exog, known
        Names of columns that are observed with the target, and of those that are known ahead.
    X_df
        Future rows of the columns that are known ahead, with ids and times; where `known` is left out, all its other
        columns are. Without it, rows of `df` after a series' last outcome are its future.
    id_col, time_col, target_col
        Names of the columns.
    resample
        Put irregular series on the regular grid of their most common step, as `as_series` does.
    name
        What the columns of forecasts are called by.
    jobs
        Processes; -1 for one per core. Their number does not change a bit of the answer.

    Returns
    -------
    Answer
        `frame` has one row per series and step, ids in the order of their first rows: id, time, NGRC, NGRC-lo-95,
        NGRC-lo-80, NGRC-hi-80, NGRC-hi-95 for the levels 80 and 95, in the library that `df` came in. `failures` has
        the id of every series that could not be forecast, and the reason.

    Examples
    --------
    >>> import numpy as np, polars as pl
    >>> from ngrc import NGRC
    >>> df = pl.DataFrame({"unique_id": ["a"] * 60 + ["b"], "ds": [*range(60), 0], "y": np.sin(np.arange(61.0))})
    >>> answer = forecasts(df, 2, level=[80, 95], model=NGRC(lags=2), method="split")
    >>> answer.frame.columns
    ['unique_id', 'ds', 'NGRC', 'NGRC-lo-95', 'NGRC-lo-80', 'NGRC-hi-80', 'NGRC-hi-95']
    >>> answer.failures["unique_id"].to_list()
    ['b']
    """
    layout = layout_of(id_col, time_col, target_col, exog, known_ahead(known, X_df, id_col, time_col))
    work = Forecasting(
        horizon=horizon, level=tuple_of(level), model=model, method=method, band=band, smooth=smooth, fit=fit,
        refit_every=refit_every, window=window, seed=seed, name=name,
    )  # fmt: skip
    return answered(df, Task(work, layout, resample), X_df=X_df, jobs=jobs)


def backtests(
    df: Any,
    horizon: int | Sequence[int] | None = None,
    *,
    level: float | Sequence[float] = 0.95,
    model: Forecaster | None = None,
    methods: str | IntervalMethod | Iterable[str | IntervalMethod] = USUAL,
    exog: Sequence[str] = (),
    known: Sequence[str] = (),
    id_col: str = "unique_id",
    time_col: str = "ds",
    target_col: str = "y",
    resample: bool = False,
    split: Splitter | None = None,
    refit_every: int | None = None,
    window: int | None = None,
    season: int | None = None,
    seed: int = 0,
    jobs: int = 1,
) -> Answer:
    """Backtest every series of a long frame, with the series that failed beside the scores.

    Parameters
    ----------
    df, exog, known, id_col, time_col, target_col, resample, jobs
        As of `forecasts`.
    horizon, level, model, methods, split, refit_every, window, seed
        As of `ngrc.backtest`; of methods `auto` alone by default.
    season
        Rows after which the seasonal naive forecast repeats itself; by default one of the model's periods or of those
        that times and values suggest, the one that errs least over the fit block, and 1 where there is none.

    Returns
    -------
    Answer
        `frame` has one row per series, horizon, level and method: coverage and its error in percentage points, width,
        Winkler score and infinite intervals; RMSE, MAE and MASE of the forecast, RMSE of the naive and the seasonal
        naive one. MASE divides by the mean change over the season in the fit block, and is missing where that is zero.

    Examples
    --------
    >>> import numpy as np, polars as pl
    >>> from ngrc import NGRC
    >>> df = pl.DataFrame({"unique_id": ["a"] * 200, "ds": range(200), "y": np.sin(np.arange(200.0) ** 1.1)})
    >>> backtests(df, model=NGRC(lags=3), methods=["split", "adaptive"]).frame["method"].to_list()
    ['split', 'adaptive']
    """
    horizons = None if horizon is None else tuple_of(horizon)
    several = (methods,) if isinstance(methods, str | IntervalMethod) else tuple(methods)
    work = Scoring(
        horizon=horizons, level=tuple_of(level), model=model, methods=several, split=split, refit_every=refit_every,
        window=window, season=season, seed=seed,
    )  # fmt: skip
    layout = layout_of(id_col, time_col, target_col, exog, known)
    return answered(df, Task(work, layout, resample), jobs=jobs)


def cross_validations(
    df: Any,
    horizon: int = 1,
    *,
    windows: int = 1,
    step: int | None = None,
    level: float | Sequence[float] = 0.95,
    model: PathForecaster | None = None,
    method: str | IntervalMethod | None = None,
    exog: Sequence[str] = (),
    known: Sequence[str] = (),
    id_col: str = "unique_id",
    time_col: str = "ds",
    target_col: str = "y",
    resample: bool = False,
    band: Band = "pointwise",
    smooth: bool | None = None,
    fit: float | None = None,
    refit_every: int | None = None,
    window: int | None = None,
    seed: int = 0,
    name: str = "NGRC",
    jobs: int = 1,
) -> Answer:
    """Forecast the last values of every series from cutoffs before them, with the failures beside them.

    Parameters
    ----------
    df, level, model, method, exog, known, id_col, time_col, target_col, resample, band, smooth, fit, refit_every, \
window, seed, name, jobs
        As of `forecasts`.
    horizon
        How many values to forecast from each cutoff.
    windows
        Cutoffs, the last of which has `horizon` rows after it.
    step
        Rows from one cutoff to the next; the horizon by default, so that every value is forecast once.

    Returns
    -------
    Answer
        `frame` has the columns of `forecasts` with `cutoff`, the last time that the forecast knew, and the outcome `y`
        after the time. Steps whose outcome is missing are left out.

    Examples
    --------
    >>> import numpy as np, polars as pl
    >>> from ngrc import NGRC
    >>> df = pl.DataFrame({"unique_id": ["a"] * 100, "ds": range(100), "y": np.sin(np.arange(100.0))})
    >>> frame = cross_validations(df, 2, windows=3, model=NGRC(lags=2), method="split").frame
    >>> frame["cutoff"].to_list(), frame["ds"].to_list()
    ([93, 93, 95, 95, 97, 97], [94, 95, 96, 97, 98, 99])
    """
    work = Forecasting(
        horizon=horizon, level=tuple_of(level), model=model, method=method, band=band, smooth=smooth, fit=fit,
        refit_every=refit_every, window=window, seed=seed, name=name,
    )  # fmt: skip
    rolling = Rolling(work, windows, horizon if step is None else step)
    layout = layout_of(id_col, time_col, target_col, exog, known)
    return answered(df, Task(rolling, layout, resample), jobs=jobs)


def _alone(function: Callable[P, Answer], name: str) -> Callable[P, Frame]:
    """The frame of answers alone: a warning tells of failures, and an error of nothing but failures."""

    @wraps(function)
    def frame_of(*args: P.args, **options: P.kwargs) -> Frame:
        answer = function(*args, **options)
        failed = len(answer.failures)
        if failed and not len(answer.frame):
            raise ValueError(f"no series gave an answer: {_reasons(answer)}")
        if failed:
            words = f"{failed} series of the panel gave no answer: {_reasons(answer)}"
            warnings.warn(
                f"{words}; ngrc.panel.{function.__name__} lists them all", PanelWarning, stacklevel=2
            )
        return answer.frame

    frame_of.__name__ = frame_of.__qualname__ = name
    frame_of.__doc__ = f"""The `frame` of `{function.__name__}` alone, whose parameters it takes.

    Series that failed are left out, and a `PanelWarning` gives their number and the first reasons; where none is left,
    `ValueError` does.
    """
    return frame_of


def _reasons(answer: Answer) -> str:
    """The first failures by id."""
    names, reasons = (answer.failures[column].to_list() for column in (answer.failures.columns[0], ERROR))
    first = [f"{name!r}: {reason}" for name, reason in zip(names, reasons, strict=True)][:_SHOWN]
    return "; ".join(first) + (f"; and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


forecast = _alone(forecasts, "forecast")
backtest = _alone(backtests, "backtest")
cross_validation = _alone(cross_validations, "cross_validation")
