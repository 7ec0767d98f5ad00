"""Coverage control: each end moves out after a miss on its side and in after a hit, in shares of the width.

An end with a wanted miss rate of p moves by GAIN (1 - p) after a miss and by GAIN p after a hit, so that in the long
run misses come no more often than at the rate p where errors stay bounded in units of the mixture's width (quantile
tracking, the P of conformal PID control: Angelopoulos, Candes, Tibshirani 2023, arXiv:2307.16895). Both ends also
answer to recent misses on either side, which fade.
"""

from ngrc._jit import jit
from ngrc._types import FloatArray

GAIN = 0.005
"""Shares of the width per miss: a hundred misses too many widen an interval by half."""
PUSH = 15.0
"""Shares of the width per excess of misses of late, times alpha: at 80 % a point too many widens either side by 3 %
of the width, and at 95 %, where misses are rare and a few of them are chance, by 0.75 %."""
KEEP = 0.995
"""Decay of misses of late: the last two hundred outcomes."""
INWARD = 0.45
"""Share of the width that an end moves in at most, so that the two never cross."""


@jit
def apply(offsets: FloatArray, alphas: FloatArray, mixture: FloatArray, ends: FloatArray) -> None:
    """Ends of every level from those of the mixture: lower ones of all levels, then upper ones."""
    levels = alphas.size
    for level in range(levels):
        low, high = mixture[level], mixture[levels + level]
        if low > high:
            low = high = 0.5 * (low + high)
        width = high - low
        push = PUSH * alphas[level] * offsets[2 * levels + level]
        ends[level] = low - max(offsets[level] + push, -INWARD) * width
        ends[levels + level] = high + max(offsets[levels + level] + push, -INWARD) * width


@jit
def learn(offsets: FloatArray, alphas: FloatArray, ends: FloatArray, residual: float, pace: float) -> None:
    """The outcome of issued ends has become known; `pace` slows the lasting moves where errors come in runs."""
    levels = alphas.size
    for level in range(levels):
        rate = 0.5 * alphas[level]
        below = 1.0 if residual < ends[level] else 0.0
        above = 1.0 if residual > ends[levels + level] else 0.0
        offsets[level] = max(offsets[level] + pace * GAIN * (below - rate), -INWARD)
        offsets[levels + level] = max(offsets[levels + level] + pace * GAIN * (above - rate), -INWARD)
        late = 2 * levels + level
        offsets[late] = KEEP * offsets[late] + (1.0 - KEEP) * (below + above - alphas[level])
