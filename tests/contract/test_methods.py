"""Every interval method through the same checks; a new method in METHODS is tested without writing a test.

Each is built with its defaults, `bayes` also with the noise scales that it can be told to read. Streams hold a change
of scale, ties and a spike, with leverage and scales given to all, so that no method needs a case of its own.
"""

import copy
import pickle
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.intervals import METHODS, Bayes, History, IntervalMethod, Offsets, Stream
from ngrc.online import Online
from tests.twins import one_at_a_time

NAMED = {name: METHODS[name]() for name in METHODS}
ALL = NAMED | {"bayes-gcv": Bayes(noise="gcv"), "bayes-evidence": Bayes(noise="evidence")}
EVERY = pytest.mark.parametrize("method", ALL.values(), ids=list(ALL))
HORIZONS = pytest.mark.parametrize("horizon", [1, 3, 7])
START, SIZE, LEVEL = 230, 300, 0.9
SCALES = {"gcv": 1.2, "evidence": 1.3}


def make_stream(horizon: int = 1, seed: int = 0, size: int = SIZE, start: int = START) -> Stream:
    rng = np.random.default_rng([seed, horizon])
    residuals = rng.standard_t(4, size) * np.where(np.arange(size) > start + 15, 2.0, 1.0)
    residuals[::3] = np.round(residuals[::3], 1)
    if size > start + 5:
        residuals[start + 5] = 25.0
    return Stream(residuals, start, horizon, rng.random(size) / 5, fit_scale=1.1, noise_scales=SCALES)


def with_residuals(stream: Stream, residuals: FloatArray) -> Stream:
    leverage = None if stream.leverage is None else stream.leverage[: residuals.size]
    return replace(stream, residuals=residuals, leverage=leverage)


def same(first: Offsets, second: Offsets, tolerance: float = 1e-12) -> bool:
    pairs = [(first.lower, second.lower), (first.upper, second.upper)]
    return all(np.allclose(one, other, rtol=tolerance, atol=tolerance) for one, other in pairs)


@EVERY
def test_says_who_it_is_and_what_it_guarantees(method: IntervalMethod) -> None:
    assert METHODS[method.name] is type(method)
    assert len(method.guarantee.split()) >= 8
    assert method.guarantee.endswith(".")
    assert type(method).__doc__
    assert "Examples" in str(type(method).__doc__)


@EVERY
def test_is_a_frozen_value(method: IntervalMethod) -> None:
    assert is_dataclass(type(method))
    assert method == replace(method)  # type: ignore[type-var]
    assert hash(method) == hash(replace(method))  # type: ignore[type-var]
    for field in fields(method):  # type: ignore[arg-type]
        with pytest.raises(FrozenInstanceError):
            setattr(method, field.name, None)


@EVERY
@HORIZONS
def test_block_equals_one_at_a_time(method: IntervalMethod, horizon: int) -> None:
    stream = make_stream(horizon)
    lower, upper = one_at_a_time(method, stream, LEVEL)
    assert same(method.run(stream, LEVEL), Offsets(lower, upper))


@EVERY
def test_no_wanted_position_gives_no_offsets(method: IntervalMethod) -> None:
    offsets = method.run(make_stream(3, size=START), LEVEL)
    assert offsets.lower.shape == offsets.upper.shape == (0,)


@EVERY
@pytest.mark.parametrize("factor", [0.25, 1024.0])
def test_offsets_scale_with_the_residuals(method: IntervalMethod, factor: float) -> None:
    stream = make_stream()
    assert stream.fit_scale is not None
    scales = {name: factor * scale for name, scale in SCALES.items()}
    scaled = replace(
        stream,
        residuals=factor * stream.residuals,
        fit_scale=factor * stream.fit_scale,
        noise_scales=scales,
    )
    assert method.tuned(scaled.history, LEVEL) == method.tuned(stream.history, LEVEL)
    offsets = method.run(stream, LEVEL)
    expected = Offsets(factor * offsets.lower, factor * offsets.upper)
    assert same(method.run(scaled, LEVEL), expected, tolerance=1e-9)


@EVERY
@HORIZONS
def test_online_follows_forecasts_wherever_they_are(method: IntervalMethod, horizon: int) -> None:
    stream = make_stream(horizon)
    grid = replace(stream, residuals=np.round(stream.residuals * 64) / 64)
    offsets = method.run(grid, LEVEL)
    for shift in (0.0, 4096.0):
        forecasts = shift + np.arange(SIZE) % 16
        outcomes = forecasts + grid.residuals
        online = Online(method, grid.history, LEVEL, forecasts[grid.known : START])
        for step, position in enumerate(range(START, SIZE)):
            if step > 0:
                online.observe(outcomes[position - horizon])
            assert grid.leverage is not None
            interval = online.issue(forecasts[position], grid.leverage[position])
            assert interval.lower - forecasts[position] == pytest.approx(offsets.lower[step], abs=1e-11)
            assert interval.upper - forecasts[position] == pytest.approx(offsets.upper[step], abs=1e-11)


@EVERY
@pytest.mark.parametrize("level", [0.3, 0.8, 0.9, 0.95, 0.99])
def test_ends_are_in_order_and_numbers(method: IntervalMethod, level: float) -> None:
    for seed in range(2):
        offsets = method.run(make_stream(2, seed), level)
        assert offsets.lower.shape == offsets.upper.shape == (SIZE - START,)
        assert np.all(offsets.lower <= offsets.upper)
        for values in offsets.trace.values():
            assert values.shape == (SIZE - START,)
            assert np.isfinite(values).all()


@EVERY
def test_residuals_without_spread_give_width_zero_and_no_warning(method: IntervalMethod) -> None:
    scales = dict.fromkeys(SCALES, 0.0)
    stream = Stream(np.zeros(SIZE), START, 2, np.zeros(SIZE), fit_scale=0.0, noise_scales=scales)
    offsets = method.run(stream, LEVEL)
    assert not offsets.lower.any()
    assert not offsets.upper.any()


@EVERY
def test_a_calibration_too_small_is_reported_not_hidden(method: IntervalMethod) -> None:
    tiny = make_stream(size=14, start=8)
    small = replace(method, window=8) if "window" in method.selected else method  # type: ignore[type-var]
    offsets = small.run(tiny, 0.99)
    assert not np.isnan(offsets.lower).any()
    assert not np.isnan(offsets.upper).any()
    if method.name in ("split", "asymmetric", "rolling"):
        assert np.isinf(offsets.lower).all()
        assert np.isinf(offsets.upper).all()
    lower, upper = one_at_a_time(small, tiny, 0.99)
    assert same(offsets, Offsets(lower, upper))


@EVERY
def test_tuned_is_settled(method: IntervalMethod) -> None:
    stream = make_stream(3)
    tuned = method.tuned(stream.history, LEVEL)
    assert type(tuned) is type(method)
    assert tuned.tuned(stream.history, LEVEL) == tuned
    assert all(value is not None for value in tuned.selected.values())
    first, second = method.run(stream, LEVEL), tuned.run(stream, LEVEL)
    assert np.array_equal(first.lower, second.lower)
    assert np.array_equal(first.upper, second.upper)


@EVERY
def test_inputs_are_left_alone(method: IntervalMethod) -> None:
    stream = make_stream()
    residuals = stream.residuals.copy()
    offsets = method.run(stream, LEVEL)
    one_at_a_time(method, stream, LEVEL)
    assert np.array_equal(stream.residuals, residuals)
    residuals.setflags(write=False)
    frozen = method.run(with_residuals(stream, residuals), LEVEL)
    assert np.array_equal(frozen.upper, offsets.upper)


@EVERY
def test_the_same_seed_gives_the_same_offsets(method: IntervalMethod) -> None:
    stream = make_stream()
    state = pickle.dumps(np.random.get_state())  # noqa: NPY002
    first, second = method.run(stream, LEVEL), replace(method).run(stream, LEVEL)  # type: ignore[type-var]
    assert np.array_equal(first.lower, second.lower)
    assert np.array_equal(first.upper, second.upper)
    assert pickle.dumps(np.random.get_state()) == state  # noqa: NPY002
    if any(field.name == "seed" for field in fields(method)):  # type: ignore[arg-type]
        other = replace(method, seed=12345).run(stream, LEVEL)  # type: ignore[type-var]
        assert not np.array_equal(first.lower, other.lower)


@EVERY
def test_everything_can_be_pickled_and_copied(method: IntervalMethod) -> None:
    stream = make_stream(3)
    assert pickle.loads(pickle.dumps(method)) == method
    offsets = pickle.loads(pickle.dumps(method.run(stream, LEVEL)))
    assert offsets.lower.shape == (stream.steps,)
    online = Online(method, stream.history, LEVEL, np.zeros(2))
    online.issue(0.0)
    twins = [pickle.loads(pickle.dumps(online)), copy.deepcopy(online)]
    for outcome in (9.0, -9.0, 30.0):
        online.observe(outcome)
    expected = online.issue(1.0)
    for twin in twins:
        for outcome in (9.0, -9.0, 30.0):
            twin.observe(outcome)
        assert twin.issue(1.0) == expected


@EVERY
def test_a_refused_outcome_leaves_the_state_as_it_was(method: IntervalMethod) -> None:
    stream = make_stream(3)
    online = Online(method, stream.history, LEVEL, np.zeros(2))
    online.issue(-1e308)
    online.observe(0.5, target=-2)
    online.observe(-0.5, target=-1)
    online.issue(0.0)
    before = pickle.dumps(online)
    twin = pickle.loads(before)
    refused = [np.nan, np.inf, -np.inf, 1e308, None, "1.0", b"1", True, 10**400, 1j, [1.0, 2.0]]
    for outcome in refused:
        with pytest.raises(ValueError, match="outcome"):
            online.observe(outcome)  # type: ignore[arg-type]
    for target in (-1, 1, 2, 0.5, "0", np.nan):
        with pytest.raises(ValueError, match="target"):
            online.observe(0.0, target=target)
        with pytest.raises(ValueError, match="target"):
            online.skip(target)
    assert pickle.dumps(online) == before
    for service in (online, twin):
        service.skip()
        service.observe(0.25, target=1)
    assert online.issue(1.0) == twin.issue(1.0)


@EVERY
@pytest.mark.parametrize("outcome", [1e308, -1e200])
def test_an_outcome_too_large_is_taken_in_or_refused_whole(method: IntervalMethod, outcome: float) -> None:
    online = Online(method, make_stream().history, LEVEL)
    online.issue(0.0)
    before = pickle.dumps(online)
    try:
        online.observe(outcome)
    except ValueError:
        assert pickle.dumps(online) == before
    assert not np.isnan(online.issue(0.0).width)


@EVERY
def test_a_skipped_target_might_as_well_not_have_been(method: IntervalMethod) -> None:
    stream = make_stream()
    lost = [START, START + 5, START + 6, START + 40]
    kept = np.delete(np.arange(SIZE), lost)
    assert stream.leverage is not None
    tracker = method.begin(stream.history, LEVEL)
    pairs = []
    for t in range(START, SIZE):
        lower, upper = tracker.issue(float(stream.leverage[t]))
        if t in lost:
            tracker.skip()
            continue
        pairs.append((lower, upper))
        residual = float(stream.residuals[t])
        tracker.observe(residual, not lower <= residual <= upper)
    without = replace(stream, residuals=stream.residuals[kept], leverage=stream.leverage[kept])
    lower, upper = np.array(pairs).T
    assert same(method.run(without, LEVEL), Offsets(lower, upper))


@EVERY
@pytest.mark.parametrize("level", [0.0, 1.0, 2.0, -0.5, np.nan, 100])
def test_bad_levels_are_refused(method: IntervalMethod, level: float) -> None:
    stream = make_stream()
    with pytest.raises(ValueError, match="level"):
        method.run(stream, level)
    with pytest.raises(ValueError, match="level"):
        method.begin(stream.history, level)


@EVERY
def test_per_cent_is_understood(method: IntervalMethod) -> None:
    stream = make_stream()
    assert same(method.run(stream, 95), method.run(stream, 0.95), tolerance=0.0)


@EVERY
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_missing_residuals_never_pass(method: IntervalMethod, bad: float) -> None:
    residuals = make_stream().residuals.copy()
    residuals[3] = bad
    with pytest.raises(ValueError, match="finite"):
        method.begin(History(residuals, fit_scale=1.0), LEVEL)
    with pytest.raises(ValueError, match="finite"):
        method.run(Stream(residuals, START, leverage=np.zeros(SIZE), fit_scale=1.0), LEVEL)
