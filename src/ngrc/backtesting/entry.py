"""Model x horizon x window x method x level over one series: bands, scores, diagnostics and what was selected."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from time import perf_counter
from typing import Any

import numpy as np

from ngrc._frames import frame_like
from ngrc._types import FloatArray
from ngrc.backtesting.diagnostics import block_diagnostics
from ngrc.backtesting.results import Backtest, Band, Run
from ngrc.features import Scale
from ngrc.forecasters.base import Forecaster
from ngrc.intervals.base import IntervalMethod, Stream
from ngrc.intervals.defaults import default_methods, named_method
from ngrc.metrics import coverage, rmse, width, winkler
from ngrc.model import NGRC
from ngrc.presets import default_lags
from ngrc.series import as_series
from ngrc.series.spikes import find_spikes
from ngrc.splits import FixedOrigin, Split, Splitter
from ngrc.validation import check_count, check_level

Methods = Iterable[str | IntervalMethod] | Mapping[str, str | IntervalMethod]


def backtest(
    series: Any,
    model: Forecaster | None = None,
    *,
    horizon: int | Sequence[int] | None = None,
    level: float | Sequence[float] = 0.95,
    methods: Methods | None = None,
    split: Splitter | None = None,
    seed: int = 0,
) -> Backtest:
    """Forecast a series out of sample and put every interval method around the forecasts.

    Parameters
    ----------
    series
        Anything `as_series` takes: numpy, pandas, polars, or a `Series`.
    model
        An unfitted forecaster; a quadratic `NGRC` with lags chosen from the length by default.
    horizon
        One or several forecast horizons; the model's own by default.
    level
        One or several nominal coverages.
    methods
        Names or method objects, or a mapping from your own labels; all eight by default.
    split
        `FixedOrigin()` (40/40/20) by default, or `ShiftedWindows()`.
    seed
        Seed of the ResCP reservoir where methods are given by name.

    Notes
    -----
    Another number of BLAS threads changes forecasts and interval ends in their last bits, and not what is selected:
    scores within 1e-9 of the smallest count as equal, and the first candidate of them is taken.

    Examples
    --------
    >>> import numpy as np
    >>> from ngrc import NGRC, backtest
    >>> y = np.sin(np.arange(400) / 5) + np.random.default_rng(0).normal(0, 0.1, 400)
    >>> result = backtest(y, NGRC(lags=4), methods=["split", "adaptive"])
    >>> result.table.shape
    (2, 13)
    """
    source, observed = series, as_series(series)
    model = NGRC(default_lags(observed.values.size)) if model is None else model
    horizons = _many(getattr(model, "horizon", 1) if horizon is None else horizon)
    levels = tuple(check_level(value) for value in _many(level))
    runs = []
    for steps in horizons:
        candidate = _with_horizon(model, check_count(steps, "horizon"))
        splits = (split or FixedOrigin()).splits(observed.values.size, candidate.first_target, steps)
        for window, blocks in enumerate(splits):
            model_here = _with_horizon(candidate, steps)
            runs.append(_run(observed.values, model_here, blocks, window, levels, methods, seed))
    rows = [_row(observed.name, run, band) for run in runs for band in run.bands]
    return Backtest(observed, tuple(runs), find_spikes(observed.values), frame_like(source, rows))


def evaluate(method: IntervalMethod, label: str, stream: Stream, forecasts: FloatArray, level: float) -> Band:
    """Tune and run one method over a stream and score it; `forecasts` are those of the wanted positions."""
    _rehearse(method)
    begin = perf_counter()
    tuned = method.tuned(stream.history, level)
    offsets = tuned.run(stream, level)
    seconds = perf_counter() - begin
    residuals = stream.residuals[stream.start :]
    return Band(
        method=label,
        level=level,
        lower=forecasts + offsets.lower,
        upper=forecasts + offsets.upper,
        coverage=coverage(residuals, offsets.lower, offsets.upper),
        width=width(offsets.lower, offsets.upper),
        winkler=winkler(residuals, offsets.lower, offsets.upper, level),
        infinite=int(np.count_nonzero(~np.isfinite(offsets.upper - offsets.lower))),
        seconds=seconds,
        selected=tuned.selected,
        guarantee=tuned.guarantee,
        trace=offsets.trace,
    )


_REHEARSED: set[type[IntervalMethod]] = set()


def _rehearse(method: IntervalMethod) -> None:
    """Load or compile the kernels of a class of methods once, on a stream too small to cost anything."""
    if type(method) in _REHEARSED:
        return
    _REHEARSED.add(type(method))
    small = np.sin(np.arange(130.0))
    # What a method has against so small a stream it will say of the real one, if it applies there.
    with suppress(ValueError):
        method.rehearsal().run(Stream(small, 120, 1, np.zeros(130), 1.0), 0.9)


def _run(
    values: FloatArray,
    model: Forecaster,
    split: Split,
    window: int,
    levels: Sequence[float],
    methods: Methods | None,
    seed: int,
) -> Run:
    begin = perf_counter()
    scale = _scale(values[: split.scale_end])
    fitted = model.fit(values[: split.fit.stop], first=split.fit.start, scale=scale)
    seen = values[: split.test.stop]
    forecasts = fitted.predict(seen)
    residuals = seen - forecasts
    leverage = fitted.leverage(seen) if hasattr(fitted, "leverage") else None
    seconds = perf_counter() - begin
    tau_fit = _fit_scale(fitted, residuals, split)
    stream = split.stream(residuals, leverage, tau_fit)
    chosen = _methods(methods, len(split.history), leverage is not None, seed)
    test = slice(split.test.start, split.test.stop)
    diagnostics = {
        level: block_diagnostics(
            residuals,
            split,
            level,
            tau_fit=tau_fit,
            features=float(getattr(fitted, "n_features_", np.nan)),
            d_eff=float(getattr(fitted, "d_eff_", np.nan)),
        )
        for level in levels
    }
    bands = [
        evaluate(method, label, stream, forecasts[test], level)
        for level in levels
        for label, method in chosen.items()
    ]
    return Run(
        window,
        split,
        fitted,
        forecasts,
        residuals,
        scale,
        rmse(values[test], forecasts[test]),
        seconds,
        diagnostics,
        tuple(bands),
    )


def _many(value: Any) -> tuple[Any, ...]:
    values = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else (value,)
    if not values:
        raise ValueError("give at least one horizon and one level, got an empty list")
    return values


def _scale(values: FloatArray) -> tuple[float, float]:
    """Mean and population standard deviation; an empty prefix leaves the series as it is, a constant one unscaled."""
    if not values.size:
        return 0.0, 1.0
    scale = Scale.of(values)
    return scale.mean, scale.std


def _fit_scale(model: Forecaster, residuals: FloatArray, split: Split) -> float:
    """The readout's own fit residual RMS, or that of the fit block's residuals for any other forecaster."""
    own = getattr(model, "fit_scale_", None)
    if own is not None:
        return float(own)
    return float(np.sqrt(np.mean(residuals[split.fit.start : split.fit.stop] ** 2)))


def _with_horizon(model: Forecaster, horizon: int) -> Forecaster:
    """An unfitted copy at another horizon: the caller's model is never changed."""
    needed = ("horizon", "first_target", "fit", "predict", "get_params")
    if isinstance(model, type) or not all(hasattr(model, name) for name in needed):
        raise ValueError(
            f"model must be an unfitted forecaster such as NGRC(lags=8), got {model!r}; wrap a scikit-learn regressor "
            "in ngrc.forecasters.LagRegressor"
        )
    parameters = {**model.get_params(deep=False), "horizon": horizon}
    return type(model)(**parameters)


def _methods(methods: Methods | None, history: int, leverage: bool, seed: int) -> dict[str, IntervalMethod]:
    if methods is None:
        return default_methods(history, leverage=leverage, seed=seed)
    if isinstance(methods, str):
        methods = [methods]
    pairs = methods.items() if isinstance(methods, Mapping) else [(None, method) for method in methods]
    chosen: dict[str, IntervalMethod] = {}
    for label, method in pairs:
        built = named_method(method, history, seed=seed) if isinstance(method, str) else method
        name = label or built.name
        if name in chosen:
            raise ValueError(f"method {name!r} is given twice; pass a mapping with a label for each")
        chosen[name] = built
    if not chosen:
        raise ValueError("give at least one interval method, got none")
    return chosen


def _row(series: str, run: Run, band: Band) -> dict[str, Any]:
    return {
        "series": series,
        "window": run.window,
        "horizon": run.split.horizon,
        "level": band.level,
        "method": band.method,
        "rmse": run.rmse,
        "coverage": band.coverage,
        "coverage_error": band.coverage_error,
        "width": band.width,
        "winkler": band.winkler,
        "infinite": band.infinite,
        "seconds": band.seconds,
        "total_seconds": band.seconds + run.model_seconds,
    }
