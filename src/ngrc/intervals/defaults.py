"""Interval methods where the user gives a name, or nothing at all."""

from ngrc.intervals import make_method
from ngrc.intervals.base import IntervalMethod

USUAL = "auto"
"""The method where the user names none."""
PAPER = ("bayes", "split", "asymmetric", "rolling", "gaussian", "adaptive", "weighted", "rescp")
"""The paper's eight."""
COMPARED = (*PAPER, USUAL)
"""What a comparison runs where no methods are named."""


def default_methods(*, leverage: bool = True, seed: int = 0) -> dict[str, IntervalMethod]:
    """The methods of a comparison by name.

    `bayes` needs the readout's leverage and is left out for a forecaster without one.
    """
    return {name: resolve(name, seed=seed) for name in COMPARED if leverage or name != "bayes"}


def resolve(method: str | IntervalMethod, *, seed: int = 0) -> IntervalMethod:
    """A method as it is, or the one of a name with its default parameters.

    Parameters
    ----------
    method
        A name out of `METHODS` or a method.
    seed
        Seed of ResCP where it is given by name.

    Examples
    --------
    >>> resolve("rescp", seed=7).seed
    7
    """
    if isinstance(method, IntervalMethod):
        return method
    if not isinstance(method, str):
        raise ValueError(
            f"a method is a name such as 'adaptive' or an object such as Adaptive(), got {method!r}"
        )
    return make_method(method, seed=seed) if method == "rescp" else make_method(method)
