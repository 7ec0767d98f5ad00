"""What only a fresh process can show: peak memory, and a fit with as many threads as the library takes."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from benchmarks.harness import Measurement
from benchmarks.scene import Scene

# How many times less than its design a fit takes.
MEMORY_GOAL = 8.0
# A day ahead, on three years of half hours.
AHEAD_ROWS, AHEAD_STEPS = 52_560, 48
# The explicit design would take 5.6 GB, more than many machines have to spare.
LONG_SERIES, LONG_LAGS = 1_000_000, 36
GIGABYTE = 1e9

FIT = """
import json, sys, time
import numpy as np
from benchmarks.memory import peak_bytes
from ngrc.model import NGRC
bare = peak_bytes()
size, lags = int(sys.argv[1]), int(sys.argv[2])
noise = np.random.default_rng(0).normal(size=size)
series = np.convolve(noise, 0.9 ** np.arange(50.0), mode="same")
begin = time.perf_counter()
model = NGRC(lags, ridge=0.001).fit(series)
seconds = time.perf_counter() - begin
residual = series[-1000:] - model.predict(series[-1000 - lags:])[lags:]
print(json.dumps({"bytes": peak_bytes() - bare, "seconds": seconds, "features": model.n_features_,
                  "solver": model.readout_.solver, "rmse": float(np.std(residual))}))
"""
AHEAD = """
import json, sys, time
from benchmarks.series import half_hours
from benchmarks.paths import FIT, agree_steps, one_by_one
from ngrc import NGRC, look_ahead
rows, steps = int(sys.argv[1]), int(sys.argv[2])
load = half_hours(rows)
load = (load - load.mean()) / load.std()
one_by_one(load[:3000], 2)
begin = time.process_time()
outlook = look_ahead(load, NGRC(24), steps=steps, fit=FIT, method="adaptive")
middle = time.process_time()
peer = one_by_one(load, steps)
end = time.process_time()
print(json.dumps({"ours": middle - begin, "reference": end - middle, "agrees": agree_steps(outlook, peer)}))
"""


def measurements(scene: Scene) -> Iterator[tuple[str, Any]]:
    """Rows by name, each measured when it is called."""
    yield "peak memory of a fit", lambda: memory(LONG_SERIES // 20 if scene.quick else LONG_SERIES)
    yield "single fits", lambda: single_fits(AHEAD_ROWS // 10 if scene.quick else AHEAD_ROWS)


def memory(size: int) -> Measurement:
    """Largest resident set of a fit above that of the bare import, against the explicit design's bytes."""
    child = json.loads(run(sys.executable, "-c", FIT, str(size), str(LONG_LAGS)))
    design = 8 * size * child["features"]
    return Measurement(
        name=f"peak memory of a fit of {size:,} points, {LONG_LAGS} lags ",
        reference="the explicit design, 8 n p bytes",
        ours_s=child["bytes"] / GIGABYTE,
        reference_s=design / GIGABYTE,
        ratio=design / child["bytes"],
        goal=MEMORY_GOAL,
        unit="GB",
        agrees=f"a child's largest resident set above that after the imports; the fit took {child['seconds']:.2f} s "
        f"by the {child['solver']} solver, RMSE of its last 1,000 forecasts {child['rmse']:.3f} (innovations have 1)",
    )


def single_fits(rows: int) -> Measurement:
    """`look_ahead` against a fit per step, in a child with as many threads as the library takes by itself."""
    child = json.loads(run(sys.executable, "-c", AHEAD, str(rows), str(AHEAD_STEPS), threads=True))
    return Measurement(
        name=f"forecast of {AHEAD_STEPS} steps with intervals, {rows:,} half hours, the library's own threads",
        reference=f"{AHEAD_STEPS} single fits, each with its interval, likewise",
        ours_s=child["ours"],
        reference_s=child["reference"],
        ratio=child["reference"] / child["ours"],
        goal=10.0,
        agrees=child["agrees"],
    )


def processor_seconds() -> float:
    """Processor time of all children so far."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def run(*command: str, threads: bool = False, cache: str | None = None) -> str:
    """Standard output of a child process that must succeed; with `threads` it has as many as it likes.

    It keeps bytecode, and what else it keeps in the folder `cache`.
    """
    environment = {
        name: value
        for name, value in os.environ.items()
        if name != "PYTHONDONTWRITEBYTECODE" and not (threads and name.endswith("_THREADS"))
    }
    if cache is not None:
        environment |= dict.fromkeys(("XDG_CACHE_HOME", "MPLCONFIGDIR"), cache)
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
