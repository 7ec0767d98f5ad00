"""Fits, origins and what each may see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from accuracy.columns import clock, design, lagged
from accuracy.methods.base import Forecasts, Known, Method
from accuracy.methods.lagged import Ridge
from accuracy.methods.naive import Naive, SeasonalNaive
from accuracy.methods.ours import AutoNGRC
from accuracy.origins import ends
from accuracy.schedule import FITS, Schedule, schedule, spread
from accuracy.series import LongSeries
from accuracy.walk import walk

from ngrc._types import IntArray


@pytest.mark.parametrize(("size", "season"), [(100, 7), (1003, 24), (5000, 144)])
def test_every_target_of_both_horizons_lies_in_the_test_block(size: int, season: int) -> None:
    plan = schedule(size, season)
    assert len(plan.ends) == FITS
    assert plan.ends[0] == size * 80 // 100
    assert plan.origins[0] + 1 == plan.ends[0]
    assert plan.origins[-1] + season == size - 1


def test_an_origin_belongs_to_the_last_model_that_was_fitted_by_then() -> None:
    plan = schedule(1000, 24)
    for place, (end, positions) in enumerate(plan.blocks()):
        origins = plan.origins[positions]
        assert origins[0] == end - 1
        if place + 1 < FITS:
            assert origins[-1] == plan.ends[place + 1] - 2
    assert sum(positions.size for _, positions in plan.blocks()) == plan.origins.size


def test_a_test_block_without_a_season_is_refused() -> None:
    with pytest.raises(ValueError, match="holds no season of 24"):
        schedule(100, 24)


def test_spread_origins_reach_from_the_first_to_the_last() -> None:
    plan = schedule(5000, 24)
    some = spread(plan, 300)
    assert (some.size, some[0], some[-1]) == (300, 0, plan.origins.size - 1)
    assert np.ptp(np.diff(some)) <= 1
    assert spread(schedule(100, 7), 300).tolist() == list(range(14))


def test_short_ends_leave_the_path_observed_and_enough_known() -> None:
    for size in range(5, 80):
        for season, steps in ((1, 6), (4, 4), (12, 12)):
            for end in ends(size, season, steps):
                assert end + steps <= size
                assert end >= max(10, season + 1)


def made(size: int = 1200) -> LongSeries:
    rng = np.random.default_rng(1)
    values = np.sin(np.arange(size) * np.pi / 6) + rng.normal(0, 0.3, size)
    return LongSeries("made", "made", 12, values, np.datetime64("2020-01-01T00", "h") + np.arange(size))


@pytest.mark.parametrize("method", [Naive(), SeasonalNaive(), Ridge(), AutoNGRC()])
def test_no_forecast_changes_with_what_comes_after_its_origin(method: Method) -> None:
    series = made()
    plan = schedule(series.values.size, series.season)
    every = np.arange(plan.origins.size)
    honest = walk(series, method, plan, every)
    cut = int(plan.origins[plan.origins.size // 2])
    values = series.values.copy()
    values[cut + 1 :] += 1000.0
    other = walk(LongSeries("made", "made", 12, values, series.times), method, plan, every)
    before = plan.origins <= cut
    for horizon in (1, 12):
        assert np.array_equal(honest.forecasts[horizon].point[before], other.forecasts[horizon].point[before])
        # And the other half must notice, or the test could not fail.
        assert not np.allclose(
            honest.forecasts[horizon].point[~before], other.forecasts[horizon].point[~before]
        )


@dataclass
class Recorder(Method):
    """Notes how much each call could see."""

    seen: list[tuple[str, int]]
    name: str = "recorder"
    paths: bool = True

    def fit(self, past: Known, horizons: Sequence[int]) -> "Recorder":
        self.seen.append(("fit", past.values.size))
        return self

    def forecast(self, known: Known, origins: IntArray) -> Mapping[int, Forecasts]:
        self.seen.append(("forecast", known.values.size))
        assert origins[-1] == known.values.size - 1
        return {horizon: Forecasts(np.zeros(origins.size)) for horizon in (1, 12)}


def test_a_method_is_fitted_at_each_end_and_sees_nothing_beyond_its_last_origin() -> None:
    series, recorder = made(), Recorder([])
    plan = schedule(series.values.size, series.season)
    walked = walk(series, recorder, plan, spread(plan, 50))
    assert [size for what, size in recorder.seen if what == "fit"] == list(plan.ends)
    # A path serves both horizons: each has half of its cost.
    assert walked.seconds[1] == walked.seconds[12]
    assert walked.forecasts[12].point.size == walked.origins.size == 50


def test_seasonal_naive_is_the_target_one_season_before() -> None:
    series = made()
    plan = schedule(series.values.size, series.season)
    walked = walk(series, SeasonalNaive(), plan, np.arange(plan.origins.size))
    for horizon in (1, 12):
        assert np.array_equal(walked.forecasts[horizon].point, series.values[walked.origins + horizon - 12])


def test_columns_are_lags_at_the_origin_and_the_clock_of_the_target() -> None:
    times = np.datetime64("2020-01-01T00", "h") + np.arange(10)
    values, origins = np.arange(10.0), np.array([3, 9])
    columns = design(values, times, origins, 24, 3)
    assert columns[:, :3].tolist() == [[3, 2, 1], [9, 8, 7]]
    assert columns[:, 3:].argmax(axis=1).tolist() == [3, 9]
    assert columns[:, 3:].sum(axis=1).tolist() == [1, 1]
    days = np.datetime64("2020-01-02", "D") + np.arange(10)
    assert clock(days, np.array([0, 7, 8])).argmax(axis=1).tolist() == [0, 0, 1]
    assert clock(None, origins).shape == (2, 0)
    with pytest.raises(ValueError, match="no 3 observations"):
        lagged(values, np.array([1]), 3)


def test_ends_without_origins_are_passed_over() -> None:
    plan = Schedule((80, 85), np.array([90, 91]))
    assert [positions.size for _, positions in plan.blocks()] == [0, 2]
