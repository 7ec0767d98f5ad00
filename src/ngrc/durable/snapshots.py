"""When a snapshot is worth its bytes: by the replay that it saves against what it costs to write."""

from dataclasses import dataclass

LEAST = 256
"""Observations from one snapshot to the next, at least: replaying so many takes some hundredths of a second."""
ROW_BYTES = 256
"""Bytes that an observation writes, about, with forecasts and outcome of one step and level. Snapshots that come after
as many bytes of rows as they have themselves at most double what is written, however large a state grows."""
PATIENCE = 2.0
"""Seconds of replay after which a snapshot is written even where few rows have come, as after refits."""
SHARE = 10.0
"""How many times longer than its own writing a replay must have become."""


@dataclass(slots=True)
class SnapshotClock:
    """What happened since the newest snapshot.

    Examples
    --------
    >>> clock = SnapshotClock()
    >>> clock.due
    True
    >>> clock.taken(size=512_000, seconds=0.004)
    >>> clock.passed(seconds=0.1, rows=1999)
    >>> clock.due
    False
    >>> clock.passed(seconds=0.1)
    >>> clock.due
    True
    """

    size: int = 0
    cost: float = 0.0
    rows: int = 0
    seconds: float = 0.0
    first: bool = True

    @property
    def due(self) -> bool:
        """Whether the next commit should hold a snapshot."""
        if self.first or (self.seconds > PATIENCE and self.seconds > SHARE * self.cost):
            return True
        return self.rows >= max(LEAST, self.size // ROW_BYTES)

    def passed(self, seconds: float, rows: int = 1) -> None:
        """Observations were taken in, or replayed."""
        self.rows += rows
        self.seconds += seconds

    def taken(self, size: int, seconds: float) -> None:
        """A snapshot of `size` bytes was made in some seconds."""
        self.size, self.cost, self.rows, self.seconds, self.first = size, seconds, 0, 0.0, False
