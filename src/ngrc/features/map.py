"""The feature map: which columns a row holds, their names and their values."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.delays import delay_columns, delay_names
from ngrc.features.fourier import fourier_columns, fourier_names
from ngrc.features.memory import memory_columns, memory_names
from ngrc.features.monomials import monomial_count, monomial_indices, monomial_name, monomials
from ngrc.validation import check_count, check_positive


# Without slots, as `cached_property` keeps its value in the instance's dictionary.
@dataclass(frozen=True)
class FeatureMap:
    """Intercept, delays and their products, Fourier terms of the target time, memories of the past.

    r_t = (1, z_t, {z_i z_j : i <= j}, ...): equation "ngrc_features" of the paper at degree 2.

    Parameters
    ----------
    lags, spacing
        Delay length k and spacing s: a row at origin t reads x[t], x[t-s], ..., x[t-(k-1)s].
    degree
        Highest degree of the products; 1 is linear.
    periods, harmonics
        Fourier periods in observations, at least 2, and how many harmonics of each.
    half_lives
        Half-lives of the exponentially weighted means; linear columns, not multiplied out.

    Examples
    --------
    >>> FeatureMap(lags=2, spacing=3).names
    ('1', 'x[t]', 'x[t-3]', 'x[t]^2', 'x[t]*x[t-3]', 'x[t-3]^2')
    >>> FeatureMap(lags=36, periods=(144, 1008)).count
    711
    """

    lags: int
    spacing: int = 1
    degree: int = 2
    periods: Sequence[float] = ()
    harmonics: int = 2
    half_lives: Sequence[float] = ()

    def __post_init__(self) -> None:
        for name in ("lags", "spacing", "degree", "harmonics"):
            object.__setattr__(self, name, check_count(getattr(self, name), name))
        for name in ("periods", "half_lives"):
            object.__setattr__(self, name, _check_distinct(getattr(self, name), name))
        # Sampled once per step, a shorter wave takes exactly the values of a longer one.
        if any(period < 2.0 for period in self.periods):
            raise ValueError(
                f"a period must be at least 2 steps, got {min(self.periods):g}; give it in observations, not in hours "
                "or days"
            )

    @property
    def reach(self) -> int:
        """How far behind the origin the oldest delay lies, (k-1)s."""
        return (self.lags - 1) * self.spacing

    def first_target(self, horizon: int) -> int:
        """First time that can be forecast, (k-1)s + H."""
        return self.reach + horizon

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Column names with the intercept "1" first; t is the origin, t' the target time."""
        delays = delay_names(self.lags, self.spacing)
        products = tuple(monomial_name(index, delays) for index in monomial_indices(self.lags, self.degree))
        seasons = fourier_names(self.periods, self.harmonics)
        return ("1", *products, *seasons, *memory_names(self.half_lives))

    @property
    def extra_count(self) -> int:
        """Number of Fourier and memory columns."""
        return 2 * self.harmonics * len(self.periods) + len(self.half_lives)

    @property
    def count(self) -> int:
        """Number of columns p, the intercept included."""
        return 1 + monomial_count(self.lags, self.degree) + self.extra_count

    def memory(self, x: FloatArray) -> FloatArray:
        """Weighted means of the past at every origin of `x`, shape (len(x), len(half_lives))."""
        return memory_columns(x, self.half_lives)

    def extras(self, memory: FloatArray, horizon: int, first: int, stop: int, offset: int = 0) -> FloatArray:
        """Fourier and memory columns of the targets first..stop-1, shape (stop - first, extra_count)."""
        # Seasons at the target's time, which is known in advance; memories at the origin, H steps before it.
        seasons = fourier_columns(first + offset, stop + offset, self.periods, self.harmonics)
        return np.hstack((seasons, memory[first - horizon : stop - horizon]))

    def design(
        self, x: FloatArray, horizon: int, first: int | None = None, stop: int | None = None, offset: int = 0
    ) -> FloatArray:
        """Design columns without the intercept, one row per target time.

        Parameters
        ----------
        x
            Standardised series, shape (n,).
        horizon
            Steps H from origin to target.
        first, stop
            Range of target times, by default all that have both a row and an outcome:
            first_target(horizon)..n-1. Up to n + horizon can be asked for.
        offset
            Time index of x[0], for the Fourier phase.

        Returns
        -------
        FloatArray
            Shape (stop - first, count - 1).
        """
        first = self.first_target(horizon) if first is None else first
        stop = max(first, x.size) if stop is None else stop
        delays = delay_columns(x, first - horizon, stop - horizon, self.lags, self.spacing)
        return monomials(delays, self.degree, self.extras(self.memory(x), horizon, first, stop, offset))


def _check_distinct(values: Sequence[float], name: str) -> tuple[float, ...]:
    """Return finite positive values that name different columns."""
    if not isinstance(values, Iterable):
        raise ValueError(f"{name} must be a sequence of numbers, got {values!r}; write ({values!r},)")
    checked = tuple(check_positive(value, f"each value of {name}") for value in values)
    if len(set(checked)) < len(checked):
        raise ValueError(f"{name} must all differ, got {checked}")
    return checked
