"""A cluster of `dask.distributed`."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ngrc._optional import load
from ngrc.panel.engines.base import Item, Result

RETRIES = 3
"""Times that an item is tried again after an error such as a full disk; a lost worker's items always are."""


@dataclass(frozen=True, slots=True)
class Dask:
    """Workers of a client; without one, of the client that is open.

    Parameters
    ----------
    client
        A `dask.distributed.Client`, or None.
    """

    client: Any = None

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[tuple[int, Result]]:
        """Results as they finish; the items of a worker that is lost go to the others."""
        distributed = load("distributed", "dask", "engine 'dask'")
        client = distributed.get_client() if self.client is None else self.client
        # Not pure: two runs over the same files are two runs.
        calls = [_Call(function, item) for item in items]
        futures = client.map(_Call.made, calls, pure=False, retries=RETRIES)
        places = {future.key: place for place, future in enumerate(futures)}
        for future, result in distributed.as_completed(futures, with_results=True):
            yield places[future.key], result
            # Results are handed on one by one and never kept on the cluster.
            future.release()


class _Call:
    """A function and its item, which Dask ships as they are: it would look into tuples for results of its own."""

    def __init__(self, function: Callable[[Any], Any], item: Any) -> None:
        self.function, self.item = function, item

    def made(self) -> Any:
        return self.function(self.item)
