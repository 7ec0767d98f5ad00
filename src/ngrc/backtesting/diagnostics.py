"""Theory-facing diagnostics of one fitted readout and its three blocks."""

from dataclasses import dataclass

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import BoolArray, FloatArray
from ngrc.forecasters.facts import ModelFacts
from ngrc.order.quantiles import conformal_quantile
from ngrc.splits import Blocks


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """How far Bayesian and split-conformal widths differ, and whether shape or scale is why.

    rho_q = q_cal / (z tau_fit) = shape * scale, shape = q_cal / (z tau_cal), scale = tau_cal / tau_fit
    (paper, section "Connection to Theoretical Results"). All scales are in the units of the
    model's link: the series' own, or those of the transformed series where the model has a transform.

    Parameters
    ----------
    p_over_n, d_eff_over_n
        Features and effective dimension per fit row; NaN for a forecaster that has none.
    tau_fit, tau_cal, tau_test
        Residual root mean square of the fit rows, the usable calibration residuals and the test block.
    q_cal
        Corrected quantile of the absolute calibration residuals; infinite when there are too few.
    """

    p_over_n: float
    d_eff_over_n: float
    tau_fit: float
    tau_cal: float
    tau_test: float
    q_cal: float
    shape: float
    scale: float
    rho_q: float


def block_diagnostics(
    residuals: FloatArray,
    blocks: Blocks,
    level: float,
    *,
    tau_fit: float,
    facts: ModelFacts,
    missing: BoolArray | None = None,
) -> Diagnostics:
    """Diagnostics from residuals indexed by target time; those of the test block that are `missing` are left out.

    A zero scale (a series that is forecast perfectly) leaves the ratios undefined: they are NaN.
    """
    history, fitted = residuals[blocks.history], blocks.fitted
    came = slice(None) if missing is None else ~missing[blocks.test]
    tau_cal = _rms(history)
    quantile = conformal_quantile(np.abs(history), level)
    # Usable residuals only, without guards and pending targets: what split conformal knows at the first interval.
    z = gaussian_radius(level)
    return Diagnostics(
        p_over_n=_per_row(facts.features, fitted.stop - fitted.start),
        d_eff_over_n=_per_row(facts.d_eff, fitted.stop - fitted.start),
        tau_fit=tau_fit,
        tau_cal=tau_cal,
        # For the reader of a report; no advice may rest on it.
        tau_test=_rms(residuals[blocks.test][came]),
        q_cal=quantile,
        shape=_ratio(quantile, z * tau_cal),
        scale=_ratio(tau_cal, tau_fit),
        rho_q=_ratio(quantile, z * tau_fit),
    )


def _per_row(count: float | None, rows: int) -> float:
    return float("nan") if count is None else count / rows


def _rms(values: FloatArray) -> float:
    return float(np.sqrt(np.mean(values**2)))


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator > 0 else float("nan")
