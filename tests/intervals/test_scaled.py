"""Other methods on residuals over their size: block against one at a time, and which methods are refused."""

import re
from dataclasses import replace

import numpy as np
import pytest

from ngrc._kernels.local import readout_learn, readout_look
from ngrc.intervals import (
    Auto,
    Bayes,
    IntervalMethod,
    Offsets,
    Quantile,
    ResCP,
    Rolling,
    Scaled,
    Split,
    Stream,
    Weighted,
)
from ngrc.intervals.context import Context
from ngrc.intervals.local.readout import NO_QUANTILES, start_readout, width
from tests.twins import one_at_a_time

INNER = {
    "split": Split(),
    "weighted": Weighted(),
    "rolling": Rolling(window=50),
    "rescp": ResCP(size=32),
}
EVERY = pytest.mark.parametrize("inner", INNER.values(), ids=list(INNER))


def clocked(horizon: int = 1, size: int = 460, start: int = 400) -> Stream:
    """Errors four times as large in one half of the day."""
    rng = np.random.default_rng([horizon, size])
    scale = np.where(np.arange(7, 7 + size) % 24 < 12, 1.0, 4.0)
    context = Context(10 + rng.normal(size=size), (24.0,), phase=7)
    return Stream(scale * rng.normal(size=size), start, horizon, context=context)


@EVERY
@pytest.mark.parametrize("horizon", [1, 3])
def test_block_equals_one_at_a_time(inner: IntervalMethod, horizon: int) -> None:
    stream = clocked(horizon)
    method = Scaled(inner).tuned(stream.history, 0.9)
    block = method.run(stream, 0.9)
    lower, upper = one_at_a_time(method, stream, 0.9)
    np.testing.assert_allclose(block.lower, lower, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(block.upper, upper, rtol=1e-9, atol=1e-12)
    assert np.isfinite(block.lower).all()
    assert (block.lower < block.upper).all()


@EVERY
def test_offsets_are_those_of_scores_times_the_size(inner: IntervalMethod) -> None:
    """Sizes by hand: a readout that is told each residual H steps after its target's row was made."""
    stream = clocked(3)
    context = stream.context
    assert context is not None
    readout = start_readout(stream.history.residuals, stream.history.context, 3, NO_QUANTILES)
    rows, sizes = np.zeros((460, width(readout))), np.zeros(460)
    for target in range(460):
        if target >= 3:
            known = target - 3
            readout_learn(
                readout,
                rows[known],
                sizes[known],
                stream.residuals[known],
                context.forecasts[known],
                7 + known,
            )
        sizes[target] = readout_look(readout, context.forecasts[target], 7 + target, rows[target])
    scores = Stream(stream.residuals / sizes, stream.start, 3)
    wanted: Offsets = inner.tuned(scores.history, 0.9).run(scores, 0.9)
    found = Scaled(inner).tuned(stream.history, 0.9).run(stream, 0.9)
    np.testing.assert_allclose(found.lower, wanted.lower * sizes[stream.start :], rtol=1e-9)
    np.testing.assert_allclose(found.upper, wanted.upper * sizes[stream.start :], rtol=1e-9)
    np.testing.assert_allclose(found.trace["size"], sizes[stream.start :], rtol=1e-9)


def test_widths_follow_the_clock_and_those_of_the_inner_method_do_not() -> None:
    stream = clocked(size=1400, start=1160)
    large = (np.arange(7 + 1160, 7 + 1400) % 24) >= 12
    width = Scaled(Split()).run(stream, 0.9).upper
    # Within a factor of 1.4 of four: an hour beside the change has neighbours of either kind.
    assert 4 / 1.4 < width[large].mean() / width[~large].mean() < 4 * 1.4
    plain = Split().run(stream, 0.9).upper
    assert plain[large].mean() == pytest.approx(plain[~large].mean(), rel=0.05)


@pytest.mark.parametrize("inner", [Auto(), Quantile(), Bayes(), Scaled()], ids=lambda method: method.name)
def test_a_method_that_sees_more_than_residuals_is_refused_in_one_line(inner: IntervalMethod) -> None:
    wanted = f"inner must be a method that sees residuals alone, got {inner.name}; use Split(), Rolling()"
    with pytest.raises(ValueError, match=re.escape(wanted)) as caught:
        Scaled(inner)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("inner", ["adaptive", Split, None])
def test_what_is_no_method_is_refused_in_one_line(inner: object) -> None:
    with pytest.raises(
        ValueError, match="inner must be an interval method such as Adaptive\\(\\), got"
    ) as caught:
        Scaled(inner)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_an_overflowing_score_changes_nothing() -> None:
    """Sizes of a history of tiny residuals: a huge one over its size is beyond all numbers and must be refused."""
    stream = clocked()
    small = replace(stream, residuals=stream.residuals * 1e-300, context=None)
    tracker, untouched = (Scaled(Split()).begin(small.history, 0.9) for _ in range(2))
    for one in (tracker, untouched):
        one.issue()
    with pytest.raises(ValueError, match="overflows; skip the target"):
        tracker.observe(1e300, None)
    assert tracker.issue() == untouched.issue()


def test_names_what_was_chosen_for_the_inner_method() -> None:
    stream = clocked()
    assert Scaled(Rolling(window=50)).selected == {"inner": "rolling", **Rolling(window=50).selected}
    assert Scaled(Rolling()).tuned(stream.history, 0.9).selected["window"] is not None
