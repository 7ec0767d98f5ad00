"""How cost grows with the length of the series: the same work at n, 2n and 4n, and the fitted exponent."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from time import process_time
from typing import Any

import numpy as np

from benchmarks.harness import ScaledRun, Stopwatch
from benchmarks.scene import LEVEL, simulated
from ngrc import NGRC, Online
from ngrc._types import FloatArray
from ngrc.intervals import Adaptive, History, IntervalMethod, ResCP, Stream, Weighted

FACTORS = (1, 2, 4)
ROUNDS = 5  # more than in a comparison, as an exponent magnifies noise
ONLINE_STEPS = 5000  # a few microseconds each: long enough for the clock, short beside the history

Work = Callable[[int], Callable[[], Any]]


@dataclass(frozen=True, slots=True)
class Growth:
    """Seconds at each size, and the slope of their logarithms; `goal` None where none was set."""

    name: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    exponent: float
    goal: float | None

    @property
    def met(self) -> bool:
        """Whether the exponent stays below the goal."""
        return self.goal is None or self.exponent <= self.goal

    def row(self) -> dict[str, Any]:
        """The row as plain numbers."""
        return asdict(self)


def growths(quick: bool) -> Iterator[tuple[str, Callable[[], Growth]]]:
    """Rows by name, each measured when it is called."""
    rows = 4_000 if quick else 21_009
    lags = 12 if quick else 36
    small = 2_000 if quick else 5_000
    # A fit is linear in n, n log n has an exponent of 1.09 over this range, and a step of the sorted blocks takes
    # sqrt(n); the goals leave a little for caches. ResCP has none: its products grow with window times steps.
    table: list[tuple[str, int, float | None, Work]] = [
        (f"fit, {lags} lags, one penalty", rows, 1.1, lambda n: fitting(n, lags, ridge=0.001)),
        (f"fit, {lags} lags, 21 penalties", rows, 1.1, lambda n: fitting(n, lags)),
        ("adaptive, one pass", rows, 1.15, lambda n: block(Adaptive(rate=0.005), n)),
        ("weighted, one pass", rows, 1.15, lambda n: block(Weighted(decay=0.99), n)),
        ("rescp, window 1,500", small, None, lambda n: block(ResCP(temperature=0.1, window=1500), n)),
        ("rescp, window all", small, None, lambda n: block(ResCP(temperature=0.1, window="all"), n)),
        ("online step, adaptive", rows, 0.5, lambda n: online(Adaptive(rate=0.005), n)),
        ("online step, weighted", rows, 0.5, lambda n: online(Weighted(decay=0.999), n)),
    ]
    for name, size, goal, work in table:
        sizes = tuple(factor * size for factor in FACTORS)
        yield f"growth: {name}", partial(grow, name, sizes, goal, work)


def grow(name: str, sizes: tuple[int, ...], goal: float | None, work: Work) -> Growth:
    """Best seconds of several rounds at every size, sizes taking turns."""
    watches = [Stopwatch(work(size)) for size in sizes]
    watches[0].side()  # loads or compiles what a first call needs
    for _ in range(ROUNDS):
        for watch in watches:
            watch.round()
    seconds = tuple(watch.seconds for watch in watches)
    slope = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
    return Growth(name, sizes, seconds, slope, goal)


def fitting(size: int, lags: int, ridge: float | None = None) -> Callable[[], Any]:
    """A quadratic fit of `size` rows."""
    series = simulated(size + lags)
    return lambda: NGRC(lags, ridge=ridge).fit(series)


def residuals(size: int) -> FloatArray:
    """Noise whose scale drifts, shape (size,)."""
    rng = np.random.default_rng(size)
    return rng.normal(size=size) * (1.0 + 0.5 * np.sin(np.arange(size) / 1000.0))


def block(method: IntervalMethod, size: int) -> Callable[[], Any]:
    """`size` calibration residuals and half as many steps."""
    stream = Stream(residuals(size + size // 2), start=size)
    return lambda: method.run(stream, LEVEL)


def online(method: IntervalMethod, size: int) -> Callable[[], Any]:
    """Steps on top of a history of `size`; the history's own sorting is not timed."""
    history, outcomes = History(residuals(size)), residuals(ONLINE_STEPS)

    def steps() -> ScaledRun:
        service = Online(method, history, LEVEL)
        begin = process_time()
        for outcome in outcomes:
            service.issue(0.0)
            service.observe(outcome)
        return ScaledRun((process_time() - begin) / ONLINE_STEPS, None, "")

    return steps
