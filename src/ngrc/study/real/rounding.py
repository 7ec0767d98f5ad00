"""Time-weighted intervals with a plain cumulative sum, to see which printed cells its rounding decided.

With decay = level the newest score's share of the weight is alpha up to rounding: when it is the largest score, the
sum over all others is the level itself, and the last bit of a floating-point sum decides whether it reaches it. The
library sends such a tie to the larger score; a program that compares plain sums leaves it to chance.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ngrc._types import FloatArray
from ngrc.backtesting.results import Run
from ngrc.intervals.base import Stream
from ngrc.metrics import coverage, width, winkler
from ngrc.study.harness.printed import Printed
from ngrc.study.real.cases import LEVEL, Scores

# Scores that matter: the weights beyond are below this share of the newest, far below a sum's last bit.
NEGLIGIBLE = 1e-30


def plain_radii(stream: Stream, decay: float, level: float) -> FloatArray:
    """Half-widths: the first sorted score whose plain sum of normalised weights reaches the level.

    Examples
    --------
    >>> stream = Stream(np.array([1.0, -2.0, 4.0, -3.0, 0.0]), start=2)
    >>> plain_radii(stream, 0.5, 0.6).tolist()
    [2.0, 4.0, 3.0]
    """
    scores = np.abs(stream.visible)
    depth = scores.size if decay == 1.0 else int(np.ceil(np.log(NEGLIGIBLE) / np.log(decay)))
    radii = np.empty(stream.steps)
    for step in range(stream.steps):
        known = scores[max(0, stream.known + step - depth) : stream.known + step]
        weights = decay ** np.arange(known.size - 1, -1, -1)
        order = np.argsort(known, kind="stable")
        sums = np.cumsum((weights / weights.sum())[order])
        radii[step] = known[order[min(int(np.searchsorted(sums, level)), known.size - 1)]]
    return radii


def plain_scores(run: Run) -> Scores:
    """Scores of time-weighted CP at the decay that the run selected, with plain sums."""
    stream = run.blocks.stream(run.residuals)
    radii = plain_radii(stream, float(run.band("weighted", LEVEL).selected["decay"]), LEVEL)
    outcomes, unit = run.residuals[run.blocks.test], run.scale.std
    return Scores(
        coverage(outcomes, -radii, radii),
        width(-radii, radii) / unit,
        winkler(outcomes, -radii, radii, LEVEL) / unit,
    )


def plain_reason(
    method: str, runs: Sequence[Run], reduce: Callable[[FloatArray], float], paper: Printed
) -> str:
    """What plain sums give in a cell that is off the print; nothing for a method without such sums.

    Parameters
    ----------
    method
        The cell's method.
    runs
        The windows that it is computed from.
    reduce
        From the scores of the windows, shape (windows, 3), to the cell's number.
    paper
        What is printed.
    """
    if method != "weighted":
        return ""
    ours = reduce(np.array([plain_scores(run) for run in runs]))
    same = "the printed digits" if paper.same_digits(ours) else "not the printed digits either"
    return f"with plain cumulative sums, whose rounding decides ties between weight and level, it is {ours:.6g}: {same}"
