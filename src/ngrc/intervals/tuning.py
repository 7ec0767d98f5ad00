"""Choice of an open parameter from the known history alone."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from ngrc._ties import first_smallest
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream
from ngrc.metrics import winkler_scores

# Appendix "Adaptive and Time-Weighted Conformal Prediction": history from the first 60 %, validation on the last 40 %.
HISTORY_SHARE = 0.6

Method = TypeVar("Method", bound=IntervalMethod)
Runner = Callable[[Sequence[Method], Stream, float], Iterable[Offsets]]


def run_each(candidates: Sequence[Method], stream: Stream, level: float) -> Iterable[Offsets]:
    """Offsets of each candidate, one after the other."""
    return (candidate.run(stream, level) for candidate in candidates)


def select(
    candidates: Sequence[Method],
    history: History,
    share: float,
    level: float,
    run: Runner[Method] = run_each,
) -> Method:
    """The candidate with the smallest Winkler score on the last `1 - share` of the history, first on ties.

    Scores that differ by rounding alone are ties.

    Parameters
    ----------
    candidates
        Methods with every parameter set.
    history
        Known residuals; the first `share` of them starts the candidates, with the same H-step delay.
    share
        In (0, 1); the paper uses 0.6.
    level
        Nominal coverage in (0, 1).
    run
        Runs all candidates over a stream, so that they may share work; by default each on its own.
    """
    if len(candidates) == 1:
        return candidates[0]
    count, horizon = history.residuals.size, history.horizon
    # The inner stream starts at floor(share * count), which must be at least H; the slack is that of `share_of`.
    needed = int(np.ceil(horizon / share - 1e-9))
    stream = history.inner(share) if count >= max(needed, 2) else None
    if stream is None or stream.steps < 1:
        raise ValueError(
            f"too little history to tune: {count} known residuals at horizon {horizon}, at least "
            f"{max(needed, 2)} are needed; give more calibration residuals or set the parameter"
        )
    validation = stream.residuals[stream.start :]
    ends = [(offsets.lower, offsets.upper) for offsets in run(candidates, stream, level)]
    lower, upper = (np.stack(side) for side in zip(*ends, strict=True))
    # Along the last axis: every candidate's mean is that of `winkler`, to the bit.
    return candidates[first_smallest(winkler_scores(validation, lower, upper, level).mean(axis=-1))]
