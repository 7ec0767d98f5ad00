"""ResCP with full tuning against one matrix-vector product, softmax and quantile a step."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from benchmarks import plain
from benchmarks.harness import Comparison, Scaled, stopped
from benchmarks.scene import LEVEL, Scene
from ngrc._types import FloatArray
from ngrc.intervals import Offsets, ResCP, Stream
from ngrc.intervals.rescp import HISTORY_SHARE, location_scale

TEST_STEPS, TUNING_STEPS = 60, 15

Candidate = tuple[float, int | str]


def comparisons(scene: Scene) -> Iterator[Comparison]:
    """One row."""
    stream, method = scene.stream, ResCP()
    chosen: list[Candidate] = []

    def ours() -> Offsets:
        tuned = method.tuned(stream.history, LEVEL)
        assert tuned.temperature is not None
        assert tuned.window is not None
        chosen[:] = [(tuned.temperature, tuned.window)]
        return tuned.run(stream, LEVEL)

    yield Comparison(
        "ResCP with full tuning",
        "one matrix-vector product, softmax and quantile a step in numpy",
        25,
        ours,
        lambda: by_numpy(method, stream, chosen[0]),
        lambda offsets, theirs: agree(offsets, theirs, method, stream, chosen[0]),
    )


def spread(stream: Stream, count: int) -> list[int]:
    """`count` wanted positions, evenly spread."""
    ends = np.linspace(stream.start, stream.start + stream.steps - 1, min(count, stream.steps))
    return [int(position) for position in ends]


def candidates(method: ResCP, stream: Stream) -> list[Candidate]:
    """The tuning grid, windows larger than the history left out."""
    windows = [window for window in method.windows if isinstance(window, str) or window <= stream.known]
    return list(product(method.temperatures, windows))


def by_numpy(method: ResCP, stream: Stream, choice: Candidate) -> Scaled:
    """States in full; every candidate on a sample of the validation steps; the choice on one of the test's.

    A sample cannot choose, so the candidate of the test pass is given.
    """
    drawn, residuals = method.reservoir, stream.residuals
    shift, scale = location_scale(residuals[: stream.known])
    matrix, inputs = drawn.matrix, (residuals - shift) / scale
    seconds, states = stopped(
        lambda: plain.reservoir_states(matrix, drawn.input_weights, drawn.leak, drawn.gain, inputs)
    )
    inner = stream.history.inner(HISTORY_SHARE)
    steps, grid = spread(inner, TUNING_STEPS), candidates(method, inner)
    tuning_seconds, found = stopped(
        lambda: [plain.rescp(residuals, LEVEL, *candidate, states, steps) for candidate in grid]
    )
    test_steps = spread(stream, TEST_STEPS)
    test_seconds, ends = stopped(lambda: plain.rescp(residuals, LEVEL, *choice, states, test_steps))
    seconds += tuning_seconds * inner.steps / len(steps) + test_seconds * stream.steps / len(test_steps)
    sample = (
        f"all states, {len(test_steps)} of {stream.steps:,} test steps, and {len(steps)} of {inner.steps:,} "
        f"validation steps of each of {len(grid)} candidates, evenly spread"
    )
    return Scaled(seconds, (ends, np.array(found)), sample)


def agree(
    ours: Offsets, theirs: tuple[FloatArray, FloatArray], method: ResCP, stream: Stream, choice: Candidate
) -> str:
    """Ends of the sampled test steps, and of every candidate at the sampled validation steps."""
    ends, found = theirs
    places = np.array(spread(stream, TEST_STEPS)) - stream.start
    scale = float(np.std(stream.residuals))
    apart = np.abs(np.column_stack((ours.lower[places], ours.upper[places])) - ends).max() / scale
    inner = stream.history.inner(HISTORY_SHARE)
    places = np.array(spread(inner, TUNING_STEPS)) - inner.start
    # The plain form has standardised with the whole history; tuning knows the inner one only.
    tuning = tuned_ends(method, inner, stream, places)
    tuning_apart = np.abs(tuning - found).max() / scale
    assert apart < 1e-9, apart
    assert tuning_apart < 1e-6, tuning_apart
    return (
        f"test ends equal to {apart:.0e} of the residuals' deviation at the sampled steps; validation ends of all "
        f"{len(found)} candidates equal to {tuning_apart:.0e}; both sides are given the drawn reservoir, and the "
        f"reference our choice (T {choice[0]:g}, window {choice[1]})"
    )


def tuned_ends(method: ResCP, inner: Stream, stream: Stream, places: Any) -> FloatArray:
    """Our ends of every candidate at some validation steps, shape (candidates, steps, 2)."""
    raise NotImplementedError
