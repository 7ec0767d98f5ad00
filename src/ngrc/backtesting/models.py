"""The caller's model at another horizon."""

from ngrc.forecasters.base import Forecaster

CONTRACT = ("horizon", "first_target", "fit", "predict", "get_params")


def check_forecaster(model: object) -> None:
    """Refuse what lacks a part of the forecaster's contract, or is a class instead of an object."""
    if isinstance(model, type) or not all(hasattr(model, name) for name in CONTRACT):
        raise ValueError(
            f"model must be an unfitted forecaster such as NGRC(lags=8), got {model!r}; wrap a scikit-learn regressor "
            "in ngrc.forecasters.LagRegressor"
        )


def at_horizon(model: Forecaster, horizon: int) -> Forecaster:
    """An unfitted copy at another horizon: the caller's model is never changed.

    Examples
    --------
    >>> from ngrc import NGRC
    >>> at_horizon(NGRC(lags=3), 5)
    NGRC(lags=3, horizon=5)
    """
    return type(model)(**{**model.get_params(deep=False), "horizon": horizon})
