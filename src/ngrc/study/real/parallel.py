"""Independent computations in parallel processes, each done once in the life of a process."""

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from ngrc.study.harness.processes import Call, Result, each
from ngrc.study.harness.progress import track

Key = TypeVar("Key", bound=Hashable)

# For the life of the process: `reproduce all` shows the same fits in several targets.
_KEPT: dict[tuple[Hashable, str | None], Any] = {}


def remembered(calls: Mapping[Key, Call[Result]], *, name: str, jobs: int) -> list[Result]:
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
    missing: dict[tuple[Key, ...], Call[Sequence[Result]]] = {
        (key,): partial(_alone, calls[key]) for key in unknown(calls)
    }
    return list(remembered_groups(calls, missing, name=name, jobs=jobs).values())


def unknown(keys: Iterable[Key]) -> list[Key]:
    """Those that were not computed before, each once."""
    folder = os.environ.get("NGRC_DATA")
    return [key for key in dict.fromkeys(keys) if (key, folder) not in _KEPT]


def remembered_groups(
    keys: Iterable[Key], groups: Mapping[tuple[Key, ...], Call[Sequence[Result]]], *, name: str, jobs: int
) -> dict[Key, Result]:
    """Results by key, where one call gives those of several keys in their order.

    Parameters
    ----------
    keys
        What is wanted.
    groups
        What of it is `unknown`, each key in one group.
    name, jobs
        As for `remembered`.

    Examples
    --------
    >>> remembered_groups(("a", "b"), {("a", "b"): lambda: (1, 2)}, name="demo", jobs=1)
    {'a': 1, 'b': 2}
    """
    # Another data folder may hold another series under the same name.
    folder = os.environ.get("NGRC_DATA")
    for group, results in zip(groups, _tracked(list(groups.values()), name, jobs), strict=True):
        for key, result in zip(group, results, strict=True):
            _KEPT[key, folder] = result
    return {key: _KEPT[key, folder] for key in keys}


def _alone(call: Call[Result]) -> tuple[Result]:
    return (call(),)


def _tracked(calls: Sequence[Call[Result]], name: str, jobs: int) -> list[Result]:
    return list(track(each(calls, jobs, batch=1), len(calls), name)) if calls else []
