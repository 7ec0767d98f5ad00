"""Forward Euler on a damped oscillating memory: the largest stable step."""

from math import hypot

from ngrc.theory._check import check_nonnegative
from ngrc.validation import check_positive


def euler_step_bound(damping: float, frequency: float) -> float:
    """Largest stable step 2 delta/(delta^2 + omega^2) for memory states of decay delta and frequency omega.

    The homogeneous update has eigenvalues 1 - delta h +- i omega h, inside the unit circle exactly below this
    step. Source: the numerical details of the nonlinear Volterra system.

    Parameters
    ----------
    damping
        delta > 0, per unit of time.
    frequency
        omega >= 0, radians per unit of time.

    Examples
    --------
    >>> import math
    >>> round(euler_step_bound(0.2, 2 * math.pi), 5)
    0.01012
    """
    # (1 - delta h)^2 + (omega h)^2 < 1 is h (delta^2 + omega^2) < 2 delta.
    decay, omega = check_positive(damping, "damping"), check_nonnegative(frequency, "frequency")
    return 2.0 * decay / (decay**2 + omega**2)


def euler_amplification(step: float, damping: float, frequency: float) -> float:
    """Factor sqrt{(1 - delta h)^2 + (omega h)^2} by which one Euler step scales the memory states.

    Examples
    --------
    >>> import math
    >>> round(euler_amplification(0.1, 0.2, 2 * math.pi), 3)
    1.164
    """
    size, decay = check_positive(step, "step"), check_positive(damping, "damping")
    return hypot(1.0 - decay * size, check_nonnegative(frequency, "frequency") * size)
