"""The application over a real session: times, outcomes that come late, settings that contradict, a full disk."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event
from time import time
from typing import Any

import numpy as np
import pytest

from ngrc.durable import Session, Store, StoreError
from ngrc.live import OnlineForecaster
from ngrc.serve.app import Service, make_app
from ngrc.serve.server import kept_board
from ngrc.serve.tally import Tally
from ngrc.serve.worker import Worker
from tests.serve.conftest import Client
from tests.waiting import wait_until

SETTINGS = {
    "model": {"lags": 2, "degree": 1},
    "method": "rolling",
    "level": 0.9,
    "horizon": 2,
    "late": "accept",
}


def times(count: int, first: int = 0) -> list[str]:
    begin = np.datetime64("2026-01-09T08:00:00", "s")
    return [str(begin + np.timedelta64(hour, "h")) for hour in range(first, first + count)]


HISTORY = [
    {"time": time, "value": float(value)}
    for time, value in zip(times(80), np.random.default_rng(0).normal(size=80), strict=True)
]


class Real:
    """A service over a database."""

    def __init__(self, path: Path) -> None:
        self.session = Session(Store.open(path))
        self.board, self.tally = kept_board(self.session.store), Tally()
        self.worker = Worker(self.session, self.board, self.tally)
        self.worker.start()
        self.client = Client(make_app(Service(self.board, self.tally, self.worker)), raising=True)

    def post(self, body: Any, status: int = 200) -> Any:
        answer = self.client.post("/series/load/observations", json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def close(self) -> None:
        self.worker.stop()
        self.session.close()
        self.client.close()


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Real]:
    made = Real(tmp_path / "state.db")
    yield made
    made.close()


def test_times_late_outcomes_and_contradictions(real: Real) -> None:
    made = real.client.put("/series/load", json=SETTINGS | {"history": HISTORY})
    assert made.status_code == 201, made.text
    assert made.json()["newest"]["time"] == times(80)[-1]
    again = real.client.put("/series/load", json=SETTINGS | {"history": HISTORY})
    assert (again.status_code, again.json()["created"]) == (200, False)
    for other in ({"horizon": 3}, {"level": 0.8}, {"model": {"lags": 3}}, {"history": HISTORY[:-1]}):
        refused = real.client.put("/series/load", json=SETTINGS | {"history": HISTORY} | other)
        assert refused.status_code == 409, refused.text
    # The hour 80 is passed over, and comes after hour 81.
    hours = times(4, 80)
    skipped = real.post({"time": hours[1], "value": 0.5})
    # From hour 80, which was forecast from what was known, and from hour 79.
    assert [one["step"] for one in skipped["matured"]] == [1, 2]
    late = real.post({"time": hours[0], "value": 0.1})
    assert {one["step"] for one in late["matured"]} == {1, 2}
    assert late["forecasts"][0]["target"] == hours[2]
    assert real.tally.late["load"] == 1
    assert real.post({"time": hours[0], "value": 0.1})["again"] is True
    real.post({"time": hours[0], "value": 0.2}, status=409)
    real.post({"time": "2026-01-09T08:30:00", "value": 0.2}, status=400)
    real.post({"time": "yesterday", "value": 0.2}, status=400)
    recent = real.client.get("/series/load/recent?count=2").json()
    assert [row["time"] for row in recent["rows"]] == [hours[1], hours[0]]


def test_a_commit_that_fails_is_repeated_by_the_session(real: Real, monkeypatch: pytest.MonkeyPatch) -> None:
    real.client.put("/series/load", json=SETTINGS | {"history": HISTORY})
    writer = real.session.store.writer
    whole, failures = writer.commit, [0]

    def failing(batch: Any) -> Any:
        failures[0] += 1
        if failures[0] <= 3:
            raise StoreError("the disk is full", temporary=True)
        return whole(batch)

    monkeypatch.setattr(writer, "commit", failing)
    answer = real.post([{"time": time, "value": 1.0} for time in times(3, 80)])
    assert [one["seq"] for one in answer] == [81, 82, 83]
    assert failures[0] == 4
    wait_until(lambda: real.client.get("/health").status_code == 200)
    assert len(real.session.store.recent("load", 500)) == 83


def test_a_board_that_was_read_back_shows_what_it_showed(tmp_path: Path) -> None:
    real = Real(tmp_path / "state.db")
    real.client.put("/series/load", json=SETTINGS | {"history": HISTORY})
    real.post([{"time": time, "value": float(n % 5)} for n, time in enumerate(times(60, 80))])
    before = real.client.get("/series/load/recent?step=2").json()
    real.close()
    with Store.open(tmp_path / "state.db", write=False) as store:
        board = kept_board(store)
        assert board.unread == {"load"}
        board.load("load")
        assert not board.unread
    after = board.recent("load", count=300, after=0, step=2, level=0.9)
    assert after == {name: value for name, value in before.items() if name != "trouble"}


def test_the_age_of_the_newest_observation_is_that_of_its_row(tmp_path: Path) -> None:
    real = Real(tmp_path / "state.db")
    real.client.put("/series/load", json=SETTINGS | {"gather": 100})
    begin = time()
    real.post([{"time": moment, "value": 1.0} for moment in times(3)])
    end = time()
    shown = real.board.heard()["load"]
    real.close()
    with Store.open(tmp_path / "state.db", write=False) as store:
        board = kept_board(store)
    heard = board.heard()["load"]
    assert begin <= heard <= end
    assert begin <= shown <= end


def test_days_across_a_clock_change_are_not_late(real: Real) -> None:
    days = [f"2026-03-{day:02d}T00:00:00+0{1 if day < 30 else 2}:00" for day in range(1, 32)]
    days += [f"2026-04-{day:02d}T00:00:00+02:00" for day in range(1, 31)]
    series = [{"time": day, "value": float(n % 7)} for n, day in enumerate(days)]
    made = real.client.put("/series/load", json=SETTINGS | {"gather": 55})
    assert made.status_code == 201, made.text
    real.post(series)
    assert real.board.forecast("load")["origin"] == "2026-04-30T00:00:00"
    assert real.tally.late["load"] == 0


def test_a_fit_does_not_hold_up_another_series(real: Real, monkeypatch: pytest.MonkeyPatch) -> None:
    real.client.put("/series/load", json=SETTINGS | {"history": HISTORY})
    begun, fit = Event(), Event()
    start = OnlineForecaster.start

    def waiting(self: OnlineForecaster, history: Any) -> OnlineForecaster:
        begun.set()
        assert fit.wait(60.0)
        return start(self, history)

    monkeypatch.setattr(OnlineForecaster, "start", waiting)
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(real.client.put, "/series/wind", json=SETTINGS | {"history": HISTORY})
        assert begun.wait(60.0)
        for n, time in enumerate(times(20, 80)):
            assert real.post({"time": time, "value": float(n % 5)})["seq"] == 81 + n
        assert real.client.get("/series/wind").status_code == 404
        fit.set()
        assert made.result(60.0).status_code == 201
    assert real.client.get("/series/wind").json()["seq"] == 80


def test_a_start_recovers_and_reads_no_series_before_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["load", "rain", "sun", "wind"]
    first = Real(tmp_path / "state.db")
    for name in names:
        first.client.put(f"/series/{name}", json=SETTINGS | {"history": HISTORY})
    before = first.client.get("/series").json()
    first.close()
    read: list[str] = []
    recent = Store.recent

    def counted(self: Store, name: str, count: int = 100) -> Any:
        read.append(name)
        return recent(self, name, count)

    monkeypatch.setattr(Store, "recent", counted)
    second = Real(tmp_path / "state.db")
    try:
        assert second.client.get("/health").status_code == 200
        assert read == []
        assert second.session._series == {}
        # One that is asked for is read, one that is sent to recovered too; each once.
        for _ in range(2):
            assert second.client.get("/series/rain").json()["seq"] == 80
        assert read == ["rain"]
        assert second.session._series == {}
        assert second.post({"time": times(1, 80)[0], "value": 1.0})["seq"] == 81
        assert read == ["rain", "load"]
        assert set(second.session._series) == {"load"}
        # Lists and metrics are whole.
        after = {one["name"]: one for one in second.client.get("/series").json()["series"]}
        assert sorted(read) == names
        assert [after[name] for name in names[1:]] == before["series"][1:]
        assert after["load"]["seq"] == 81
    finally:
        second.close()


def test_a_damaged_series_is_refused_and_the_others_go_on(tmp_path: Path) -> None:
    first = Real(tmp_path / "state.db")
    for name in ("load", "wind"):
        first.client.put(f"/series/{name}", json=SETTINGS | {"history": HISTORY})
    first.close()
    with closing(sqlite3.connect(tmp_path / "state.db")) as connection:
        connection.execute("update observations set value = value + 1 where seq = 30 and series = 2")
        connection.commit()
    second = Real(tmp_path / "state.db")
    try:
        assert second.post({"time": times(1, 80)[0], "value": 1.0})["seq"] == 81
        answer = second.client.post("/series/wind/observations", json={"time": times(1, 80)[0], "value": 1.0})
        assert answer.status_code == 503
        assert "rows of observation 30 were altered" in second.client.get("/series").json()["trouble"]
        assert second.post({"time": times(1, 81)[0], "value": 1.0})["seq"] == 82
    finally:
        second.close()
