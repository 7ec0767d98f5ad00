"""Independent calls in order or in parallel processes, with one BLAS thread each so that the numbers agree."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from ngrc._threads import one_thread

Result = TypeVar("Result")
Call = Callable[[], Result]


def each(calls: Sequence[Call[Result]], jobs: int, batch: int | str = "auto") -> Iterator[Result]:
    """Results of the calls, in their order.

    Parameters
    ----------
    calls
        Functions that other processes can import: top level, or `functools.partial` of one.
    jobs
        Processes; more than one needs joblib, the extra `ngrc[parallel]`.
    batch
        Calls a process takes at once: 1 where they are few and long.

    Examples
    --------
    >>> list(each([lambda: 1, lambda: 2], jobs=1))
    [1, 2]
    """
    return _serial(calls) if jobs == 1 or len(calls) < 2 else _parallel(calls, jobs, batch)


def _serial(calls: Sequence[Call[Result]]) -> Iterator[Result]:
    with one_thread():
        for call in calls:
            yield call()


def _parallel(calls: Sequence[Call[Result]], jobs: int, batch: int | str) -> Iterator[Result]:
    try:
        from joblib import Parallel, delayed, parallel_config
    except ImportError:
        raise ValueError(
            "more than one job needs joblib: pip install 'ngrc[parallel]', or use --jobs 1"
        ) from None
    # Loky starts fresh processes: a fork would inherit the parent's BLAS threads, with their locks in any state.
    with parallel_config(backend="loky", inner_max_num_threads=1):
        yield from Parallel(n_jobs=jobs, return_as="generator", batch_size=batch)(
            delayed(call)() for call in calls
        )
