"""Many series: what a panel costs beside its series alone, by the clock and by the processor, on one worker and two.

`make bench` has 10,000 series of 500 points; `python -m benchmarks.panels [--quick]` has the plants of Solar too.
"""

import argparse
import os
import resource
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl

from benchmarks.harness import ITSELF, Comparison, Measurement
from benchmarks.scene import Scene, simulated
from ngrc import NGRC, look_ahead
from ngrc._types import FloatArray
from ngrc.panel import forecast
from ngrc.presets import PAPER
from ngrc.series import Series

LEVEL = 0.95
SHORT, QUICK_SHORT = (10_000, 500), (200, 500)
"""Series and points of the panel of short series, and of a quick run."""
SOLAR, QUICK_SOLAR = (137, 52_560), (4, 6_000)
ALONE = 200
"""Series that `make bench` runs through the panel and through `look_ahead`, one by one."""
OVERHEAD = 0.95
"""Goal of that row: a panel takes at most five hundredths more than its series alone."""
SHORT_GOAL, SOLAR_GOAL, RATIO_GOAL = 30.0, 90.0, 1.7
"""Seconds of the clock on two workers, and how many times quicker they are than one."""


def waves(series: int, size: int) -> FloatArray:
    """Noisy waves of different length and phase, shape (series, size)."""
    rng = np.random.default_rng(0)
    steps = np.arange(size)
    periods, phases = rng.uniform(7, 40, (series, 1)), rng.uniform(0, 7, (series, 1))
    return np.asarray(np.sin(2 * np.pi * steps / periods + phases) + rng.normal(0, 0.3, (series, size)))


def long_frame(values: FloatArray) -> pl.DataFrame:
    """Rows of series one after the other, with hours."""
    count, size = values.shape
    hours = np.datetime64("2020-01-01T00", "us") + np.arange(size) * np.timedelta64(1, "h")
    names = pl.Series([f"series {number}" for number in range(count)])
    return pl.DataFrame(
        {
            "unique_id": names.gather(np.repeat(np.arange(count), size)),
            "ds": np.tile(hours, count),
            "y": values.ravel(),
        }
    )


def comparisons(scene: Scene) -> Iterator[Comparison]:
    """What the panel adds: its own time beside that of `look_ahead` on each series."""
    values = waves(ALONE // 10 if scene.quick else ALONE, SHORT[1])
    frame, model = long_frame(values), NGRC(lags=12)
    times = frame["ds"].to_numpy()[: SHORT[1]]

    def alone() -> FloatArray:
        outlooks = (look_ahead(Series(one, times), model, method="adaptive", level=LEVEL) for one in values)
        return np.array([(outlook.forecast[0], outlook.lower[0], outlook.upper[0]) for outlook in outlooks])

    def together() -> FloatArray:
        table = forecast(frame, model=model, method="adaptive", level=LEVEL)
        return np.asarray(table.drop("unique_id", "ds").to_numpy())

    def agree(ours: FloatArray, theirs: FloatArray) -> str:
        np.testing.assert_array_equal(ours, theirs)
        return "identical forecasts and ends"

    yield Comparison(
        f"a panel of {len(values)} series", "look_ahead, one by one", OVERHEAD, together, alone, agree
    )


def measurements(scene: Scene) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Rows of the short series by name; the panel is run once for both."""
    size = QUICK_SHORT if scene.quick else SHORT
    name = f"{size[0]:,} series of {size[1]:,} points, 12 lags, adaptive {LEVEL:.0%}, by the clock"
    for against in (ITSELF, "one worker"):
        yield f"{name}, two workers / {against}", partial(two_workers, name, against, *size)


def two_workers(name: str, against: str, count: int, size: int) -> Measurement:
    """Two workers beside their goal, or beside one worker."""
    one, two = short_panel(count, size)
    reference, goal = (SHORT_GOAL, 1.0) if against == ITSELF else (one.clock, RATIO_GOAL)
    words = f"same bits; {one.processor:.1f} s of processors on one worker, {two.processor:.1f} on two"
    return Measurement(
        f"{name}, two workers", against, two.clock, reference, reference / two.clock, goal, words
    )


@cache
def short_panel(count: int, size: int) -> "tuple[Timing, Timing]":
    """The panel of short series on one worker and on two."""
    return by_workers(long_frame(waves(count, size)), size, NGRC(lags=12))


@dataclass(frozen=True, slots=True)
class Timing:
    """One run: seconds of the clock, and of all processors together."""

    clock: float
    processor: float


def timed(work: Callable[[], Any]) -> tuple[Timing, Any]:
    """Seconds of a run; processes that it started count once they have ended."""
    begin, before = perf_counter(), _processor()
    result = work()
    clock = perf_counter() - begin
    _end_workers()
    return Timing(clock, _processor() - before), result


def _processor() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, kinds))


def _end_workers() -> None:
    """End joblib's own pool, which would wait for more work: only then are its seconds known."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True)


def plants(count: int, size: int) -> tuple[str, FloatArray]:
    """Plants of Solar where the file is at hand, else simulations of their size."""
    from ngrc.datasets.matrix import read_matrix
    from ngrc.datasets.solar import SHAPE

    file = Path(os.environ.get("NGRC_DATA", ".")) / "solar_AL.txt.gz"
    if file.is_file():
        return "plants of Solar", np.ascontiguousarray(read_matrix(file, *SHAPE).T[:count, :size])
    return "simulated plants", np.stack([simulated(size, seed=number) for number in range(count)])


def by_workers(frame: pl.DataFrame, size: int, model: NGRC) -> tuple[Timing, Timing]:
    """A panel on one worker and on two, whose answers must be the same bits."""
    # A first series on its own: modules are loaded before the clock starts.
    forecast(frame.head(size), model=model, method="adaptive", level=LEVEL)
    one, two = (
        timed(partial(forecast, frame, model=model, method="adaptive", level=LEVEL, jobs=jobs))
        for jobs in (1, 2)
    )
    assert one[1].equals(two[1]), "two workers gave another answer than one"
    return one[0], two[0]


def report(name: str, values: FloatArray, model: NGRC, goal: float | None) -> None:
    """One panel on one worker and on two: both times and the ratio."""
    count, size = values.shape
    seconds, frame = timed(lambda: long_frame(values))
    print(
        f"{name}: {count:,} series of {size:,} points, {model.lags} lags; frame made in {seconds.clock:.1f} s"
    )
    runs = by_workers(frame, size, model)
    for jobs, run in enumerate(runs, 1):
        print(
            f"  {jobs} worker{'s' * (jobs > 1)}: {run.clock:.1f} s by the clock, {run.processor:.1f} s of processors, "
            f"{1e3 * run.processor / count:.2f} ms of processor per series"
        )
    goals = "" if goal is None else f" (goals: {goal:g} s on two workers, ratio {RATIO_GOAL:g})"
    print(f"  ratio {runs[0].clock / runs[1].clock:.2f}, same bits{goals}")
    print(f"  load of this machine now: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def main() -> None:
    """Both panels, at full or reduced size."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.panels")
    parser.add_argument("--quick", action="store_true", help="small sizes, without goals")
    parser.add_argument("--only", choices=["short", "solar"], help="one of the two panels")
    options = parser.parse_args()
    goals = (None, None) if options.quick else (SHORT_GOAL, SOLAR_GOAL)
    if options.only != "solar":
        report("short series", waves(*(QUICK_SHORT if options.quick else SHORT)), NGRC(lags=12), goals[0])
    if options.only != "short":
        name, values = plants(*(QUICK_SOLAR if options.quick else SOLAR))
        report(name, values, NGRC(lags=PAPER["solar"].lags), goals[1])


if __name__ == "__main__":
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
        os.environ.setdefault(variable, "1")
    main()
