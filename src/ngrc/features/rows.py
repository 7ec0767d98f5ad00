"""A range of target times of one series, read block by block so that no whole design is held."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ngrc._types import FloatArray
from ngrc.features.delays import delay_columns
from ngrc.features.map import FeatureMap
from ngrc.features.monomials import monomials

# Rows per block: at 700 columns 11 MB, so that memory stays small, and long enough for BLAS to run at full speed.
BLOCK = 2048


@dataclass(frozen=True, slots=True)
class Rows:
    """Design rows of the target times first..stop-1.

    Parameters
    ----------
    feature_map
        The columns.
    x
        Standardised series, shape (n,).
    horizon
        Steps from origin to target.
    first, stop
        Range of target times; `stop` may reach n + horizon where only the design is wanted.
    extras
        Their Fourier and memory columns, shape (stop - first, extra_count), computed once.
    """

    feature_map: FeatureMap
    x: FloatArray
    horizon: int
    first: int
    stop: int
    extras: FloatArray

    @classmethod
    def of(
        cls,
        feature_map: FeatureMap,
        x: FloatArray,
        horizon: int,
        first: int = 0,
        stop: int | None = None,
        offset: int = 0,
    ) -> "Rows":
        """Rows of every possible target in first..stop-1 (by default up to the last observation).

        `offset` is the time index of x[0], for the Fourier phase.
        """
        # Earlier targets have no full row of delays; every series begins with some, so that they are no error.
        first = max(first, feature_map.first_target(horizon))
        stop = max(first, x.size if stop is None else stop)
        extras = feature_map.extras(feature_map.memory(x), horizon, first, stop, offset)
        return cls(feature_map, x, horizon, first, stop, extras)

    @property
    def count(self) -> int:
        """Number of rows n."""
        return self.stop - self.first

    @property
    def target(self) -> FloatArray:
        """Outcomes, shape (count,)."""
        return self.x[self.first : self.stop]

    @property
    def delays(self) -> FloatArray:
        """Delay vectors, shape (count, lags)."""
        shape = self.feature_map
        return delay_columns(
            self.x, self.first - self.horizon, self.stop - self.horizon, shape.lags, shape.spacing
        )

    @property
    def design(self) -> FloatArray:
        """All columns but the intercept, shape (count, feature_map.count - 1)."""
        return monomials(self.delays, self.feature_map.degree, self.extras)

    def part(self, start: int, stop: int) -> "Rows":
        """Rows start..stop-1 of these."""
        return replace(self, first=self.first + start, stop=self.first + stop, extras=self.extras[start:stop])

    def blocks(self, size: int = BLOCK) -> Iterator["Rows"]:
        """These rows in consecutive parts of at most `size`."""
        for start in range(0, self.count, size):
            yield self.part(start, min(start + size, self.count))
