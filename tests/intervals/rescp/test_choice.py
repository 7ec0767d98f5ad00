"""Which of ResCP's candidates is taken."""

import numpy as np
import pytest

from ngrc.intervals.base import History, Stream
from ngrc.intervals.rescp.ends import Ends
from ngrc.intervals.rescp.tuning import best_candidate, validation_stream


def choice(lower: list[float], upper: list[float]) -> int:
    """Of candidates with constant ends, on ten outcomes of which one is 2 and the others are 0."""
    stream = Stream(np.array([0.0] * 10 + [2.0]), 1)
    low, up = (np.repeat(np.array(ends), 10).reshape(1, len(ends), 10) for ends in (lower, upper))
    return best_candidate(Ends(low, up, np.ones_like(low), np.zeros_like(low, dtype=bool)), stream, 0.9)


@pytest.mark.parametrize("horizon", [1, 3, 7])
def test_the_last_tenth_of_the_known_residuals_decides(horizon: int) -> None:
    """As the authors of ResCP split them; the first nine tenths are history, the last H - 1 of them still pending."""
    stream = validation_stream(History(np.arange(200.0), horizon))
    assert (stream.start, stream.steps) == (180, 20)
    assert stream.known == 180 - (horizon - 1)


def test_the_smallest_winkler_score_wins() -> None:
    assert choice([-3.0, -1.0, -2.0], [3.0, 3.0, 3.0]) == 1


def test_rounding_breaks_no_tie() -> None:
    noise = 1e-13
    assert choice([-1.0 - noise, -1.0, -1.0 + noise], [3.0, 3.0, 3.0]) == 0


def test_coverage_decides_between_scores_that_rounding_cannot_tell_apart() -> None:
    """At 0.9 an end at 1 costs 20 (2 - 1) / 10 = 2 for the miss and saves 2 in width: both score 5."""
    assert choice([-2.0, -2.0 + 1e-13], [3.0, 1.0]) == 1
    assert choice([-2.0 - 1e-13, -2.0], [1.0, 3.0]) == 0
