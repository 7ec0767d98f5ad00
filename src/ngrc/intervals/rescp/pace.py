"""How long a block of queries will take, foreseen from its size and a small piece that is timed first."""

import logging
from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

LONG = 60.0
"""Seconds from which on the wait is announced."""
HEAVY = 100_000_000
"""Pairs of a query and an earlier residual from which on a piece is timed: half a minute's work on one core."""
PIECE, ASKED = 2048, 64
"""Residuals and queries of the piece: a tenth of a second's work."""


class Work(NamedTuple):
    """What a block has to do: pairs to compare, and states to make, again where they are not held."""

    queries: int
    widest: int
    states: int

    @property
    def heavy(self) -> bool:
        """Whether the time is worth foreseeing."""
        return self.queries * self.widest >= HEAVY


class Rate(NamedTuple):
    """Seconds per pair and per state."""

    pair: float
    state: float


def measured(make: Callable[[], object], compare: Callable[[], object]) -> Rate:
    """Time the making of `PIECE` states, and the comparison of `ASKED` queries with as many residuals."""
    begin = perf_counter()
    make()
    middle = perf_counter()
    compare()
    return Rate((perf_counter() - middle) / (PIECE * ASKED), (middle - begin) / PIECE)


def seconds(work: Work, rate: Rate) -> float:
    """How long the whole work takes at a rate.

    Examples
    --------
    >>> seconds(Work(queries=1000, widest=10_000, states=20_000), Rate(pair=1e-6, state=1e-4))
    12.0
    """
    return work.queries * work.widest * rate.pair + work.states * rate.state


def announce(work: Work, rate: Rate) -> None:
    """Say in the log "ngrc" how long it will take, where that is long."""
    wait = seconds(work, rate)
    if wait >= LONG:
        logging.getLogger("ngrc").info(
            "ResCP compares %s states with up to %s earlier ones each: about %s; other methods are faster",
            f"{work.queries:,}",
            f"{work.widest:,}",
            in_words(wait),
        )


def in_words(wait: float) -> str:
    """A wait in seconds, rounded as one would say it.

    Examples
    --------
    >>> in_words(42.0), in_words(150.0), in_words(9000.0), in_words(200000.0)
    ('42 seconds', '2 minutes', '2.5 hours', '2.3 days')
    """
    if wait < 100:
        return f"{wait:.0f} seconds"
    if wait < 6000:
        return f"{wait / 60:.0f} minutes"
    return f"{wait / 3600:.1f} hours" if wait < 129600 else f"{wait / 86400:.1f} days"
