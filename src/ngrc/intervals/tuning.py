"""Choice of an open parameter from the known history alone."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from ngrc._types import FloatArray
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream

HISTORY_SHARE = 0.6

Method = TypeVar("Method", bound=IntervalMethod)
Runner = Callable[[Sequence[Method], Stream, float], Iterable[Offsets]]


def run_each(candidates: Sequence[Method], stream: Stream, level: float) -> Iterable[Offsets]:
    """Offsets of each candidate, one after the other."""
    return (candidate.run(stream, level) for candidate in candidates)


def interval_score(offsets: Offsets, residuals: FloatArray, level: float) -> float:
    """Mean Winkler score: width plus 2 / alpha times the distance by which the interval was missed.

    Examples
    --------
    >>> offsets = Offsets(np.array([-1.0, -1.0]), np.array([1.0, 1.0]))
    >>> round(interval_score(offsets, np.array([0.5, 1.5]), 0.9), 6)
    7.0
    """
    beyond = np.maximum(offsets.lower - residuals, 0.0) + np.maximum(residuals - offsets.upper, 0.0)
    return float(np.mean(offsets.upper - offsets.lower + 2.0 / (1.0 - level) * beyond))


def select(
    candidates: Sequence[Method],
    history: History,
    share: float,
    level: float,
    run: Runner[Method] = run_each,
) -> Method:
    """The candidate with the smallest Winkler score on the last `1 - share` of the history, first on ties.

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
    needed = int(np.ceil(horizon / share - 1e-9))
    if count < max(needed, 2) or history.inner(share).steps < 1:
        raise ValueError(
            f"too little history to tune: {count} known residuals at horizon {horizon}, at least "
            f"{max(needed, 2)} are needed; give more calibration residuals or set the parameter"
        )
    stream = history.inner(share)
    validation = stream.residuals[stream.start :]
    scores = [interval_score(offsets, validation, level) for offsets in run(candidates, stream, level)]
    return candidates[int(np.argmin(scores))]
