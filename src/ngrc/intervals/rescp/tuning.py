"""What ResCP chooses from: windows over the known residuals, and the score that picks a candidate."""

from typing import Literal, TypeAlias

import numpy as np

from ngrc._ties import within_rounding
from ngrc.intervals.base import History, Stream
from ngrc.intervals.rescp.ends import Ends
from ngrc.intervals.window import check_window
from ngrc.metrics import coverage, winkler
from ngrc.validation import check_count

Window: TypeAlias = int | Literal["all", "fifo"]

# As the authors of ResCP split their calibration residuals, and the paper's appendix "Hyperparameter Selection".
HISTORY_SHARE = 0.9
# More residuals than memory holds.
UNLIMITED = 2**40


def checked_window(window: Window) -> Window:
    """Return a window that is a count, "all" or "fifo"."""
    if isinstance(window, str):
        if window not in ("all", "fifo"):
            raise ValueError(f"window must be a whole number, 'all' or 'fifo', got {window!r}")
        return window
    return check_count(window, "window")


def window_size(window: Window, known: int) -> int:
    """How many residuals the window may hold, given how many are known at the first interval."""
    if window == "all":
        return UNLIMITED
    return known if window == "fifo" else int(window)


def require_filled(window: Window, known: int) -> None:
    """Raise `ValueError` unless the known history fills a window given as a number."""
    if not isinstance(window, str):
        check_window(window, known)


def admitted(windows: tuple[Window, ...], known: int) -> tuple[Window, ...]:
    """Windows that the history at the start of tuning fills."""
    filled = tuple(window for window in windows if isinstance(window, str) or window <= known)
    if not filled:
        raise ValueError(
            f"every window of {windows} is larger than the {known} residuals known where tuning starts; "
            "add 'all' or a smaller window, or give more calibration residuals"
        )
    return filled


def validation_stream(history: History) -> Stream:
    """The history as a stream whose last 10 % is wanted."""
    count, horizon = history.residuals.size, history.horizon
    needed = max(2, int(np.ceil(horizon / HISTORY_SHARE - 1e-9)))
    if count < needed:
        raise ValueError(
            f"too little history to tune: {count} known residuals at horizon {horizon}, at least {needed} "
            "are needed; give more calibration residuals or set temperature and window"
        )
    return history.inner(HISTORY_SHARE)


def best_candidate(ends: Ends, stream: Stream, level: float) -> int:
    """Index of the smallest Winkler score, rounding aside; ties by coverage error, then order, temperatures first."""
    outcomes = stream.residuals[stream.start :]
    lowers, uppers = (side.reshape(-1, outcomes.size) for side in (ends.lower, ends.upper))
    scores = [
        (winkler(outcomes, low, up, level), abs(coverage(outcomes, low, up) - level))
        for low, up in zip(lowers, uppers, strict=True)
    ]
    tied = within_rounding([score for score, _ in scores])
    return min(np.flatnonzero(tied).tolist(), key=lambda index: scores[index][1])
