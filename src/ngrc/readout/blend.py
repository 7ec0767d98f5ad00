"""A weighted mean of ridge readouts on subsets of one map's columns: again one readout."""

from dataclasses import dataclass, field

import numpy as np

from ngrc._types import FloatArray, IntArray
from ngrc.readout.fitted import Readout


@dataclass(frozen=True, slots=True)
class Part:
    """One member: its weight, the columns of the map that it reads, shape (q,), and its readout on them."""

    weight: float
    places: IntArray = field(repr=False)
    readout: Readout


@dataclass(frozen=True, slots=True)
class Blend:
    """A combination of readouts, with the face of `Readout`.

    Its weights are the weighted means of its members', zero where a member does not read a column. So is its effective
    dimension exactly, the trace of a mean of linear smoothers. Its leverage, the weighted mean of its members', is an
    upper bound of the variance factor of the mean, as a square is convex.

    Parameters
    ----------
    parts
        The members, the heaviest first; weights sum to one.
    columns
        Number of columns of the map.
    fit_scale
        Root mean square of the fit residuals of the combination.
    """

    parts: tuple[Part, ...]
    columns: int
    fit_scale: float

    @property
    def lead(self) -> Readout:
        """The readout with the largest weight, which stands for the others where one must."""
        return self.parts[0].readout

    @property
    def penalty(self) -> float:
        """Penalty of the leading member."""
        return self.lead.penalty

    @property
    def intercept_penalty(self) -> float:
        """Zero: the combination has an intercept, be it zero."""
        return 0.0

    @property
    def count(self) -> int:
        """Number of fit rows n."""
        return self.lead.count

    @property
    def intercept(self) -> float:
        """Intercept that goes with `coefficients`."""
        return sum(part.weight * part.readout.intercept for part in self.parts)

    @property
    def coefficients(self) -> FloatArray:
        """Weights of the map's raw columns, shape (columns,)."""
        weights = np.zeros(self.columns)
        for part in self.parts:
            # Added one member at a time: within a member no place comes twice.
            weights[part.places] += part.weight * part.readout.coefficients
        return weights

    @property
    def d_eff(self) -> float:
        """Effective dimension."""
        return sum(part.weight * part.readout.d_eff for part in self.parts)

    def predict(self, design: FloatArray) -> FloatArray:
        """Forecasts of explicit raw design rows, shape (m, columns) to (m,)."""
        return self.intercept + design @ self.coefficients

    def leverage(self, design: FloatArray) -> FloatArray:
        """Weighted mean of the members' leverages, shape (m, columns) to (m,)."""
        total = np.zeros(len(design))
        for part in self.parts:
            total += part.weight * part.readout.leverage(design[:, part.places])
        return total
