"""Waiting for a database that is away: full disk, lost connection, another's lock."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, sleep
from typing import TypeVar

from ngrc.durable.errors import StoreError
from ngrc.stream.stopping import Stopping

FIRST, LONGEST = 0.05, 1.0
"""Seconds before the first further try, twice as many each time, and at most."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to try again.

    Parameters
    ----------
    seconds
        From the first failure to the last try.
    stopping
        Whether somebody wants us to stop: then nobody waits.
    say
        Told once what is waited for, and once that it is over.
    """

    seconds: float
    stopping: Stopping
    say: Callable[[str], None]

    def of(self, work: Callable[[], Result]) -> Result:
        """The result of `work`, tried again after failures that may pass."""
        since, pause = None, FIRST
        while True:
            try:
                result = work()
            except StoreError as error:
                now = monotonic()
                over = since is not None and now - since >= self.seconds
                if not error.temporary or over or self.stopping.asked or not self.seconds:
                    raise
                if since is None:
                    since = now
                    self.say(f"waiting: {error}")
                sleep(pause)
                pause = min(2 * pause, LONGEST)
            else:
                if since is not None:
                    self.say("waiting is over; going on")
                return result
