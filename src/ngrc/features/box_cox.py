"""The Box-Cox transform, and the power of largest likelihood.

G. E. P. Box and D. R. Cox (1964), doi:10.1111/j.2517-6161.1964.tb00553.x.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

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
MOST_STEPS = 500
"""Of the search for a minimum; some fifteen are usual."""
EPS = float(np.finfo(np.float64).eps)
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
    bracket = GRID[max(best - 1, 0)], GRID[min(best + 1, GRID.size - 1)]
    # Far below the standard error of lambda, so that the stopping rule is not seen in any forecast.
    power, loss = bounded_minimum(lambda power: spread(centred, power), *map(float, bracket), 1e-9)
    # The search stops short of the ends of its bracket, which may be the ends of the range.
    return power if loss < losses[best] else float(GRID[best])


def bounded_minimum(
    function: Callable[[float], float], low: float, high: float, tolerance: float
) -> tuple[float, float]:
    """A local minimum between `low` and `high`, and its value: parabolas, and golden sections where they do not help.

    R. P. Brent (1973), "Algorithms for Minimization without Derivatives", chapter 5.

    Examples
    --------
    >>> place, value = bounded_minimum(lambda x: (x - 1.0) ** 2, 0.0, 3.0, 1e-9)
    >>> round(place, 6), round(value, 9)
    (1.0, 0.0)
    """
    golden, least = 0.5 * (3.0 - sqrt(5.0)), sqrt(EPS)
    # The best place so far, the next best, and the one before it.
    best = second = third = low + golden * (high - low)
    best_value = second_value = third_value = function(best)
    move = before = 0.0
    for _ in range(MOST_STEPS):
        middle, near = 0.5 * (low + high), least * abs(best) + tolerance / 3.0
        if abs(best - middle) <= 2.0 * near - 0.5 * (high - low):
            break
        parabola = None
        if abs(before) > near:
            # The parabola through the three: its lowest point is `top / bottom` from the best.
            r = (best - second) * (best_value - third_value)
            q = (best - third) * (best_value - second_value)
            top, bottom = (best - third) * q - (best - second) * r, 2.0 * (q - r)
            top, bottom = (-top, bottom) if bottom > 0.0 else (top, -bottom)
            last, before = before, move
            if abs(top) < abs(0.5 * bottom * last) and bottom * (low - best) < top < bottom * (high - best):
                parabola = top / bottom
        if parabola is None:
            before = (low if best >= middle else high) - best
            move = golden * before
        else:
            move = parabola
            if best + move - low < 2.0 * near or high - best - move < 2.0 * near:
                move = near if middle >= best else -near
        # No two places may be so near that their values differ by rounding alone.
        place = best + (max(abs(move), near) if move >= 0.0 else -max(abs(move), near))
        value = function(place)
        if value <= best_value:
            low, high = (best, high) if place >= best else (low, best)
            third, third_value, second, second_value = second, second_value, best, best_value
            best, best_value = place, value
            continue
        low, high = (place, high) if place < best else (low, place)
        if value <= second_value or second == best:
            third, third_value, second, second_value = second, second_value, place, value
        elif value <= third_value or third in (best, second):
            third, third_value = place, value
    return best, best_value


def spread(logs: FloatArray, power: float) -> float:
    """Twice the negative profile log-likelihood per value, up to a constant: log var((x / G)^lambda / lambda).

    `logs` are log(x / G) with the geometric mean G, whose powers need no Jacobian and hardly overflow.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        powers = logs if abs(power) < NO_POWER else np.expm1(power * logs) / power
        loss = float(np.log(np.var(powers)))
    # Values hundreds of orders of magnitude apart overflow at this power, which is then not theirs.
    return loss if np.isfinite(loss) else np.inf
