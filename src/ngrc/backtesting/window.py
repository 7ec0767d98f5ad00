"""One model on one window: fitted, forecast, its residuals handed to every method."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from ngrc._types import FloatArray
from ngrc.backtesting.diagnostics import block_diagnostics
from ngrc.backtesting.methods import Methods, labelled_methods
from ngrc.backtesting.results import Run
from ngrc.backtesting.scoring import evaluate
from ngrc.features import Scale
from ngrc.features.link import Link
from ngrc.forecasters.base import Forecaster
from ngrc.forecasters.beside import Beside
from ngrc.forecasters.facts import Leveraged, ModelFacts, check_estimates, facts_of, link_of, noise_scales_of
from ngrc.metrics import rmse
from ngrc.splits import Blocks


@dataclass(frozen=True, slots=True)
class PointForecasts:
    """A model fitted on one window, and what it says of every target up to the end of the test block.

    Arrays are indexed by target time, NaN where there is no forecast. Forecasts are in the series' own units, residuals
    in those of the link. `seconds` is the time of fit, forecasts and leverage.
    """

    model: Forecaster
    link: Link
    scale: Scale
    forecasts: FloatArray
    residuals: FloatArray
    leverage: FloatArray | None
    facts: ModelFacts
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
) -> Run:
    """Fit an unfitted model on the fit block and score every method around its forecasts of the test block."""
    # Before the fit, so that a wrong name costs no waiting.
    labelled = labelled_methods(
        methods, blocks.history_rows, leverage=isinstance(model, Leveraged), seed=seed
    )
    estimates = sorted({name for method in labelled.values() for name in method.noise_estimates})
    check_estimates(model, estimates)
    point = point_forecasts(values, model, blocks, beside)
    # In the link's units, the series' own where the model has none, like every residual from here on.
    tau_fit = fit_scale(point.facts, point.residuals[blocks.fit])
    noise_scales = noise_scales_of(point.model, estimates)
    stream = blocks.stream(point.residuals, point.leverage, tau_fit, noise_scales)
    return Run(
        window=window,
        blocks=blocks,
        model=point.model,
        facts=point.facts,
        link=point.link,
        forecasts=point.forecasts,
        residuals=point.residuals,
        leverage=point.leverage,
        scale=point.scale,
        rmse=rmse(values[blocks.test], point.forecasts[blocks.test]),
        model_seconds=point.seconds,
        diagnostics={
            level: block_diagnostics(point.residuals, blocks, level, tau_fit=tau_fit, facts=point.facts)
            for level in levels
        },
        bands=tuple(
            evaluate(method, label, stream, point.forecasts[blocks.test], level, point.link)
            for level in levels
            for label, method in labelled.items()
        ),
    )


def point_forecasts(values: FloatArray, model: Forecaster, blocks: Blocks, beside: Beside) -> PointForecasts:
    """Fit on the fit block alone and forecast all targets through the test block."""
    begin = perf_counter()
    scale = prefix_scale(values, blocks)
    end, stop = blocks.fit.stop, blocks.test.stop
    fitted = model.fit(values[:end], first=blocks.fit.start, scale=scale, **beside.until(end))
    # What lies beyond the test block is cut off: a forecaster cannot look at what it is not given.
    prefix, inputs = values[:stop], beside.until(stop)
    forecasts = fitted.predict(prefix, **inputs)
    leverage = fitted.leverage(prefix, **inputs) if isinstance(fitted, Leveraged) else None
    link = link_of(fitted)
    seconds = perf_counter() - begin
    return PointForecasts(
        model=fitted,
        link=link,
        scale=scale,
        forecasts=forecasts,
        residuals=link.residuals(prefix, forecasts),
        leverage=leverage,
        facts=facts_of(fitted),
        seconds=seconds,
    )


def prefix_scale(values: FloatArray, blocks: Blocks) -> Scale:
    """Scale of the observations that the blocks name; without any the series stays as it is."""
    return Scale.of(values[: blocks.scale_end]) if blocks.scale_end else Scale(0.0, 1.0)


def fit_scale(facts: ModelFacts, residuals: FloatArray) -> float:
    """The readout's own fit residual RMS, or that of the fit block's residuals for any other forecaster."""
    # The readout has it from the moments of its fit; the RMS of its fit residuals agrees up to rounding.
    if facts.fit_scale is not None:
        return float(facts.fit_scale)
    return float(np.sqrt(np.mean(residuals**2)))
