"""Compiled kernels on disk, one checked file per kernel, signature and kind of processor.

Nothing here changes a result: whatever cannot be read, or belongs to other code, is compiled again and replaced,
and where nothing can be written the kernels live in memory. The folder is the first that can be written of
`NUMBA_CACHE_DIR`, `__pycache__` beside the source, and numba's folder in the user's home. The files hold pickles
and machine code, and a checksum proves no author: as with the package's source, whoever may write to that folder
may run code here. It should belong to the user, or to whoever installed the package.
"""

import os
import pickle
import re
import sys
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite  # type: ignore[import-untyped]
import numba
import numpy as np
from numba.core import caching
from numba.core.serialize import dumps

from ngrc._jit.code import code_digest
from ngrc._jit.notices import DAMAGED, HOMELESS, UNSAVED, say_once
from ngrc._jit.sealed import read_sealed, write_sealed

# Machine code calls into these, and may not outlive a change of any.
VERSIONS = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)


class HomeLocator(caching.UserWideCacheLocator):  # type: ignore[misc]
    """Numba's folder in the user's home, only where there is a home."""

    @classmethod
    def from_function(cls, py_func: FunctionType, py_file: str) -> Any:
        """Without a home numba would write to a folder named "~" in the current one, and read what lies there."""
        path = cls(py_func, py_file).get_cache_path()
        # An empty HOME is no home either: it makes "~/.cache" the "/.cache" of the whole machine.
        nobodys = tuple(map(os.path.expanduser, ("~/.cache", "~/Library")))
        if not os.path.isabs(path) or (os.environ.get("HOME") == "" and path.startswith(nobodys)):
            return None
        return super().from_function(py_func, py_file)


class Format(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Numba's way to take a compiled kernel apart and to put it together again, and the folders to choose from."""

    _locator_classes = (caching.UserProvidedCacheLocator, caching.InTreeCacheLocator, HomeLocator)


class KernelCache(caching._Cache):  # type: ignore[misc]
    """The kept copies of one kernel. Numba calls it under its compiler lock.

    The folder is looked for at the first call, not when the kernel is defined: importing the package
    touches no disk, and every kernel that this one calls is known by then.
    """

    def __init__(self, function: Any) -> None:
        self._function: FunctionType = function
        self._format: Any = None
        self._code = b""
        self._enabled = True

    @property
    def cache_path(self) -> str | None:
        """The folder, once there is one."""
        return None if self._format is None else str(self._format.locator.get_cache_path())

    def enable(self) -> None:
        """Use the disk."""
        self._enabled = True

    def disable(self) -> None:
        """Leave the disk alone."""
        self._enabled = False

    def flush(self) -> None:
        """Nothing is held back."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kept compilation of a signature, None where it has to be compiled."""
        # As numba's own cache does: the target registers its functions late, and a rebuilt kernel links against them.
        target_context.refresh()
        if not self._located():
            return None
        path, stamp = self._file(sig, target_context.codegen())
        try:
            payload = read_sealed(path, stamp)
            if payload is None:
                return None
            # Our own kernels out of the user's own folder, sealed: whoever can write there needs no pickle.
            return self._format.rebuild(target_context, pickle.loads(payload))  # nosec B301
        except Exception as error:  # Unpickling may raise anything, and any of it means: compile again.
            say_once(DAMAGED, path=path, reason=_reason(error))
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compilation where that is possible."""
        if not self._located() or not self._format.check_cachable(data):
            return
        path, stamp = self._file(sig, data.codegen)
        try:
            self._format.locator.ensure_cache_path()
            write_sealed(path, stamp, dumps(self._format.reduce(data)))
        except OSError as error:
            # Costs the next run time and nothing else; any other error is a defect, and shows.
            say_once(UNSAVED, path=path.parent, reason=_reason(error))

    def _located(self) -> bool:
        """Whether there is a folder to read from and write to."""
        if self._enabled and self._format is None:
            try:
                self._format = Format(self._function)
                self._code = code_digest(self._function)
            except (RuntimeError, OSError) as error:  # RuntimeError is numba's for "no locator available".
                self._enabled = False
                say_once(HOMELESS, reason=_reason(error))
        return self._enabled

    def _file(self, sig: Any, codegen: Any) -> tuple[Path, bytes]:
        """Where a compilation is kept, and the stamp of all that it was made from.

        Code is in the stamp and not in the name, so that an edited kernel replaces its predecessor.
        """
        # The magic tuple names the processor and its features: code for another one may not even run here.
        key = repr((sig, codegen.magic_tuple())).encode()
        kernel = re.sub(r"[^\w.]", "", f"{self._function.__module__}.{self._function.__qualname__}")
        name = f"{kernel}.{sys.implementation.cache_tag}.{sha256(key).hexdigest()[:16]}.nbc"
        # Sixteen digits keep signatures apart in a file's name; the stamp inside holds the whole key and decides.
        stamp = sha256(repr((VERSIONS, key, self._code)).encode()).digest()
        return Path(self._format.locator.get_cache_path()) / name, stamp


def _reason(error: Exception) -> str:
    """An error's text without a path that the line names already."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
