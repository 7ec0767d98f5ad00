"""What users should know about compiled kernels: each kind of line once per process, through the logger "ngrc"."""

import logging
from typing import Any

from numba.core import event

COMPILING = (
    "compiling numerical kernels for this machine, up to half a minute; they are kept for the next time"
)
DAMAGED = "compiling numerical kernels again: the kept copy {path} was damaged ({reason}) and is replaced"
HOMELESS = (
    "compiling numerical kernels, up to half a minute, on every run: there is no folder to keep them in "
    "({reason}); set NUMBA_CACHE_DIR to one that can be written"
)
UNSAVED = "compiled kernels could not be kept in {path} ({reason}); the next run compiles them again"

# Lines before their details are filled in, so that a hundred damaged files give one line and not a hundred.
_said: set[str] = set()


def say_once(line: str, level: int = logging.WARNING, **details: object) -> None:
    """Log a line with its details filled in, unless one of its kind has been logged."""
    if line not in _said:
        _said.add(line)
        logging.getLogger("ngrc").log(level, line.format(**details))


class FirstCompilation(event.Listener):  # type: ignore[misc]
    """Says that a kernel of this package is compiled, where no other line has said so."""

    def on_start(self, event: Any) -> None:
        """Numba sends this only after it has looked into the cache in vain."""
        if not _said and event.data["dispatcher"].py_func.__module__.startswith("ngrc."):
            say_once(COMPILING, logging.INFO)

    def on_end(self, event: Any) -> None:
        """Nothing is said at the end."""


event.register("numba:compile", FirstCompilation())
