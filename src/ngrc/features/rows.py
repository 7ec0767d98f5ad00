"""A range of target times of one series, read block by block so that no whole design is held."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ngrc._types import FloatArray
from ngrc.features.inputs import Inputs
from ngrc.features.map import FeatureMap
from ngrc.features.target import LEVEL, Goal

# Rows per block: at 700 columns 11 MB, so that memory stays small, and long enough for BLAS to run at full speed.
BLOCK = 2048
# Thin columns up to this many numbers, 64 MB, are computed once and held, where no structure asks for all of them.
HELD = 2**23


@dataclass(frozen=True, slots=True)
class Rows:
    """Design rows of the target times first..stop-1.

    Parameters
    ----------
    feature_map
        The columns.
    inputs
        What they are made from.
    series
        The standardised series that is forecast, not clipped, shape (n,).
    horizon
        Steps from origin to target.
    first, stop
        Range of target times; `stop` may reach n + horizon where only the design is wanted.
    goal
        What the readout is fitted to.
    held
        Their thin columns, shape (stop - first, extra_count), where they are computed once.
    """

    feature_map: FeatureMap
    inputs: Inputs
    series: FloatArray
    horizon: int
    first: int
    stop: int
    goal: Goal = LEVEL
    held: FloatArray | None = None

    @classmethod
    def of(
        cls,
        feature_map: FeatureMap,
        inputs: Inputs,
        series: FloatArray,
        horizon: int,
        first: int = 0,
        stop: int | None = None,
        goal: Goal = LEVEL,
    ) -> "Rows":
        """Rows of every possible target in first..stop-1 (by default up to the last observation)."""
        # Earlier targets have no full row of delays; every series begins with some, so that they are no error.
        first = max(first, max(feature_map.reach(horizon), goal.reach(horizon)) + horizon)
        stop = max(first, series.size if stop is None else stop)
        rows = cls(feature_map, inputs, series, horizon, first, stop, goal)
        return rows.kept()

    def kept(self) -> "Rows":
        """The same with their thin columns computed once, where structure asks for all of them or they are few."""
        few = self.count * self.feature_map.extra_count(self.horizon) <= HELD
        return replace(self, held=self.extras) if few or self.feature_map.core is not None else self

    @property
    def count(self) -> int:
        """Number of rows n."""
        return self.stop - self.first

    @property
    def base(self) -> FloatArray | None:
        """What the target is measured from, shape (count,); None where it is the level itself."""
        return self.goal.base(self.series, self.horizon, self.first, self.stop)

    @property
    def target(self) -> FloatArray:
        """What the readout is fitted to, shape (count,)."""
        level, base = self.series[self.first : self.stop], self.base
        return level if base is None else level - base

    @property
    def delays(self) -> FloatArray:
        """Delay vectors of the core, shape (count, lags)."""
        core = self.feature_map.core
        if core is None:
            raise ValueError("this map has no core of consecutive delays; read its design")
        return core.delays(self.inputs, self.first - self.horizon, self.stop - self.horizon)

    @property
    def extras(self) -> FloatArray:
        """Thin columns, shape (count, extra_count)."""
        if self.held is not None:
            return self.held
        return self.feature_map.extras(self.inputs, self.horizon, self.first, self.stop)

    @property
    def design(self) -> FloatArray:
        """All columns but the intercept, shape (count, feature_map.count - 1)."""
        core = self.feature_map.core
        return self.extras if core is None else core.columns(self.delays, self.extras)

    def part(self, start: int, stop: int) -> "Rows":
        """Rows start..stop-1 of these."""
        held = None if self.held is None else self.held[start:stop]
        first, last = self.first + start, self.first + stop
        # Not by `replace`, which looks at every field: blocks are cut by the hundred.
        return Rows(self.feature_map, self.inputs, self.series, self.horizon, first, last, self.goal, held)

    def blocks(self, size: int = BLOCK) -> Iterator["Rows"]:
        """These rows in consecutive parts of at most `size`."""
        count = self.count
        if 0 < count <= size:
            yield self
            return
        for start in range(0, count, size):
            yield self.part(start, min(start + size, count))
