"""The link between a series' own units and those in which its residuals are comparable.

A model of the logarithm errs by factors, not by amounts: its residuals are e = g(y) - g(forecast), an interval method's
offsets are in the same units, and an interval's ends are g^-1(g(forecast) + offset), within the series' bounds. As g
increases, an outcome lies between the ends where its residual lies between the offsets, and nowhere else, but for an
interval wholly beyond a bound: it is cut to the bound itself and holds an outcome there.
"""

from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.bounds import Bounds
from ngrc.features.transforms import Identity, Transform

LARGEST = float(np.finfo(np.float64).max)


@dataclass(frozen=True, slots=True)
class Link:
    """A transform and bounds; without either, residuals and ends are the plain differences and sums.

    Parameters
    ----------
    transform
        The increasing map g.
    bounds
        What neither a forecast nor an end may cross.

    Examples
    --------
    >>> from ngrc.features.transforms import Log
    >>> link = Link(Log(), Bounds(upper=30.0))
    >>> link.residuals(np.array([20.0]), np.array([10.0])).round(4), round(float(np.log(2.0)), 4)
    (array([0.6931]), 0.6931)
    >>> link.ends(np.array([10.0, 20.0]), -np.log(2.0), np.log(2.0))
    (array([ 5., 10.]), array([20., 30.]))
    """

    transform: Transform = Identity()  # noqa: RUF009 (frozen, and without any state)
    bounds: Bounds = Bounds()  # noqa: RUF009 (frozen)

    @property
    def linear(self) -> bool:
        """Whether residuals are in the series' own units: there is no transform."""
        return isinstance(self.transform, Identity)

    @property
    def identity(self) -> bool:
        """Whether there is neither transform nor bound, so that ends are forecast plus offset."""
        return self.linear and not self.bounds.given

    @property
    def remark(self) -> str:
        """What a reader of residual scales must know; empty where they are in the series' own units."""
        if self.linear:
            return ""
        return (
            f"the model works on the {self.transform.name} of the series: residual scales are in those units, widths, "
            "Winkler scores and RMSE in the series' own"
        )

    def forward(self, values: FloatArray) -> FloatArray:
        """Link units; a value outside the transform's domain is an error."""
        return self.transform.forward(values)

    def inverse(self, values: FloatArray) -> FloatArray:
        """The series' own units, within the bounds; infinite where a value overflows and no bound stops it."""
        return self.bounds.clip(self.transform.inverse(values))

    def forecasts(self, values: FloatArray) -> FloatArray:
        """Forecasts in the series' own units from those in link units; NaN where there is none.

        Where those are means these are medians, as an increasing map keeps a median and no mean. A forecast without
        bound is no forecast and an error, where the end of an interval may be infinite.
        """
        return self.finite(self.inverse(values))

    def finite(self, levels: FloatArray) -> FloatArray:
        """Forecasts in the series' own units, none of which may be infinite."""
        infinite = np.isinf(levels)
        if infinite.any():
            endless = np.flatnonzero(infinite)
            after = "" if self.linear else f" after the inverse of {self.transform.name}"
            raise ValueError(
                f"{endless.size} of {levels.size} forecasts are infinite{after}, "
                f"the first at position {endless[0]}; give the series' bounds (lower=, upper=), clip the inputs "
                "(clip=), or use another transform"
            )
        return levels

    def residuals(self, outcomes: FloatArray, forecasts: FloatArray) -> FloatArray:
        """g(outcomes) - g(forecasts), NaN where there is no forecast; outcomes must keep to the bounds."""
        if self.identity:
            return outcomes - forecasts
        self.bounds.check(outcomes, "the series")
        return self.forward(outcomes) - self.forward(forecasts)

    def moved(self, forecasts: FloatArray | float, offsets: FloatArray | float) -> FloatArray:
        """g^-1(g(forecasts) + offsets) within the bounds; the forecast itself where the offset is zero.

        An infinite offset leads to the bound, to the end of the transform's domain, or to infinity.
        """
        if self.linear:
            return self.bounds.clip(np.asarray(forecasts + offsets))
        centre = np.asarray(forecasts, dtype=np.float64)
        values = self.transform.inverse(self.forward(centre) + offsets)
        # The way there and back rounds, which must not carry an end across the forecast.
        values = np.where(np.less_equal(offsets, 0.0), np.minimum(values, centre), values)
        values = np.where(np.greater_equal(offsets, 0.0), np.maximum(values, centre), values)
        return self.bounds.clip(values)

    def ends(
        self, forecasts: FloatArray | float, lower: FloatArray | float, upper: FloatArray | float
    ) -> tuple[FloatArray, FloatArray]:
        """Lower and upper ends in the series' own units from offsets in link units.

        Forecasts and offsets are arrays or numbers that broadcast.
        """
        below, above = self.moved(forecasts, lower), self.moved(forecasts, upper)
        if self.linear:
            return below, above
        # Where both ends leave the floating-point numbers on one side, the inner one stays at the last of them: the
        # width is then infinite, and not the NaN of inf - inf.
        return np.minimum(below, LARGEST), np.maximum(above, -LARGEST)


IDENTITY = Link()
"""The link of every forecaster that tells none."""
