"""One typed doorway to numba: compiled once, kept on disk where that is possible, no Python objects."""

from ngrc._jit.direct import Direct, check_state, direct
from ngrc._jit.kernels import jit
from ngrc._jit.notices import COMPILING

__all__ = ["COMPILING", "Direct", "check_state", "direct", "jit"]
