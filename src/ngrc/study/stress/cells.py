"""One replication: every method on every law, and against its adversary, at every horizon."""

import numpy as np

from ngrc._types import FloatArray
from ngrc.intervals import METHODS
from ngrc.intervals.base import IntervalMethod
from ngrc.intervals.defaults import resolve
from ngrc.intervals.nexcp import NexCP
from ngrc.metrics import covered
from ngrc.study.stress.adversary import duel
from ngrc.study.stress.laws import LAWS, LEVEL, Sample, Sizes

HORIZONS = (1, 7)
WINDOW = 500
NEAR = 0.04
"""Coverage of a window counts as steady within four points of the level."""
LEFT_OUT = {"bayes": "it needs a readout's leverage, and there is no model here"}
EQUAL = "nexcp, equal weights"
"""NexCP with a decay of one, which is exact for exchangeable residuals."""
TRUE = "the true law"
"""Its central interval, for comparison: no method, and no coverage to be had that varies less from window to window."""
MEASURES = ("coverage", "worst", "steady", "width", "infinite")
"""Share covered; its least value over 500 steps in a row; share of such windows within four points; mean width of the
finite intervals over that of the true law; share that is infinite."""
COVERAGE, WORST, STEADY, WIDTH, INFINITE = range(len(MEASURES))


def contestants() -> dict[str, IntervalMethod]:
    """Every registered method with its defaults, but those left out, and NexCP with equal weights."""
    named = {name: resolve(name) for name in METHODS if name not in LEFT_OUT}
    return named | {EQUAL: NexCP(decay=1.0)}


def names() -> list[str]:
    """Rows of a replication: the true law, then the methods."""
    return [TRUE, *contestants()]


def replication(rng: np.random.Generator, sizes: Sizes) -> FloatArray:
    """Measures, shape (laws and adversary, horizons, `names`, measures); all methods see the same residuals."""
    methods = contestants()
    found = np.empty((len(LAWS) + 1, len(HORIZONS), 1 + len(methods), len(MEASURES)))
    for i, draw in enumerate(LAWS.values()):
        sample = draw(rng, sizes)
        found[i, :, 0] = measured(sample, sample.lower, sample.upper)
        for j, horizon in enumerate(HORIZONS):
            stream = sample.stream(horizon)
            for k, method in enumerate(methods.values(), start=1):
                offsets = method.run(stream, LEVEL)
                found[i, j, k] = measured(sample, offsets.lower, offsets.upper)
    # Every duel starts from the same calm residuals.
    seed = int(rng.integers(2**32))
    for j, horizon in enumerate(HORIZONS):
        for k, method in enumerate(methods.values(), start=1):
            sample, ends = duel(method, np.random.default_rng(seed), horizon, sizes)
            found[-1, j, k] = measured(sample, ends[:, 0], ends[:, 1])
            found[-1, j, 0] = measured(sample, sample.lower, sample.upper)  # the reach, which nothing leaves
    return found


def measured(sample: Sample, lower: FloatArray, upper: FloatArray) -> list[float]:
    """What `MEASURES` names, for the intervals of one test block."""
    inside = covered(sample.residuals[-lower.size :], lower, upper)
    windows = np.convolve(inside, np.full(WINDOW, 1.0 / WINDOW), "valid")
    finite = np.isfinite(upper - lower)
    if not finite.any():
        raise ValueError("every interval of the block is infinite; give more calibration residuals")
    width = np.mean((upper - lower)[finite]) / np.mean((sample.upper - sample.lower)[finite])
    # The last digit of a sum of 500 shares must not decide what is within four points.
    steady = np.mean(np.abs(windows - LEVEL) <= NEAR + 1e-9)
    return [float(inside.mean()), float(windows.min()), float(steady), float(width), float(np.mean(~finite))]
