"""The two functions of the standard normal law that every width and coverage needs."""

from math import erf, sqrt

from scipy import special

from ngrc.validation import check_level


def gaussian_radius(level: float) -> float:
    """z_{1 - alpha/2}: half-width, in standard deviations, of the central interval of the given level."""
    return float(-special.ndtri((1.0 - check_level(level)) / 2.0))


def gaussian_coverage(radius: float) -> float:
    """2 Phi(radius) - 1."""
    return erf(radius / sqrt(2.0))
