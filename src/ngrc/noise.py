"""The noise of a fitted model's rows, in the series' own units."""

from dataclasses import replace
from typing import Literal

import numpy as np

from ngrc.fitted import Fitted
from ngrc.readout.blend import Blend
from ngrc.theory.noise import NoiseScale, noise_scale_of
from ngrc.theory.residuals import RidgeResiduals


def noise_of(fitted: Fitted, method: Literal["gcv", "evidence"], horizon: int, channel: int) -> NoiseScale:
    """Noise of one readout's fit rows, at a penalty that `method` chooses for this purpose."""
    if method not in ("gcv", "evidence"):
        raise ValueError(
            f"method must be 'gcv' or 'evidence', got {method!r}; the fit's own scale is fit_scale_"
        )
    readout = fitted.readout(horizon, channel)
    if isinstance(readout, Blend):
        # The estimate rests on one ridge fit: that of the heaviest member that has weights at all.
        fitted_parts = [part.readout for part in readout.parts if np.isfinite(part.readout.penalty)]
        readout = fitted_parts[0] if fitted_parts else readout.lead
    if np.isinf(readout.penalty):
        raise ValueError("an infinite penalty leaves nothing to estimate the noise from; use noise='fit'")
    residuals = RidgeResiduals.of_fit(
        readout.regression(),
        readout.penalty,
        readout.fit_scale**2,
        intercept=readout.intercept_penalty == 0,
    )
    found, std = noise_scale_of(residuals, method), fitted.preparation.scales[channel].std
    return replace(found, scale=found.scale * std, error=found.error * std)
