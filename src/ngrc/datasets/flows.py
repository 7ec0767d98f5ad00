"""Chaotic flows by the classical Runge-Kutta method."""

from collections.abc import Sequence

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray
from ngrc.validation import check_count, check_positive, check_vector

# Numbers of the systems, which a compiled kernel can take where it cannot take a function.
_LORENZ, _DOUBLE_SCROLL = 0, 1


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
    parameters = np.array([sigma, rho, beta])
    return _states(
        _LORENZ, parameters, initial, steps=steps, spacing=spacing, substeps=substeps, burn_in=burn_in
    )


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
        _DOUBLE_SCROLL, np.zeros(0), initial, steps=steps, spacing=spacing, substeps=substeps, burn_in=burn_in
    )


def _states(
    system: int,
    parameters: FloatArray,
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
    states = _runge_kutta(system, parameters, start, count, substeps, step)
    if not np.all(np.isfinite(states)):
        raise ValueError(
            f"the trajectory from {tuple(initial)} overflows; start nearer or take more substeps"
        )
    return states[burn_in:]


@jit
def _slope(system: int, state: FloatArray, parameters: FloatArray, out: FloatArray) -> None:
    # One function for all systems: numba does not cache kernels that take a function as argument.
    first, second, third = state[0], state[1], state[2]
    if system == _LORENZ:
        sigma, rho, beta = parameters[0], parameters[1], parameters[2]
        out[0] = sigma * (second - first)
        out[1] = first * (rho - third) - second
        out[2] = first * second - beta * third
    else:
        drop = first - second
        through = drop / 3.44 + 2.0 * 2.25e-5 * np.sinh(11.6 * drop)
        out[0] = first / 1.2 - through
        out[1] = through - third
        out[2] = second - 0.193 * third


@jit
def _runge_kutta(
    system: int, parameters: FloatArray, start: FloatArray, count: int, substeps: int, step: float
) -> FloatArray:
    states = np.empty((count, 3))
    slopes = np.empty((4, 3))
    state, probe = start.copy(), np.empty(3)
    for i in range(count):
        for c in range(3):
            states[i, c] = state[c]
        for _ in range(substeps):
            _slope(system, state, parameters, slopes[0])
            # Two slopes at half the step, one at its end; weighted 1, 2, 2, 1 below.
            for stage in range(1, 4):
                reach = step if stage == 3 else 0.5 * step
                for c in range(3):
                    probe[c] = state[c] + reach * slopes[stage - 1, c]
                _slope(system, probe, parameters, slopes[stage])
            for c in range(3):
                rise = slopes[0, c] + 2.0 * slopes[1, c] + 2.0 * slopes[2, c] + slopes[3, c]
                state[c] += step / 6.0 * rise
    return states
