"""State is a function of the rows: whatever is left of snapshots, a restart goes on with the same bits."""

import sqlite3
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ngrc import NGRC
from ngrc.durable import Observation, Session, Store, StoreError, snapshots
from ngrc.durable.reading import read_snapshots
from ngrc.durable.schema import series
from tests.durable.kit import START, facts, forecaster, session, told, wave


def _states(address: str, statement: str, *values: Any) -> None:
    """Change an SQLite file behind the back of the library."""
    with sqlite3.connect(address) as raw:
        raw.execute(statement, values)
    raw.close()


@pytest.fixture(scope="module")
def never_stopped(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What is said of a series with holes by a process that is never stopped."""
    return [facts(one) for one in told(str(tmp_path_factory.mktemp("whole") / "s.db"), VALUES)]


VALUES: list[float | None] = [*wave(110)]
VALUES[20] = VALUES[80] = VALUES[81] = None


def test_restarted_again_and_again_it_says_the_same(address: str, never_stopped: list[Any]) -> None:
    said = []
    for begin, end in pairwise([0, 1, 20, START - 1, START, START + 1, 80, 81, 95, len(VALUES)]):
        with session(address) as one:
            said += [facts(one.take("x", Observation(value))) for value in VALUES[begin:end]]
            one.commit()
            assert one.notes() == ()
    assert said == never_stopped


def test_rows_alone_are_enough(tmp_path: Path, never_stopped: list[Any]) -> None:
    address = str(tmp_path / "s.db")
    told(address, VALUES[:90])
    _states(address, "delete from snapshots")
    with session(address) as one:
        assert one.notes() == ()
        said = [facts(one.take("x", Observation(value))) for value in VALUES[90:]]
    assert said == never_stopped[90:]


@pytest.mark.parametrize("harm", ["content = x'00'", "sha256 = 'no'", "content = zeroblob(3)"])
def test_a_damaged_snapshot_falls_back(
    tmp_path: Path, never_stopped: list[Any], monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    monkeypatch.setattr(snapshots, "LEAST", 10)
    monkeypatch.setattr(snapshots, "ROW_BYTES", 10**9)
    address = str(tmp_path / "s.db")
    told(address, VALUES[:95])
    with Store.open(address, write=False) as store:
        kept = [one.seq for one in store.summary("x").snapshots]
    # The two newest: one right after the start, then after every ten rows at the next commit.
    assert kept == [77, 91]
    _states(address, f"update snapshots set {harm} where seq = 91")
    with session(address) as one:
        (note,) = one.notes()
        assert "its snapshot of observation 91 cannot be used" in note
        said = [facts(one.take("x", Observation(value))) for value in VALUES[95:]]
        one.commit()
        # A whole one is written at once, and the oldest goes.
        assert [one.seq for one in one.store.summary("x").snapshots] == [91, 110]
    assert said == never_stopped[95:]
    _states(address, f"update snapshots set {harm}")
    with session(address) as one:
        assert len(one.notes()) == 2
        newest = one.latest("x")
        assert newest is not None
        assert facts(newest) == never_stopped[-1]


def test_a_series_of_a_newer_version_says_so(
    tmp_path: Path, never_stopped: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = str(tmp_path / "s.db")
    told(address, VALUES[:90])
    monkeypatch.setattr("ngrc.archive.entry.VERSION", 0)
    with Store.open(address) as store:
        one = Session(store)
        # The plan is of that version too: nothing can go on, and nothing is lost.
        with pytest.raises(
            StoreError, match=r"cannot go on with the series 'x' in .* it was written by a newer ngrc"
        ):
            one.latest("x")
    monkeypatch.undo()
    with session(address) as one:
        assert facts(one.take("x", Observation(VALUES[90]))) == never_stopped[90]


@pytest.mark.parametrize("options", [{"horizon": 3}, {"late": "accept"}, {"refit_every": 15, "window": 40}])
def test_times_that_are_passed_over_or_late(address: str, tmp_path: Path, options: dict[str, Any]) -> None:
    moments = [f"2026-01-{day + 1:02d}T{hour:02d}:00:00+01:00" for day in range(4) for hour in range(24)]
    pairs: list[tuple[float | None, str]] = [*zip(wave(96), moments, strict=True)]
    sent = [pair for place, pair in enumerate(pairs) if place not in (30, 70, 71, 75)]
    if options.get("late") == "accept":
        # One that was passed over, and one that was sent as missing.
        sent[80] = (None, sent[80][1])
        sent += [pairs[75], (0.5, sent[80][1])]
        sent += [(0.25, "2026-01-05T00:00:00+01:00")]
    whole = []
    with session(str(tmp_path / "whole.db"), **options) as one:
        whole = [one.take("x", Observation(*pair)) for pair in sent]
        one.commit()
    said = []
    # Stopped while it gathers, right after the start, in a hole and between late outcomes.
    places = [0, 31, START, 69, 72, len(sent) - 2, len(sent)]
    for begin, end in pairwise(places):
        with session(address, **options) as one:
            said += [one.take("x", Observation(*pair)) for pair in sent[begin:end]]
            one.commit()
            assert one.notes() == ()
    assert [facts(one) for one in said] == [facts(one) for one in whole]
    with Store.open(address, write=False) as store:
        assert [facts(one) for one in store.recent("x", 200)] == [facts(one) for one in whole]
        assert store.summary("x").counts["late"] == (2 if options.get("late") else 0)
        assert store.verify_all() == len(sent)


def test_days_across_a_change_of_the_clock(address: str) -> None:
    days = np.datetime_as_string(np.datetime64("2026-02-20") + np.arange(80)).tolist()
    # Europe's clocks change on 29 March: midnight is at another offset from then on.
    moments = [f"{day}T00:00:00+0{1 if day < '2026-03-30' else 2}:00" for day in days]
    said = []
    for begin in (0, 30, 65, 70):
        end = {0: 30, 30: 65, 65: 70, 70: 80}[begin]
        with session(address) as one:
            for value, moment in list(zip(wave(80), moments, strict=True))[begin:end]:
                said.append(one.take("x", Observation(value, moment)))
            one.commit()
    assert said[70].time == moments[70]
    assert said[70].coming is not None
    assert said[70].coming.targets == ("2026-05-02T00:00:00",)
    with session(address) as one, pytest.raises(ValueError, match="give each observation its time"):
        one.take("x", Observation(1.0))


def test_a_history_in_a_zone_keeps_it(address: str) -> None:
    import polars as pl

    hours = pl.datetime_range(
        pl.datetime(2026, 3, 27), pl.datetime(2026, 3, 30), "1h", time_zone="Europe/Berlin", eager=True
    )
    frame = pl.DataFrame({"time": hours, "value": wave(len(hours))})
    with session(address, history=frame) as one:
        newest = one.latest("x")
        assert newest is not None
        assert newest.time == "2026-03-30T00:00:00+02:00"
        assert one.store.reply("x", 1).time == "2026-03-27T00:00:00+01:00"
        assert newest.coming is not None
        assert newest.coming.targets == ("2026-03-30T01:00:00+02:00",)
        # The same moment in another zone is known; the next one keeps the zone that came.
        assert one.take("x", Observation(frame["value"][-1], "2026-03-29T22:00:00Z")).again
        after = one.take("x", Observation(0.5, "2026-03-29T23:00:00Z"))
        assert after.coming is not None
        assert after.coming.targets == ("2026-03-30T00:00:00Z",)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (
            "update observations set value = value + 1e-16 + 1e-12 where seq = 70",
            "rows of observation 70 were altered",
        ),
        ("update observations set time = '33' where seq = 35", "rows of observation 35 were altered"),
        ("update observations set value = null where seq = 70", "rows of observation 70 were altered"),
        ("update observations set kind = 'missing' where seq = 70", "rows of observation 70 were altered"),
        (
            "update forecasts set upper = upper * 1.0000001 where seq = 90",
            "rows of observation 90 were altered",
        ),
        ("delete from forecasts where seq = 90 and level > 0.85", "rows of observation 90 were altered"),
        ("update outcomes set covered = not covered where seq = 90", "rows of observation 90 were altered"),
        ("delete from outcomes where seq = 90", "rows of observation 90 were altered"),
        ("delete from observations where seq = 70", "observation 70 is missing"),
        ("delete from observations where seq = 110", "there are forecasts without their observation"),
        ("delete from observations where seq > 50", "there are forecasts without their observation"),
        ("delete from forecasts where seq = 110", "rows of observation 110 were altered"),
        (
            "insert into observations select series, 111, '110', 110, value, kind, received, chain from observations "
            "where seq = 100",
            "rows of observation 111 were altered",
        ),
        ("update observations set chain = x'00' where seq = 110", "rows of observation 110 were altered"),
    ],
)
def test_altered_rows_are_found(tmp_path: Path, statement: str, words: str) -> None:
    address = str(tmp_path / "s.db")
    told(address, VALUES)
    _states(address, statement)
    with Session(Store.open(address)) as one:
        with pytest.raises(
            StoreError, match=f"the series 'x' in .* is damaged: {words}; keep a copy"
        ) as caught:
            one.take("x", Observation(1.0))
        assert not caught.value.temporary
        with pytest.raises(StoreError, match=words):
            one.store.verify_all()


def test_rows_before_the_snapshot_of_a_long_series_are_checked_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ngrc.durable.recovery.CHECKED", 50)
    address = str(tmp_path / "s.db")
    told(address, VALUES)
    _states(address, "update observations set value = 7 where seq = 5")
    with session(address) as one:
        one.take("x", Observation(1.0))
        with pytest.raises(StoreError, match="rows of observation 5 were altered"):
            one.store.verify_all()
    _states(address, "update observations set value = 7 where seq = 109")
    with Session(Store.open(address)) as one, pytest.raises(StoreError, match="observation 109 were altered"):
        one.latest("x")


def test_a_snapshot_that_cannot_be_written_is_a_remark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_large(value: Any) -> bytes:
        raise ValueError("a value of 5,000,000,000 bytes is too large for one file")

    address = str(tmp_path / "s.db")
    with session(address) as one:
        monkeypatch.setattr("ngrc.durable.series.dumps", too_large)
        for value in VALUES[: START + 5]:
            one.take("x", Observation(value))
        one.commit()
        one.take("x", Observation(1.0))
        one.commit()
        assert [note.partition("(")[0] for note in one.notes()] == ["series 'x': no snapshot was written "]
    with session(address) as one:
        newest = one.latest("x")
        assert newest is not None
        assert newest.seq == START + 6


def test_a_forecaster_that_breaks_is_lost_in_memory_and_not_in_the_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, never_stopped: list[Any]
) -> None:
    address = str(tmp_path / "s.db")
    with session(address) as one:
        for value in VALUES[:70]:
            one.take("x", Observation(value))
        broken = forecaster().start(wave(START))
        with monkeypatch.context() as patch:
            patch.setattr(type(broken), "observe", lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                one.take("x", Observation(1.0))
        with pytest.raises(StoreError, match="is lost in memory; start again"):
            one.take("x", Observation(1.0))
        one.commit()
    with session(address) as one:
        assert facts(one.take("x", Observation(VALUES[70]))) == never_stopped[70]


@pytest.mark.parametrize(
    "statement",
    [
        "delete from forecasts where seq = {} and step = 2 and level > 0.85",
        "delete from forecasts where seq = {} and step = 1",
        "update forecasts set mean = mean + 1 where seq = {} and step = 2 and level > 0.85",
        "update forecasts set target = '7' where seq = {} and step = 2 and level > 0.85",
        "update forecasts set origin = '7' where seq = {} and step = 3",
        "update forecasts set level = 0.95 where seq = {} and step = 3 and level > 0.85",
        "delete from outcomes where seq = {} and step = 2 and level > 0.85",
        "update outcomes set value = value + 1 where seq = {} and step = 2 and level > 0.85",
        "update outcomes set upper = null where seq = {} and step = 2 and level > 0.85",
    ],
)
def test_rows_of_several_steps_that_contradict_each_other_are_found(tmp_path: Path, statement: str) -> None:
    address = str(tmp_path / "s.db")
    told(address, VALUES[:75], horizon=3)
    with Store.open(address, write=False) as store:
        (kept,) = [one.seq for one in store.summary("x").snapshots]
    # After the snapshot, where they are taken in again, and then before it, where they are only checked.
    for seq in (kept + 5, kept - 1):
        _states(address, statement.format(seq))
        with Session(Store.open(address)) as one:
            with pytest.raises(StoreError, match=f"rows of observation {seq} were altered"):
                one.latest("x")
            with pytest.raises(StoreError, match=f"rows of observation {seq} were altered"):
                one.store.verify_all()


def test_rows_are_checked_without_an_object_per_row(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told(address, VALUES[:80], horizon=3, late="accept")

    def never(*_: Any) -> None:
        raise AssertionError("an entry was made")

    monkeypatch.setattr("ngrc.durable.reading._entry", never)
    monkeypatch.setattr("ngrc.durable.audit.CHUNK", 7)
    with Store.open(address, write=False) as store:
        assert store.verify_all() == 80


def test_the_checksum_of_a_snapshot_covers_its_place(
    tmp_path: Path, never_stopped: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "LEAST", 10)
    monkeypatch.setattr(snapshots, "ROW_BYTES", 10**9)
    address = str(tmp_path / "s.db")
    told(address, VALUES[:95])
    _states(address, "update snapshots set seq = 90 where seq = 91")
    with (
        Store.open(address, write=False) as store,
        pytest.raises(StoreError, match="its snapshot of observation 90"),
    ):
        store.verify_all()
    with session(address) as one:
        (note,) = one.notes()
        assert "its snapshot of observation 90 cannot be used (it was altered" in note
        said = [facts(one.take("x", Observation(value))) for value in VALUES[95:]]
    assert said == never_stopped[95:]


def test_a_snapshot_of_an_older_version_is_used(tmp_path: Path, never_stopped: list[Any]) -> None:
    address = str(tmp_path / "s.db")
    told(address, VALUES[:80])
    with Store.open(address, write=False) as store, store.reading() as connection:
        (kept,) = read_snapshots(connection, 1)
    digest = sha256(kept.content).hexdigest()
    assert kept.sha256 != digest
    _states(address, f"update snapshots set sha256 = '{digest}'")
    with session(address) as one:
        assert one.notes() == ()
        assert [facts(one.take("x", Observation(value))) for value in VALUES[80:]] == never_stopped[80:]
        one.store.verify_all()


@pytest.mark.parametrize(
    "settings", ["{}", "[]", "no JSON", '{"forecaster": "x", "history": "60", "given": null}']
)
def test_altered_settings_are_found(address: str, settings: str) -> None:
    told(address, VALUES[:70])
    with Store.open(address) as store:
        connection = store.writer._connected()
        connection.execute(series.update(), {"settings": settings})
        connection.commit()
    found = r"the series 'x' in .* is damaged: its settings were altered"
    with Session(Store.open(address)) as one:
        with pytest.raises(StoreError, match=found):
            one.latest("x")
        with pytest.raises(StoreError, match=found):
            one.store.summary("x")
    with pytest.raises(StoreError, match="its settings were altered"):
        session(address)


def test_snapshots_of_half_lives_are_used_from_the_first_on(tmp_path: Path) -> None:
    model = NGRC(lags=2, half_lives=(24,))
    whole = told(str(tmp_path / "whole.db"), VALUES, model=model)
    address = str(tmp_path / "s.db")
    # `told` refuses remarks: a snapshot that cannot be loaded is one.
    parts = told(address, VALUES[:80], model=model) + told(address, VALUES[80:], model=model)
    assert [facts(one) for one in parts] == [facts(one) for one in whole]
