"""Updated Gaussian interval: the root mean square of the last M known residuals, times a normal factor."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ngrc._kernels.intervals import GAUSSIAN_LARGEST, gaussian_slide
from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.symmetric import SymmetricTracker
from ngrc.intervals.window import window_size
from ngrc.order.sums import MovingSum, moving_sums
from ngrc.validation import check_count

LARGEST = GAUSSIAN_LARGEST
"""A residual beyond it is refused: the sum of a window of its squares could overflow."""

# Squares of what is smaller lose their digits, and then vanish: a width of zero around forecasts that are not exact.
SMALLEST = 1e-151


@dataclass(frozen=True, slots=True)
class Gaussian(IntervalMethod):
    """Forecast plus and minus z tau_t, tau_t^2 the mean of the last M known squared residuals.

    Source: paper, appendix "Updated Gaussian and Rolling SCP Baselines".

    Parameters
    ----------
    window
        M, at most the residuals known when the first interval is issued. None: the newest 100 of them, or all where
        fewer are known.

    Examples
    --------
    >>> stream = Stream(np.array([3.0, 4.0, 0.0, 5.0]), start=2)
    >>> (Gaussian(window=2).run(stream, 0.95).upper / gaussian_radius(0.95)).round(4).tolist()
    [3.5355, 2.8284]
    """

    name: ClassVar[str] = "gaussian"
    guarantee: ClassVar[str] = (
        "Close to the level when residuals are Gaussian with mean zero, their scale hardly changes within the window "
        "and the window is long (z stands in for Student's t); no distribution-free guarantee."
    )

    window: int | None = None

    def __post_init__(self) -> None:
        if self.window is not None:
            check_count(self.window, "window")

    @property
    def selected(self) -> dict[str, int]:
        """The window, once it is fixed or chosen."""
        return {} if self.window is None else {"window": self.window}

    @property
    def validates(self) -> bool:
        """Nothing is scored: the window follows from the number of known residuals."""
        return False

    def tuned(self, history: History, level: float) -> "Gaussian":
        """The window that the history fills."""
        return Gaussian(window_size(self.window, history.residuals.size))

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block."""
        window = window_size(self.window, stream.known)
        squares = squared(stream.visible[stream.known - window :])
        # The first window is known to the first interval, each later one a step later. Where no interval is wanted the
        # window of the history is still summed, and cut off here.
        scale = np.sqrt(moving_sums(squares, window)[: stream.steps] / window)
        width = gaussian_radius(level) * scale
        return Offsets(-width, width)

    def begin(self, history: History, level: float) -> Tracker:
        """Running sum of squares over the window."""
        window = window_size(self.window, history.residuals.size)
        squares = squared(history.residuals[-window:])
        return GaussianTracker(MovingSum(squares), gaussian_radius(level))


@dataclass
class GaussianTracker(SymmetricTracker):
    """Sum of the last M squared residuals."""

    squares: MovingSum
    factor: float

    def __post_init__(self) -> None:
        self.width = self.factor * float(np.sqrt(self.squares.total / self.squares.size))

    def observe(self, residual: float, missed: bool | None) -> None:
        """The newest square replaces the oldest."""
        try:
            self.width = gaussian_slide(self.squares.state, residual, self.factor)
        except ValueError:
            raise too_large(residual) from None


def squared(residuals: FloatArray) -> FloatArray:
    """Squares, of which as many as a window holds can be added without overflow."""
    largest = float(np.max(np.abs(residuals), initial=0.0))
    # One that small may come alone, among larger ones that were seen before; all of them may not.
    if residuals.size > 1 and 0.0 < largest < SMALLEST:
        raise ValueError(f"residuals of {largest:g} at most are too small to be squared; rescale the series")
    if largest > LARGEST:
        raise too_large(largest)
    return residuals**2


def too_large(residual: float) -> ValueError:
    """What to say of a residual whose square is no number."""
    return ValueError(f"a residual of {abs(residual):g} is too large to be squared; rescale the series")
