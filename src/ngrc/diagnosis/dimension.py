"""The proportional regime on a fitted model: noise, signal and side of the phase boundary."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.scaling import column_scales
from ngrc.model import NGRC
from ngrc.observed import observe
from ngrc.theory import noise_scale, phase
from ngrc.theory.proportional import Ordering

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class HighDimension:
    """Estimates that place a model in the isotropic proportional benchmark; scales in standardised units.

    Parameters
    ----------
    noise
        Noise standard deviation, RSS / (n - tr H) at the penalty of generalised cross-validation.
    raw_noise
        The fit residuals' root mean square, which is not consistent here.
    signal
        s, from s^2 = var(y) - noise^2.
    boundary
        s^2 lambda / (noise^2 gamma): above one Bayes is narrower than conformal and undercovers.
    ordering
        Which interval the benchmark says is wider, the noise being known.
    coverage
        Limiting Bayesian coverage in the benchmark, the noise being known.
    """

    gamma: float
    noise: float
    raw_noise: float
    signal: float
    boundary: float
    ordering: Ordering
    coverage: float


def high_dimension(
    model: NGRC, values: FloatArray, first: int, level: float, beside: Mapping[str, Any] = _NOTHING
) -> HighDimension | None:
    """Estimate noise, signal and phase from the fit rows of a fitted NGRC.

    The benchmark assumes isotropic features, a linear truth and known noise. With correlated features the scalar
    boundary need not decide the ordering. None where the noise estimate collapses and must not be used. `beside` holds
    exog and times as `model.fit` had them.
    """
    seen = model.fitted_.see(observe(values, **beside, names=model.exog, known=model.known))
    rows = seen.rows(model.fitted_.horizon, first=first)
    raw = rows.design
    means = raw.mean(axis=0)
    # Standardised columns, as the benchmark is isotropic and the penalty is meant for them.
    design = (raw - means) / column_scales(means, raw.var(axis=0))
    estimate = noise_scale(design, rows.target, "gcv", intercept=True, collapse="keep")
    # A penalty at the lower edge of the grid interpolates the fit rows: the noise it leaves is an artefact.
    if estimate.edge == "smallest":
        return None
    gamma = design.shape[1] / rows.count
    # The sample variance may fall below the noise estimate where there is no signal: clamped at zero.
    signal = float(np.sqrt(max(float(np.var(rows.target)) - estimate.scale**2, 0.0)))
    # The closed forms divide by lambda; 1e-12 is below every penalty of the default grid and still far from overflow.
    penalty = max(model.ridge_, 1e-12)
    limit = phase(gamma, penalty, signal, estimate.scale, level)
    return HighDimension(
        gamma=gamma,
        noise=estimate.scale,
        raw_noise=model.readout_.fit_scale,
        signal=signal,
        # Equal widths where s^2 lambda = sigma^2 gamma (paper, "Signal-Dependent Width Ordering in Proportional
        # Dimension").
        boundary=signal**2 * penalty / (estimate.scale**2 * gamma),
        ordering=limit.ordering,
        coverage=limit.coverage_bayes,
    )
