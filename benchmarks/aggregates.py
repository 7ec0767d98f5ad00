"""`auto` with everything it aggregates against tuned ResCP alone, over a block and one observation at a time."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from benchmarks.harness import Comparison, ScaledRun, stopped
from benchmarks.scene import LEVEL, Scene
from ngrc._types import FloatArray
from ngrc.intervals import Auto, IntervalMethod, Offsets, ResCP, Stream
from ngrc.intervals.context import Context

PERIODS = (144.0, 1008.0)
"""A day and a week of ten minutes, as Solar has them: all columns of the readout are in use."""
STEPS = 2000
"""Observations of the online row at most, and ..."""
SAMPLED = 100
"""... those on which ResCP is run: each costs it a product with every known state."""
APART = 0.02
"""Coverage of `auto` may differ from the level by two points on a stream that no method is made for."""


def comparisons(scene: Scene) -> Iterator[Comparison]:
    """A block, tuned, and online steps."""
    size = scene.stream.residuals.size
    forecasts = np.sin(2.0 * np.pi * np.arange(size) / PERIODS[0])
    stream = replace(scene.stream, context=Context(forecasts, PERIODS))
    yield Comparison(
        name="auto with everything it aggregates",
        against="our tuned ResCP alone",
        goal=2,
        ours=lambda: Auto().run(stream, LEVEL),
        reference=lambda: ResCP().tuned(stream.history, LEVEL).run(stream, LEVEL),
        agree=lambda ours, _: agree(ours, stream),
    )
    settled = ResCP(temperature=0.1, window="all")
    steps = min(STEPS, stream.steps)
    yield Comparison(
        name=f"auto, {steps:,} steps one observation at a time",
        against="our ResCP likewise",
        goal=2,
        ours=lambda: online(Auto(), stream, steps),
        reference=lambda: sampled(settled, stream, steps),
        agree=lambda ours, _: like_the_block(ours, stream),
    )


def online(method: IntervalMethod, stream: Stream, steps: int) -> FloatArray:
    """Widths of the first `steps` intervals, each issued before its residual is observed."""
    tracker = method.begin(stream.history, LEVEL)
    return stepped(tracker, stream, steps)


def stepped(tracker: object, stream: Stream, steps: int) -> FloatArray:
    """Widths as the tracker issues them."""
    assert stream.context is not None
    widths = np.empty(steps)
    residuals, forecasts = stream.residuals[stream.start :], stream.context.forecasts[stream.start :]
    for step in range(steps):
        lower, upper = tracker.issue(0.0, float(forecasts[step]))  # type: ignore[attr-defined]
        widths[step] = upper - lower
        tracker.observe(float(residuals[step]), not lower <= residuals[step] <= upper)  # type: ignore[attr-defined]
    return widths


def sampled(method: ResCP, stream: Stream, steps: int) -> ScaledRun:
    """The start in full, and `SAMPLED` of the steps for all of them."""
    begin, tracker = stopped(lambda: method.begin(stream.history, LEVEL))
    seconds, widths = stopped(lambda: stepped(tracker, stream, SAMPLED))
    return ScaledRun(
        begin + seconds * steps / SAMPLED, widths, f"the start, and {SAMPLED} of {steps:,} steps"
    )


def agree(ours: Offsets, stream: Stream) -> str:
    """Other methods have other ends; what can be checked is that each level is held."""
    outcomes = stream.residuals[stream.start :]
    held = float(np.mean((ours.lower <= outcomes) & (outcomes <= ours.upper)))
    assert abs(held - LEVEL) < APART, held
    return f"auto holds {held:.3f} at {LEVEL}"


def like_the_block(widths: FloatArray, stream: Stream) -> str:
    """One at a time and in a block auto gives the same numbers."""
    block = Auto().run(stream, LEVEL)
    whole = (block.upper - block.lower)[: widths.size]
    assert np.array_equal(widths, whole), np.abs(widths - whole).max()
    return f"all {widths.size:,} widths equal to those of the block"
