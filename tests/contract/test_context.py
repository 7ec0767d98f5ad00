"""Every interval method with forecasts and a clock at hand, whether it reads them or not.

What is known at an origin may be read there and no earlier: the forecast of a target when its interval is issued, its
residual H steps later. Methods of METHODS are tested without writing a test.
"""

import pickle
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.intervals import METHODS, History, IntervalMethod, Offsets, Split, Stream, Tracker
from ngrc.intervals.context import Context
from ngrc.online import Online
from ngrc.order import conformal_quantile
from ngrc.testing import assert_no_lookahead
from tests.contract.test_methods import SCALES, make_stream, same
from tests.twins import one_at_a_time


def sizes(context: Context | None, count: int) -> FloatArray:
    """The size of each forecast, larger at one end of the day; one where there is nothing to see."""
    if context is None:
        return np.ones(count)
    forecasts = np.abs(context.forecasts)
    turn = 2 * np.pi * (context.phase + np.arange(count)) / (context.periods or (np.inf,))[0]
    found: FloatArray = np.where(forecasts > 0, forecasts, 1.0) * (2 + np.cos(turn))
    return found


@dataclass(frozen=True)
class Sized(IntervalMethod):
    """Split over scores in units of `sizes`, all levels together: the least that reads forecasts and clock.

    Here so that every check below runs on a method that has something to read, whichever METHODS holds.
    """

    name: ClassVar[str] = "sized"
    guarantee: ClassVar[str] = "None: it is here to be tested."
    sees: ClassVar[tuple[str, ...]] = ("residuals", "forecasts", "clock")
    joint: ClassVar[bool] = True

    def run(self, stream: Stream, level: float) -> Offsets:
        size = sizes(stream.context, stream.residuals.size)
        scores = np.abs(stream.residuals) / size
        ends = [
            conformal_quantile(scores[: position - stream.horizon + 1], level) * size[position]
            for position in range(stream.start, size.size)
        ]
        return Offsets(-np.array(ends), np.array(ends))

    def begin(self, history: History, level: float) -> Tracker:
        known = history.residuals.size
        size = sizes(history.context, known + history.horizon - 1)
        return SizedTracker(
            history.context,
            level,
            list(np.abs(history.residuals) / size[:known]),
            list(size[known:]),
            size.size,
        )


@dataclass
class SizedTracker(Tracker):
    """Scores that are known, and the sizes of targets whose residuals are not."""

    context: Context | None
    level: float
    scores: list[float]
    waiting: list[float]
    position: int

    def issue(self, leverage: float = 0.0, forecast: float = 0.0) -> tuple[float, float]:
        context = self.context
        if context is not None:
            context = replace(context, forecasts=np.array([forecast]), phase=context.phase + self.position)
        self.waiting.append(float(sizes(context, 1)[0]))
        self.position += 1
        end = conformal_quantile(np.array(self.scores), self.level) * self.waiting[-1]
        return -end, end

    def observe(self, residual: float, missed: bool | None) -> None:
        self.scores.append(abs(residual) / self.waiting.pop(0))


ALL = {name: METHODS[name]() for name in METHODS} | {"sized": Sized()}
EVERY = pytest.mark.parametrize("method", ALL.values(), ids=list(ALL))
HORIZONS = pytest.mark.parametrize("horizon", [1, 3, 7])
PERIODS = (24.0, 168.0)
START, SIZE, LEVEL, LEVELS = 230, 300, 0.9, (0.9, 0.5, 0.95)


def make_seen(horizon: int = 1, seed: int = 0, size: int = SIZE) -> Stream:
    """Residuals that grow with a forecast that follows the clock, so that there is something to see."""
    stream = make_stream(horizon, seed)
    time = np.arange(SIZE)
    rng = np.random.default_rng([5, seed, horizon])
    forecasts = 10 + 4 * np.sin(2 * np.pi * time / 24) + rng.normal(size=SIZE) / 2
    residuals = stream.residuals * (0.5 + forecasts / 10)
    context = Context(forecasts[:size], PERIODS, phase=17)
    assert stream.leverage is not None
    return replace(stream, residuals=residuals[:size], leverage=stream.leverage[:size], context=context)


def perturbed(stream: Stream, residuals_from: int, forecasts_from: int) -> Stream:
    rng = np.random.default_rng(1)
    residuals, context = stream.residuals.copy(), stream.context
    assert context is not None
    forecasts = context.forecasts.copy()
    residuals[residuals_from:] = 7.0 * rng.standard_cauchy(residuals[residuals_from:].size)
    forecasts[forecasts_from:] = 50.0 * rng.standard_cauchy(forecasts[forecasts_from:].size)
    return replace(stream, residuals=residuals, context=replace(context, forecasts=forecasts))


@EVERY
def test_declares_what_it_reads(method: IntervalMethod) -> None:
    assert set(method.sees) <= {"residuals", "forecasts", "clock"}
    assert "residuals" in method.sees
    seen, bare = make_seen(), make_seen().without_context()
    with_context, without = method.run(seen, LEVEL), method.run(bare, LEVEL)
    alike = np.array_equal(with_context.lower, without.lower) and np.array_equal(
        with_context.upper, without.upper
    )
    assert alike == (set(method.sees) == {"residuals"})


@EVERY
@HORIZONS
def test_block_equals_one_at_a_time(method: IntervalMethod, horizon: int) -> None:
    stream = make_seen(horizon)
    lower, upper = one_at_a_time(method, stream, LEVEL)
    assert same(method.run(stream, LEVEL), Offsets(lower, upper))


@EVERY
@HORIZONS
def test_tuning_reads_nothing_from_the_first_interval_on(method: IntervalMethod, horizon: int) -> None:
    stream = make_seen(horizon)
    changed = perturbed(stream, stream.known, stream.start)
    assert method.tuned(stream.history, LEVEL) == method.tuned(changed.history, LEVEL)


@EVERY
def test_a_stream_cut_short_has_the_same_offsets(method: IntervalMethod) -> None:
    whole = method.run(make_seen(3), LEVEL)
    for steps in (0, 1, 30):
        part = method.run(make_seen(3, size=START + steps), LEVEL)
        assert same(part, Offsets(whole.lower[:steps], whole.upper[:steps]))


@EVERY
@pytest.mark.parametrize("factor", [0.25, 1024.0])
def test_offsets_scale_with_residuals_and_forecasts(method: IntervalMethod, factor: float) -> None:
    stream = make_seen()
    assert stream.fit_scale is not None
    assert stream.context is not None
    scaled = replace(
        stream,
        residuals=factor * stream.residuals,
        fit_scale=factor * stream.fit_scale,
        noise_scales={name: factor * scale for name, scale in SCALES.items()},
        context=replace(stream.context, forecasts=factor * stream.context.forecasts),
    )
    assert method.tuned(scaled.history, LEVEL) == method.tuned(stream.history, LEVEL)
    offsets = method.run(stream, LEVEL)
    expected = Offsets(factor * offsets.lower, factor * offsets.upper)
    assert same(method.run(scaled, LEVEL), expected, tolerance=1e-9)


@EVERY
@HORIZONS
def test_online_equals_the_block_also_after_saving(method: IntervalMethod, horizon: int) -> None:
    stream = make_seen(horizon)
    assert stream.context is not None
    assert stream.leverage is not None
    # On a grid of 1/64 outcome minus forecast is exact, so that the residuals are those of the block.
    forecasts = np.round(stream.context.forecasts * 64) / 64
    grid = replace(
        stream,
        residuals=np.round(stream.residuals * 64) / 64,
        context=replace(stream.context, forecasts=forecasts),
    )
    offsets = method.run(grid, LEVEL)
    outcomes = forecasts + grid.residuals
    # Pending forecasts are those of the context.
    online = Online(method, grid.history, LEVEL)
    for step, position in enumerate(range(START, SIZE)):
        if step > 0:
            online.observe(outcomes[position - horizon])
        if step == 20:
            online = pickle.loads(pickle.dumps(online))
        interval = online.issue(forecasts[position], float(stream.leverage[position]))
        assert interval.lower - forecasts[position] == pytest.approx(offsets.lower[step], abs=1e-11)
        assert interval.upper - forecasts[position] == pytest.approx(offsets.upper[step], abs=1e-11)


@EVERY
@HORIZONS
def test_levels_are_nested_and_see_no_future(method: IntervalMethod, horizon: int) -> None:
    stream, step = make_seen(horizon), 20
    found = dict(zip(LEVELS, method.run_levels(stream, LEVELS), strict=True))
    for low, high in ((0.5, 0.9), (0.9, 0.95)):
        assert np.all(found[high].lower <= found[low].lower)
        assert np.all(found[low].upper <= found[high].upper)
    changed = perturbed(stream, stream.start + step - horizon + 1, stream.start + step + 1)
    for level, after in zip(LEVELS, method.run_levels(changed, LEVELS), strict=True):
        assert np.array_equal(found[level].lower[: step + 1], after.lower[: step + 1])
        assert np.array_equal(found[level].upper[: step + 1], after.upper[: step + 1])
    # The lowest level holds no other, and is what it is alone unless the levels are made together.
    if not method.joint:
        assert same(found[0.5], method.run(stream, 0.5))
    (single,) = method.run_levels(stream, (LEVEL,))
    assert same(single, method.run(stream, LEVEL))


@EVERY
@pytest.mark.parametrize("periods", [(), (7.0,), (24.0, 168.0, 8766.0)])
def test_any_clock_and_forecasts_without_spread_are_taken(
    method: IntervalMethod, periods: tuple[float, ...]
) -> None:
    stream = make_seen()
    for forecasts in (np.zeros(SIZE), np.full(SIZE, 1e6), np.linspace(0.0, 0.3, SIZE)):
        offsets = method.run(replace(stream, context=Context(forecasts, periods)), LEVEL)
        assert np.isfinite(offsets.lower).all()
        assert np.all(offsets.lower <= offsets.upper)


@dataclass(frozen=True)
class Peeking(Split):
    """Reads the forecast of the target after the one that it is asked for."""

    sees: ClassVar[tuple[str, ...]] = ("residuals", "forecasts")

    def run(self, stream: Stream, level: float) -> Offsets:
        assert stream.context is not None
        following = np.append(stream.context.forecasts[stream.start + 1 :], 0.0)
        return Offsets(-np.abs(following), np.abs(following))


def test_a_method_that_reads_a_forecast_too_early_is_caught() -> None:
    with pytest.raises(AssertionError):
        assert_no_lookahead(Peeking(), make_seen())
    with pytest.raises(AssertionError):
        test_block_equals_one_at_a_time(Peeking(), 1)
