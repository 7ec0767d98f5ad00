"""The contract of a point forecaster: fitted once on a prefix, then a forecast for every target time."""

from typing import Any, Protocol, Self

from ngrc._types import FloatArray


class Forecaster(Protocol):
    """Anything that forecasts a scalar series `horizon` steps ahead.

    A forecast for time t is made from y[..t - horizon]. `NGRC` and every class of this package satisfy it; a
    class of your own needs no base class.
    """

    horizon: int

    @property
    def first_target(self) -> int:
        """Smallest time for which there is a forecast."""

    def fit(self, y: Any, *, first: int = 0, scale: tuple[float, float] | None = None) -> Self:
        """Learn from the rows whose targets lie in max(first, first_target)..len(y)-1.

        Parameters
        ----------
        y
            Observations up to and including the last fit target, shape (n,).
        first
            First fit target.
        scale
            (mean, std) that standardises the series, std above zero; that of `y` by default. `backtest` gives a
            `Scale`, which is such a pair with names.
        """

    def predict(self, y: Any) -> FloatArray:
        """Forecasts by target time in the units of `y`, shape (n,), NaN before `first_target`; no refit."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Constructor parameters by name."""
