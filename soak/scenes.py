"""What is streamed: options of the command, and observations as a sender writes them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from math import sin
from random import Random


@dataclass(frozen=True)
class Scene:
    """One kind of stream.

    Parameters
    ----------
    name
        For the table.
    options
        Of the command, beside the state.
    counted
        Whether lines are JSON with a `seq`; else CSV with a time.
    missing, late
        Shares of outcomes that are missing, and of those the share that comes late.
    """

    name: str
    options: tuple[str, ...]
    counted: bool = False
    missing: float = 0.0
    late: float = 0.0

    def lines(self, seed: int) -> Iterator[str]:
        """Lines without end, the same for the same seed; each is one observation that can be told from all others."""
        random = Random(seed)
        overdue: list[int] = []
        numbers = count(1)
        for place in count():
            value = round(20 * sin(place / 5) + random.gauss(0, 1 + (place % 500) / 250), 6)
            # The gathered history is whole: a scene is about what comes after.
            gone = place > 150 and random.random() < self.missing
            if gone and random.random() < self.late:
                overdue.append(place)
            # A missing outcome is either written as one, or its time is passed over.
            if not gone or self.counted or random.random() < 0.5:
                yield self._line(next(numbers), place, None if gone else value)
            if overdue and not gone and random.random() < 0.3:
                first = overdue.pop(0)
                yield self._line(next(numbers), first, round(20 * sin(first / 5), 6))

    def _line(self, number: int, place: int, value: float | None) -> str:
        if self.counted:
            return json.dumps({"seq": number, "value": value}) + "\n"
        time = datetime(2026, 1, 1) + timedelta(hours=place)
        return f"{time.isoformat()},{'NA' if value is None else repr(value)}\n"


SCENES = (
    Scene("adaptive, one step", ("--lags", "12", "--method", "adaptive", "--gather", "120")),
    Scene(
        "rolling, three steps, missing",
        ("--lags", "6", "--method", "rolling", "--gather", "100", "--horizon", "3", "--level", "80,95"),
        missing=0.1,
    ),
    Scene(
        "late outcomes",
        ("--lags", "4", "--method", "split", "--gather", "100", "--horizon", "2", "--late", "accept"),
        missing=0.1,
        late=0.7,
    ),
    Scene(
        "refits, counted lines",
        ("--lags", "4", "--method", "adaptive", "--gather", "80", "--refit-every", "150", "--window", "400"),
        counted=True,
        missing=0.05,
    ),
)
