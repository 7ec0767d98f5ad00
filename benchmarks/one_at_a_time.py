"""Every interval method one observation at a time, seconds per step: against river, plain forms, its block, a goal."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import process_time

import numpy as np

from benchmarks import plain
from benchmarks.harness import ITSELF, Comparison, ScaledRun
from benchmarks.scene import LEVEL, Scene
from benchmarks.sequential import DECAY, RATE, WINDOW
from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.intervals import (
    METHODS,
    Adaptive,
    Gaussian,
    IntervalMethod,
    NexCP,
    ResCP,
    Rolling,
    Stream,
    Tracker,
    Unprojected,
    Weighted,
)

STEPS = 4000
"""Steps that are timed: enough for a mean, and few beside the calibration, so that a growing history hardly grows."""
LASTING = 0.05
"""Seconds of one round, the best pass of which counts: a busy moment falls on some passes and not on all."""
RIVER_GOALS = {100: 1.2, WINDOW: 1.5, 10_000: 3.0}
"""Times faster than river, by the window: its list is short at M = 100."""
STEP_GOALS = {"adaptive": 0.5e-6, "auto": 8e-6}
"""Seconds of a step."""
BLOCK = "its own block form, per position"
BLOCK_GOALS = {
    "bayes": 0.02,
    "split": 0.02,
    "asymmetric": 0.02,
    "pid": 0.4,
    "dtaci": 0.15,
    "saocp": 0.3,
    "rescp": 0.1,
    "scaled": 0.05,
    "quantile": 0.2,
    "auto": 0.2,
}
"""At most half or so of what was measured: a block makes no calls, and fixed methods compute nothing per position."""
WALKING = ("rescp", "scaled", "quantile", "auto")
SLOW = ("weighted", "nexcp", "rescp", "scaled", "quantile", "auto")
"""Methods that are slow, or whose reference is: a tenth of the steps will do."""

Drive = Callable[[Tracker, list[float]], list[float]]


@dataclass(frozen=True, slots=True)
class Reference:
    """What a method is timed against, how often it should be quicker, and how far apart outputs may be."""

    against: str
    goal: float
    widths: Callable[[], FloatArray]
    rtol: float = 0.0


def comparisons(scene: Scene) -> Iterator[Comparison]:
    """Rolling as users of river would call it, then one row per method."""
    for window in RIVER_GOALS:
        if window <= scene.stream.known:
            yield against_river(scene, window)
    for name in METHODS:
        yield one(name, scene)
    for name in STEP_GOALS:
        yield against_goal(name, scene)


def against_river(scene: Scene, window: int) -> Comparison:
    """Two calls per observation on both sides, from the same full window."""
    stream = shortened(scene.stream, STEPS)
    known, incoming = np.abs(stream.residuals[: stream.known]), stream.residuals[stream.known :].tolist()
    return Comparison(
        name=f"rolling, M = {window:,}, one observation at a time, issue and observe",
        against="river RollingQuantile",
        goal=RIVER_GOALS[window],
        ours=lambda: timed(Rolling(window=window), stream, by_two_calls),
        reference=lambda: by_river(known, np.abs(incoming).tolist(), window),
        agree=nearly_equal,
    )


def one(name: str, scene: Scene) -> Comparison:
    """A step of one method."""
    stream = shortened(scene.stream, STEPS // 10 if name in SLOW else STEPS)
    method = settled(name, stream)
    reference = references(stream).get(name) or by_block(method, stream)
    # A block of these goes through the calibration as well.
    positions = stream.residuals.size if name in WALKING else stream.steps
    return Comparison(
        name=f"{name}, one observation at a time, step",
        against=reference.against,
        goal=reference.goal,
        ours=lambda: timed(method, stream, by_steps),
        reference=lambda: seconds_per_step(reference.widths, positions),
        agree=lambda ours, theirs: agree(ours, theirs, reference.rtol),
    )


def against_goal(name: str, scene: Scene) -> Comparison:
    """A step of one method beside the time that it may take."""
    stream = shortened(scene.stream, STEPS // 10 if name in SLOW else STEPS)
    method = settled(name, stream)
    return Comparison(
        name=f"{name}, one online step",
        against=ITSELF,
        goal=1.0,
        ours=lambda: timed(method, stream, by_steps),
        reference=lambda: ScaledRun(STEP_GOALS[name], None, ""),
        agree=lambda ours, _: f"mean of {ours.size:,} steps after {stream.known:,} known residuals",
    )


def settled(name: str, stream: Stream) -> IntervalMethod:
    """A method with parameters from the middle of its grids, so that no time goes into tuning."""
    window = min(WINDOW, stream.known)
    fixed: dict[str, IntervalMethod] = {
        "rolling": Rolling(window=window),
        "gaussian": Gaussian(window=window),
        "adaptive": Adaptive(rate=RATE),
        "unprojected": Unprojected(rate=RATE),
        "weighted": Weighted(decay=DECAY),
        "nexcp": NexCP(decay=DECAY),
        "rescp": ResCP(temperature=0.1, window=min(500, stream.known)),
    }
    return fixed.get(name) or METHODS[name]().tuned(stream.history, LEVEL)


def references(stream: Stream) -> dict[str, Reference]:
    """Plain forms, where one would write one."""
    start, window, factor = stream.start, min(WINDOW, stream.known), gaussian_radius(LEVEL)
    residuals, sizes = stream.residuals, np.abs(stream.residuals)
    listed, inserted = "sorted list with bisect", "numpy insert + cumsum"
    return {
        "rolling": Reference(listed, 1.5, lambda: plain.rolling_bisect(sizes, start, window, LEVEL)),
        "gaussian": Reference(
            "numpy mean of the window's squares",
            10.0,
            lambda: plain.gaussian_window(residuals, start, window, factor),
            1e-12,
        ),
        "student": Reference(
            "SciPy's quantile at every step",
            1.5,
            lambda: plain.student_growing(residuals, start, LEVEL),
            1e-12,
        ),
        "adaptive": Reference(listed, 4.0, lambda: plain.adaptive_bisect(sizes, start, LEVEL, RATE)),
        "unprojected": Reference(listed, 4.0, lambda: plain.unprojected_bisect(sizes, start, LEVEL, RATE)),
        "weighted": Reference(inserted, 60.0, lambda: plain.weighted_insert(sizes, start, LEVEL, DECAY)),
        "nexcp": Reference(inserted, 60.0, lambda: plain.nexcp_insert(sizes, start, LEVEL, DECAY)),
    }


def by_block(method: IntervalMethod, stream: Stream) -> Reference:
    """The whole block in one compiled pass: about what a step would cost without any call."""
    return Reference(BLOCK, BLOCK_GOALS[method.name], lambda: method.run(stream, LEVEL).upper, 1e-9)


def timed(method: IntervalMethod, stream: Stream, drive: Drive) -> ScaledRun:
    """Seconds per step of a tracker."""
    incoming = stream.residuals[stream.known :].tolist()

    def one_pass() -> tuple[float, FloatArray]:
        tracker = method.begin(stream.history, LEVEL)
        begin = process_time()
        widths = drive(tracker, incoming)
        return process_time() - begin, np.array(widths)

    return best_of(one_pass, stream.steps)


def best_of(one_pass: Callable[[], tuple[float, FloatArray]], steps: int) -> ScaledRun:
    """The quickest of the passes that a round has time for, beginnings included."""
    first = process_time()
    best, widths = one_pass()
    while process_time() - first < LASTING:
        best = min(best, one_pass()[0])
    return ScaledRun(best / steps, widths, "")


def by_two_calls(tracker: Tracker, incoming: list[float]) -> list[float]:
    """As in service: an interval, then its outcome."""
    widths = []
    for residual in incoming:
        widths.append(tracker.issue()[1])
        tracker.observe(residual, None)
    return widths


def by_steps(tracker: Tracker, incoming: list[float]) -> list[float]:
    """One call per observation; the last outcome opens an interval that nobody waits for."""
    widths, step = [], tracker.step
    lower, upper = tracker.issue()
    for residual in incoming:
        widths.append(upper)
        lower, upper = step(residual, not lower <= residual <= upper)
    return widths


def by_river(known: FloatArray, incoming: list[float], window: int) -> ScaledRun:
    """The share that interpolates to the corrected rank."""
    from river.stats import RollingQuantile

    rank = plain.rank(window, LEVEL)

    def one_pass() -> tuple[float, FloatArray]:
        quantile = RollingQuantile(q=(rank - 1) / (window - 1), window_size=window)
        for score in known[-window:].tolist():
            quantile.update(score)
        widths = []
        begin = process_time()
        for score in incoming:
            widths.append(quantile.get())
            quantile.update(score)
        return process_time() - begin, np.array(widths)

    return best_of(one_pass, len(incoming))


def seconds_per_step(side: Callable[[], FloatArray], steps: int) -> ScaledRun:
    """One call of a whole pass, scaled to a step."""
    begin = process_time()
    widths = side()
    return ScaledRun((process_time() - begin) / steps, widths, "")


def shortened(stream: Stream, steps: int) -> Stream:
    """The first test positions, without leverage of others."""
    size = stream.start + min(steps, stream.steps)
    return replace(
        stream,
        residuals=stream.residuals[:size],
        leverage=np.zeros(size),
        fit_scale=float(np.sqrt(np.mean(stream.residuals[: stream.known] ** 2))),
        context=None,
    )


def agree(ours: FloatArray, theirs: FloatArray, rtol: float) -> str:
    """Every half-width."""
    np.testing.assert_allclose(ours, theirs, rtol=rtol)
    return f"all {ours.size:,} half-widths " + (
        "identical to the last bit" if rtol == 0 else f"equal to {rtol:.0e}"
    )


def nearly_equal(ours: FloatArray, theirs: FloatArray) -> str:
    """River interpolates between neighbours, so rounding of the share may show."""
    apart = np.abs(ours / theirs - 1.0).max()
    assert apart < 1e-9, apart
    return f"all {ours.size:,} half-widths equal to {apart:.0e} relative"
