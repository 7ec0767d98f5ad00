"""Forecasts by Next Generation Reservoir Computing, with prediction intervals that say what they guarantee."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ngrc.ahead import look_ahead as look_ahead
    from ngrc.archive import load as load
    from ngrc.archive import save as save
    from ngrc.automatic import AutoNGRC as AutoNGRC
    from ngrc.backtesting.entry import backtest as backtest
    from ngrc.diagnosis import diagnose as diagnose
    from ngrc.external import around as around
    from ngrc.live import OnlineForecaster as OnlineForecaster
    from ngrc.model import NGRC as NGRC
    from ngrc.online import Interval as Interval
    from ngrc.online import Online as Online
    from ngrc.report import make_report as make_report
    from ngrc.series import Series as Series
    from ngrc.series import as_series as as_series
    from ngrc.series import read_series as read_series
    from ngrc.splits import FixedOrigin as FixedOrigin
    from ngrc.splits import ShiftedWindows as ShiftedWindows
    from ngrc.splits import WalkForward as WalkForward

__version__ = "0.4.0"

# Loaded on first use, so that `import ngrc` costs next to nothing.
_PUBLIC = {
    "AutoNGRC": "ngrc.automatic",
    "FixedOrigin": "ngrc.splits",
    "Interval": "ngrc.online",
    "NGRC": "ngrc.model",
    "Online": "ngrc.online",
    "OnlineForecaster": "ngrc.live",
    "Series": "ngrc.series",
    "ShiftedWindows": "ngrc.splits",
    "WalkForward": "ngrc.splits",
    "around": "ngrc.external",
    "as_series": "ngrc.series",
    "backtest": "ngrc.backtesting.entry",
    "diagnose": "ngrc.diagnosis",
    "load": "ngrc.archive",
    "look_ahead": "ngrc.ahead",
    "make_report": "ngrc.report",
    "read_series": "ngrc.series",
    "save": "ngrc.archive",
}

__all__ = [
    "NGRC",
    "AutoNGRC",
    "FixedOrigin",
    "Interval",
    "Online",
    "OnlineForecaster",
    "Series",
    "ShiftedWindows",
    "WalkForward",
    "__version__",
    "around",
    "as_series",
    "backtest",
    "diagnose",
    "load",
    "look_ahead",
    "make_report",
    "read_series",
    "save",
]


# Rooms that are used by their own name, as `ngrc.panel.forecast`.
_ROOMS = ("panel", "plot")


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"ngrc.{name}")
    if name not in _PUBLIC:
        raise AttributeError(f"module 'ngrc' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC, *_ROOMS])
