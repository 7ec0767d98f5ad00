"""Plain sums against the library's time-weighted intervals: alike but for ties."""

import numpy as np
import pytest

from ngrc.intervals import Weighted
from ngrc.intervals.base import Stream
from ngrc.study.harness.printed import printed
from ngrc.study.real.cases import LEVEL, Case, fit, scores
from ngrc.study.real.rounding import plain_radii, plain_reason, plain_scores

from .conftest import made_up


@pytest.mark.parametrize(("decay", "horizon"), [(0.97, 1), (0.9, 3), (1.0, 1)])
def test_away_from_ties_they_are_the_same(decay: float, horizon: int) -> None:
    residuals = np.random.default_rng(1).normal(size=400)
    stream = Stream(residuals, start=250, horizon=horizon)
    # A level whose ties with sums of equal weights (decay 1) no count of scores can make.
    level = 0.9 + 1e-4 * np.sqrt(2)
    np.testing.assert_array_equal(
        plain_radii(stream, decay, level), Weighted(decay=decay).run(stream, level).upper
    )


def test_with_decay_at_the_level_rounding_decides_some() -> None:
    """The newest score weighs alpha when old ones have faded: whether it is the quantile is left to the last bit."""
    residuals = np.random.default_rng(0).normal(size=4000)
    stream = Stream(residuals, start=1500)
    plain, ours = plain_radii(stream, LEVEL, LEVEL), Weighted(decay=LEVEL).run(stream, LEVEL).upper
    off = plain != ours
    assert 0 < off.sum() < 0.05 * off.size
    # The library takes the larger score in a tie, and the newest was the largest in each of them.
    assert np.all(ours[off] > plain[off])
    newest = np.abs(stream.visible)[stream.known - 1 + np.flatnonzero(off)]
    np.testing.assert_array_equal(ours[off], newest)


def test_scores_are_those_of_the_run_and_the_reason_says_whether_they_are_the_print() -> None:
    (run,) = fit(Case("exchange"), made_up())
    plain = plain_scores(run)
    assert plain == pytest.approx(scores(run, run.band("weighted", LEVEL)), rel=0.05)
    digits = f"{plain.width:.3f}"
    told = plain_reason("weighted", [run, run], lambda rows: float(rows[:, 1].mean()), printed(digits))
    assert told.endswith(": the printed digits")
    off = plain_reason("weighted", [run], lambda rows: float(rows[0, 1]), printed("9.999"))
    assert off.endswith("not the printed digits either")
    assert plain_reason("split", [run], lambda rows: 0.0, printed("9.999")) == ""
