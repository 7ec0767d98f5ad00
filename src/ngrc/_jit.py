"""One typed doorway to numba: compiled once, cached on disk, no Python objects."""

import logging
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numba
from numba.core import event

P = ParamSpec("P")
R = TypeVar("R")

COMPILING = (
    "compiling numerical kernels for this machine, up to half a minute; they are kept for the next time"
)


def jit(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` in nopython mode with an on-disk cache."""
    compiled: Callable[P, R] = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    return compiled


class FirstCompilation(event.Listener):  # type: ignore[misc]
    """Logs once when a kernel of this package is not in the cache: silent unless the logger "ngrc" is heard."""

    def __init__(self) -> None:
        self.told = False

    def on_start(self, event: Any) -> None:
        """Numba sends this only after it has looked into the cache in vain."""
        if not self.told and event.data["dispatcher"].py_func.__module__.startswith("ngrc."):
            self.told = True
            logging.getLogger("ngrc").info(COMPILING)

    def on_end(self, event: Any) -> None:
        """Nothing is said at the end."""


event.register("numba:compile", FirstCompilation())
