"""A sliding quantile that learns one observation at a time, against river's."""

from collections.abc import Iterator

import numpy as np

from benchmarks import plain
from benchmarks.harness import Comparison
from benchmarks.scene import LEVEL, Scene
from benchmarks.sequential import WINDOW
from ngrc._types import FloatArray
from ngrc.intervals import Rolling

WITHIN = 0.1
"""River's window is native code behind one cheap call, a step here three calls through numba: stay within ten times."""


def comparisons(scene: Scene) -> Iterator[Comparison]:
    """One row; both sides start from the same full window."""
    stream, window = scene.stream, min(WINDOW, scene.stream.known)
    incoming = stream.residuals[stream.known :].tolist()

    def ours() -> FloatArray:
        tracker = Rolling(window=window).begin(stream.history, LEVEL)
        widths = []
        for residual in incoming:
            widths.append(tracker.issue()[1])
            tracker.observe(residual, None)
        return np.array(widths)

    yield Comparison(
        name=f"rolling, M = {window:,}, one observation at a time",
        against="river RollingQuantile",
        goal=WITHIN,
        ours=ours,
        reference=lambda: by_river(scene.scores[: stream.known], np.abs(incoming).tolist(), window),
        agree=agree,
    )


def by_river(known: FloatArray, incoming: list[float], window: int) -> FloatArray:
    """The share that interpolates to the corrected rank."""
    from river.stats import RollingQuantile

    rank = plain.rank(window, LEVEL)
    quantile = RollingQuantile(q=(rank - 1) / (window - 1), window_size=window)
    for score in known[-window:].tolist():
        quantile.update(score)
    widths = []
    for score in incoming:
        widths.append(quantile.get())
        quantile.update(score)
    return np.array(widths)


def agree(ours: FloatArray, theirs: FloatArray) -> str:
    """River interpolates between neighbours, so rounding of the share may show."""
    apart = np.abs(ours / theirs - 1.0).max()
    assert apart < 1e-9, apart
    return f"all {ours.size:,} half-widths equal to {apart:.0e} relative"
