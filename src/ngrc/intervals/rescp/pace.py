"""How long a block of queries will take, from the pace of its first products, for whoever listens."""

import logging
from time import perf_counter

from ngrc._progress import tell

LONG = 60.0
"""Seconds from which on the wait is announced."""
SURE = 0.5
"""Seconds of work before the pace is trusted: a first product also pays for fresh memory."""


class Pace:
    """Follows a block of `total` queries, and says once in the log how long the rest will take if that is long."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.said = total, 0, False
        self.begin = perf_counter()

    def after(self, queries: int, width: int) -> None:
        """Note a product of so many queries with `width` earlier residuals."""
        self.done += queries
        tell("ResCP, states compared", self.done, self.total)
        spent = perf_counter() - self.begin
        if self.said or spent < SURE:
            return
        rest = remaining(spent, self.done, self.total)
        self.said = True
        if rest >= LONG:
            logging.getLogger("ngrc").info(
                "ResCP compares %s states with up to %s earlier ones each: about %s more; other methods are faster",
                f"{self.total:,}",
                f"{width:,}",
                in_words(rest),
            )


def remaining(spent: float, done: int, total: int) -> float:
    """Seconds for the rest at the pace so far.

    Examples
    --------
    >>> remaining(2.0, 100, 1100)
    20.0
    """
    return spent * (total - done) / done


def in_words(seconds: float) -> str:
    """A wait, rounded as one would say it.

    Examples
    --------
    >>> in_words(42.0), in_words(150.0), in_words(9000.0), in_words(200000.0)
    ('42 seconds', '2 minutes', '2.5 hours', '2.3 days')
    """
    if seconds < 100:
        return f"{seconds:.0f} seconds"
    if seconds < 6000:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.1f} hours" if seconds < 129600 else f"{seconds / 86400:.1f} days"
