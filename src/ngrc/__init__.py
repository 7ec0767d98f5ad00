"""Forecasts by Next Generation Reservoir Computing, with prediction intervals that say what they guarantee."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ngrc.model import NGRC as NGRC

__version__ = "0.1.0"

_PUBLIC = {
    "NGRC": "ngrc.model",
}

__all__ = ["NGRC", "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'ngrc' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
