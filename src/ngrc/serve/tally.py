"""Counts of what happened since the service started; plain numbers, which `metrics` tells to Prometheus."""

from collections import Counter
from dataclasses import dataclass, field

COMMIT_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Upper ends of the histogram's buckets: from an idle disk to one that hangs."""


@dataclass(slots=True)
class Durations:
    """A histogram: `counts` has one place more than there are ends, for what is longer than all."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(COMMIT_SECONDS) + 1))
    total: float = 0.0

    def add(self, seconds: float) -> None:
        """Count one more."""
        place = next((place for place, end in enumerate(COMMIT_SECONDS) if seconds <= end), -1)
        self.counts[place] += 1
        self.total += seconds


@dataclass(slots=True)
class Tally:
    """Written by the worker (errors also by the application), read by anybody: a number may be a moment old."""

    observations: Counter[str] = field(default_factory=Counter)
    repeated: Counter[str] = field(default_factory=Counter)
    missing: Counter[str] = field(default_factory=Counter)
    late: Counter[str] = field(default_factory=Counter)
    forecasts: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    commits: Durations = field(default_factory=Durations)
