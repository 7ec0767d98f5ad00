"""True trajectories: the published integrator's, and ours."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import sinh

import numpy as np

from ngrc._types import FloatArray
from ngrc.datasets import lorenz63, mackey_glass
from ngrc.study.dynamics.settings import LORENZ, MACKEY_GLASS, SCROLL

# Points on the attractors from which the published code sets out.
LORENZ_START = (17.67715816276679, 12.931379185960404, 43.91404334248268)
SCROLL_START = (0.37926545, 0.058339, -0.08167691)
# The published runs begin from a constant past, drawn evenly from here.
PAST = (0.5, 0.9)
# Runge-Kutta steps per sample of 3; the delay 17 is 170 of them.
SUBSTEPS = 30

Slope = Callable[[float, FloatArray], list[float]]


def lorenz_slope(time: float, state: FloatArray) -> list[float]:
    """(x', y', z') of Lorenz63."""
    x, y, z = state.tolist()
    return [10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z]


def scroll_slope(time: float, state: FloatArray) -> list[float]:
    """(V1', V2', I') of the double scroll, as in `ngrc.datasets.double_scroll`."""
    first, second, current = state.tolist()
    drop = first - second
    through = drop / 3.44 + 4.5e-5 * sinh(11.6 * drop)
    return [first / 1.2 - through, through - current, second - 0.193 * current]


@lru_cache(maxsize=4)
def published_lorenz(steps: int) -> FloatArray:
    """Lorenz63 by the published integrator, shape (steps, 3), at the spacing of its forecasts."""
    return _published(lorenz_slope, LORENZ_START, steps, LORENZ.spacing)


@lru_cache(maxsize=4)
def published_scroll(steps: int) -> FloatArray:
    """The double scroll by the published integrator, shape (steps, 3)."""
    return _published(scroll_slope, SCROLL_START, steps, SCROLL.spacing)


def accurate_lorenz(steps: int) -> FloatArray:
    """Lorenz63 from the same start by 25 classical Runge-Kutta steps per sample, shape (steps, 3)."""
    return lorenz63(steps, spacing=LORENZ.spacing, burn_in=0, initial=LORENZ_START)


def drawn_mackey_glass(steps: int, rng: np.random.Generator) -> FloatArray:
    """Mackey-Glass from a constant past drawn at random, shape (steps, 1)."""
    path = mackey_glass(
        steps, spacing=MACKEY_GLASS.spacing, substeps=SUBSTEPS, burn_in=0, initial=float(rng.uniform(*PAST))
    )
    return path[:, None]


def _published(slope: Slope, start: Sequence[float], steps: int, spacing: float) -> FloatArray:
    """SciPy's RK23 at its default tolerance of a thousandth, read off between its own steps by a cubic.

    Its steps do not depend on where it is read off, so that one long trajectory begins like every shorter one.
    """
    from scipy.integrate import solve_ivp

    times = spacing * np.arange(steps)
    found = solve_ivp(slope, (0.0, float(times[-1])), start, method="RK23", t_eval=times)
    if not found.success:
        raise ValueError(f"the integration failed: {found.message}")
    states = np.ascontiguousarray(found.y.T)
    # It is kept and handed out again: nobody may write into it.
    states.flags.writeable = False
    return states
