"""Interval methods where the user gives a name, or nothing at all."""

from ngrc.intervals import METHODS, make_method
from ngrc.intervals.base import IntervalMethod

RECENT = 100
"""Residuals that `rolling` and `gaussian` look back on (paper, Experiment 4)."""


def default_methods(history: int, *, leverage: bool = True, seed: int = 0) -> dict[str, IntervalMethod]:
    """All methods by name; a look-back never exceeds the `history` residuals that are known.

    `bayes` needs the readout's leverage and is left out for a forecaster without one.
    """
    return {name: named_method(name, history, seed=seed) for name in METHODS if leverage or name != "bayes"}


def named_method(name: str, history: int, *, seed: int = 0) -> IntervalMethod:
    """One method by name with its default parameters."""
    if name in ("rolling", "gaussian"):
        return make_method(name, window=min(RECENT, history))
    return make_method(name, seed=seed) if name == "rescp" else make_method(name)
