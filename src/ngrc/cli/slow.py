"""Methods whose time grows with the square of the series: left out of the usual ones where it is long, and named."""

from ngrc.intervals.defaults import COMPARED

SLOW = {"rescp": 100_000}
"""Observations beyond which a method is not among the usual ones. ResCP's time there is minutes of one core, reckoned
from 50,000 residuals, whose tuning took 37 s; at a million it is hours."""


def quick_methods(observations: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The usual methods for so many observations, and those of them that are left out.

    Examples
    --------
    >>> quick_methods(1000)[1], quick_methods(1_000_000)[1]
    ((), ('rescp',))
    """
    left_out = tuple(name for name, most in SLOW.items() if observations > most)
    return tuple(name for name in COMPARED if name not in left_out), left_out


def slow_remark(name: str, observations: int) -> str:
    """Why a method is missing, and how to ask for it."""
    return (
        f"{name} was left out, as its time grows with the square of {observations:,} observations; ask for it with "
        f"--method {name} (or --method {','.join(COMPARED)})"
    )
