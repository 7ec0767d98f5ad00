"""Times as text outside and numbers inside; histories with holes; what is refused."""

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.durable import Observation
from ngrc.durable.begin import begun
from ngrc.durable.times import Scale, read_time, write_time
from tests.durable.kit import session, wave


@given(
    st.datetimes(min_value=dt.datetime(1, 1, 2), max_value=dt.datetime(9999, 12, 30)),
    st.one_of(st.none(), st.integers(-23 * 60, 23 * 60)),
)
@settings(max_examples=100, deadline=None)
def test_a_time_goes_out_as_it_came_in(moment: dt.datetime, minutes: int | None) -> None:
    zone = None if minutes is None else dt.timezone(dt.timedelta(minutes=minutes))
    there = moment.replace(tzinfo=zone)
    stamp = read_time(there.isoformat())
    assert write_time(*stamp) == there.isoformat()
    universal = there.replace(tzinfo=dt.UTC) if zone is None else there
    assert stamp.moment == (universal - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)) // dt.timedelta(
        microseconds=1
    )


@pytest.mark.parametrize(
    "time",
    [
        "",
        "now",
        "2026-1-31",
        "2026-02-30",
        "20260131",
        "2026-01-31T25:00",
        "2026-01-31T13:00:00.1234567",
        "2026-01-31T13:00+25:00",
        "2026-01-31T13:00 CET",
        "2026-01-31Z",
        "2026-01-31T13:00\n",
        "٢٠٢٦-01-31",
        -1,
        2**53 + 1,
        1.5,
        True,
        b"2026-01-31",
        np.datetime64("2026-01-31"),
    ],
)
def test_what_is_no_time_is_refused_in_one_line(time: Any) -> None:
    with pytest.raises(ValueError, match=r"write 2026-01-31, 2026-01-31T13:00") as caught:
        read_time(time)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("first", "other", "words"),
    [
        (0, "2026-01-31", "are counted by index, got '2026-01-31'"),
        ("2026-01-31", 5, "are dates such as 2026-01-31, got 5"),
        ("2026-01-31T13:00", "2026-02-01T13:00Z", "are without a zone"),
        ("2026-01-31T13:00Z", "2026-02-01T13:00", "are with a zone"),
    ],
)
def test_times_of_a_series_are_of_one_kind(tmp_path: Path, first: Any, other: Any, words: str) -> None:
    with session(str(tmp_path / "s.db")) as one:
        one.take("x", Observation(1.0, first))
        with pytest.raises(ValueError, match=words):
            one.take("x", Observation(1.0, other))
        assert one.waiting == 1


def test_midnight_and_the_date_are_the_same(tmp_path: Path) -> None:
    with session(str(tmp_path / "s.db")) as one:
        one.take("x", Observation(1.0, "2026-01-31"))
        assert one.take("x", Observation(1.0, "2026-01-31T00:00")).again
        assert one.take("x", Observation(2.0, "2026-02-01T00:00:00")).time == "2026-02-01"


@pytest.mark.parametrize(
    ("observations", "words"),
    [
        ([Observation(None)], "the first observation of a series cannot be missing"),
        ([Observation(1.0, 7)], "the first observation has the index 0, got 7"),
        ([Observation(1.0, "2026-01-31"), Observation(1.0)], "have times; give this one's too"),
        (
            [Observation(1.0), Observation(1.0, 5), Observation(1.0, 3)],
            "the time 3 lies before the newest, 5",
        ),
        (
            [Observation(1.0, "2026-01-31"), Observation(2.0, "2026-01-30")],
            "the time 2026-01-30 lies before the newest, 2026-01-31; while a history is gathered, times must rise",
        ),
    ],
)
def test_a_history_is_gathered_in_order(tmp_path: Path, observations: list[Observation], words: str) -> None:
    with session(str(tmp_path / "s.db")) as one:
        for observation in observations[:-1]:
            one.take("x", observation)
        with pytest.raises(ValueError, match=words):
            one.take("x", observations[-1])
        assert one.waiting == len(observations) - 1


def test_holes_of_a_history_are_missing_values() -> None:
    stamps = [read_time(place) for place in (0, 1, 4)]
    _, series = begun(Scale("index"), stamps, [1.0, 2.0, 3.0])
    assert series.values.tolist() == [1, 2, 2, 2, 3]
    assert series.missing is not None
    assert series.missing.tolist() == [False, False, True, True, False]
    days = [f"2026-01-{day:02d}" for day in (1, 2, 3, 6, 7)]
    _, series = begun(Scale("date"), [read_time(day) for day in days], [1.0, None, 3.0, 4.0, 5.0])
    assert series.values.tolist() == [1, 1, 3, 3, 3, 4, 5]
    assert series.times is not None
    assert series.times.dtype == "M8[D]"
    months = [f"2026-{month:02d}-01" for month in (1, 2, 3, 4, 6, 7, 8)]
    _, series = begun(Scale("date"), [read_time(month) for month in months], [1.0] * 7)
    assert len(series) == 8
    with pytest.raises(ValueError, match="the 3 first observations are spread over 1001 times"):
        begun(Scale("index"), [read_time(place) for place in (0, 1, 1000)], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="observation 5"):
        begun(Scale("local"), [read_time(f"2026-01-01T{at}") for at in
              ("00:00", "01:00", "02:00", "03:00", "03:17", "04:00")], [1.0] * 6)  # fmt: skip


def test_a_history_with_numbers_for_times_is_refused(tmp_path: Path) -> None:
    from ngrc.series import as_series

    series = as_series(wave(70), time=np.arange(5.0, 75.0))
    with pytest.raises(ValueError, match="must be dates; leave other times out, to count by index"):
        session(str(tmp_path / "s.db"), history=series)
