"""Scalar simulated systems: a Gaussian AR(1) and the Mackey-Glass delay equation."""

import numpy as np

from ngrc._kernels.models import mackey_glass_path, recursions_first_order
from ngrc._types import FloatArray
from ngrc.validation import check_count, check_positive


def gaussian_ar1(
    steps: int, *, rho: float, seed: int | np.random.SeedSequence, scale: float = 1.0
) -> FloatArray:
    """Return a stationary Gaussian x_t = rho x_(t-1) + sqrt(1 - rho^2) e_t times `scale`, shape (steps,).

    Its standard deviation is `scale` and its autocorrelation at lag h is rho^h, from the first value on.

    Examples
    --------
    >>> gaussian_ar1(50_000, rho=0.8, seed=1).std().round(1)
    np.float64(1.0)
    """
    if not -1.0 < rho < 1.0:
        raise ValueError(f"rho must be in (-1, 1) for a stationary series, got {rho!r}")
    noise = np.random.default_rng(seed).standard_normal(check_count(steps, "steps"))
    # The first value keeps variance 1, the stationary one, so that no burn-in is needed.
    noise[1:] *= np.sqrt(1.0 - rho**2)
    one = np.ones(1)
    return check_positive(scale, "scale") * recursions_first_order(noise, rho * one, one, 0.0 * one)[:, 0]


def mackey_glass(
    steps: int,
    *,
    delay: float = 17.0,
    spacing: float = 1.0,
    substeps: int = 10,
    burn_in: int = 500,
    gain: float = 0.2,
    loss: float = 0.1,
    power: float = 10.0,
    initial: float = 1.2,
) -> FloatArray:
    """Return x of the Mackey-Glass equation (doi:10.1126/science.267326), shape (steps,).

    x'(t) = gain x(t - delay) / (1 + x(t - delay)^power) - loss x(t), with x = `initial` up to t = 0.

    Parameters
    ----------
    steps, spacing, burn_in
        Values to return, the time between them, and how many are left out before them; the first is x(0).
    substeps
        Runge-Kutta steps between two values; the delay must be a whole number of them.

    Examples
    --------
    >>> mackey_glass(3, initial=1.0, burn_in=0)  # the fixed point (gain / loss - 1)^(1 / power)
    array([1., 1., 1.])
    """
    states = check_count(steps, "steps") + check_count(burn_in, "burn_in", 0)
    step = check_positive(spacing, "spacing") / check_count(substeps, "substeps")
    lag = round(check_positive(delay, "delay") / step)
    # The delayed value is looked up in the path, so that it must lie on a step, up to the rounding of the division.
    if lag < 1 or abs(lag * step - delay) > 1e-9 * delay:
        raise ValueError(
            f"delay must be a whole number of steps of {step:g}, got {delay}; change spacing or substeps"
        )
    rates = (check_positive(gain, "gain"), check_positive(loss, "loss"), check_positive(power, "power"))
    path = mackey_glass_path(states * substeps, lag, step, check_positive(initial, "initial"), *rates)
    return path[::substeps][burn_in:states].copy()
