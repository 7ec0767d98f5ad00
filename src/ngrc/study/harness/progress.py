"""How far replications have come, told to whoever listens."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from ngrc._progress import followed

Item = TypeVar("Item")


def track(items: Iterable[Item], total: int, label: str) -> Iterator[Item]:
    """Yield the items and tell of each; a command draws a bar of it.

    Examples
    --------
    >>> list(track(iter("ab"), 2, "letters"))
    ['a', 'b']
    """
    yield from followed(items, label, total)
