"""Libraries that only some forecasters and columns need, loaded when they are first used."""

from importlib import import_module
from typing import Any


def load(module: str, extra: str | None, purpose: str) -> Any:
    """Import an optional library, or say in one line how to install it.

    `extra` names the group of ours that brings it; None where the library itself is to be installed.

    Examples
    --------
    >>> load("no_such_library", "neural", "GRU")
    Traceback (most recent call last):
    ...
    ImportError: GRU needs no_such_library, which is not installed; run: pip install "ngrc[neural]"
    """
    try:
        return import_module(module)
    # Not ImportError: a library that is installed and broken must say so itself.
    except ModuleNotFoundError:
        library = module.partition(".")[0]
        wanted = library if extra is None else f'"ngrc[{extra}]"'
        raise ImportError(
            f"{purpose} needs {library}, which is not installed; run: pip install {wanted}"
        ) from None
