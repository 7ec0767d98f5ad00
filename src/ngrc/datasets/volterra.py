"""The nonlinear Volterra system of the online-robustness experiment.

With M(t) = int_0^t e^{-0.2 (t-s)} cos{2 pi (t-s)} x(s) ds, the latent state obeys
x' = sin t - 0.1 x + 0.5 tanh M. The kernel is the real part of a decaying rotation, so M = u in the system

    x' = sin t - 0.1 x + 0.5 tanh u,    u' = x - 0.2 u - 2 pi v,    v' = 2 pi u - 0.2 v,    all zero at t = 0.
"""

import numpy as np

from ngrc._kernels.models import VOLTERRA_DECAY, VOLTERRA_FREQUENCY, volterra_euler
from ngrc._types import FloatArray
from ngrc.validation import check_count, check_positive

STABLE_STEP = 2.0 * VOLTERRA_DECAY / (VOLTERRA_DECAY**2 + VOLTERRA_FREQUENCY**2)
"""Euler steps of this length or more let the memory states grow: |1 - (0.2 - 2 pi i) h| < 1 below it."""


def volterra(steps: int, *, step: float = 0.005, every: int = 20, burn_in: int = 500) -> FloatArray:
    """Return the latent trajectory x by forward Euler, shape (steps,).

    Parameters
    ----------
    steps
        States to return after the burn-in.
    step
        Internal Euler step h; it must be below 0.01012, the stability bound of the memory states.
    every
        Internal steps from one retained state to the next: the spacing is `every * step`.
    burn_in
        Retained states that are left out at the start; the first retained state is x(0).

    Examples
    --------
    >>> volterra(2, burn_in=0).round(4)
    array([0.    , 0.0047])
    """
    steps, every = check_count(steps, "steps"), check_count(every, "every")
    burn_in = check_count(burn_in, "burn_in", 0)
    step = check_positive(step, "step")
    if step >= STABLE_STEP:
        raise ValueError(
            f"step must be below the stability bound {STABLE_STEP:.5f}, got {step}; take a smaller one"
        )
    return volterra_euler(burn_in + steps, step, every)[burn_in:]


def volterra_observations(
    seed: int | np.random.SeedSequence,
    *,
    fit: int = 1600,
    calibration: int = 800,
    test: int = 800,
    lags: int = 20,
    change: int | None = 160,
    low: float = 0.15,
    high: float = 0.35,
) -> FloatArray:
    """Return noisy observations y_i = x(t_i) + e_i, shape (lags + fit + calibration + test,).

    With `lags` lags and horizon 1 they give exactly `fit + calibration + test` rows; the paper retains one
    state more, which no row uses. One seed draws the same standardised noise whatever `change`, `low` and
    `high`, so that the constant and the changed condition are a pair.

    Parameters
    ----------
    seed
        Seeds the standardised Gaussian noise.
    fit, calibration, test, lags
        Sizes of the blocks, and the observations before the first target.
    change
        Test observation, from 0, from which the noise has standard deviation `high`; None for `low`
        throughout.
    low, high
        Standard deviations of the noise before and after the change.

    Examples
    --------
    >>> constant = volterra_observations(1, change=None)
    >>> changed = volterra_observations(1)
    >>> constant.shape, int(np.argmax(constant != changed)) - (20 + 1600 + 800)
    ((3220,), 160)
    """
    sizes = [
        check_count(size, name) for size, name in ((fit, "fit"), (calibration, "calibration"), (test, "test"))
    ]
    start = check_count(lags, "lags") + fit + calibration
    scale = np.full(sum(sizes) + lags, check_positive(low, "low"))
    if change is not None:
        if check_count(change, "change", 0) >= test:
            raise ValueError(f"change must lie before the end of the {test} test observations, got {change}")
        scale[start + change :] = check_positive(high, "high")
    # Drawn in one piece and scaled afterwards: both conditions share the standardised noise, value by value.
    noise = np.random.default_rng(seed).standard_normal(scale.size)
    return volterra(scale.size) + scale * noise
