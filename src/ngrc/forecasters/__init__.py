"""Point forecasters under the contract of `NGRC`: naive, any regressor on lags, ARIMA, and two networks."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ngrc.forecasters.arima import ARIMA as ARIMA
    from ngrc.forecasters.base import Forecaster as Forecaster
    from ngrc.forecasters.cache import KeptForecasts as KeptForecasts
    from ngrc.forecasters.cache import cached_predict as cached_predict
    from ngrc.forecasters.facts import Described as Described
    from ngrc.forecasters.facts import Leveraged as Leveraged
    from ngrc.forecasters.facts import Linked as Linked
    from ngrc.forecasters.facts import ModelFacts as ModelFacts
    from ngrc.forecasters.facts import NoiseEstimator as NoiseEstimator
    from ngrc.forecasters.naive import SeasonalNaive as SeasonalNaive
    from ngrc.forecasters.neural.gru import GRU as GRU
    from ngrc.forecasters.neural.training import Training as Training
    from ngrc.forecasters.neural.transformer import Transformer as Transformer
    from ngrc.forecasters.regression import LagRegressor as LagRegressor

_PUBLIC = {
    "ARIMA": "arima",
    "Described": "facts",
    "Forecaster": "base",
    "GRU": "neural.gru",
    "KeptForecasts": "cache",
    "LagRegressor": "regression",
    "Leveraged": "facts",
    "Linked": "facts",
    "ModelFacts": "facts",
    "NoiseEstimator": "facts",
    "SeasonalNaive": "naive",
    "Training": "neural.training",
    "Transformer": "neural.transformer",
    "cached_predict": "cache",
}

__all__ = [
    "ARIMA",
    "GRU",
    "Described",
    "Forecaster",
    "KeptForecasts",
    "LagRegressor",
    "Leveraged",
    "Linked",
    "ModelFacts",
    "SeasonalNaive",
    "Training",
    "Transformer",
    "cached_predict",
]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'ngrc.forecasters' has no attribute {name!r}")
    return getattr(import_module(f"ngrc.forecasters.{_PUBLIC[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
