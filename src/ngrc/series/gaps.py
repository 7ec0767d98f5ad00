"""Missing values: carried forward from the past only, so that nothing known later leaks back."""

import numpy as np

from ngrc._types import FloatArray


def carry_forward(values: FloatArray) -> tuple[FloatArray, int, int]:
    """Fill each NaN with the last earlier number and drop the NaNs before the first number.

    Parameters
    ----------
    values
        Shape (n,), NaN where missing.

    Returns
    -------
    values, filled, dropped
        The filled series of shape (n - dropped,), how many were filled, how many dropped.

    Examples
    --------
    >>> carry_forward(np.array([np.nan, 1.0, np.nan, 2.0]))
    (array([1., 1., 2.]), 1, 1)
    """
    # Paper, appendix "Chronological Splits and Leakage Controls": past values only, and a leading gap is dropped.
    known = ~np.isnan(values)
    if not known.any():
        raise ValueError(f"all {values.size} values are missing; at least one number is needed")
    if known.all():
        return values.copy(), 0, 0
    dropped = int(np.argmax(known))
    known, rest = known[dropped:], values[dropped:]
    # Position of the last known value up to each position; the first of `rest` is known, so that 0 is a valid start.
    last = np.maximum.accumulate(np.where(known, np.arange(rest.size), 0))
    return rest[last], int(rest.size - known.sum()), dropped
