"""ResCP against its definition written out in plain numpy, and what its parameters mean."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._types import FloatArray
from ngrc.intervals.base import History, Stream
from ngrc.intervals.rescp import block
from ngrc.intervals.rescp.method import ResCP, Sampler, location_scale
from ngrc.intervals.rescp.tracker import RescpTracker
from tests.twins import one_at_a_time, winkler

SMALL: dict[str, Any] = {"size": 40, "temperature": 0.1, "window": "all"}


def make_stream(horizon: int = 1, start: int = 120, steps: int = 40, seed: int = 0) -> Stream:
    rng = np.random.default_rng([seed, horizon])
    scale = 1.0 + (np.arange(start + steps) // 25) % 2
    residuals = scale * rng.standard_t(4, start + steps) + 0.3
    residuals[::4] = np.round(residuals[::4], 1)
    return Stream(residuals, start, horizon)


def origin_states(method: ResCP, stream: Stream) -> FloatArray:
    """Row t is the state when the residuals up to t - H have been read."""
    reservoir, known = method.reservoir, stream.residuals[: stream.known]
    spread = known.std() if known.std() > 0 else 1.0
    inputs = (stream.residuals - known.mean()) / spread
    gain = 1.0 if method.recurrence == "code" else method.leak
    rows, state = np.zeros((inputs.size + stream.horizon, method.size)), np.zeros(method.size)
    for t, value in enumerate(inputs):
        drive = reservoir.matrix @ state + reservoir.input_weights * value
        state = (1 - method.leak) * state + gain * np.tanh(drive)
        rows[t + stream.horizon] = state
    return rows


def weighted_at(method: ResCP, stream: Stream, t: int, rows: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Residuals in the window at position t, oldest first, and their shares."""
    stop = t - stream.horizon + 1
    sizes = {"all": stop, "fifo": stream.known}
    size = sizes[method.window] if isinstance(method.window, str) else int(method.window or 0)
    first = max(0, stop - size)
    norms = np.linalg.norm(rows[first:stop], axis=1) * np.linalg.norm(rows[t])
    similarity = rows[first:stop] @ rows[t] / np.where(norms > 0, norms, 1.0)
    assert method.temperature is not None
    exponents = similarity / method.temperature
    peak = exponents[1:].max() if exponents.size > 1 else 0.0
    weights = np.exp(np.minimum(exponents - peak, 500)) * np.arange(stop - first)
    return stream.residuals[first:stop], weights / weights.sum() if stop - first > 1 else np.ones(1)


def twin(method: ResCP, stream: Stream, level: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Ends and effective sizes, one step at a time with a sort each."""
    alpha = 1 - level
    tails = np.linspace(0.001, alpha - 0.001, method.pairs)
    rows, found = origin_states(method, stream), []
    for t in range(stream.start, stream.residuals.size):
        values, shares = weighted_at(method, stream, t, rows)
        order = np.argsort(values, kind="stable")
        mass, ordered = np.cumsum(shares[order]), values[order]
        place = [np.searchsorted(mass, s * (1 + 1e-12) * mass[-1]) for s in (tails, 1 - alpha + tails)]
        lower, upper = (ordered[np.minimum(p, values.size - 1)] for p in place)
        best = int(np.argmax(upper - lower <= (upper - lower).min() + 1e-11))
        found.append((lower[best], upper[best], 1 / np.sum(shares**2)))
    return tuple(np.array(found).T)


@pytest.mark.parametrize("horizon", [1, 3, 7])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"window": 30},
        {"window": "fifo"},
        {"window": 1},
        {"temperature": 0.003},
        {"temperature": 5.0, "recurrence": "paper", "leak": 0.4},
        {"spectral_radius": 0.7, "input_scaling": 1.0, "connectivity": 0.9, "seed": 9, "pairs": 7},
    ],
)
def test_block_equals_the_definition(horizon: int, changes: dict[str, Any]) -> None:
    method, stream = ResCP(**{**SMALL, **changes}), make_stream(horizon)
    offsets = method.run(stream, 0.8)
    lower, upper, sizes = twin(method, stream, 0.8)
    np.testing.assert_allclose(offsets.lower, lower, rtol=1e-12)
    np.testing.assert_allclose(offsets.upper, upper, rtol=1e-12)
    np.testing.assert_allclose(offsets.trace["effective_size"], sizes, rtol=1e-6)


@pytest.mark.parametrize("level", [0.3, 0.5, 0.9, 0.99])
def test_levels_equal_the_definition(level: float) -> None:
    method, stream = ResCP(**SMALL), make_stream(2)
    lower, upper, _ = twin(method, stream, level)
    offsets = method.run(stream, level)
    np.testing.assert_allclose(offsets.lower, lower, rtol=1e-12)
    np.testing.assert_allclose(offsets.upper, upper, rtol=1e-12)


@pytest.mark.parametrize("sampler", ["exact", "stochastic"])
@pytest.mark.parametrize("window", [1, 2, 25, "all", "fifo"])
@pytest.mark.parametrize("horizon", [1, 3])
def test_one_at_a_time_equals_the_block_while_buffers_slide(sampler: Any, window: Any, horizon: int) -> None:
    method = ResCP(**{**SMALL, "window": window, "sampler": sampler})
    stream = make_stream(horizon, start=40, steps=260)
    offsets = method.run(stream, 0.9)
    lower, upper = one_at_a_time(method, stream, 0.9)
    np.testing.assert_allclose(lower, offsets.lower, rtol=1e-12)
    np.testing.assert_allclose(upper, offsets.upper, rtol=1e-12)


def test_a_bounded_window_keeps_bounded_buffers() -> None:
    tracker = ResCP(**{**SMALL, "window": 20}).begin(History(np.arange(30.0), 2), 0.9)
    assert isinstance(tracker, RescpTracker)
    for value in np.random.default_rng(0).normal(size=500):
        tracker.observe(float(value), None)
    assert len(tracker.units) <= 4 * 32
    assert tracker.clock == 530
    assert tracker.issue()[0] <= tracker.issue()[1]
    assert 1.0 <= tracker.effective_size <= 20.0


def test_observing_without_issuing_changes_nothing_later() -> None:
    method, stream = ResCP(**{**SMALL, "window": 15}), make_stream(start=50, steps=60)
    tracker = method.begin(stream.history, 0.9)
    for value in stream.residuals[50:109]:
        tracker.observe(float(value), None)
    offsets = method.run(stream, 0.9)
    assert tracker.issue() == (offsets.lower[-1], offsets.upper[-1])


def test_fifo_is_a_window_of_the_initial_history() -> None:
    stream = make_stream(3)
    fifo, numbered, whole = (
        ResCP(**{**SMALL, "window": window}).run(stream, 0.9) for window in ("fifo", stream.known, "all")
    )
    assert np.array_equal(fifo.lower, numbered.lower)
    assert np.array_equal(fifo.upper, numbered.upper)
    assert fifo.lower[0] == whole.lower[0]
    assert not np.array_equal(fifo.lower, whole.lower)


@pytest.mark.parametrize("horizon", [1, 3])
@pytest.mark.parametrize("open_parameters", [("temperature", "window"), ("temperature",), ("window",)])
def test_tuning_equals_trying_every_candidate(horizon: int, open_parameters: tuple[str, ...]) -> None:
    fixed = {**SMALL, **dict.fromkeys(open_parameters)}
    method = ResCP(**fixed, temperatures=(0.3, 0.02, 0.1), windows=(30, "all", 1000, 80, "fifo"))
    history, level = make_stream(horizon).history, 0.8
    inner = history.inner(0.9)
    temperatures = method.temperatures if method.temperature is None else (method.temperature,)
    windows = [w for w in method.windows if w != 1000] if method.window is None else [method.window]
    outcomes, scores = inner.residuals[inner.start :], {}
    for temperature in temperatures:
        for window in windows:
            one = replace(method, temperature=temperature, window=window)
            lower, upper, _ = twin(one, inner, level)
            covered = np.mean((lower <= outcomes) & (outcomes <= upper))
            scores[temperature, window] = (winkler(lower, upper, outcomes, level), abs(covered - level))
    best = min(scores, key=lambda pair: scores[pair])
    assert method.tuned(history, level).selected == {"temperature": best[0], "window": best[1]}


def test_ties_go_to_the_order_of_the_grid() -> None:
    history = History(np.zeros(60))
    for windows in ((20, "all", "fifo"), ("fifo", 20), ("all", 10)):
        method = ResCP(size=8, temperatures=(0.2, 0.1), windows=windows)
        assert method.tuned(history, 0.9).selected == {"temperature": 0.2, "window": windows[0]}


def test_a_lone_candidate_needs_no_trial() -> None:
    method = ResCP(size=8, temperatures=(0.2,), windows=("all",))
    assert method.selected == {}
    assert method.tuned(History(np.arange(3.0)), 0.9).selected == {"temperature": 0.2, "window": "all"}


@pytest.mark.parametrize("sampler", ["exact", "stochastic"])
def test_screened_blocks_give_the_same_offsets_and_choice(
    sampler: Sampler, monkeypatch: pytest.MonkeyPatch
) -> None:
    method = ResCP(size=40, windows=(50, "all"), sampler=sampler)
    stream = make_stream(2, start=300, steps=200)
    plain, choice = method.run(stream, 0.9), method.tuned(stream.history, 0.9)
    monkeypatch.setattr(block, "SCREENED_WINDOW", 1)
    screened = method.run(stream, 0.9)
    assert method.tuned(stream.history, 0.9) == choice
    assert np.array_equal(screened.lower, plain.lower)
    assert np.array_equal(screened.upper, plain.upper)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.floats(0.01, 300.0), st.sampled_from([0.05, 0.2]))
def test_units_of_the_residuals_do_not_matter(seed: int, factor: float, temperature: float) -> None:
    stream = make_stream(seed=seed, start=60, steps=20)
    method = ResCP(**{**SMALL, "temperature": temperature, "window": 40})
    offsets = method.run(stream, 0.8)
    scaled = method.run(replace(stream, residuals=factor * stream.residuals), 0.8)
    np.testing.assert_allclose(scaled.lower, factor * offsets.lower, rtol=1e-9)
    np.testing.assert_allclose(scaled.upper, factor * offsets.upper, rtol=1e-9)


def test_likeness_of_state_is_what_localises() -> None:
    """Noise that follows the sign of the last residual: intervals must be wide after one sign only."""
    rng, residuals = np.random.default_rng(5), [1.0]
    for _ in range(1500):
        residuals.append(rng.normal() * (3.0 if residuals[-1] > 0 else 0.5))
    stream = Stream(np.array(residuals), 1200)
    forgetful: dict[str, Any] = {"spectral_radius": 0.1, "leak": 1.0, "input_scaling": 2.0}
    offsets = ResCP(temperature=0.05, window="all", size=100, **forgetful).run(stream, 0.9)
    width = offsets.upper - offsets.lower
    after = stream.residuals[1199:-1] > 0
    assert np.median(width[after]) > 2.5 * np.median(width[~after])


def test_a_hot_temperature_forgets_the_state() -> None:
    stream = make_stream(start=200, steps=10)
    hot = ResCP(**{**SMALL, "temperature": 1e9})
    first, second = hot.run(stream, 0.8), replace(hot, seed=1).run(stream, 0.8)
    assert np.array_equal(first.lower, second.lower)
    count = 200
    expected = np.arange(count).sum() ** 2 / np.sum(np.arange(count) ** 2)
    assert first.trace["effective_size"][0] == pytest.approx(expected, rel=1e-6)


def test_draws_scatter_about_the_exact_ends() -> None:
    stream, errors = make_stream(start=400, steps=30), []
    for seed in range(10):
        exact = ResCP(**{**SMALL, "temperature": 2.0}, pairs=1, seed=seed)
        drawn = replace(exact, sampler="stochastic").run(stream, 0.8)
        errors.append(drawn.upper - exact.run(stream, 0.8).upper)
        assert np.array_equal(drawn.lower, replace(exact, sampler="stochastic").run(stream, 0.8).lower)
    # a decile of 400 draws has a standard error of 0.015 in share, about a tenth of a deviation in value
    assert 0.02 < np.std(errors) < 0.4
    assert abs(np.mean(errors)) < 5 * np.std(errors) / np.sqrt(300) + 0.02


def test_one_known_residual_is_the_interval() -> None:
    stream = Stream(np.array([2.0, 5.0, 1.0, 4.0]), 1)
    for sampler in ("exact", "stochastic"):
        offsets = ResCP(**{**SMALL, "sampler": sampler}).run(stream, 0.9)
        assert (offsets.lower[0], offsets.upper[0]) == (2.0, 2.0)
        assert (offsets.lower[1], offsets.upper[1]) == (5.0, 5.0)
        assert offsets.trace["effective_size"][0] == 1.0


def test_constant_residuals_have_no_scale() -> None:
    assert location_scale(np.full(7, 0.1))[1] == 1.0
    assert location_scale(np.zeros(3)) == (0.0, 1.0)
    offsets = ResCP(**SMALL).run(Stream(np.full(30, 0.1), 20), 0.9)
    assert np.all(offsets.lower == 0.1)
    assert np.all(offsets.upper == 0.1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"temperature": 0.0}, "temperature"),
        ({"temperatures": ()}, "temperatures"),
        ({"temperatures": (0.1, -1.0)}, "temperatures"),
        ({"window": 0}, "window"),
        ({"window": "some"}, "'all' or 'fifo'"),
        ({"window": 2.5}, "window"),
        ({"windows": ()}, "windows"),
        ({"windows": (10, "none")}, "'all' or 'fifo'"),
        ({"sampler": "both"}, "sampler"),
        ({"recurrence": "other"}, "recurrence"),
        ({"pairs": 0}, "pairs"),
        ({"size": 0}, "size"),
        ({"leak": 2.0}, "leak"),
        ({"seed": -3}, "seed"),
    ],
)
def test_bad_parameters_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ResCP(**{**SMALL, **changes})


def test_histories_that_cannot_serve_are_refused() -> None:
    stream = make_stream()
    with pytest.raises(ValueError, match="larger than the history"):
        ResCP(**{**SMALL, "window": 121}).run(stream, 0.9)
    with pytest.raises(ValueError, match="larger than the history"):
        ResCP(**{**SMALL, "window": 121}).begin(stream.history, 0.9)
    with pytest.raises(ValueError, match="every window of"):
        ResCP(size=8, windows=(5000,)).run(stream, 0.9)
    with pytest.raises(ValueError, match="too little history to tune"):
        ResCP(size=8).tuned(History(np.arange(7.0), 7), 0.9)
    with pytest.raises(ValueError, match="finite"):
        ResCP(**SMALL).begin(stream.history, 0.9).observe(np.nan, None)


@pytest.mark.parametrize("sampler", ["exact", "stochastic"])
def test_the_grid_is_every_single_run(sampler: Any) -> None:
    stream = make_stream()
    method = ResCP(size=40, temperatures=(0.05, 0.25), windows=(30, 500, "all", 60), sampler=sampler)
    found = method.run_grid(stream, 0.9)
    # 500 residuals are not known.
    assert list(found) == [(t, w) for t in (0.05, 0.25) for w in (30, "all", 60)]
    for (temperature, window), offsets in found.items():
        alone = replace(method, temperature=temperature, window=window).run(stream, 0.9)
        np.testing.assert_allclose(offsets.lower, alone.lower, rtol=1e-12)
        np.testing.assert_allclose(offsets.upper, alone.upper, rtol=1e-12)
        np.testing.assert_allclose(offsets.trace["effective_size"], alone.trace["effective_size"])
    with pytest.raises(ValueError, match="level"):
        method.run_grid(stream, 1.5)


def test_a_grid_over_large_windows_has_the_scores_of_single_runs() -> None:
    """In single precision: a quantile moves to a neighbouring residual at most, of which there are 4,500."""
    stream = Stream(np.random.default_rng(6).standard_t(4, 4600), start=4500)
    method = ResCP(size=16, temperatures=(0.1,), windows=("all",), sampler="stochastic")
    ((_, offsets),) = method.run_grid(stream, 0.9).items()
    alone = replace(method, temperature=0.1, window="all").run(stream, 0.9)
    for one, other in ((offsets.lower, alone.lower), (offsets.upper, alone.upper)):
        assert np.mean(one) == pytest.approx(np.mean(other), rel=1e-3)
        assert np.mean(one != other) < 0.1


def test_samplers_and_levels_share_one_set_of_similarities() -> None:
    residuals = np.random.default_rng(4).standard_t(4, 700)
    stream = Stream(residuals, start=500, horizon=2)
    method = ResCP(temperature=0.1, window=300, size=40, seed=2)
    asked: list[tuple[Sampler, float]] = [("exact", 0.9), ("stochastic", 0.9), ("stochastic", 0.6)]
    for (sampler, level), offsets in zip(asked, method.run_asked(stream, asked), strict=True):
        alone = replace(method, sampler=sampler).run(stream, level)
        np.testing.assert_allclose(offsets.lower, alone.lower, rtol=1e-12)
        np.testing.assert_allclose(offsets.upper, alone.upper, rtol=1e-12)
        np.testing.assert_allclose(offsets.trace["effective_size"], alone.trace["effective_size"], rtol=1e-12)
    with pytest.raises(ValueError, match="set both"):
        replace(method, window=None).run_asked(stream, asked)
    with pytest.raises(ValueError, match="level"):
        method.run_asked(stream, [("exact", 1.5)])
    with pytest.raises(ValueError, match="larger than the history"):
        replace(method, window=600).run_asked(stream, asked)
