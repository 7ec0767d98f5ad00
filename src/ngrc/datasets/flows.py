"""Chaotic flows by the classical Runge-Kutta method."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from ngrc._kernels.models import flows_double_scroll, flows_lorenz
from ngrc._types import FloatArray
from ngrc.validation import check_count, check_positive, check_vector


def lorenz63(
    steps: int,
    *,
    spacing: float = 0.025,
    substeps: int = 25,
    burn_in: int = 400,
    sigma: float = 10.0,
    rho: float = 28.0,
    beta: float = 8.0 / 3.0,
    initial: Sequence[float] = (1.0, 1.0, 1.0),
) -> FloatArray:
    """Return states (x, y, z) of the Lorenz system of 1963, shape (steps, 3).

    x' = sigma (y - x), y' = x (rho - z) - y, z' = x y - beta z.
    Source: doi:10.1175/1520-0469(1963)020<0130:DNF>2.0.CO;2.

    Parameters
    ----------
    steps, spacing, burn_in
        States to return, the time between them, and how many are left out before them.
    substeps
        Runge-Kutta steps from one state to the next.
    sigma, rho, beta, initial
        The system's parameters and its state at time 0.

    Examples
    --------
    >>> lorenz63(2, burn_in=0)[0]
    array([1., 1., 1.])
    """
    kernel = partial(flows_lorenz, sigma, rho, beta)
    return _states(kernel, initial, steps=steps, spacing=spacing, substeps=substeps, burn_in=burn_in)


def double_scroll(
    steps: int,
    *,
    spacing: float = 0.25,
    substeps: int = 50,
    burn_in: int = 0,
    initial: Sequence[float] = (0.37926545, 0.058339, -0.08167691),
) -> FloatArray:
    """Return states (V1, V2, I) of the double-scroll circuit, shape (steps, 3).

    The dimensionless circuit of Gauthier et al. 2021 (doi:10.1038/s41467-021-25801-2), from a point on its
    attractor: with D = V1 - V2 and g = D / 3.44 + 4.5e-5 sinh(11.6 D),
    V1' = V1 / 1.2 - g, V2' = g - I, I' = V2 - 0.193 I.

    Parameters
    ----------
    steps, spacing, burn_in
        States to return, the time between them, and how many are left out before them.
    substeps
        Runge-Kutta steps from one state to the next.
    initial
        The state at time 0.

    Examples
    --------
    >>> double_scroll(100).shape
    (100, 3)
    """
    return _states(
        flows_double_scroll, initial, steps=steps, spacing=spacing, substeps=substeps, burn_in=burn_in
    )


def _states(
    kernel: Callable[[FloatArray, int, int, float], FloatArray],
    initial: Sequence[float],
    *,
    steps: int,
    spacing: float,
    substeps: int,
    burn_in: int,
) -> FloatArray:
    start = check_vector(initial, "initial")
    if start.size != 3:
        raise ValueError(f"initial must hold 3 numbers, got {start.size}; give one per coordinate")
    count = check_count(steps, "steps") + check_count(burn_in, "burn_in", 0)
    step = check_positive(spacing, "spacing") / check_count(substeps, "substeps")
    states = kernel(start, count, substeps, step)
    if not np.all(np.isfinite(states)):
        raise ValueError(
            f"the trajectory from {tuple(initial)} overflows; start nearer or take more substeps"
        )
    return states[burn_in:]
