"""`diagnose`: from a series or a finished run to facts and advice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray, IntArray
from ngrc.backtesting.diagnostics import Diagnostics
from ngrc.backtesting.entry import backtest
from ngrc.backtesting.results import Backtest, Run
from ngrc.diagnosis.advice import SMALL_DIMENSION, SMALL_EFFECTIVE, Advice, Facts, advise
from ngrc.diagnosis.calibration import calibration_of
from ngrc.diagnosis.choice import decide
from ngrc.diagnosis.dimension import HighDimension, high_dimension
from ngrc.diagnosis.evidence import Evidence, gather
from ngrc.diagnosis.extremes import by_position
from ngrc.diagnosis.forecast import ForecastCheck, check_forecast
from ngrc.diagnosis.knowledge import knowledge_of
from ngrc.diagnosis.proposed import proposed_periods
from ngrc.diagnosis.shape import ResidualShape, residual_shape
from ngrc.features.distinct import check_periods
from ngrc.forecasters.base import Forecaster
from ngrc.forecasters.beside import Beside, place_beside
from ngrc.intervals.bayes import half_width
from ngrc.metrics import coverage
from ngrc.model import NGRC
from ngrc.series import Series
from ngrc.series.outward import time_text
from ngrc.series.spikes import Spikes
from ngrc.splits import Splitter
from ngrc.validation import check_level


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Everything the theory has to say about one fitted model and its blocks.

    Parameters
    ----------
    predicted_coverage
        Share of usable calibration residuals inside the Bayesian interval: what the fixed-dimension corollary, with the
        calibration residuals as the error law, says its coverage will be. NaN for a forecaster without leverage.
    observed_coverage
        Bayesian coverage over the test block, for comparison. NaN likewise.
    evidence
        What each method would have scored on the calibration block; it decides the advice where it has rows.
    forecast
        What the forecast itself leaves undone, found in the calibration block alone.
    """

    level: float
    diagnostics: Diagnostics
    shape: ResidualShape
    dimension: HighDimension | None
    predicted_coverage: float
    observed_coverage: float
    spikes: Spikes
    advice: Advice
    evidence: Evidence
    forecast: ForecastCheck
    run: Run


def diagnose(
    series: Any,
    model: Forecaster | None = None,
    *,
    exog: Any = None,
    known: Sequence[str] = (),
    horizon: int | None = None,
    level: float = 0.95,
    split: Splitter | None = None,
    refit_every: int | None = None,
    window: int | None = None,
    periods: Sequence[float] | None = None,
) -> Diagnosis:
    """Fit a model, look at its residuals; say which interval to trust, what is left, and why.

    Parameters are those of `backtest`, and `periods`, in observations, at which a season is looked for beside those of
    the model; by default those of the time stamps' spacing and of the series itself (`ngrc.auto.periods.find_periods`).
    Advice, evidence and findings rest on the fit and calibration blocks alone.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> y = np.zeros(4000)
    >>> for t in range(1, 4000):
    ...     y[t] = 0.7 * y[t - 1] + rng.normal()
    >>> diagnose(y, NGRC(lags=3, degree=1)).advice.method
    'bayes'
    >>> diagnose(y, NGRC(lags=(5,), degree=1)).forecast.finding("autocorrelation").remedy
    'x[t] (lags=1)'
    """
    nominal = check_level(level)
    # Split alone, the cheapest: the diagnosis needs the model's residuals, not the bands.
    result = backtest(
        series, model, exog=exog, known=known, horizon=horizon, level=nominal, methods=["split"], split=split,
        refit_every=refit_every, window=window,
    )  # fmt: skip
    return diagnose_backtest(result, level=nominal, source=series, exog=exog, periods=periods)


def diagnose_backtest(
    result: Backtest,
    *,
    level: float,
    source: Any = None,
    exog: Any = None,
    periods: Sequence[float] | None = None,
) -> Diagnosis:
    """The diagnosis of the first run of a finished backtest, at one of its levels.

    Parameters
    ----------
    result
        What `backtest` returned.
    level
        One of its levels.
    source, exog
        What `backtest` was given, where it was more than a `Series` without columns beside it.
    periods
        As for `diagnose`.
    """
    nominal, run = check_level(level), result.runs[0]
    if nominal not in run.diagnostics:
        have = ", ".join(f"{one:g}" for one in run.diagnostics)
        raise ValueError(f"this backtest holds the levels {have}, got {nominal:g}; name one of them")
    values = result.series.values
    diagnostics = run.diagnostics[nominal]
    history = run.residuals[run.blocks.history]
    shape = residual_shape(history, nominal, run.blocks.horizon)
    beside = place_beside(result.series if source is None else source, result.series, run.model, exog)
    dimension = _dimension(run, values, beside, diagnostics, nominal)
    predicted, observed = _bayesian_coverage(run, nominal)
    facts = Facts(
        level=nominal,
        usable=history.size,
        diagnostics=diagnostics,
        shape=shape,
        expected_scale=_expected_scale(diagnostics),
        dimension=dimension,
        predicted_coverage=predicted,
    )
    evidence = gather(run, result.series, nominal)
    return Diagnosis(
        level=nominal,
        diagnostics=diagnostics,
        shape=shape,
        dimension=dimension,
        predicted_coverage=predicted,
        observed_coverage=observed,
        spikes=result.spikes,
        advice=decide(advise(facts), evidence, nominal),
        evidence=evidence,
        forecast=_forecast(run, result.series, periods),
        run=run,
    )


def _forecast(run: Run, series: Series, periods: Sequence[float] | None) -> ForecastCheck:
    seen, known = calibration_of(run, series.values), knowledge_of(run)
    looked = proposed_periods(seen, known, series.times) if periods is None else check_periods(periods)
    return check_forecast(seen, known, looked, names_of(series))


def names_of(series: Series) -> Callable[[IntArray], list[str]]:
    """How targets of a series are called: by their times, where it has them."""
    times = series.times
    if times is None:
        return by_position
    return lambda targets: [str(time) for time in time_text(times[targets], series.style)]


def _dimension(
    run: Run, values: FloatArray, beside: Beside, diagnostics: Diagnostics, level: float
) -> HighDimension | None:
    if not isinstance(run.model, NGRC):
        return None
    # The same test as the rule "high dimension", so that its words always have these numbers.
    if diagnostics.p_over_n <= SMALL_DIMENSION or diagnostics.d_eff_over_n <= SMALL_EFFECTIVE:
        return None
    fit = run.blocks.fitted
    return high_dimension(run.model, values[: fit.stop], fit.start, level, beside.until(fit.stop))


def _expected_scale(diagnostics: Diagnostics) -> float:
    """Ratio of out-of-sample to fit residual scale from d_eff alone: variance (1 + d/n) against (1 - d/n)."""
    ratio = diagnostics.d_eff_over_n if np.isfinite(diagnostics.d_eff_over_n) else 0.0
    # Close to interpolation the formula has no bound; a thousandth keeps the ratio below 45.
    return float(np.sqrt((1.0 + ratio) / max(1.0 - ratio, 1e-3)))


def _bayesian_coverage(run: Run, level: float) -> tuple[float, float]:
    if run.leverage is None:
        return float("nan"), float("nan")
    radius = half_width(run.leverage, run.diagnostics[level].tau_fit, gaussian_radius(level))
    # The same interval over both blocks: over the history it predicts, over the test block it is only reported.
    blocks = (run.blocks.history, run.blocks.test)
    predicted, observed = (coverage(run.residuals[b], -radius[b], radius[b]) for b in blocks)
    return predicted, observed
