"""`diagnose`: from a series or a finished run to facts and advice."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.backtesting.diagnostics import Diagnostics
from ngrc.backtesting.entry import backtest
from ngrc.backtesting.results import Run
from ngrc.diagnosis.advice import SMALL_DIMENSION, SMALL_EFFECTIVE, Advice, Facts, advise
from ngrc.diagnosis.dimension import HighDimension, high_dimension
from ngrc.diagnosis.shape import ResidualShape, residual_shape
from ngrc.forecasters.base import Forecaster
from ngrc.intervals.bayes import half_width
from ngrc.metrics import coverage
from ngrc.model import NGRC
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
    """

    level: float
    diagnostics: Diagnostics
    shape: ResidualShape
    dimension: HighDimension | None
    predicted_coverage: float
    observed_coverage: float
    spikes: Spikes
    advice: Advice
    run: Run


def diagnose(
    series: Any,
    model: Forecaster | None = None,
    *,
    horizon: int | None = None,
    level: float = 0.95,
    split: Splitter | None = None,
) -> Diagnosis:
    """Fit a model on the fit block, look at its residuals and say which interval to trust and why.

    Parameters are those of `backtest`. The advice rests on the fit and calibration blocks alone.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> y = np.zeros(4000)
    >>> for t in range(1, 4000):
    ...     y[t] = 0.7 * y[t - 1] + rng.normal()
    >>> diagnose(y, NGRC(lags=3, degree=1)).advice.method
    'bayes'
    """
    nominal = check_level(level)
    result = backtest(series, model, horizon=horizon, level=nominal, methods=["split"], split=split)
    run = result.runs[0]
    values = result.series.values
    shown = run.diagnostics[nominal]
    history = run.residuals[run.split.history.start : run.split.history.stop]
    shape = residual_shape(history, nominal, run.split.horizon)
    dimension = _dimension(run, values, shown, nominal)
    predicted, observed = _bayesian_coverage(run, values, nominal)
    facts = Facts(nominal, history.size, shown, shape, _expected_scale(shown), dimension, predicted)
    return Diagnosis(nominal, shown, shape, dimension, predicted, observed, result.spikes, advise(facts), run)


def _dimension(run: Run, values: FloatArray, shown: Diagnostics, level: float) -> HighDimension | None:
    if not isinstance(run.model, NGRC):
        return None
    if shown.p_over_n <= SMALL_DIMENSION or shown.d_eff_over_n <= SMALL_EFFECTIVE:
        return None
    return high_dimension(run.model, values[: run.split.fit.stop], run.split.fit.start, level)


def _expected_scale(shown: Diagnostics) -> float:
    """Ratio of out-of-sample to fit residual scale from d_eff alone: variance (1 + d/n) against (1 - d/n)."""
    share = shown.d_eff_over_n if np.isfinite(shown.d_eff_over_n) else 0.0
    return float(np.sqrt((1.0 + share) / max(1.0 - share, 1e-3)))


def _bayesian_coverage(run: Run, values: FloatArray, level: float) -> tuple[float, float]:
    if not isinstance(run.model, NGRC):
        return float("nan"), float("nan")
    leverage = run.model.leverage(values[: run.split.test.stop])
    radius = half_width(leverage, run.model.fit_scale_, gaussian_radius(level))

    def share(block: range) -> float:
        part = slice(block.start, block.stop)
        return coverage(run.residuals[part], -radius[part], radius[part])

    return share(run.split.history), share(run.split.test)
