"""Monotone transforms of a series: fitted values that map a level forward and back."""

from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.box_cox import BoxCox, likeliest_power
from ngrc.features.domain import check_domain

TransformName = Literal["log", "root", "boxcox", "asinh"]
Specification = TransformName | tuple[Literal["log", "boxcox", "asinh"], float] | None
"""A name, a name with its number (shift of the logarithm, lambda of Box-Cox, scale of asinh), or None for none."""


class Transform(Protocol):
    """A strictly increasing map of a series' values, settled by the fit block.

    `forward` refuses a value outside the domain in one line; NaN, which stands for a forecast that does not exist,
    stays NaN. `inverse` is defined for every number: beyond the range of `forward` it gives the end of the domain,
    zero or infinity, and it gives NaN for NaN alone.
    """

    @property
    def name(self) -> str:
        """What it is, with its number, for reports."""

    def forward(self, values: FloatArray) -> FloatArray:
        """Transformed values, any shape."""

    def inverse(self, values: FloatArray) -> FloatArray:
        """Values in the series' own units, any shape; infinite where they overflow."""


@dataclass(frozen=True, slots=True)
class Identity:
    """No transform: values come back as the very same numbers."""

    name: ClassVar[str] = "none"

    def forward(self, values: FloatArray) -> FloatArray:
        """The values themselves."""
        return values

    def inverse(self, values: FloatArray) -> FloatArray:
        """The values themselves."""
        return values


@dataclass(frozen=True, slots=True)
class Log:
    """log(x + shift); a shift of 1 takes counts with zeros.

    Examples
    --------
    >>> Log(1.0).forward(np.array([0.0, 99.0])).round(3), Log(1.0).inverse(np.array([0.0, -np.inf, np.inf]))
    (array([0.   , 4.605]), array([ 0., -1., inf]))
    """

    shift: float = 0.0

    @property
    def name(self) -> str:
        """With the shift where there is one."""
        sign = "-" if self.shift < 0.0 else "+"
        return f"log(x {sign} {abs(self.shift):g})" if self.shift else "log"

    def forward(self, values: FloatArray) -> FloatArray:
        """log(values + shift)."""
        lifted = np.asarray(values, dtype=np.float64) + self.shift
        check_domain(
            self.name,
            values,
            lifted <= 0.0,
            expected=f"above {0.0 - self.shift:g}",
            advice="use 'root', or ('log', c) with a shift c that lifts every value above zero",
        )
        return np.log(lifted)

    def inverse(self, values: FloatArray) -> FloatArray:
        """exp(values) - shift, infinite beyond 709."""
        with np.errstate(over="ignore"):
            return np.exp(values) - self.shift


@dataclass(frozen=True, slots=True)
class Root:
    """Signed square root, sign(x) sqrt(|x|): evens out large values and takes zeros and negative ones.

    Examples
    --------
    >>> Root().forward(np.array([-4.0, 0.0, 9.0])), Root().inverse(np.array([-2.0, 0.0, 3.0]))
    (array([-2.,  0.,  3.]), array([-4.,  0.,  9.]))
    """

    name: ClassVar[str] = "root"

    def forward(self, values: FloatArray) -> FloatArray:
        """Signed roots, sign(x) sqrt(|x|)."""
        return np.sign(values) * np.sqrt(np.abs(values))

    def inverse(self, values: FloatArray) -> FloatArray:
        """Signed squares, z |z|."""
        with np.errstate(over="ignore"):
            return np.asarray(values * np.abs(values))


@dataclass(frozen=True, slots=True)
class Arcsinh:
    """asinh(x / scale): the logarithm for values far above the scale, a line around zero, and defined everywhere.

    Examples
    --------
    >>> Arcsinh(0.1).forward(np.array([-1.0, 0.0, 100.0])).round(3), (np.log(2.0 * 100.0 / 0.1)).round(3)
    (array([-2.998,  0.   ,  7.601]), np.float64(7.601))
    """

    scale: float = 1.0

    @property
    def name(self) -> str:
        """With the scale."""
        return f"asinh(x / {self.scale:g})"

    def forward(self, values: FloatArray) -> FloatArray:
        """asinh(values / scale)."""
        return np.arcsinh(np.asarray(values, dtype=np.float64) / self.scale)

    def inverse(self, values: FloatArray) -> FloatArray:
        """Scale sinh(values), infinite beyond 710."""
        with np.errstate(over="ignore"):
            return np.asarray(self.scale * np.sinh(values))


def smallest_size(values: FloatArray) -> float:
    """A tenth of the smallest size among values other than zero: above it asinh is the logarithm to half a percent.

    Examples
    --------
    >>> smallest_size(np.array([0.0, -2.0, 50.0])), smallest_size(np.zeros(3))
    (0.2, 1.0)
    """
    sizes = np.abs(values[values != 0.0])
    return float(sizes.min()) / 10.0 if sizes.size else 1.0


def fit_transform_of(spec: Specification, values: FloatArray) -> Transform:
    """The transform that `spec` asks for, fitted to the values of the fit block alone.

    Parameters
    ----------
    spec
        None, "log", "root", "boxcox" (lambda of largest likelihood) or "asinh" (scale a tenth of the smallest value);
        ("log", shift), ("boxcox", lambda) or ("asinh", scale) fix the number.
    values
        Observations of the fit block, shape (n,), finite.

    Examples
    --------
    >>> fit_transform_of(("boxcox", 0.5), np.array([1.0, 4.0])).forward(np.array([9.0]))
    array([4.])
    >>> fit_transform_of("log", np.array([1.0, 0.0]))
    Traceback (most recent call last):
    ValueError: transform 'log' needs values above 0, got 1 of 2 that is not, the first 0 at position 1; use 'root', ...
    """
    name, number = _parts(spec)
    transform: Transform
    if name is None:
        return Identity()
    if name == "root":
        transform = Root()
    elif name == "log":
        transform = Log(0.0 if number is None else number)
    elif name == "asinh":
        transform = Arcsinh(smallest_size(values) if number is None else number)
    else:
        transform = BoxCox(likeliest_power(values) if number is None else number)
    # Refused here, in the words of the transform, and not first at the features.
    transform.forward(values)
    return transform


def _parts(spec: Any) -> tuple[str | None, float | None]:
    """Name and number of a specification."""
    if spec is None:
        return None, None
    # A pair only, so that "bo" is no pair of names.
    name, number = spec if isinstance(spec, tuple | list) and len(spec) == 2 else (spec, None)
    if name not in ("log", "root", "boxcox", "asinh"):
        raise ValueError(
            "transform must be None, 'log', 'root', 'boxcox' or 'asinh', or a pair such as ('boxcox', 0.3), got "
            f"{spec!r}"
        )
    if number is None:
        return name, None
    if name == "root":
        raise ValueError(f"transform 'root' takes no number, got {spec!r}; give 'root' alone")
    what = {"log": "shift", "boxcox": "lambda", "asinh": "scale"}[name]
    if isinstance(number, bool) or not isinstance(number, Real) or not np.isfinite(float(number)):
        raise ValueError(f"the {what} of transform {name!r} must be a finite number, got {number!r}")
    if name == "asinh" and not float(number) > 0.0:
        raise ValueError(f"the scale of transform 'asinh' must be above zero, got {number!r}")
    return name, float(number)
