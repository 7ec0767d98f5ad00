"""Both sources together."""

import numpy as np
import pytest

from ngrc._types import AnyArray, FloatArray
from ngrc.auto.periods import Period, find_periods


def hours(count: int) -> AnyArray:
    return np.datetime64("2020-01-01T00", "h") + np.arange(count)


def names(values: FloatArray, times: AnyArray | None = None, most: int = 3) -> list[str]:
    return [period.name for period in find_periods(values, times, most=most)]


def noise(count: int) -> FloatArray:
    return np.random.default_rng(count).normal(size=count)


def test_two_full_cycles_or_none() -> None:
    assert names(noise(47), hours(47)) == []
    assert names(noise(48), hours(48)) == ["day"]
    assert names(noise(335), hours(335)) == ["day"]
    assert names(noise(336), hours(336)) == ["day", "week"]
    months = np.arange("2000-01", "2010-01", dtype="M8[M]")
    assert names(noise(23), months[:23]) == []
    assert names(noise(24), months[:24]) == ["year"]


def test_a_yearly_clock_needs_a_year_and_a_half() -> None:
    days = np.datetime64("2020-01-01", "D") + np.arange(600)
    assert names(noise(547), days[:547]) == ["week"]
    assert names(noise(548), days[:548]) == ["week", "year"]


def test_what_the_times_say_is_not_found_again() -> None:
    time = np.arange(2000)
    values = np.sin(2 * np.pi * time / 24) + np.sin(2 * np.pi * time / 37) + 0.5 * noise(2000)
    found = find_periods(values, hours(2000))
    assert [(period.steps, period.name) for period in found] == [(24, "day"), (37, "37 steps"), (168, "week")]
    assert found[0].reason == "hourly time stamps"
    assert sorted(period.steps for period in find_periods(values)) == [24, 37]


def test_the_calendar_comes_before_what_is_found() -> None:
    time = np.arange(15_000)
    values = np.sin(2 * np.pi * time / 12.42) + np.sin(2 * np.pi * time / 24) + 0.5 * noise(15_000)
    assert names(values[:9000], hours(9000)) == ["12.4 steps", "day", "week"]
    assert names(values, hours(15_000)) == ["day", "week", "year"]
    assert names(values, hours(15_000), most=4) == ["12.4 steps", "day", "week", "year"]
    assert names(values, hours(15_000), most=1) == ["day"]
    assert names(values, hours(15_000), most=0) == []


@pytest.mark.parametrize("count", range(1, 11))
def test_a_few_observations_are_no_error(count: int) -> None:
    quarters = (np.datetime64("2000-01", "M") + 3 * np.arange(count)).astype("M8[D]")
    for values in (noise(count), np.ones(count), np.arange(count, dtype=np.float64)):
        assert find_periods(values) == ()
        assert names(values, quarters) == (["year"] if count >= 8 else [])


def test_the_past_alone_decides() -> None:
    values = np.sin(np.arange(600) / 3) + noise(600)
    changed = values.copy()
    changed[400:] = 1e9
    assert find_periods(values[:400]) == find_periods(changed[:400])


def test_the_same_cycle_within_a_step_or_two_per_cent() -> None:
    year = Period(365.25, "year", "daily time stamps")
    assert year.same(366)
    assert year.same(359)
    assert not year.same(350)
    assert not Period(4, "4 steps", "").same(5)
