"""Compilation of a method's kernels before anything is timed."""

from contextlib import suppress
from dataclasses import replace

import numpy as np

from ngrc.intervals.base import IntervalMethod, Stream
from ngrc.intervals.context import Context

LENGTH, START = 130, 120
"""Length of the rehearsal's stream and its first interval: enough residuals for every default grid to be tuned, and so
few that a compiled method takes microseconds."""
LEVEL = 0.9
"""A usual level: a rehearsal's own window is long enough for it to have a finite quantile."""
OTHER = 0.5
"""A second level, for methods that serve several at once."""

# Per process, as compiled kernels are.
_REHEARSED: set[str] = set()


def rehearse(method: IntervalMethod) -> None:
    """Load or compile the kernels of a method once per process, on a stream that costs nothing."""
    twin = method.rehearsal()
    # Parameters can decide which kernels run (ResCP's sampler), so that the class alone does not name them.
    key = f"{type(twin).__module__}.{twin!r}"
    if key in _REHEARSED:
        return
    _REHEARSED.add(key)
    # A sine has no ties among its values and no constant stretch, which some methods treat apart.
    small = np.sin(np.arange(float(LENGTH)))
    # What a method has against so small a stream it will say of the real one, if it applies there.
    with suppress(ValueError):
        stream = Stream(small, START, 1, np.zeros(LENGTH), 1.0)
        twin.run(stream, LEVEL)
        if set(twin.sees) - {"residuals"}:
            # A sine of another length: forecasts that tell something, and a clock.
            stream = replace(stream, context=Context(np.cos(np.arange(LENGTH) / 4), (24.0,)))
            twin.run(stream, LEVEL)
        if twin.joint:
            twin.run_levels(stream, (LEVEL, OTHER))
