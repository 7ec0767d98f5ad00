"""Forecasts from elsewhere at several levels, within bounds, with forecasts and clock for methods that read them."""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.external import around
from ngrc.features.bounds import Bounds
from ngrc.intervals import METHODS, Adaptive, ResCP, Split
from ngrc.intervals.base import Offsets, Stream
from ngrc.intervals.context import Context
from ngrc.metrics import coverage, crps, winkler

NAMES = [name for name in METHODS if name not in ("bayes", "rescp")]
LEVELS = [0.8, 0.5, 0.95]


@dataclass(frozen=True)
class Seeing(Split):
    """Split that notes its context; its ends are cut to found bounds."""

    bounded: ClassVar[bool] = True
    sees: ClassVar[tuple[str, ...]] = ("residuals", "forecasts", "clock")
    contexts: list[Context | None] = field(default_factory=list, compare=False)

    def run(self, stream: Stream, level: float) -> Offsets:
        self.contexts.append(stream.context)
        return Split().run(stream, level)


def rows(count: int = 240, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    forecasts = 3 * np.sin(2 * np.pi * np.arange(count) / 24) + rng.normal(size=count) / 4
    return forecasts + rng.standard_t(4, size=count), forecasts


def power(count: int = 240) -> tuple[FloatArray, FloatArray]:
    y, forecasts = rows(count)
    return np.maximum(y, 0.0), forecasts


@pytest.mark.parametrize("name", NAMES)
def test_the_first_level_is_what_it_would_be_and_higher_ones_hold_lower_ones(name: str) -> None:
    y, forecasts = rows()
    found = around(y, forecasts, name, level=LEVELS, horizon=2)
    assert found.levels == (0.8, 0.5, 0.95)
    assert (found.level, found.coverage, found.winkler) == (
        0.8,
        found.bands[0].coverage,
        found.bands[0].winkler,
    )
    lowest = around(y, forecasts, name, level=0.5, horizon=2)
    np.testing.assert_array_equal(found.band(0.5).lower, lowest.lower)
    for low, high in ((0.5, 0.8), (0.8, 0.95)):
        inner, outer = found.band(low), found.band(high)
        assert np.all(outer.lower <= inner.lower)
        assert np.all(inner.upper <= outer.upper)
        alone = around(y, forecasts, name, level=high, horizon=2)
        np.testing.assert_array_equal(outer.lower, np.minimum(alone.lower, inner.lower))
        assert outer.selected == alone.selected
    outcomes = y[found.start :]
    for band in found.bands:
        assert band.coverage == coverage(outcomes, band.lower, band.upper)
        assert band.winkler == pytest.approx(winkler(outcomes, band.lower, band.upper, band.level))
    with pytest.raises(
        ValueError, match=r"no intervals at level 0\.9; those asked for are 0\.8, 0\.5, 0\.95"
    ):
        found.band(0.9)


@pytest.mark.parametrize("method", ["split", Adaptive(rate=0.3), ResCP(size=24, seed=1)])
def test_quantiles_are_ends_and_rise(method: Any) -> None:
    y, forecasts = rows()
    y[-1] = np.nan
    found = around(y, forecasts, method, level=LEVELS)
    probabilities = [0.025, 0.1, 0.25, 0.3, 0.5, 0.75, 0.9, 0.97, 0.975]
    values = found.quantiles(probabilities)
    assert values.shape == (found.lower.size, 9)
    assert np.all(np.diff(values, axis=1) >= 0)
    np.testing.assert_array_equal(values[:, 0], found.band(0.95).lower)
    np.testing.assert_array_equal(values[:, 6], found.band(0.8).upper)
    middle = (found.band(0.5).lower + found.band(0.5).upper) / 2
    np.testing.assert_allclose(values[:, 4], middle, atol=1e-12)
    ends = found.quantiles([0.025, 0.1, 0.25, 0.75, 0.9, 0.975])
    assert found.crps == crps(y[found.start : -1], ends[: found.scored], [0.025, 0.1, 0.25, 0.75, 0.9, 0.975])
    with pytest.raises(ValueError, match=r"a level of at least 0\.98"):
        found.quantiles([0.01])


def test_the_median_beside_infinite_ends_is_the_forecast() -> None:
    y, forecasts = rows(20)
    found = around(y, forecasts, "split", level=0.99)
    np.testing.assert_array_equal(found.quantiles([0.4, 0.5]), np.c_[np.full(10, -np.inf), forecasts[10:]])


def test_bounds_that_are_given_cut_every_methods_ends() -> None:
    y, forecasts = power()
    free = around(y, forecasts, "split", level=LEVELS)
    assert free.lower.min() < 0
    found = around(y, forecasts, "split", level=LEVELS, lower=0, upper=40.0)
    assert (found.bounds, free.bounds) == (Bounds(0.0, 40.0), Bounds())
    for cut, whole in zip(found.bands, free.bands, strict=True):
        np.testing.assert_array_equal(cut.lower, np.maximum(whole.lower, 0.0))
        assert cut.coverage >= whole.coverage
        assert cut.winkler < whole.winkler
    assert found.quantiles([0.025, 0.3, 0.9]).min() == 0.0


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        (
            {"lower": 0.5},
            r"^137 outcomes below lower=0\.5, the first 0\.438111 in row 2 \(counting from 1\); mend",
        ),
        ({"upper": 1.0}, r"outcomes above upper=1, the first [\d.]+ in row"),
        ({"lower": np.nan}, "lower must be a finite number"),
        ({"lower": 3.0, "upper": 1.0}, "lower must be below upper"),
    ],
)
def test_an_outcome_beyond_a_given_bound_is_one_clear_error(bounds: dict[str, float], message: str) -> None:
    y, forecasts = power()
    with pytest.raises(ValueError, match=message) as error:
        around(y, forecasts, "split", **bounds)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


def test_the_row_of_an_outcome_beyond_a_bound_is_named_as_the_user_counts() -> None:
    y, forecasts = rows(60)
    y, forecasts[:7] = np.abs(y) + 1.0, np.nan
    y[30] = -2.0
    with pytest.raises(
        ValueError, match=r"^1 outcome below lower=0, the first -2 in row 31 \(counting from 1\)"
    ):
        around(y, forecasts, "split", lower=0)


@pytest.mark.parametrize("horizon", [1, 3])
def test_a_found_bound_stands_until_an_outcome_is_known_to_cross_it(horizon: int) -> None:
    y, forecasts = power()
    step = 40
    y[120 + step] = -0.5
    found, free = (around(y, forecasts, method, horizon=horizon) for method in (Seeing(), Split()))
    assert (found.start, found.bounds) == (120, Bounds(lower=0.0))
    cut = step + horizon
    within = np.where(free.upper >= 0.0, np.maximum(free.lower, 0.0), free.lower)
    np.testing.assert_array_equal(found.lower[:cut], within[:cut])
    np.testing.assert_array_equal(found.lower[cut:], free.lower[cut:])
    # A bound found beside one that is given never gives way beyond it.
    y[120 + step] = 0.25
    both = around(y, forecasts, Seeing(), horizon=horizon, lower=-1.0)
    assert both.bounds == Bounds(lower=0.0)
    assert both.lower[both.upper >= 0.0].min() == 0.0
    assert both.lower.min() >= -1.0


def test_forecasts_and_clock_reach_a_method_that_reads_them() -> None:
    y, forecasts = rows(800)
    forecasts[:5] = np.nan
    times = np.arange("2024-01-01", 800, dtype="datetime64[h]")
    contexts = []
    for clock in (None, times, times.astype(str).tolist()):
        method = Seeing()
        around(y, forecasts, method, horizon=3, times=clock)
        contexts.append(method.contexts[0])
    plain, dated, text = contexts
    assert plain is not None
    assert dated is not None
    assert text is not None
    np.testing.assert_array_equal(plain.forecasts, forecasts[5:])
    assert plain.phase == 5
    assert plain.periods == (24.0,)
    assert dated.periods == text.periods == (24.0, 168.0)
    with pytest.raises(ValueError, match="one time per row is expected, got 799 times of 800 rows"):
        around(y, forecasts, Seeing(), times=times[1:])


@dataclass(frozen=True)
class Plain(Split):
    """Split that refuses a context."""

    def run(self, stream: Stream, level: float) -> Offsets:
        assert stream.context is None
        return Split().run(stream, level)


def test_a_method_that_reads_residuals_alone_gets_no_context() -> None:
    y, forecasts = rows()
    assert around(y, forecasts, Plain()).scored == 120


@pytest.mark.parametrize("horizon", [1, 3])
def test_the_future_reaches_neither_the_clock_nor_a_found_bound(horizon: int) -> None:
    y, forecasts = power()
    before = Seeing()
    one = around(y, forecasts, before, horizon=horizon)
    changed, row = y.copy(), 150
    changed[row:] = np.random.default_rng(9).normal(size=y.size - row)
    after = Seeing()
    two = around(changed, forecasts, after, horizon=horizon)
    same = slice(0, row + horizon - one.start)
    np.testing.assert_array_equal(one.lower[same], two.lower[same])
    np.testing.assert_array_equal(one.upper[same], two.upper[same])
    assert before.contexts[0] is not None
    assert after.contexts[0] is not None
    assert before.contexts[0].periods == after.contexts[0].periods
    # An outcome that is not known at the first interval can make no bound.
    early = replace(before, contexts=[])
    late = np.abs(forecasts) + 1.0 + np.arange(240) / 1000
    late[120 - horizon + 1 :] = 0.0
    assert around(late, forecasts, early, horizon=horizon).bounds == Bounds()
