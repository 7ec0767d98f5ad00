"""All the tasks, one method on one series each, over a few processes of one thread."""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from accuracy.cache import keep, kept
from accuracy.interval_cases import INTERVALS, OURS_BANDED, interval_rows
from accuracy.long_cases import long_rows
from accuracy.methods import LONG, OURS
from accuracy.methods.short import SHORT
from accuracy.scores import Row
from accuracy.series import LongSeries, long_series
from accuracy.short import ShortSeries, short_series
from accuracy.short_cases import short_rows

OWN = frozenset({OURS, OURS_BANDED})
"""The methods of this library, which always run: only a peer's rows are taken from the disk."""


@dataclass(frozen=True, slots=True)
class Task:
    """One method on one series."""

    kind: str
    series: str
    method: str


def tasks(long: Sequence[str], short: Sequence[str], methods: Sequence[str]) -> list[Task]:
    """Every wanted series with every wanted method that it has."""
    listed = [Task("long", series, method) for series in long for method in LONG if method in methods]
    return [
        *listed,
        *(Task("interval", series, method) for series in long for method in INTERVALS if method in methods),
        *(Task("short", series, method) for series in short for method in SHORT if method in methods),
    ]


def run(task: Task) -> list[Row]:
    """Rows of one task; called in a process of its own."""
    # Peers warn about what a user would see once: constant columns, feature names, few seasons.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if task.kind == "short":
            short = next(one for one in short_series() if one.name == task.series)
            warmed(task.kind, task.method)
            return short_rows(short, task.method)
        long = long_series(task.series)
        warmed(task.kind, task.method)
        return long_rows(long, task.method) if task.kind == "long" else interval_rows(long, task.method)


@cache
def warmed(kind: str, method: str) -> bool:
    """Run once on a small made-up series: imports and compilation are nobody's forecasting cost."""
    rng = np.random.default_rng(0)
    if kind != "short":
        size = 2000
        values = np.sin(np.arange(size) * np.pi / 12) + rng.normal(0, 0.1, size)
        times = np.datetime64("2020-01-01T00", "h") + np.arange(size)
        rows_of = long_rows if kind == "long" else interval_rows
        rows_of(LongSeries("warm", "warm", 24, values, times), method)
    else:
        values = np.sin(np.arange(72) * np.pi / 6) + rng.normal(0, 0.1, 72)
        short_rows(ShortSeries("warm", 12, values, None), method)
    return True


def results(
    wanted: Iterable[Task], folder: Path, cached: bool, jobs: int
) -> Iterator[tuple[Task, list[Row] | Exception]]:
    """Rows of every task as they come, or why it has none.

    With `cached` a peer's earlier rows are taken where they are kept; ours always run.
    """
    fresh: list[Task] = []
    for task in wanted:
        rows = (
            kept(folder, task.kind, task.series, task.method) if cached and task.method not in OWN else None
        )
        if rows is None:
            fresh.append(task)
        else:
            yield task, rows
    if not fresh:
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(run, task): task for task in fresh}
        for future in as_completed(futures):
            task = futures[future]
            try:
                rows = future.result()
            # Whatever a peer raises on one series must not cost the hour of all the others; it is shown at the end.
            except Exception as error:
                yield task, error
                continue
            keep(folder, task.kind, task.series, task.method, rows)
            yield task, rows
