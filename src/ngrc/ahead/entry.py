"""`look_ahead`: from a series and a model to the coming values."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ngrc.ahead.calibrated import BANDS, Band
from ngrc.ahead.continuation import Onward
from ngrc.ahead.outlook import Outlook, outlook_of
from ngrc.ahead.paths import ManyFits, OneFit, PathForecaster, checked_path, threads
from ngrc.ahead.steps import Calibrator
from ngrc.forecasters.base import Forecaster, check_forecaster
from ngrc.forecasters.beside import place_beside
from ngrc.forecasters.facts import Leveraged
from ngrc.intervals import Bayes
from ngrc.intervals.base import IntervalMethod
from ngrc.model import NGRC
from ngrc.presets import default_model, default_vector_model
from ngrc.series import Series, as_series
from ngrc.series.agreement import check_same_times
from ngrc.series.regular import coming_times
from ngrc.validation import check_count, check_levels, longest_path


def look_ahead(
    series: Any,
    model: Forecaster | None = None,
    *,
    exog: Any = None,
    known: Sequence[str] = (),
    steps: int = 1,
    method: str | IntervalMethod | None = None,
    level: float | Sequence[float] = 0.95,
    band: Band = "pointwise",
    smooth: bool | None = None,
    fit: float | None = None,
    refit_every: int | None = None,
    window: int | None = None,
    seed: int = 0,
) -> Outlook:
    """Forecast the coming `steps` values, each with a prediction interval.

    Step h has a readout of its own, fitted directly to targets h steps away, all from one decomposition
    (`NGRC(path=True)`). The model walks forward: it is first fitted on 30 % of the rows, then again on ever more of
    them, and every origin on the way is forecast by the last fit before it. Those residuals, out of sample and all
    observed by now, calibrate the intervals; the last fit, on every row, makes the forecasts. All steps are fitted at
    the same origins, those from which the farthest target is observed: more steps change the nearer forecasts a little.

    A step with fewer than four residuals of its own borrows those of the nearest step that has them, times the square
    root of the ratio of the steps: so the errors of a random walk grow. `student` estimates the scales of all steps
    together, from their residuals and from the growth of errors that the model implies; its widths never shrink from
    one step to the next, in the units of the model's transform. Up to 300 observations, forecasts of fits that lack a
    season of the last fit do not calibrate it.

    Parameters
    ----------
    series
        Anything `as_series` takes.
    model
        Any unfitted forecaster that `backtest` takes, whose horizon is replaced by 1 to `steps`. A model of paths, such
        as `NGRC`, is fitted once for all steps, any other once per step. By default an `AutoNGRC`, which chooses its
        own columns, and for several series together an `NGRC` with lags chosen from the length.
    exog, known
        Columns beside the series, anything `as_channels` takes, and the names of those that are known ahead: they need
        `steps` rows after the series' last. The others are read through the last observation.
    steps
        How many values to forecast: at most as many as the series has observations (24 where it has fewer), and at most
        2,000.
    method
        A name or an interval method. None takes `student` for all steps where the farthest has few residuals (their
        number over the step below 30), and `auto` otherwise; the outlook says which.
    level
        Nominal coverage, or several: all from one pass where the method serves them together, and nested.
    band
        "pointwise": each step is held with the stated probability. "path": the whole path is, all steps together, by
        the pointwise widths times the factor that past paths needed.
    smooth
        Whether the widths of neighbouring steps share what they know. None: where the method is left to the library
        or reads forecasts and clock; a method of residuals alone, named, keeps each step's own quantiles. `student`
        has its own rule.
    fit
        Share of the rows of one single fit, the rest calibrating; None walks forward.
    refit_every, window
        Observations from one refit to the next instead of eight refits, and how many observations before it a fit uses
        instead of all; for a walk forward.
    seed
        Seed of the ResCP reservoir where the method is given by name.

    Examples
    --------
    >>> y = np.sin(np.arange(400) / 5) + np.random.default_rng(0).normal(0, 0.1, 400)
    >>> from ngrc import NGRC
    >>> outlook = look_ahead(y, NGRC(lags=4), steps=3, method="split", level=0.9)
    >>> outlook.table.shape, bool(np.all(outlook.lower < outlook.upper))
    ((3, 4), True)
    """
    (outlook,) = look_ahead_together(
        (series,), model, exog=exog, known=known, steps=steps, method=method, level=level, band=band,
        smooth=smooth, fit=fit, refit_every=refit_every, window=window, seed=seed,
    )  # fmt: skip
    return outlook


def look_ahead_together(
    targets: Sequence[Any],
    model: Forecaster | None = None,
    *,
    exog: Any = None,
    known: Sequence[str] = (),
    steps: int = 1,
    method: str | IntervalMethod | None = None,
    level: float | Sequence[float] = 0.95,
    band: Band = "pointwise",
    smooth: bool | None = None,
    fit: float | None = None,
    refit_every: int | None = None,
    window: int | None = None,
    seed: int = 0,
) -> tuple[Outlook, ...]:
    """Forecast the coming values of several series of one length, each from the past of all; one `Outlook` for each.

    Parameters are those of `look_ahead`, and one series is forecast as there.
    """
    observations, levels = _together(targets), check_levels(level)
    if band not in BANDS:
        raise ValueError(f"band must be 'pointwise' or 'path', got {band!r}")
    size = observations[0].values.size
    if model is None:
        model = default_model() if len(observations) == 1 else default_vector_model(size)
    # NGRC by its name first: a look at the contract asks the model for its properties, which cost it a plan.
    if not isinstance(model, NGRC):
        check_forecaster(model)
        if not isinstance(model, PathForecaster):
            _check_alone(model, observations, exog, method)
    plan = _plan(fit, refit_every, window)
    # More steps than these are refused, whatever stands beside them.
    ahead = min(check_count(steps, "steps"), longest_path(size))
    beside = place_beside(targets[0], observations[0], model, exog, known, ahead=ahead)
    path = checked_path(size, beside.equip(model), steps, plan)
    # Before the fits: times that run beyond what their type can hold are refused without waiting.
    clocks = [
        None if one.times is None or size < 2 else coming_times(one.times, steps) for one in observations
    ]
    columns = [one.values for one in observations]
    values = columns[0] if len(columns) == 1 else np.stack(columns, axis=1)
    calibrator = Calibrator(method, seed, smooth)
    with threads(path):
        paths = plan.paths(values, path, beside)
        channels = calibrator.channels(
            values,
            [one.times for one in observations],
            paths,
            beside,
            [one.missing for one in observations],
        )
        return tuple(
            outlook_of(
                source,
                one,
                times,
                calibrated,
                levels,
                band,
                paths,
                Onward(calibrator, values, one, paths, beside),
            )
            for source, one, times, calibrated in zip(targets, observations, clocks, channels, strict=True)
        )


def _check_alone(
    model: Forecaster, observations: Sequence[Series], exog: Any, method: str | IntervalMethod | None
) -> None:
    """What a forecaster of one horizon, fitted once per step, cannot do."""
    name = type(model).__name__
    if len(observations) > 1:
        raise ValueError(
            f"several series are forecast together by an NGRC, got {name}; forecast them one by one"
        )
    if exog is not None:
        raise ValueError(f"exog is for NGRC and AutoNGRC, got {name}; leave exog out")
    if not isinstance(model, Leveraged) and (method == "bayes" or isinstance(method, Bayes)):
        raise ValueError(
            f"bayes needs a forecaster with leverage(), such as NGRC, got {name}; use method='auto'"
        )


def _plan(fit: float | None, refit_every: int | None, window: int | None) -> OneFit | ManyFits:
    """One fit where its share is given, else a walk forward."""
    if fit is None:
        for value, name in ((refit_every, "refit_every"), (window, "window")):
            if value is not None:
                check_count(value, name)
        return ManyFits(refit_every, window)
    if not 0.0 < fit < 1.0:
        raise ValueError(f"fit must be a share of the rows in (0, 1), got {fit!r}; try 0.6")
    if refit_every is not None or window is not None:
        raise ValueError(
            f"refit_every and window are for refits, and fit={fit!r} asks for one fit; leave fit out, or leave them out"
        )
    return OneFit(fit)


def _together(targets: Sequence[Any]) -> tuple[Series, ...]:
    """Series of one length at the same times."""
    series = tuple(as_series(target) for target in targets)
    for one in series[1:]:
        names = f"series {series[0].name!r}", f"series {one.name!r}"
        if len(one) != len(series[0]):
            raise ValueError(
                f"series that are forecast together need one length, got {len(series[0])} of {names[0]} and {len(one)} "
                f"of {names[1]}; cut the longer one"
            )
        if one.times is not None and series[0].times is not None:
            check_same_times(series[0].times, one.times, names)
    return series
