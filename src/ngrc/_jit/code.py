"""What a kernel's machine code is made from: its own code, that of the kernels it calls, and their constants."""

from collections.abc import Iterator
from hashlib import sha256
from types import CodeType, FunctionType, ModuleType

import numpy as np
from numba.core.dispatcher import Dispatcher

# Values that numba compiles in as constants; the `repr` of each tells any two of them apart.
PLAIN = (bool, int, float, complex, str, bytes, tuple, type(None), np.generic)
# Modules whose content a version in `cache.VERSIONS` settles.
VERSIONED = ("numpy", "math")


def code_digest(function: FunctionType) -> bytes:
    """Hash over `function` and everything that numba would freeze into its machine code.

    The code in memory is hashed, not its file: a file may have changed since it was imported.
    """
    digest = sha256()
    # A call graph may have cycles and diamonds: each kernel is hashed once, in an order that the code alone decides.
    reached, waiting = {function}, [function]
    while waiting:
        kernel = waiting.pop()
        parts = (kernel.__module__, kernel.__qualname__, _described(kernel.__code__), kernel.__defaults__)
        digest.update(repr(parts).encode())
        for name, value in named_globals(kernel):
            if not isinstance(value, Dispatcher):
                digest.update(f"{name}={_frozen(value)};".encode())
            elif value.py_func not in reached:
                reached.add(value.py_func)
                waiting.append(value.py_func)
    return digest.digest()


def named_globals(kernel: FunctionType) -> Iterator[tuple[str, object]]:
    """Globals that the code may name, those of modules included (`bits.fill`); more of them do no harm."""
    names = sorted(set(_names(kernel.__code__)))
    for name in names:
        value = kernel.__globals__.get(name)
        yield name, value
        # NumPy and the standard library change with their version only, which is part of every stamp.
        if isinstance(value, ModuleType) and value.__name__.partition(".")[0] not in VERSIONED:
            yield from ((f"{name}.{inner}", getattr(value, inner, None)) for inner in names)


def _described(code: CodeType) -> tuple[object, ...]:
    """The parts of a code object that decide what it does; `marshal` would add some that vary by process."""
    constants = tuple(_described(part) if isinstance(part, CodeType) else part for part in code.co_consts)
    return (code.co_code, constants, code.co_names, code.co_varnames, code.co_argcount, code.co_flags)


def _names(code: CodeType) -> Iterator[str]:
    """Names that the code, or a function inside it, may look up."""
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _names(part)


def _frozen(value: object) -> str:
    """A global's value where numba would compile it in, and the name of anything else."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, PLAIN):
        return repr(value)
    named = getattr(value, "__name__", type(value).__qualname__)
    return f"{getattr(value, '__module__', None)}.{named}"
