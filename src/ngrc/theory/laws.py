"""Residual laws with closed forms for |e|, and a sample in the same role.

Each law is scaled by its root mean square, so that `rms=1` gives the unit-variance laws of Experiment 1.
"""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from math import asinh, ceil, erf, exp, expm1, isfinite, log, log1p, sinh, sqrt
from typing import TypeAlias

import numpy as np

from ngrc._kernels.distributions import student_quantiles, student_upper_tail
from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.theory._check import check_nonnegative
from ngrc.validation import check_level, check_positive, check_vector


class ResidualLaw(ABC):
    """The law of a projection error e, as the fixed-dimensional comparison needs it."""

    rms: float

    @abstractmethod
    def absolute_quantile(self, level: float) -> float:
        """The `level` quantile of |e|."""

    @abstractmethod
    def absolute_cdf(self, value: float) -> float:
        """P(|e| <= value) for value >= 0."""

    @abstractmethod
    def sample(self, size: int | tuple[int, ...], *, rng: np.random.Generator) -> FloatArray:
        """Independent draws of e."""


@dataclass(frozen=True, slots=True)
class Gaussian(ResidualLaw):
    """N(0, rms^2)."""

    rms: float = 1.0

    def __post_init__(self) -> None:
        check_positive(self.rms, "rms")

    def absolute_quantile(self, level: float) -> float:
        """The normal radius z times rms."""
        return self.rms * gaussian_radius(level)

    def absolute_cdf(self, value: float) -> float:
        """erf(value / (rms sqrt 2))."""
        return erf(check_nonnegative(value, "value") / self.rms / sqrt(2.0))

    def sample(self, size: int | tuple[int, ...], *, rng: np.random.Generator) -> FloatArray:
        """Normal draws."""
        return self.rms * rng.standard_normal(size)


@dataclass(frozen=True, slots=True)
class Laplace(ResidualLaw):
    """Laplace with scale rms / sqrt 2: |e| is exponential."""

    rms: float = 1.0

    def __post_init__(self) -> None:
        check_positive(self.rms, "rms")

    def absolute_quantile(self, level: float) -> float:
        """-scale log(1 - level)."""
        return -self.rms / sqrt(2.0) * log1p(-check_level(level))

    def absolute_cdf(self, value: float) -> float:
        """1 - exp(-value / scale)."""
        return -expm1(-check_nonnegative(value, "value") * sqrt(2.0) / self.rms)

    def sample(self, size: int | tuple[int, ...], *, rng: np.random.Generator) -> FloatArray:
        """Laplace draws."""
        return rng.laplace(scale=self.rms / sqrt(2.0), size=size)


@dataclass(frozen=True, slots=True)
class StudentT(ResidualLaw):
    """rms sqrt((df - 2)/df) T_df, df > 2: Student's t scaled to a given root mean square."""

    df: float
    rms: float = 1.0

    def __post_init__(self) -> None:
        check_positive(self.rms, "rms")
        if not (isfinite(self.df) and self.df > 2):
            raise ValueError(
                f"df must be above 2 for a finite variance, got {self.df}; use Gaussian for infinity"
            )

    @property
    def _scale(self) -> float:
        return self.rms * sqrt((self.df - 2.0) / self.df)

    def absolute_quantile(self, level: float) -> float:
        """Upper quantile of T at (1 + level)/2, from the lower tail."""
        # By symmetry from below: 1 - level is exact, while 1 + level rounds, and the more the smaller the tail.
        return -self._scale * float(
            student_quantiles(np.array([self.df]), (1.0 - check_level(level)) / 2.0)[0]
        )

    def absolute_cdf(self, value: float) -> float:
        """2 F_T(value / scale) - 1."""
        return 1.0 - 2.0 * student_upper_tail(self.df, check_nonnegative(value, "value") / self._scale)

    def sample(self, size: int | tuple[int, ...], *, rng: np.random.Generator) -> FloatArray:
        """Scaled t draws."""
        return self._scale * rng.standard_t(self.df, size=size)


@dataclass(frozen=True, slots=True)
class CentredExponential(ResidualLaw):
    """rms (E - 1) with E standard exponential: skew, bounded below by -rms."""

    rms: float = 1.0

    def __post_init__(self) -> None:
        check_positive(self.rms, "rms")

    def absolute_quantile(self, level: float) -> float:
        """Both tails count up to |e| = rms, where the cdf is 1 - e^-2; beyond, the upper tail alone."""
        share = check_level(level)
        # P(|E - 1| <= u) = exp(u - 1) - exp(-u - 1) = 2 sinh(u) / e while u <= 1, and 1 - exp(-1 - u) beyond.
        if share <= -expm1(-2.0):
            return self.rms * asinh(share * exp(1.0) / 2.0)
        return self.rms * (-1.0 - log(1.0 - share))

    def absolute_cdf(self, value: float) -> float:
        """2 sinh(u)/e for u = value/rms < 1, else 1 - exp(-1 - u)."""
        u = check_nonnegative(value, "value") / self.rms
        return 2.0 * sinh(u) / exp(1.0) if u < 1.0 else -expm1(-1.0 - u)

    def sample(self, size: int | tuple[int, ...], *, rng: np.random.Generator) -> FloatArray:
        """Centred exponential draws."""
        return self.rms * (rng.standard_exponential(size) - 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Empirical(ResidualLaw):
    """The law that puts mass 1/m on each of m observed residuals."""

    residuals: FloatArray
    rms: float = field(init=False)

    def __post_init__(self) -> None:
        residuals = check_vector(self.residuals, "residuals")
        if not residuals.any():
            raise ValueError("residuals must hold at least one value other than zero")
        object.__setattr__(self, "residuals", residuals)
        # About zero, not about the mean: a bias widens the interval too.
        object.__setattr__(self, "rms", float(np.linalg.norm(residuals) / sqrt(residuals.size)))

    def absolute_quantile(self, level: float) -> float:
        """Smallest |e| at which the empirical cdf reaches the level."""
        # The product must not step to the next rank by its own rounding (0.55 * 100 = 55.000...01).
        rank = ceil(check_level(level) * self.residuals.size * (1.0 - 1e-12))
        return float(np.partition(np.abs(self.residuals), rank - 1)[rank - 1])

    def absolute_cdf(self, value: float) -> float:
        """Share of |e| at or below the value."""
        return float(np.mean(np.abs(self.residuals) <= check_nonnegative(value, "value")))

    def sample(self, size: int | tuple[int, ...], *, rng: np.random.Generator) -> FloatArray:
        """Draws with replacement."""
        return rng.choice(self.residuals, size=size)


# Experiment 1's laws; Student's, the fourth, is named with its degrees of freedom.
_NAMED: dict[str, ResidualLaw] = {
    "gaussian": Gaussian(),
    "laplace": Laplace(),
    "exponential": CentredExponential(),
}

LawLike: TypeAlias = ResidualLaw | str | FloatArray


def residual_law(source: LawLike) -> ResidualLaw:
    """Return a law from itself, a sample or a name.

    Names: "gaussian", "laplace", "exponential", and "t" followed by the degrees of freedom ("t5"); unit rms.

    Examples
    --------
    >>> residual_law("t5")
    StudentT(df=5.0, rms=1.0)
    """
    if isinstance(source, ResidualLaw):
        return source
    if not isinstance(source, str):
        return Empirical(source)
    name = source.strip().lower()
    if name in _NAMED:
        return _NAMED[name]
    if re.fullmatch(r"t\d+(\.\d+)?", name) and float(name[1:]) > 2:
        return StudentT(float(name[1:]))
    raise ValueError(
        f"unknown residual law {source!r}; use 'gaussian', 'laplace', 'exponential', 't5' (any degrees of "
        "freedom above 2), a law object or a sample"
    )
