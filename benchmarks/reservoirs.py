"""ResCP with full tuning against one matrix-vector product, softmax and quantile per step."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from benchmarks import plain
from benchmarks.harness import Comparison, ScaledRun, stopped
from benchmarks.scene import LEVEL, Scene
from ngrc._types import FloatArray
from ngrc.intervals import Offsets, ResCP, Stream

HISTORY_SHARE = (
    0.9  # ResCP's own inner split, written out again: a reference shares no constant with what it judges
)
# Evenly spread steps on which the reference is run, as one pass of all candidates over all steps would take minutes.
TEST_STEPS, TUNING_STEPS = 60, 15
CHECKED_EVERY = 7
"""Of the candidates; running ours on each by itself takes a second."""

Candidate = tuple[float, Any]


def comparisons(scene: Scene) -> Iterator[Comparison]:
    """One row."""
    stream, method = scene.stream, ResCP()
    # Filled by our side, which runs first, and handed to the reference.
    choice: list[Candidate] = []

    def ours() -> Offsets:
        tuned = method.tuned(stream.history, LEVEL)
        assert tuned.temperature is not None
        assert tuned.window is not None
        choice[:] = [(tuned.temperature, tuned.window)]
        return tuned.run(stream, LEVEL)

    yield Comparison(
        name="ResCP with full tuning",
        against="one matrix-vector product, softmax and quantile per step in numpy",
        goal=25,
        ours=ours,
        reference=lambda: by_numpy(method, stream, choice[0]),
        agree=lambda offsets, theirs: agree(offsets, theirs, method, stream, choice[0]),
    )


def by_numpy(method: ResCP, stream: Stream, choice: Candidate) -> ScaledRun:
    """States in full; every candidate on a sample of the validation steps; the choice on one of the test's.

    A sample cannot choose, so the candidate of the test pass is given.
    """
    inner = stream.history.inner(HISTORY_SHARE)
    grid = candidates(method, inner)
    tuning_seconds, grid_ends = sampled(method, inner, grid, TUNING_STEPS)
    test_seconds, ends = sampled(method, stream, [choice], TEST_STEPS)
    words = (
        f"all states, {TEST_STEPS} of {stream.steps:,} test steps, and {TUNING_STEPS} of {inner.steps:,} "
        f"validation steps of each of {len(grid)} candidates, evenly spread"
    )
    return ScaledRun(tuning_seconds + test_seconds, (ends[0], grid_ends), words)


def sampled(method: ResCP, stream: Stream, grid: list[Candidate], count: int) -> tuple[float, FloatArray]:
    """Seconds that the candidates would take on all steps, and ends at `count` of them."""
    reservoir, residuals = method.reservoir, stream.residuals
    known, matrix = residuals[: stream.known], reservoir.matrix
    inputs = (residuals - known.mean()) / known.std()
    # The states are needed in full, however few steps are sampled: they follow from each other.
    seconds, units = stopped(
        lambda: plain.reservoir_units(matrix, reservoir.input_weights, reservoir.leak, reservoir.gain, inputs)
    )
    steps = spread(stream, count).tolist()
    more, ends = stopped(
        lambda: [plain.rescp(residuals, LEVEL, *candidate, units, steps) for candidate in grid]
    )
    return seconds + more * stream.steps / count, np.array(ends)


def candidates(method: ResCP, stream: Stream) -> list[Candidate]:
    """The tuning grid, windows larger than the history left out."""
    windows = [window for window in method.windows if isinstance(window, str) or window <= stream.known]
    return list(product(method.temperatures, windows))


def spread(stream: Stream, count: int) -> Any:
    """`count` wanted positions, evenly spread."""
    return np.linspace(stream.start, stream.start + stream.steps - 1, count).astype(int)


def agree(
    ours: Offsets, theirs: tuple[FloatArray, FloatArray], method: ResCP, stream: Stream, choice: Candidate
) -> str:
    """Ends of the sampled test steps, and of every candidate at the sampled validation steps."""
    ends, grid_ends = theirs
    deviation = float(np.std(stream.residuals))
    apart = largest_gap(ours, ends, spread(stream, TEST_STEPS) - stream.start) / deviation
    inner = stream.history.inner(HISTORY_SHARE)
    places = spread(inner, TUNING_STEPS) - inner.start
    checked = list(zip(candidates(method, inner), grid_ends, strict=True))[::CHECKED_EVERY]
    tuning_apart = max(
        largest_gap(ResCP(temperature=temperature, window=window).run(inner, LEVEL), theirs, places)
        for (temperature, window), theirs in checked
    )
    # Ends are residuals themselves: they differ by rounding or, where a weight is wrong, by the gap to another one.
    assert apart < 1e-9, apart
    assert tuning_apart < 1e-9 * deviation, tuning_apart
    return (
        f"test ends equal to {apart:.0e} of the residuals' deviation at the sampled steps, validation ends of "
        f"{len(checked)} of {len(grid_ends)} candidates to {tuning_apart / deviation:.0e}; both sides are given the "
        f"drawn reservoir, and the reference our choice (T {choice[0]:g}, window {choice[1]})"
    )


def largest_gap(ours: Offsets, ends: FloatArray, places: Any) -> float:
    """Largest difference of either end at some steps."""
    return float(np.abs(np.column_stack((ours.lower[places], ours.upper[places])) - ends).max())
