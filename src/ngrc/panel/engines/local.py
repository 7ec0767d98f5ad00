"""The process that asks."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ngrc.panel.engines.base import Item, Result


@dataclass(frozen=True, slots=True)
class Local:
    """One item after the other, here.

    Examples
    --------
    >>> list(Local().map(abs, [-1, 2]))
    [(0, 1), (1, 2)]
    """

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[tuple[int, Result]]:
        """Results in the order of the items."""
        return ((place, function(item)) for place, item in enumerate(items))
