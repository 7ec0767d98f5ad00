"""Interval methods where the user gives a name, or nothing at all."""

from ngrc.intervals import make_method
from ngrc.intervals.base import IntervalMethod

RECENT = 100
"""Residuals that `rolling` and `gaussian` look back on where no window is given: as many as in Experiment 4."""


USUAL = "auto"
"""The method where the user names none."""
PAPER = ("bayes", "split", "asymmetric", "rolling", "gaussian", "adaptive", "weighted", "rescp")
"""The paper's eight."""
COMPARED = (*PAPER, USUAL)
"""What a comparison runs where no methods are named."""


def default_methods(known: int, *, leverage: bool = True, seed: int = 0) -> dict[str, IntervalMethod]:
    """The methods of a comparison by name; a look-back never exceeds the `known` residuals.

    `bayes` needs the readout's leverage and is left out for a forecaster without one.
    """
    return {name: resolve(name, known, seed=seed) for name in COMPARED if leverage or name != "bayes"}


def resolve(method: str | IntervalMethod, known: int, *, seed: int = 0) -> IntervalMethod:
    """A method as it is, or the one of a name with its default parameters.

    Parameters
    ----------
    method
        A name out of `METHODS` or a method.
    known
        Residuals known when the first interval is issued; a named method looks back on no more.
    seed
        Seed of ResCP where it is given by name.

    Examples
    --------
    >>> resolve("rolling", 40)
    Rolling(window=40)
    """
    if isinstance(method, IntervalMethod):
        return method
    if not isinstance(method, str):
        raise ValueError(
            f"a method is a name such as 'adaptive' or an object such as Adaptive(), got {method!r}"
        )
    if method in ("rolling", "gaussian"):
        return make_method(method, window=min(RECENT, known))
    return make_method(method, seed=seed) if method == "rescp" else make_method(method)
