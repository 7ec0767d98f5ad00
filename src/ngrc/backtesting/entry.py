"""Model x horizon x window x method x level over one series: bands, scores, diagnostics and what was selected."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ngrc._frames import frame_like
from ngrc.backtesting.methods import Methods
from ngrc.backtesting.results import Backtest, Band, Run
from ngrc.backtesting.window import run_window
from ngrc.forecasters.base import Forecaster, at_horizon, check_forecaster
from ngrc.forecasters.beside import place_beside
from ngrc.presets import default_model
from ngrc.series import as_series
from ngrc.series.spikes import find_spikes
from ngrc.splits import Blocks, Splitter, WalkForward
from ngrc.validation import check_count, check_levels


def backtest(
    series: Any,
    model: Forecaster | None = None,
    *,
    exog: Any = None,
    known: Sequence[str] = (),
    horizon: int | Sequence[int] | None = None,
    level: float | Sequence[float] = 0.95,
    methods: Methods | None = None,
    split: Splitter | None = None,
    refit_every: int | None = None,
    window: int | None = None,
    seed: int = 0,
) -> Backtest:
    """Forecast a series out of sample and put every interval method around the forecasts.

    Parameters
    ----------
    series
        Anything `as_series` takes: numpy, pandas, polars, or a `Series`.
    model
        An unfitted forecaster; `AutoNGRC`, which chooses its own columns, by default.
    exog, known
        Columns beside the series, anything `as_channels` takes, and the names of those that are known ahead; the others
        are read through a forecast's origin. A model that declares its own columns reads those.
    horizon
        One or several forecast horizons; the model's own by default.
    level
        One or several nominal coverages, each once. A method that serves several at once runs once for all of them,
        nested; any other runs for each as if it were the only one.
    methods
        Names or method objects, or a mapping from your own labels; the paper's eight and `auto` by default.
    split
        `WalkForward()` by default: a first fit on 30 % of the rows, refits on ever more of them, the last 20 % being
        the test block. Or one fit: `FixedOrigin()` (40/40/20), the paper's, or its `ShiftedWindows()`.
    refit_every, window
        Observations from one refit to the next instead of a dozen refits, and how many observations before it a fit
        uses instead of all; where no split is given, as the arguments of `WalkForward`.
    seed
        Seed of the ResCP reservoir where methods are given by name.

    Notes
    -----
    With `AutoNGRC`, and with an `NGRC` of fewer than 1000 columns, results are the same to the bit for any number of
    BLAS threads and in any process. Above, another number of threads changes forecasts and interval ends in their last
    bits, and not what is selected: scores within 1e-9 of the smallest count as equal, and the first of them is taken.

    Examples
    --------
    >>> import numpy as np
    >>> from ngrc import NGRC, backtest
    >>> y = np.sin(np.arange(400) / 5) + np.random.default_rng(0).normal(0, 0.1, 400)
    >>> result = backtest(y, NGRC(lags=4), methods=["split", "adaptive"])
    >>> result.table.shape
    (2, 14)
    """
    observations = as_series(series)
    values = observations.values
    forecaster: Forecaster = default_model() if model is None else model
    check_forecaster(forecaster)
    beside = place_beside(series, observations, forecaster, exog, known)
    forecaster = beside.equip(forecaster)
    horizons = [
        check_count(steps, "horizon") for steps in _many(forecaster.horizon if horizon is None else horizon)
    ]
    splitter = _splitter(split, refit_every, window)
    levels = check_levels(level)
    # All cuts come before the first fit, so that a horizon that does not fit is refused at once.
    cuts = [cut for steps in horizons for cut in _windows(forecaster, steps, values.size, splitter)]
    runs = tuple(
        run_window(
            values,
            copy,
            blocks,
            place,
            levels=levels,
            methods=methods,
            seed=seed,
            beside=beside,
            times=observations.times,
            missing=observations.missing,
        )
        for place, copy, blocks in cuts
    )
    rows = [_row(observations.name, run, band) for run in runs for band in run.bands]
    return Backtest(observations, runs, find_spikes(values), frame_like(series, rows))


def _splitter(split: Splitter | None, refit_every: int | None, window: int | None) -> Splitter:
    """The split that was asked for; walking forward where none was."""
    if split is not None and (isinstance(split, type) or not hasattr(split, "splits")):
        raise ValueError(
            f"split must be a splitter such as FixedOrigin() or WalkForward(), got {split!r}; leave it out to walk "
            "forward"
        )
    if split is None:
        return WalkForward(refit_every=refit_every, window=window)
    if refit_every is not None or window is not None:
        raise ValueError(
            f"refit_every and window belong to a walk forward, and split={split!r} was given; leave split out, or "
            "write split=WalkForward(refit_every=..., window=...)"
        )
    return split


def _windows(
    model: Forecaster, horizon: int, observations: int, splitter: Splitter
) -> Iterator[tuple[int, Forecaster, Blocks]]:
    """Every window of one horizon with an unfitted copy of the model; the first copy also says where rows begin."""
    copy = at_horizon(model, horizon)
    for window, blocks in enumerate(splitter.splits(observations, copy.first_target, horizon)):
        yield window, copy if window == 0 else at_horizon(model, horizon), blocks


def _many(value: Any) -> tuple[Any, ...]:
    # A text is iterable too; it goes on whole, to the check that says what is wrong with it.
    values = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else (value,)
    if not values:
        raise ValueError("give at least one horizon, got an empty list")
    return values


def _row(series: str, run: Run, band: Band) -> dict[str, Any]:
    return {
        "series": series,
        "window": run.window,
        "horizon": run.blocks.horizon,
        "level": band.level,
        "method": band.method,
        "refits": run.refits,
        "rmse": run.rmse,
        "coverage": band.coverage,
        "coverage_error": band.coverage_error,
        "width": band.width,
        "winkler": band.winkler,
        "infinite": band.infinite,
        "seconds": band.seconds,
        "total_seconds": band.seconds + run.model_seconds,
    }
