"""Delay vectors z_t = (x[t], x[t-s], ..., x[t-(k-1)s])."""

import numpy as np

from ngrc._types import FloatArray


def delay_columns(x: FloatArray, first: int, stop: int, lags: int, spacing: int = 1) -> FloatArray:
    """Delay vectors of the origins first..stop-1 as rows.

    Parameters
    ----------
    x
        Series, shape (n,).
    first, stop
        Range of origins; `first` must be at least (lags - 1) * spacing and `stop` at most n.
    lags, spacing
        Delay length k and lag spacing s.

    Returns
    -------
    FloatArray
        Shape (stop - first, lags); column i holds x[t - i * spacing].

    Examples
    --------
    >>> delay_columns(np.arange(6.0), 2, 4, lags=2, spacing=2)
    array([[2., 0.],
           [3., 1.]])
    """
    reach = (lags - 1) * spacing
    # No rows need no history: a block that is empty may lie where no row is possible.
    if first == stop:
        return np.empty((0, lags))
    if not reach <= first <= stop <= x.size:
        raise ValueError(
            f"origins must lie between {reach} and {x.size}, got {first} to {stop}; give more observations"
        )
    windows = np.lib.stride_tricks.sliding_window_view(x[first - reach : stop], reach + 1)
    # Newest first, then every s-th; contiguous, as products read these columns many times.
    return np.ascontiguousarray(windows[:, ::-1][:, ::spacing])


def delay_names(lags: int, spacing: int = 1) -> tuple[str, ...]:
    """Names of the delay columns, with t the forecast's origin.

    Examples
    --------
    >>> delay_names(3, spacing=2)
    ('x[t]', 'x[t-2]', 'x[t-4]')
    """
    return tuple("x[t]" if lag == 0 else f"x[t-{lag * spacing}]" for lag in range(lags))
