"""Moments that grow and forget, against sums over the same rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._types import FloatArray
from ngrc.features import Clock, Delays, FeatureMap, Seasonal
from ngrc.features.inputs import SERIES, Inputs
from ngrc.features.target import LEVEL
from ngrc.fitted import tasks_rows
from ngrc.readout import growing
from ngrc.readout.growing import growing_moments, pieced_moments
from ngrc.readout.tasks.moments import Moments, merged, union_moments
from ngrc.readout.tasks.value import Tasks

RNG = np.random.default_rng(0)
# A drifting offset far above the spread: what sums about one constant would lose.
COLUMNS = RNG.normal(size=(120, 3)) * (1.0, 0.1, 5.0) + np.linspace(0.0, 1e4, 120)[:, None]
TARGETS = RNG.normal(size=(120, 2)) + 7.0


def direct(start: int, stop: int) -> Moments:
    x, y = COLUMNS[start:stop], TARGETS[start:stop]
    centred, goals = x - x.mean(axis=0), y - y.mean(axis=0)
    count = stop - start
    return Moments(
        count, x.mean(axis=0), y.mean(axis=0), centred.T @ centred / count, centred.T @ goals / count
    )


def same(one: Moments, other: Moments) -> None:
    assert one.count == other.count
    for name in ("means", "target_means", "covariance", "cross"):
        a: FloatArray = getattr(one, name)
        b: FloatArray = getattr(other, name)
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-11 * np.abs(b).max())


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 60), st.integers(61, 120))
def test_two_parts_make_the_whole_in_any_order(cut: int, stop: int) -> None:
    same(merged(direct(0, cut), direct(cut, stop)), direct(0, stop))
    same(merged(direct(cut, stop), direct(0, cut)), direct(0, stop))


@pytest.mark.parametrize("most", [1, 64])
@pytest.mark.parametrize("window", [None, 7, 25, 40])
@pytest.mark.parametrize("step", [1, 4, 9])
def test_every_span_has_its_own_moments(
    step: int, window: int | None, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growing, "MOST_SEGMENTS", most)
    stops = list(range(30, 121, step))
    spans = [(2 if window is None else max(2, stop - window), stop) for stop in stops]
    for span, found in zip(spans, growing_moments(spans, direct), strict=True):
        same(found, direct(*span))


@pytest.mark.parametrize("window", [None, 30])
def test_every_row_is_summed_once(window: int | None) -> None:
    summed: list[int] = []

    def counting(start: int, stop: int) -> Moments:
        summed.extend(range(start, stop))
        return direct(start, stop)

    spans = [(0 if window is None else stop - window, stop) for stop in range(40, 121, 10)]
    assert len(list(growing_moments(spans, counting))) == len(spans)
    assert sorted(summed) == list(range(spans[0][0], 120))


@pytest.mark.parametrize(
    "feature_map",
    [
        # A few delays beside many thin columns, mostly delays and products, and no core at all.
        FeatureMap((Delays(2), Clock((12.0,), 3), Seasonal((12.0,), cycles=2))),
        FeatureMap((Delays(6), Clock((12.0,), 1))),
        FeatureMap((Clock((12.0,), 2), Seasonal((12.0,), cycles=1))),
    ],
)
@pytest.mark.parametrize("piece", [40, 64, 1000])
def test_a_long_task_is_summed_in_pieces(
    feature_map: FeatureMap, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = np.cumsum(RNG.normal(size=400)) + 50.0
    rows = tasks_rows(feature_map, LEVEL, Inputs({SERIES: x}), x[:, None], (1, 2, 5), range(60, 390))
    tasks, lean = Tasks.of(rows), Tasks.of(rows, held=False)
    assert tasks is not None
    assert lean is not None
    whole = pieced_moments(tasks, 10, 330)
    # At once, exactly as before, up to the bound ...
    same_bits(whole, union_moments(tasks.part(10, 330)))
    monkeypatch.setattr(growing, "LONG", 100)
    monkeypatch.setattr(growing, "PIECE", piece)
    # ... and from there on the same to rounding, however the pieces are cut.
    same(pieced_moments(lean, 10, 330), whole)


def same_bits(one: Moments, other: Moments) -> None:
    for name in ("means", "target_means", "covariance", "cross"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
