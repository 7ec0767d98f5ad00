"""A cluster of Ray."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ngrc._optional import load
from ngrc.panel.engines.base import Item, Result

RETRIES = 3
"""Times that an item is tried again after its process was lost or raised."""
AHEAD = 4
"""Items per core that are handed over before the first is done: enough to keep cores busy, few to be held in memory."""


@dataclass(frozen=True, slots=True)
class Ray:
    """Workers of the cluster that `ray.init` has joined; one of this machine where it has joined none."""

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[tuple[int, Result]]:
        """Results as they finish."""
        ray = load("ray", None, "engine 'ray'")
        if not ray.is_initialized():
            ray.init()
        remote = ray.remote(max_retries=RETRIES, retry_exceptions=True)(function_of(function))
        most = max(int(ray.cluster_resources().get("CPU", 1)), 1) * AHEAD
        waiting = iter(enumerate(items))
        running: dict[Any, int] = {}
        while True:
            for place, item in waiting:
                running[remote.remote(item)] = place
                if len(running) >= most:
                    break
            if not running:
                return
            (done,), _ = ray.wait(list(running), num_returns=1)
            yield running.pop(done), ray.get(done)


def function_of(function: Callable[[Item], Result]) -> Callable[[Item], Result]:
    """A plain function, as Ray takes no `partial`."""

    def called(item: Item) -> Result:
        return function(item)

    return called
