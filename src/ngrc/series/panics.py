"""Readers in compiled code that panic on damaged bytes: an exception like any other, and nothing printed."""

import os
import tempfile
import threading
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")

_STANDARD_ERROR = 2
# Two threads that redirect one stream would put back each other's.
_ONE_AT_A_TIME = threading.Lock()


class PanicError(Exception):
    """A library gave up in the middle of its work."""


def unpanicked(read: Callable[..., Result], *arguments: Any, **options: Any) -> Result:
    """What `read` returns; a panic is a `PanicError`, and the trace that Rust prints of it goes nowhere."""
    with _ONE_AT_A_TIME, tempfile.TemporaryFile() as heard:
        own = _redirected(heard.fileno())
        panicked = False
        try:
            return read(*arguments, **options)
        # Not an Exception: libraries in Rust mean to pass every handler with it.
        except BaseException as error:
            panicked = type(error).__name__ == "PanicException"
            if panicked:
                raise PanicError(str(error)) from None
            raise
        finally:
            if own is not None:
                _put_back(own, heard.fileno(), quiet=panicked)


def _redirected(target: int) -> int | None:
    """Standard error as it was, now going to `target`; None where there is none."""
    try:
        own = os.dup(_STANDARD_ERROR)
    except OSError:
        return None
    os.dup2(target, _STANDARD_ERROR)
    return own


def _put_back(own: int, heard: int, *, quiet: bool) -> None:
    os.dup2(own, _STANDARD_ERROR)
    os.close(own)
    said = b"" if quiet else os.pread(heard, 1 << 20, 0)
    if said:
        os.write(_STANDARD_ERROR, said)
