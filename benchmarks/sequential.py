"""Adaptive, time-weighted and rolling intervals against numpy, bisection, pandas and the plain tuned forms."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benchmarks import plain
from benchmarks.harness import Comparison, ScaledRun, stopped
from benchmarks.scene import LEVEL, Scene
from ngrc._types import FloatArray
from ngrc.intervals import Adaptive, Offsets, Rolling, Stream, Weighted

RATE, DECAY, WINDOW = 0.005, 0.99, 1000  # from the middle of the grids
EVERY = 10  # the argsort reference runs one step in ten
RATES, DECAYS = Adaptive().rates, Weighted().decays


def comparisons(scene: Scene) -> Iterator[Comparison]:
    """Rows of one pass, then of both methods with full tuning."""
    stream, scores, start = scene.stream, scene.scores, scene.stream.start
    yield from adaptive(stream, scores, start)
    yield from weighted(stream, scores, start)
    yield rolling(stream, scores, start)
    yield Comparison(
        name="adaptive + weighted with full tuning",
        against="the plain numpy versions of both with tuning",
        goal=1000,
        ours=lambda: both_tuned(stream),
        reference=lambda: both_plain(scores, start),
        agree=same_choices,
    )


def adaptive(stream: Stream, scores: FloatArray, start: int) -> Iterator[Comparison]:
    """A given rate, against sorting anew and against insertion by bisection."""
    ours = partial(Adaptive(rate=RATE).run, stream, LEVEL)
    yield Comparison(
        name="adaptive, one pass",
        against="np.sort of the growing history at every step",
        goal=1000,
        ours=ours,
        reference=lambda: plain.adaptive_sort(scores, start, LEVEL, RATE),
        agree=same_widths,
    )
    yield Comparison(
        name="adaptive, one pass",
        against="sorted list with bisect",
        goal=15,
        ours=ours,
        reference=lambda: plain.adaptive_bisect(scores, start, LEVEL, RATE),
        agree=same_widths,
    )


def weighted(stream: Stream, scores: FloatArray, start: int) -> Iterator[Comparison]:
    """A given decay, against sorting anew and against insertion."""
    ours = partial(Weighted(decay=DECAY).run, stream, LEVEL)
    yield Comparison(
        name="time-weighted, one pass",
        against="numpy argsort + cumsum at every step",
        goal=2500,
        ours=ours,
        reference=lambda: sampled_sort(scores, start),
        agree=lambda whole, theirs: same_widths(Offsets(whole.lower[::EVERY], whole.upper[::EVERY]), theirs),
    )
    yield Comparison(
        name="time-weighted, one pass",
        against="numpy insert + cumsum",
        goal=300,
        ours=ours,
        reference=lambda: plain.weighted_insert(scores, start, LEVEL, DECAY),
        agree=same_widths,
    )


def rolling(stream: Stream, scores: FloatArray, start: int) -> Comparison:
    """The window of M scores; both sides read only what the test block needs."""
    import pandas

    window = min(WINDOW, start)
    rank = plain.rank(window, LEVEL)
    recent = pandas.Series(scores[start - window : -1])

    def by_pandas() -> FloatArray:
        # The share that interpolates to the rank itself, so that both take the same order statistic.
        quantiles = recent.rolling(window).quantile((rank - 1) / (window - 1), interpolation="nearest")
        return quantiles.to_numpy()[window - 1 :]

    ours = partial(Rolling(window=window).run, stream, LEVEL)
    return Comparison(
        name=f"rolling, M = {window:,}",
        against="pandas rolling quantile",
        goal=3,
        ours=ours,
        reference=by_pandas,
        agree=same_widths,
    )


def sampled_sort(scores: FloatArray, start: int) -> ScaledRun:
    """Every tenth step of the argsort reference, which carries nothing from one step to the next."""
    steps = range(start, len(scores), EVERY)
    seconds, widths = stopped(lambda: plain.weighted_sort(scores, start, LEVEL, DECAY, steps))
    count = len(scores) - start
    return ScaledRun(
        seconds * count / len(steps), widths, f"{len(steps):,} of {count:,} steps, evenly spread"
    )


def both_tuned(stream: Stream) -> list[tuple[float, FloatArray]]:
    """Our choice and widths, of both methods."""
    pairs = []
    for method in (Adaptive(), Weighted()):
        tuned = method.tuned(stream.history, LEVEL)
        pairs.append((next(iter(tuned.selected.values())), tuned.run(stream, LEVEL).upper))
    return pairs


def both_plain(scores: FloatArray, start: int) -> list[tuple[float, FloatArray]]:
    """The plain forms' choice and widths."""
    methods: list[tuple[Callable[..., FloatArray], tuple[float, ...]]] = [
        (plain.adaptive_sort, RATES),
        (plain.weighted_sort, DECAYS),
    ]
    return [plain.tuned(method, scores, start, LEVEL, grid) for method, grid in methods]


def same_widths(ours: Offsets, theirs: FloatArray) -> str:
    """Every half-width, as an exact number."""
    np.testing.assert_array_equal(ours.upper, theirs)
    return f"all {theirs.size:,} compared half-widths identical to the last bit"


def same_choices(ours: list[tuple[float, FloatArray]], theirs: list[tuple[float, FloatArray]]) -> str:
    """Chosen parameters and every half-width."""
    for (our_choice, our_widths), (their_choice, their_widths) in zip(ours, theirs, strict=True):
        assert our_choice == their_choice, (our_choice, their_choice)
        np.testing.assert_array_equal(our_widths, their_widths)
    return (
        f"same choices (rate {ours[0][0]:g}, decay {ours[1][0]:g}), all half-widths identical to the last bit"
    )
