"""Whole commands in fresh processes: processor seconds of each from its start to its end, imports included.

First runs have an empty cache folder, as after an installation; the best of the later runs counts, and both are told.
They must be about equal: nothing is compiled or cached at the first use. Bytecode is there before, as pip leaves it: a
run on a short series sees to that.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.children import processor_seconds, run
from benchmarks.harness import ITSELF, ROUNDS, Measurement
from benchmarks.scene import Scene
from benchmarks.series import half_hours, months, write_csv

NGRC = (sys.executable, "-m", "ngrc")
SHORT_ROWS = 400
"""Rows of the run that only sees to the bytecode."""
SLOWER, SLACK = 1.3, 0.15
"""A first run may take this many times the later ones, and this many seconds more."""
IMPORT_GOAL, LOOK_AHEAD_GOAL = 0.1, 0.4
"""Processor seconds of `import ngrc` and of `ngrc --help`, and of all imports of `look_ahead`."""
# What a first call takes beyond a second one: modules that it loads.
FIRST_CALL = """
from time import process_time
import numpy as np
from ngrc import look_ahead
values = np.sin(np.arange(200.0)) + np.random.default_rng(0).normal(0, 0.1, 200)
marks = [process_time()]
for _ in range(2):
    look_ahead(values, steps=1)
    marks.append(process_time())
print(2 * marks[1] - marks[0] - marks[2])
"""


@dataclass(frozen=True, slots=True)
class Command:
    """One command on one made-up series, its goal in processor seconds, and the rows of a quick run."""

    name: str
    monthly: bool
    rows: int
    quick_rows: int
    goal: float
    options: tuple[str, ...] = ()

    def measure(self, rows: int) -> Measurement:
        """The command on `rows` rows."""
        make = months if self.monthly else half_hours
        with tempfile.TemporaryDirectory(prefix="ngrc-command-") as name:
            folder = Path(name)
            files = [
                write_csv(folder / f"{size}.csv", make(size), monthly=self.monthly)
                for size in (min(rows, SHORT_ROWS), rows)
            ]
            words = (*self.options, *(("--out", str(folder / "page.html")) if self.name == "report" else ()))
            run(*NGRC, self.name, str(files[0]), *words, threads=True)
            timing = timed(*NGRC, self.name, str(files[1]), *words)
        printed = len(timing.output.splitlines())
        return against_goal(
            self.title(rows), timing.warm, self.goal, f"{timing.words}; exits 0 and prints {printed} lines"
        )

    def title(self, rows: int) -> str:
        """Name of the row."""
        values = "monthly values" if self.monthly else "half hours"
        return " ".join((f"ngrc {self.name} of {rows:,} {values}", *self.options))


COMMANDS = (
    Command("forecast", True, 144, 144, 1.2, ("--horizon", "24")),
    Command("forecast", False, 10_320, 1_000, 2.5, ("--horizon", "24")),
    Command("compare", False, 10_320, 1_000, 4.5),
    Command("report", False, 10_320, 1_000, 8.0),
    Command("forecast", False, 52_608, 2_000, 6.0, ("--horizon", "48")),
)


@dataclass(frozen=True, slots=True)
class Timing:
    """Least processor seconds of the runs in an empty cache folder and of the later ones, and what was printed."""

    cold: float
    warm: float
    output: str

    @property
    def words(self) -> str:
        """Both, in one line."""
        return f"first run in an empty cache folder {self.cold:.3g} s, later ones {self.warm:.3g} s"


def measurements(scene: Scene) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Rows by name, each measured when it is called."""
    for command in COMMANDS:
        rows = command.quick_rows if scene.quick else command.rows
        yield command.title(rows), partial(command.measure, rows)
    yield "import ngrc", partial(starting, "import ngrc", sys.executable, "-c", "import ngrc")
    yield "ngrc --help", partial(starting, "ngrc --help", *NGRC, "--help")
    yield "look_ahead and all that it imports", look_ahead_imports


def timed(*command: str) -> Timing:
    """First runs and later ones; refused where the first take longer.

    Two first runs, each with an empty cache folder of its own: what is compiled or cached costs both of them, and what
    else happens on the machine seldom does.
    """
    firsts, laters = [], []
    for rounds in (0, ROUNDS):
        with tempfile.TemporaryDirectory(prefix="ngrc-cache-") as cache:
            output, seconds = _once(command, cache)
            firsts.append(seconds)
            laters += [_once(command, cache)[1] for _ in range(rounds)]
    timing = Timing(min(firsts), min(laters), output)
    if timing.cold > SLOWER * timing.warm + SLACK:
        raise RuntimeError(f"{timing.words}: something is compiled or cached at the first use")
    return timing


def _once(command: tuple[str, ...], cache: str) -> tuple[str, float]:
    """What the command prints, and its processor seconds."""
    before = processor_seconds()
    output = run(*command, threads=True, cache=cache)
    return output, processor_seconds() - before


def starting(name: str, *command: str) -> Measurement:
    """A command that computes nothing."""
    run(*command)
    timing = timed(*command)
    words = (
        f"{timing.words}, of which {timed(sys.executable, '-c', '').warm:.3f} s are the bare interpreter's"
    )
    return against_goal(name, timing.warm, IMPORT_GOAL, words)


def look_ahead_imports() -> Measurement:
    """`from ngrc import look_ahead` beyond the bare interpreter, and what its first call imports."""
    first = [float(run(sys.executable, "-c", FIRST_CALL)) for _ in range(1 + ROUNDS)]
    timing = timed(sys.executable, "-c", "from ngrc import look_ahead")
    bare = timed(sys.executable, "-c", "").warm
    name, call = timing.warm - bare, min(first[1:])
    words = (
        f"{timing.words}; {name:.2f} s without the bare interpreter, and {call:.2f} s more in a first call"
    )
    return against_goal("look_ahead and all that it imports", name + call, LOOK_AHEAD_GOAL, words)


def against_goal(name: str, seconds: float, goal: float, words: str) -> Measurement:
    """A row whose reference is its goal."""
    return Measurement(name, ITSELF, seconds, goal, goal / seconds, 1.0, words)
