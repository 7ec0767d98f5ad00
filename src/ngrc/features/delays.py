"""Delay vectors z_t = (x[t], x[t-s], ..., x[t-(k-1)s]), and any other set of lags."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.inputs import SERIES, Inputs
from ngrc.validation import check_count


@dataclass(frozen=True, slots=True)
class Delays:
    """Past values of one channel; lag 1 is the newest, at the origin itself.

    Parameters
    ----------
    lags
        How many consecutive lags, or which ones, each at least 1.
    spacing
        Steps s between lags: lag l reads x[t - (l-1)s].
    channel
        Whose values.

    Examples
    --------
    >>> Delays((1, 2, 24)).names(1)
    ('x[t]', 'x[t-1]', 'x[t-23]')
    >>> Delays(3, spacing=2, channel="wind").names(1)
    ('wind[t]', 'wind[t-2]', 'wind[t-4]')
    """

    lags: int | Sequence[int]
    spacing: int = 1
    channel: str = SERIES

    moving = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "lags", check_lags(self.lags))
        object.__setattr__(self, "spacing", check_count(self.spacing, "spacing"))

    @property
    def steps(self) -> tuple[int, ...]:
        """How many steps before the origin each column reads."""
        if isinstance(self.lags, int):
            return tuple(range(0, self.lags * self.spacing, self.spacing))
        return tuple((lag - 1) * self.spacing for lag in self.lags)

    @property
    def size(self) -> int:
        """Number of columns k."""
        return self.lags if isinstance(self.lags, int) else len(self.lags)

    def first(self, count: int) -> "Delays":
        """The first `count` of these delays, as a group of their own."""
        if count > self.size:
            raise ValueError(
                f"the first {count} delays are asked for and there are {self.size}; use more lags"
            )
        lags = count if isinstance(self.lags, int) else tuple(self.lags)[:count]
        return Delays(lags, self.spacing, self.channel)

    def names(self, horizon: int) -> tuple[str, ...]:
        """Column names, with t the forecast's origin."""
        return tuple(delay_name(self.channel, step) for step in self.steps)

    def count(self, horizon: int) -> int:
        """Number of columns."""
        return self.size

    def reach(self, horizon: int) -> int:
        """How far behind the origin the oldest delay lies."""
        return ((self.lags if isinstance(self.lags, int) else max(self.lags)) - 1) * self.spacing

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """Delays at the origins of the targets first..stop-1."""
        x = inputs.channel(self.channel)
        if isinstance(self.lags, int):
            return delay_columns(x, first - horizon, stop - horizon, self.lags, self.spacing)
        return step_columns(x, first - horizon, stop - horizon, self.steps)


def check_lags(lags: int | Sequence[int]) -> int | tuple[int, ...]:
    """A count of consecutive lags, or distinct lags from 1 on; consecutive ones become their count.

    Examples
    --------
    >>> check_lags((1, 2, 3)), check_lags((1, 24))
    (3, (1, 24))
    """
    if not isinstance(lags, Sequence | np.ndarray):
        return check_count(lags, "lags")
    checked = tuple(check_count(lag, "each of the lags (1 is the newest observation)") for lag in lags)
    if not checked:
        raise ValueError("lags must name at least one lag, got none; write lags=1 for the newest observation")
    if len(set(checked)) < len(checked):
        raise ValueError(f"lags must all differ, got {checked}; name each once")
    return len(checked) if checked == tuple(range(1, len(checked) + 1)) else checked


def step_columns(x: FloatArray, first: int, stop: int, steps: Sequence[int]) -> FloatArray:
    """Values x[t - step] of the origins first..stop-1, one column per step.

    Examples
    --------
    >>> step_columns(np.arange(6.0), 3, 5, (0, 3))
    array([[3., 0.],
           [4., 1.]])
    """
    columns = np.empty((stop - first, len(steps)), order="F")
    if first == stop:
        return columns
    if not max(steps, default=0) <= first <= stop <= x.size:
        raise ValueError(
            f"origins must lie between {max(steps, default=0)} and {x.size}, got {first} to {stop}; give more "
            "observations"
        )
    for position, step in enumerate(steps):
        columns[:, position] = x[first - step : stop - step]
    return columns


def delay_name(channel: str, step: int) -> str:
    """Name of a value `step` steps before the origin t."""
    return f"{channel}[t]" if step == 0 else f"{channel}[t-{step}]"


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
    # A view with a row per origin, newest first, then every s-th: numpy's own sliding windows take longer to set up
    # than a few hundred rows to copy. Contiguous, as products read these columns many times.
    values = np.ascontiguousarray(x[first - reach : stop], dtype=np.float64)
    item = values.itemsize
    view = np.ndarray((stop - first, lags), values.dtype, values, reach * item, (item, -spacing * item))
    return view.copy()
