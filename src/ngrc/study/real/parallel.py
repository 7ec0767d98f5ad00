"""Independent computations in parallel processes, each done once in the life of a process."""

import os
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

from ngrc.study.progress import track

Result = TypeVar("Result")
Call = Callable[[], Result]

_KEPT: dict[tuple[Hashable, str | None], Any] = {}


def remembered(calls: Mapping[Any, Call[Result]], *, name: str, jobs: int) -> list[Result]:
    """Results of the calls in order; a key that was computed before, by any target, is not computed again.

    Parameters
    ----------
    calls
        What to compute by a hashable key that names everything it depends on but the data folder.
    name
        Label of the progress bar.
    jobs
        Processes.

    Examples
    --------
    >>> remembered({("square", 3): lambda: 9}, name="demo", jobs=1)
    [9]
    >>> remembered({("square", 3): lambda: 1 / 0}, name="demo", jobs=1)
    [9]
    """
    folder = os.environ.get("NGRC_DATA")
    missing = [key for key in calls if (key, folder) not in _KEPT]
    for key, result in zip(missing, each([calls[key] for key in missing], name=name, jobs=jobs), strict=True):
        _KEPT[key, folder] = result
    return [_KEPT[key, folder] for key in calls]


def forget() -> None:
    """Drop what `remembered` keeps."""
    _KEPT.clear()


def each(calls: Sequence[Call[Result]], *, name: str, jobs: int) -> list[Result]:
    """Call every function, in order where `jobs` is 1, with one BLAS thread each so that the numbers agree."""
    if not calls:
        return []
    results = _serial(calls) if jobs == 1 or len(calls) == 1 else _parallel(calls, jobs)
    return list(track(results, len(calls), name))


def _serial(calls: Sequence[Call[Result]]) -> Iterator[Result]:
    with _one_thread():
        for call in calls:
            yield call()


def _parallel(calls: Sequence[Call[Result]], jobs: int) -> Iterator[Result]:
    try:
        from joblib import Parallel, delayed, parallel_config
    except ImportError:
        raise ValueError(
            "more than one job needs joblib: pip install 'ngrc[parallel]', or use --jobs 1"
        ) from None
    with parallel_config(backend="loky", inner_max_num_threads=1):
        yield from Parallel(n_jobs=jobs, return_as="generator", batch_size=1)(
            delayed(call)() for call in calls
        )


def _one_thread() -> AbstractContextManager[object]:
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return nullcontext()
    limits: AbstractContextManager[object] = threadpool_limits(limits=1)
    return limits
