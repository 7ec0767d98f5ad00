"""Replications in parallel processes, the same numbers for any number of them.

Every replication owns a random stream spawned from the seed, the target's name and its own number, and every
process uses one BLAS thread: neither the scheduling nor the thread count can reach a result.
"""

from collections.abc import Callable
from functools import partial
from typing import TypeVar
from zlib import crc32

import numpy as np

from ngrc.study.harness.processes import each
from ngrc.study.harness.progress import track
from ngrc.validation import check_count

Result = TypeVar("Result")
Task = Callable[[np.random.Generator], Result]


def replicate(task: Task[Result], count: int, *, name: str, seed: int, jobs: int = 1) -> list[Result]:
    """Run `task(rng)` once per replication and return the results in order.

    Parameters
    ----------
    task
        A function of one random generator that other processes can import (top level, or `functools.partial`
        of one).
    count
        Replications.
    name
        Label of the progress bar, and part of the random streams: two experiments of the same seed differ.
    seed
        Root of all streams.
    jobs
        Processes; more than one needs joblib, the extra `ngrc[parallel]`.

    Examples
    --------
    >>> first, second = replicate(lambda rng: rng.integers(1000), 2, name="demo", seed=1)
    >>> int(first) != int(second)
    True
    """
    check_count(count, "count")
    # A checksum of the name, as `hash` of a string changes from process to process.
    streams = np.random.SeedSequence(seed, spawn_key=(crc32(name.encode()),)).spawn(count)
    calls = [partial(_run, task, stream) for stream in streams]
    return list(track(each(calls, check_count(jobs, "jobs")), count, name))


def _run(task: Task[Result], stream: np.random.SeedSequence) -> Result:
    return task(np.random.default_rng(stream))


def default_jobs() -> int:
    """The processors this process may use, or 1 where joblib is missing."""
    import os
    from importlib.util import find_spec

    if find_spec("joblib") is None:
        return 1
    # What this process may use, which in a container is less than what the machine has.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
