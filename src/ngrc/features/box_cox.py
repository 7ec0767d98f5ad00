"""The Box-Cox transform, and the power of largest likelihood.

G. E. P. Box and D. R. Cox (1964), doi:10.1111/j.2517-6161.1964.tb00553.x.
"""

from dataclasses import dataclass

import numpy as np

from ngrc._minimum import bounded_minimum
from ngrc._types import FloatArray
from ngrc.features.domain import check_domain
from ngrc.features.scaling import SERIES_TOLERANCE

LOWEST, HIGHEST = 0.0, 2.0
"""Range of the power that is looked for, from the logarithm to the square. Below zero the transformed values crowd
under the end of the range, 1 / |lambda|, from which one forecast too far leads to infinity; above two no series of
practice gains. Another power can be given."""
GRID = np.linspace(LOWEST, HIGHEST, 21)
"""Where the search starts, as the likelihood need not have one peak alone: the best of these and its neighbours on both
sides hold the power that is refined."""
NO_POWER = 1e-19
"""A power below this is the logarithm: what it adds, lambda log(x)^2 / 2, is below the rounding of every log(x)."""


@dataclass(frozen=True, slots=True)
class BoxCox:
    """(x^lambda - 1) / lambda, and log(x) at lambda = 0.

    With lambda above zero the range begins at -1 / lambda, the image of zero, and `inverse` gives zero below it. With
    lambda below zero it ends at -1 / lambda, and `inverse` gives infinity from there on.

    Examples
    --------
    >>> BoxCox(0.5).forward(np.array([0.0, 4.0])), BoxCox(0.5).inverse(np.array([-7.0, 2.0]))
    (array([-2.,  2.]), array([0., 4.]))
    """

    power: float

    @property
    def name(self) -> str:
        """With its lambda."""
        return f"boxcox({self.power:.4g})"

    def forward(self, values: FloatArray) -> FloatArray:
        """Transformed values; zero is one of the domain where lambda is above zero."""
        values = np.asarray(values, dtype=np.float64)
        closed = self.power >= NO_POWER
        check_domain(
            self.name,
            values,
            values < 0.0 if closed else values <= 0.0,
            expected="of at least 0" if closed else "above 0",
            advice="use 'root', or ('log', c) with a shift c that lifts every value above zero",
        )
        # The logarithm of zero is -inf, which a power above zero maps to the end of the range.
        with np.errstate(divide="ignore", over="ignore"):
            logs = np.log(values)
            result = logs if abs(self.power) < NO_POWER else np.expm1(self.power * logs) / self.power
        check_domain(
            self.name,
            values,
            np.isinf(result) & np.isfinite(values),
            expected="whose power does not overflow",
            advice="rescale the series, or use 'log'",
        )
        return result

    def inverse(self, values: FloatArray) -> FloatArray:
        """(lambda z + 1)^(1 / lambda), the end of the domain where lambda z + 1 is not above zero."""
        with np.errstate(divide="ignore", over="ignore"):
            if abs(self.power) < NO_POWER:
                return np.exp(values)
            # log1p(-1) is -inf, which divided by lambda and put into exp gives zero or infinity: the end itself.
            return np.exp(np.log1p(np.maximum(self.power * values, -1.0)) / self.power)


def likeliest_power(values: FloatArray) -> float:
    """The lambda in [0, 2] under which the values look most like a Gaussian sample.

    Parameters
    ----------
    values
        Observations of the fit block, shape (n,), all above zero.

    Examples
    --------
    >>> squares = np.random.default_rng(0).normal(10.0, 1.0, 5000) ** 2
    >>> round(likeliest_power(squares), 1)
    0.5
    """
    check_domain(
        "boxcox",
        values,
        values <= 0.0,
        expected="above 0 to choose its lambda",
        advice="use 'root', ('log', c) with a shift c, or give the lambda, as in ('boxcox', 0.5)",
    )
    logs = np.log(values)
    centred = logs - logs.mean()
    # Of the logarithms, whose own rounding can hide the spread of very large or very small values.
    if np.ptp(centred) <= SERIES_TOLERANCE * max(float(np.abs(logs).max()), 1.0):
        raise ValueError(
            f"transform 'boxcox' cannot choose a lambda for a constant series of {values[0]:g}; give one, as in "
            "('boxcox', 0.5), or use no transform"
        )
    losses = [spread(centred, power) for power in GRID]
    best = int(np.argmin(losses))
    low, high = float(GRID[max(best - 1, 0)]), float(GRID[min(best + 1, GRID.size - 1)])
    # Far below the standard error of lambda, so that the stopping rule is not seen in any forecast.
    power, loss = bounded_minimum(lambda power: spread(centred, power), low, high, 1e-9)
    # The search stops short of the ends of its bracket, which may be the ends of the range.
    return power if loss < losses[best] else float(GRID[best])


def spread(logs: FloatArray, power: float) -> float:
    """Twice the negative profile log-likelihood per value, up to a constant: log var((x / G)^lambda / lambda).

    `logs` are log(x / G) with the geometric mean G, whose powers need no Jacobian and hardly overflow.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        powers = logs if abs(power) < NO_POWER else np.expm1(power * logs) / power
        loss = float(np.log(np.var(powers)))
    # Values hundreds of orders of magnitude apart overflow at this power, which is then not theirs.
    return loss if np.isfinite(loss) else np.inf
