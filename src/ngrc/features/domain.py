"""Values that lie where they must not: one line that counts them and shows one."""

import numpy as np

from ngrc._types import BoolArray, FloatArray


def check_domain(what: str, values: FloatArray, outside: BoolArray, *, expected: str, advice: str) -> None:
    """Refuse `values` where any is marked `outside`; NaN is never marked, as every comparison with it fails.

    Examples
    --------
    >>> check_domain("log", np.array([1.0, -2.0]), np.array([False, True]), expected="above 0", advice="use 'root'")
    Traceback (most recent call last):
    ValueError: transform 'log' needs values above 0, got 1 of 2 that is not, the first -2 at position 1; use 'root'
    """
    marked = np.flatnonzero(outside)
    if not marked.size:
        return
    first, size = int(marked[0]), np.size(values)
    verb = "is" if marked.size == 1 else "are"
    raise ValueError(
        f"transform {what!r} needs values {expected}, got {marked.size} of {size} that {verb} not, the first "
        f"{np.ravel(values)[first]:g} at position {first}; {advice}"
    )
