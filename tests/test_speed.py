"""A regression guard on ratios alone: far below what `make bench` measures, so that a busy machine passes."""

from collections.abc import Callable
from functools import partial
from itertools import combinations_with_replacement, pairwise

import numpy as np
import pytest
from benchmarks import plain
from benchmarks.harness import Stopwatch
from benchmarks.searches import FOLDS, LADDER, PENALTIES, two_seasons
from threadpoolctl import threadpool_limits

from ngrc import NGRC, AutoNGRC, look_ahead
from ngrc._types import FloatArray
from ngrc.features.delays import delay_columns
from ngrc.intervals import Adaptive, ResCP, Rolling, Stream, Weighted

# Timed alone, after the parallel tests: see the Makefile.
pytestmark = pytest.mark.speed

LEVEL, KNOWN, STEPS = 0.95, 8000, 300
ROUNDS = 3


def ratio(ours: Callable[[], object], reference: Callable[[], object]) -> float:
    """Reference's best seconds over ours, after a warm-up, both taking turns."""
    # Processor time counts every BLAS thread, and idle ones spin: one thread for both sides.
    with threadpool_limits(limits=1):
        ours()
        watches = Stopwatch(ours), Stopwatch(reference)
        for _ in range(ROUNDS):
            for watch in watches:
                watch.round()
    return watches[1].seconds / watches[0].seconds


@pytest.fixture(scope="module")
def stream() -> Stream:
    return Stream(np.random.default_rng(0).standard_t(4, KNOWN + STEPS), KNOWN)


@pytest.fixture(scope="module")
def scores(stream: Stream) -> FloatArray:
    return np.abs(stream.residuals)


# Thresholds are a quarter or less of what a machine with four jobs a core showed at this size.
def test_adaptive_against_sorting_and_bisection(stream: Stream, scores: FloatArray) -> None:
    ours = partial(Adaptive(rate=0.005).run, stream, LEVEL)
    np.testing.assert_array_equal(ours().upper, plain.adaptive_sort(scores, KNOWN, LEVEL, 0.005))
    assert ratio(ours, lambda: plain.adaptive_sort(scores, KNOWN, LEVEL, 0.005)) > 30
    assert ratio(ours, lambda: plain.adaptive_bisect(scores, KNOWN, LEVEL, 0.005)) > 2


def test_weighted_against_argsort_and_insertion(stream: Stream, scores: FloatArray) -> None:
    ours = partial(Weighted(decay=0.99).run, stream, LEVEL)
    np.testing.assert_array_equal(ours().upper, plain.weighted_sort(scores, KNOWN, LEVEL, 0.99))
    assert ratio(ours, lambda: plain.weighted_sort(scores, KNOWN, LEVEL, 0.99)) > 60
    assert ratio(ours, lambda: plain.weighted_insert(scores, KNOWN, LEVEL, 0.99)) > 25


def test_rolling_against_partitioning(stream: Stream, scores: FloatArray) -> None:
    rank = plain.rank(1000, LEVEL)
    ours = partial(Rolling(window=1000).run, stream, LEVEL)

    def partitioned() -> FloatArray:
        windows = np.lib.stride_tricks.sliding_window_view(scores[KNOWN - 1000 : -1], 1000)
        return np.array([np.partition(window, rank - 1)[rank - 1] for window in windows])

    np.testing.assert_array_equal(ours().upper, partitioned())
    assert ratio(ours, partitioned) > 6


def test_fit_against_the_explicit_design() -> None:
    rng, lags, penalty = np.random.default_rng(1), 24, 0.001
    series = np.convolve(rng.normal(size=8000), 0.9 ** np.arange(40), mode="same")

    def explicit() -> FloatArray:
        delays, target = delay_columns(series, lags - 1, series.size - 1, lags), series[lags:]
        pairs = np.array(list(combinations_with_replacement(range(lags), 2)))
        design = np.hstack((delays, delays[:, pairs[:, 0]] * delays[:, pairs[:, 1]]))
        standard = (design - design.mean(axis=0)) / design.std(axis=0)
        gram = standard.T @ standard + target.size * penalty * np.eye(design.shape[1])
        return np.asarray(target.mean() + standard @ np.linalg.solve(gram, standard.T @ target))

    def ours() -> NGRC:
        return NGRC(lags, ridge=penalty).fit(series, scale=(0.0, 1.0))

    np.testing.assert_allclose(ours().predict(series)[lags:], explicit(), rtol=0, atol=1e-9)
    assert ratio(ours, explicit) > 1.3


def test_rescp_against_a_product_a_step(stream: Stream) -> None:
    method = ResCP(temperature=0.1, window=4000, size=128)
    drawn, residuals, steps = method.reservoir, stream.residuals, range(KNOWN, KNOWN + STEPS, 3)
    known = residuals[:KNOWN]

    def reference() -> FloatArray:
        inputs = (residuals - known.mean()) / known.std()
        units = plain.reservoir_units(drawn.matrix, drawn.input_weights, drawn.leak, drawn.gain, inputs)
        return plain.rescp(residuals, LEVEL, 0.1, 4000, units, steps)

    ours = method.run(stream, LEVEL)
    ends = np.column_stack((ours.lower, ours.upper))[::3]
    np.testing.assert_allclose(ends, reference(), rtol=0, atol=1e-12)
    assert ratio(lambda: method.run(stream, LEVEL), reference) > 1


def test_all_horizons_at_once_against_one_by_one() -> None:
    rng = np.random.default_rng(2)
    series = np.convolve(rng.normal(size=8000), 0.9 ** np.arange(40), mode="same")
    steps = 24

    def together() -> FloatArray:
        return NGRC(16, horizon=steps, path=True).fit(series).forecast(series)

    def apart() -> FloatArray:
        scale = (float(series.mean()), float(series.std()))
        models = [
            NGRC(16, horizon=step).fit(series[: series.size - (steps - step)], scale=scale)
            for step in range(1, steps + 1)
        ]
        return np.array([model.forecast(series)[-1] for model in models])

    np.testing.assert_allclose(together(), apart(), atol=1e-8)
    assert ratio(together, apart) > 1.5


@pytest.mark.parametrize(("rows", "least"), [(500, 0.12), (10_000, 0.15)])
def test_the_automatic_fit_against_a_search_over_lags_alone(rows: int, least: float) -> None:
    """Its whole search, seasons and clocks and combination included, may cost some times what lags alone would."""
    load = two_seasons(rows)

    def explicit() -> float:
        return min(lag_error(load.fit, lags, penalty) for lags in LADDER for penalty in PENALTIES)

    def ours() -> AutoNGRC:
        return AutoNGRC().fit(load.fit, times=load.times[:rows])

    # Worth its time: better on its validation rows than lags alone.
    scores = ours().selections_[0].references
    assert scores["this model"] < scores["linear on lags"]
    assert ratio(ours, explicit) > least


def lag_error(series: FloatArray, lags: int, penalty: float) -> float:
    """Mean squared error over chronological folds of ridge on standardised lags, every fold fitted anew."""
    delays, target = delay_columns(series, lags - 1, series.size - 1, lags), series[lags:]
    edges, squares = np.linspace(0, target.size, FOLDS + 2).astype(int)[1:], 0.0
    for begin, end in pairwise(edges):
        head, mean = delays[:begin], delays[:begin].mean(axis=0)
        standard, scale = head - mean, head.std(axis=0)
        standard /= scale
        gram = standard.T @ standard + begin * penalty * np.eye(lags)
        level = target[:begin].mean()
        weights = np.linalg.solve(gram, standard.T @ (target[:begin] - level)) / scale
        squares += float(np.sum((target[begin:end] - level - (delays[begin:end] - mean) @ weights) ** 2))
    return squares / float(target.size - edges[0])


def plain_walk(series: FloatArray, lags: int, ends: list[int]) -> float:
    """The last forecast of quadratic ridge fitted anew at every end, its penalty chosen each time on the last fifth."""
    pairs = np.array(list(combinations_with_replacement(range(lags), 2)))
    penalties, said = np.array(NGRC().ridges), np.nan
    for end in ends:
        delays, target = delay_columns(series[:end], lags - 1, end, lags), series[lags:end]
        design = np.hstack((delays, delays[:, pairs[:, 0]] * delays[:, pairs[:, 1]]))
        rows, inner = target.size, target.size * 4 // 5
        errors = [
            np.mean(np.square(target[inner:] - part[inner:rows]))
            for part in plain_path(design, target[:inner], penalties).T
        ]
        best = penalties[[int(np.argmin(errors))]]
        said = float(plain_path(design, target, best)[-1, 0])
    return said


def plain_path(design: FloatArray, target: FloatArray, penalties: FloatArray) -> FloatArray:
    """Forecasts of all rows by ridge on the first ones, one column per penalty, from one decomposition."""
    fitted = design[: target.size]
    means, scales = fitted.mean(axis=0), fitted.std(axis=0)
    known = (fitted - means) / scales
    values, vectors = np.linalg.eigh(known.T @ known / target.size)
    cross = vectors.T @ (known.T @ (target - target.mean())) / target.size
    weights = vectors @ (cross[:, None] / (values[:, None] + penalties))
    return np.asarray(target.mean() + (design - means) / scales @ weights)


@pytest.mark.parametrize(("steps", "least"), [(1, 1.05), (12, 0.29)])
def test_a_short_series_against_a_plain_walk(steps: int, least: float) -> None:
    """A panel has thousands of short series: what surrounds the algebra may not cost more than the algebra."""
    rng = np.random.default_rng(3)
    series = np.convolve(rng.normal(size=539), 0.9 ** np.arange(40), mode="valid")
    lags = 12
    ends = [158 + (series.size - 158) * step // 8 for step in range(9)]

    def ours() -> FloatArray:
        return look_ahead(series, NGRC(lags), steps=steps, method="adaptive").forecast

    # Penalties are chosen anew at other ends, which moves a forecast by a fraction of its error, about 1.
    assert abs(ours()[0] - plain_walk(series, lags, ends)) < 0.5
    assert ratio(ours, lambda: plain_walk(series, lags, ends)) > least
