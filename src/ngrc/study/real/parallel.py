"""Independent computations in parallel processes, each done once in the life of a process."""

import os
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from ngrc.study.harness.processes import Call, Result, each
from ngrc.study.harness.progress import track

# For the life of the process: `reproduce all` shows the same fits in several targets.
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
    # Another data folder may hold another series under the same name.
    folder = os.environ.get("NGRC_DATA")
    missing = [key for key in calls if (key, folder) not in _KEPT]
    for key, result in zip(missing, _tracked([calls[key] for key in missing], name, jobs), strict=True):
        _KEPT[key, folder] = result
    return [_KEPT[key, folder] for key in calls]


def _tracked(calls: Sequence[Call[Result]], name: str, jobs: int) -> list[Result]:
    return list(track(each(calls, jobs, batch=1), len(calls), name)) if calls else []
