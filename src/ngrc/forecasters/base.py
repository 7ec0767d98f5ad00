"""The contract of a point forecaster: fitted once on a prefix, then a forecast for every target time."""

from typing import Any, Protocol, Self, TypeVar

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


Model = TypeVar("Model", bound=Forecaster)
# Looked for by name, as a class of the user's own needs no base class.
CONTRACT = ("horizon", "first_target", "fit", "predict", "get_params")


def check_forecaster(model: object) -> None:
    """Refuse what lacks a part of the forecaster's contract, or is a class instead of an object."""
    if isinstance(model, type) or not all(hasattr(model, name) for name in CONTRACT):
        raise ValueError(
            f"model must be an unfitted forecaster such as NGRC(lags=8), got {model!r}; wrap a scikit-learn regressor "
            "in ngrc.forecasters.LagRegressor"
        )


def at_horizon(model: Model, horizon: int) -> Model:
    """An unfitted copy at another horizon: the caller's model is never changed.

    Examples
    --------
    >>> from ngrc import NGRC
    >>> at_horizon(NGRC(lags=3), 5)
    NGRC(lags=3, horizon=5)
    """
    return type(model)(**{**model.get_params(deep=False), "horizon": horizon})
