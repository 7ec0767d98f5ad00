"""States at the forecast origins, on the unit sphere."""

import numpy as np

from ngrc._kernels.rescp import states_normalise
from ngrc._types import FloatArray
from ngrc.intervals.rescp.reservoir import Reservoir

# Raw states held at a time: 4 MB at 512 units, long enough that a call's overhead is nothing.
CHUNK = 1024


def origin_units(reservoir: Reservoir, inputs: FloatArray, horizon: int) -> tuple[FloatArray, FloatArray]:
    """Unit states at the origins of positions 0 .. n + H - 1, and the state after the last input.

    The forecast for position j is made when the inputs up to j - H are known, so row j is the state after
    those; the first H rows are the empty reservoir, which is similar to nothing (all zeros).

    Parameters
    ----------
    inputs
        Standardised residuals, shape (n,), n at least 1.
    horizon
        H.

    Returns
    -------
    Rows of shape (n + H, size), and a state of shape (size,).
    """
    rows = np.zeros((inputs.size + horizon, reservoir.size))
    state = np.zeros(reservoir.size)
    # In chunks, so that raw states never take a second array as large as `rows`.
    for start in range(0, inputs.size, CHUNK):
        states = reservoir.states(inputs[start : start + CHUNK], state)
        states_normalise(states, rows[horizon + start : horizon + start + len(states)])
        state = states[-1]
    return rows, state.copy()
