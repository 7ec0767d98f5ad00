"""Interval methods: residuals in, offsets around any forecast out. One method per file, one contract.

Loaded on first use: a module of this package imports no method but its own.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ngrc.intervals.registry import *  # noqa: F403


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    registry = import_module(f"{__name__}.registry")
    if name != "__all__" and name not in registry.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(registry, name)


def __dir__() -> list[str]:
    return list(import_module(f"{__name__}.registry").__all__)
