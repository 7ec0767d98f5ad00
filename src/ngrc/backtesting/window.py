"""One model on one window: fitted, forecast, its residuals handed to every method."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from ngrc._progress import tell
from ngrc._types import AnyArray, BoolArray, FloatArray
from ngrc.backtesting.diagnostics import block_diagnostics
from ngrc.backtesting.gaps import Streams
from ngrc.backtesting.methods import Methods, labelled_methods
from ngrc.backtesting.results import Run
from ngrc.backtesting.scoring import evaluate_levels
from ngrc.features import Scale
from ngrc.features.limits import found_limits
from ngrc.features.link import Link
from ngrc.forecasters.base import Forecaster
from ngrc.forecasters.beside import Beside
from ngrc.forecasters.facts import Leveraged, ModelFacts, check_estimates, facts_of, link_of, noise_scales_of
from ngrc.forecasters.walking import asked, walk
from ngrc.metrics import rmse
from ngrc.origins import clock_periods, context_of, wants_context
from ngrc.splits import Blocks


@dataclass(frozen=True, slots=True)
class PointForecasts:
    """A model fitted on one window, and what it says of every target up to the end of the test block.

    Arrays are indexed by target time, NaN where there is no forecast. Forecasts are in the series' own units, residuals
    in those of the link. `refits` is the number of fits after the first, `model` the one that issues the first test
    interval. `seconds` is the time of all fits, forecasts and leverages.
    """

    model: Forecaster
    link: Link
    scale: Scale
    forecasts: FloatArray
    residuals: FloatArray
    leverage: FloatArray | None
    facts: ModelFacts
    refits: int
    seconds: float


def run_window(
    values: FloatArray,
    model: Forecaster,
    blocks: Blocks,
    window: int,
    *,
    levels: Sequence[float],
    methods: Methods | None,
    seed: int,
    beside: Beside,
    times: AnyArray | None = None,
    missing: BoolArray | None = None,
) -> Run:
    """Fit an unfitted model, again where the blocks say so, and score every method around its test forecasts.

    `times` are those of the series, for the clock of methods that read one. `missing` are outcomes that never came and
    were carried forward: no method learns from them, and none is scored.
    """
    # Before the fit, so that a wrong name costs no waiting.
    labelled = labelled_methods(methods, leverage=isinstance(model, Leveraged), seed=seed)
    estimates = sorted({name for method in labelled.values() for name in method.noise_estimates})
    check_estimates(model, estimates)
    point = point_forecasts(values, model, blocks, beside)
    # In the link's units, the series' own where the model has none, like every residual from here on.
    tau_fit = fit_scale(point.facts, lambda: fit_residuals(values, point, blocks, beside))
    noise_scales = noise_scales_of(point.model, estimates)
    context = None
    if wants_context(labelled.values()):
        # The clock is read off what is known when the first interval is issued, not off the fit block alone.
        seen = blocks.history.stop
        periods = clock_periods(values[:seen], None if times is None else times[:seen])
        first = blocks.history.start
        context = context_of(point.forecasts[first : blocks.test.stop], periods, first, point.link)
    stream = blocks.stream(point.residuals, point.leverage, tau_fit, noise_scales, context)
    streams = Streams.of(stream, missing, blocks)
    limits = None
    if any(method.bounded for method in labelled.values()):
        limits = found_limits(values[: blocks.test.stop], blocks.history.stop, blocks.test_rows)
    said = point.forecasts[blocks.test]
    bands = []
    for done, (label, method) in enumerate(labelled.items(), start=1):
        seen, lost = streams.seen_by(method)
        bands.append(evaluate_levels(method, label, seen, said, levels, point.link, limits, lost))
        tell("methods", done, len(labelled), bands[-1])
    came = slice(None) if missing is None else ~missing[blocks.test]
    return Run(
        window=window,
        blocks=blocks,
        model=point.model,
        facts=point.facts,
        refits=point.refits,
        link=point.link,
        forecasts=point.forecasts,
        residuals=point.residuals,
        leverage=point.leverage,
        scale=point.scale,
        rmse=rmse(values[blocks.test][came], said[came]),
        model_seconds=point.seconds,
        diagnostics={
            level: block_diagnostics(
                point.residuals, blocks, level, tau_fit=tau_fit, facts=point.facts, missing=missing
            )
            for level in levels
        },
        # By level and then by method, as tables list them.
        bands=tuple(band for together in zip(*bands, strict=True) for band in together),
    )


def point_forecasts(values: FloatArray, model: Forecaster, blocks: Blocks, beside: Beside) -> PointForecasts:
    """Fit on the fit block, again at every end, and forecast all targets through the test block.

    Each stretch of targets is forecast by the last model that had been fitted when its forecasts were made. The model
    that is kept, with its link and facts, is the one that issues the first test interval.
    """
    begin = perf_counter()
    scale = prefix_scale(values, blocks)
    stretches = tuple(blocks.stretches())
    forecasts = np.full(blocks.test.stop, np.nan)
    leverage = np.full(blocks.test.stop, np.nan) if isinstance(model, Leveraged) else None
    kept: Any = None
    models = walk(
        model,
        values,
        [end for end, _ in stretches],
        first=blocks.start,
        scale=scale,
        window=blocks.window,
        beside=beside,
    )
    for fitted, (end, targets) in zip(models, stretches, strict=True):
        # What lies beyond the targets is cut off: a forecaster cannot look at what it is not given.
        prefix, inputs = values[: targets.stop], beside.until(targets.stop)
        forecasts[targets] = _said(fitted.predict, prefix, targets, inputs)
        if leverage is not None:
            leverage[targets] = _said(fitted.leverage, prefix, targets, inputs)
        if end <= blocks.fitted.stop:
            kept = fitted
    link = link_of(kept)
    seconds = perf_counter() - begin
    return PointForecasts(
        model=kept,
        link=link,
        scale=scale,
        forecasts=forecasts,
        residuals=link.residuals(values[: blocks.test.stop], forecasts),
        leverage=leverage,
        facts=facts_of(kept),
        refits=len(stretches) - 1,
        seconds=seconds,
    )


def _said(
    method: Callable[..., FloatArray], prefix: FloatArray, targets: slice, inputs: Mapping[str, Any]
) -> FloatArray:
    """What a method that is aligned like `predict` says of a range of targets."""
    # The first stretch begins at zero: it is asked for everything, as a model that is fitted once always was.
    wanted = asked(method, since=targets.start) if targets.start else {}
    return method(prefix, **inputs, **wanted)[targets]


def fit_residuals(values: FloatArray, point: PointForecasts, blocks: Blocks, beside: Beside) -> FloatArray:
    """Residuals of the kept model over the rows it was fitted to."""
    if not blocks.ends:
        return point.residuals[blocks.fit]
    stop = blocks.fitted.stop
    prefix = values[:stop]
    return point.link.residuals(prefix, point.model.predict(prefix, **beside.until(stop)))[blocks.fitted]


def prefix_scale(values: FloatArray, blocks: Blocks) -> Scale:
    """Scale of the observations that the blocks name; without any the series stays as it is."""
    return Scale.of(values[: blocks.scale_end]) if blocks.scale_end else Scale(0.0, 1.0)


def fit_scale(facts: ModelFacts, residuals: Callable[[], FloatArray]) -> float:
    """The readout's own fit residual RMS, or that of the fit rows' residuals for any other forecaster."""
    # The readout has it from the moments of its fit; the RMS of its fit residuals agrees up to rounding.
    if facts.fit_scale is not None:
        return float(facts.fit_scale)
    return float(np.sqrt(np.mean(residuals() ** 2)))
