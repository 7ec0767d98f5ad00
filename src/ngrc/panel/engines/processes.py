"""Processes of this machine, by joblib."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ngrc._optional import load
from ngrc.panel.engines.base import Item, Result


@dataclass(frozen=True, slots=True)
class Processes:
    """A pool of processes, each with BLAS on one thread.

    Parameters
    ----------
    jobs
        How many; -1 for one per core.
    """

    jobs: int = -1

    def __post_init__(self) -> None:
        if isinstance(self.jobs, bool) or not isinstance(self.jobs, int) or self.jobs < -1 or self.jobs == 0:
            raise ValueError(f"jobs must be a number of processes, or -1 for one per core, got {self.jobs!r}")

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[tuple[int, Result]]:
        """Results as they finish."""
        joblib = load("joblib", "panel", "jobs other than 1")
        with joblib.parallel_config("loky", n_jobs=self.jobs, inner_max_num_threads=1):
            # No memory maps: chunks are small, and a map is a file on disk.
            pool = joblib.Parallel(return_as="generator_unordered", max_nbytes=None, batch_size=1)
            yield from pool(
                joblib.delayed(_placed)(function, place, item) for place, item in enumerate(items)
            )


def _placed(function: Callable[[Item], Result], place: int, item: Item) -> tuple[int, Result]:
    return place, function(item)
