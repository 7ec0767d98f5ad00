"""What only a fresh process can show: peak memory, the cost of importing, the first interval from the shell."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.harness import ROUNDS, Measurement
from benchmarks.scene import Scene
from ngrc._types import FloatArray

# Seconds of an import, seconds from the shell to a first interval, and how many times less than its design a fit takes.
IMPORT_GOAL, SHELL_GOAL, MEMORY_GOAL = 0.35, 2.0, 8.0
# Processor seconds of a day of half hours ahead from the shell, on three years of them.
AHEAD_GOAL, AHEAD_ROWS, AHEAD_STEPS, DAY = 4.0, 52_560, 48, 48
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
from benchmarks.children import half_hours
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
IMPORT = """
import time
begin = time.perf_counter()
{statement}
print(time.perf_counter() - begin)
"""


def measurements(scene: Scene) -> Iterator[tuple[str, Any]]:
    """Rows by name, each measured when it is called."""
    yield "memory", lambda: memory(LONG_SERIES // 20 if scene.quick else LONG_SERIES)
    yield "import", importing
    yield "shell", shell
    yield "single fits", lambda: single_fits(AHEAD_ROWS // 10 if scene.quick else AHEAD_ROWS)
    yield "forecast", lambda: ahead(AHEAD_ROWS // 10 if scene.quick else AHEAD_ROWS)


def memory(size: int) -> Measurement:
    """Largest resident set of a fit above that of the bare import, against the explicit design's bytes."""
    child = json.loads(run(sys.executable, "-c", FIT, str(size), str(LONG_LAGS)))
    design = 8 * size * child["features"]
    return Measurement(
        name=f"peak memory of a fit of {size:,} points, {LONG_LAGS} lags (GB, not seconds)",
        reference="the explicit design, 8 n p bytes",
        ours_s=child["bytes"] / GIGABYTE,
        reference_s=design / GIGABYTE,
        ratio=design / child["bytes"],
        goal=MEMORY_GOAL,
        agrees=f"a child's largest resident set above that after the imports; the fit took {child['seconds']:.2f} s "
        f"by the {child['solver']} solver, RMSE of its last 1,000 forecasts {child['rmse']:.3f} (innovations have 1)",
    )


def importing() -> Measurement:
    """`import ngrc`, which loads public names on first use; what they cost then is told too."""
    bare = min(import_seconds("import ngrc") for _ in range(ROUNDS))
    names = min(import_seconds("from ngrc import NGRC, Online, backtest") for _ in range(ROUNDS))
    words = f"no output; public names load on first use, and NGRC, Online and backtest together take {names:.2f} s"
    return Measurement(
        name="import ngrc",
        reference="the goal itself",
        ours_s=bare,
        reference_s=IMPORT_GOAL,
        ratio=IMPORT_GOAL / bare,
        goal=1.0,
        agrees=words,
    )


def shell() -> Measurement:
    """From the shell's prompt to the printed interval scores, the compile cache being warm."""
    command = str(Path(sys.executable).parent / "ngrc")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "small.csv"
        wave = np.sin(np.arange(1000) / 5) + np.random.default_rng(0).normal(0, 0.1, 1000)
        np.savetxt(file, wave, header="value", comments="")
        seconds, busy = [], []
        for _ in range(ROUNDS + 1):  # the first may compile
            begin, worked = perf_counter(), processor_seconds()
            printed = run(command, "compare", str(file), "--method", "adaptive", "--json")
            seconds.append(perf_counter() - begin)
            busy.append(processor_seconds() - worked)
    coverage = json.loads(printed)["methods"]["adaptive"]["coverage"]
    best = min(seconds[1:])
    words = (
        f"ngrc compare on 1,000 rows of CSV exits 0 and prints the coverage, {coverage:.3f}; {min(busy[1:]):.2f} s of "
        "it on the processor"
    )
    return Measurement(
        name="first interval from the shell, warm cache",
        reference="the goal itself",
        ours_s=best,
        reference_s=SHELL_GOAL,
        ratio=SHELL_GOAL / best,
        goal=1.0,
        agrees=words,
    )


def half_hours(rows: int) -> FloatArray:
    """A made-up load with a day of 48 half hours that drifts, shape (rows,)."""
    noise = np.random.default_rng(0).normal(size=(2, rows))
    day = 200 * np.sin(2 * np.pi * np.arange(rows) / DAY)
    return np.asarray(1000 + day + np.cumsum(noise[0]) / 2 + 10 * noise[1])


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


def ahead(rows: int) -> Measurement:
    """`ngrc forecast --horizon 48` with no other option: processor seconds of the whole command."""
    command = str(Path(sys.executable).parent / "ngrc")
    load = half_hours(rows)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "load.csv"
        np.savetxt(file, load, header="value", comments="")
        busy = []
        for _ in range(ROUNDS + 1):  # the first may compile
            worked = processor_seconds()
            printed = run(command, "forecast", str(file), "--horizon", str(AHEAD_STEPS), threads=True)
            busy.append(processor_seconds() - worked)
    best = min(busy[1:])
    return Measurement(
        name=f"ngrc forecast --horizon {AHEAD_STEPS} of {rows:,} half hours, processor time of the command",
        reference="the goal itself",
        ours_s=best,
        reference_s=AHEAD_GOAL,
        ratio=AHEAD_GOAL / best,
        goal=1.0,
        agrees=f"exits 0 and prints {len(printed.splitlines()) - 1} rows",
    )


def import_seconds(statement: str) -> float:
    """Seconds of an import statement in a fresh interpreter, its own start not counted."""
    return float(run(sys.executable, "-c", IMPORT.format(statement=statement)))


def processor_seconds() -> float:
    """Processor time of all children so far."""
    spent = os.times()
    return spent.children_user + spent.children_system


def run(*command: str, threads: bool = False) -> str:
    """Standard output of a child process that must succeed; with `threads` it has as many as it likes."""
    environment = {
        name: value for name, value in os.environ.items() if not (threads and name.endswith("_THREADS"))
    }
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
