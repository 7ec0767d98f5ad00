"""Waiting for what another thread or process does: for as long as it takes, on a slow machine too."""

from collections.abc import Callable
from time import monotonic, sleep


def wait_until(holds: Callable[[], object], seconds: float = 120.0) -> None:
    """Return once `holds` does; the limit is for what will never hold."""
    end = monotonic() + seconds
    while not holds():
        assert monotonic() < end, f"it did not hold within {seconds:g} s"
        sleep(0.005)
