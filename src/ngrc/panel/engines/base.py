"""What an engine is."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

Item = TypeVar("Item")
Result = TypeVar("Result")


@runtime_checkable
class Engine(Protocol):
    """Something that maps a function over items.

    The function, the items and the results are shipped by pickle where they leave the process, and a function may run
    twice on an item where a machine was lost.
    """

    def map(self, function: Callable[[Any], Result], items: Sequence[Any]) -> Iterator[tuple[int, Result]]:
        """Results with the places of their items, as they finish."""
