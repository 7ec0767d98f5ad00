"""A tracker whose intervals reach as far below the forecast as above it."""

from abc import abstractmethod

from ngrc.intervals.base import Tracker


class SymmetricTracker(Tracker):
    """`observe` leaves the half-width of the next interval in `width`, and `issue` has nothing to compute.

    Not a field of the state that is kept: it follows from the rest, and is found anew after loading.
    """

    width: float

    def issue(self, leverage: float = 0.0, forecast: float = 0.0) -> tuple[float, float]:
        """Offsets at the half-width that what is known asks for."""
        width = self.width
        return -width, width

    @abstractmethod
    def observe(self, residual: float, missed: bool | None) -> None:
        """Take in a residual, and settle the next half-width."""

    def step(
        self, residual: float, missed: bool | None, leverage: float = 0.0, forecast: float = 0.0
    ) -> tuple[float, float]:
        """Both at once."""
        self.observe(residual, missed)
        width = self.width
        return -width, width
