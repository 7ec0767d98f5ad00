"""The writing thread: what is answered was committed, order holds, a full queue refuses, failures lose nothing."""

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, Thread
from time import sleep
from typing import Any

import pytest

from ngrc.durable import Issued, Observation, Reply, StoreError
from ngrc.serve.orders import creation
from ngrc.serve.worker import BusyError, Job, is_late
from tests.serve.conftest import Desk, Opener
from tests.waiting import wait_until


def test_what_waits_is_committed_together_and_answered_after(desk: Desk) -> None:
    desk.session.gate.clear()
    before = desk.session.commits
    promises: list[Future[Any]] = [desk.worker.submit("load", (Observation(float(n)),)) for n in range(50)]
    sleep(0.05)
    assert not any(promise.done() for promise in promises)
    # Nothing is shown before it is kept.
    assert desk.client.get("/series/load").json() == {"name": "load", "state": "gathering"}
    desk.session.gate.set()
    seqs = [promise.result(60.0).replies[0].seq for promise in promises]
    assert seqs == list(range(1, 51))
    # The first was taken alone, all others meanwhile.
    assert desk.session.commits - before <= 3


def test_reads_do_not_wait_for_a_commit(desk: Desk) -> None:
    desk.send("load", 1.0, 2.0)
    desk.session.gate.clear()
    promise = desk.worker.submit("load", (Observation(3.0),))
    for path in ("/health", "/metrics", "/series", "/series/load/forecast", "/series/load/recent", "/"):
        assert desk.client.get(path).status_code == 200
    assert not promise.done()
    assert desk.client.get("/series/load").json()["seq"] == 2


def test_many_clients_at_once_are_answered_in_order_per_series(desk: Desk) -> None:
    names = [f"series-{place}" for place in range(4)]
    for name in names:
        desk.client.put(f"/series/{name}", json={"model": {"lags": 2}, "horizon": 2})

    def send(name: str) -> list[int]:
        answers = [
            desk.client.post(f"/series/{name}/observations", json={"value": float(n)}) for n in range(25)
        ]
        return [answer.json()["seq"] for answer in answers]

    with ThreadPoolExecutor(8) as pool:
        seqs = list(pool.map(send, names * 2))
    for name in names:
        together = sorted(seqs[names.index(name)] + seqs[names.index(name) + 4])
        assert together == list(range(1, 51))
        assert [one.seq for one in desk.session.kept[name]] == list(range(1, 51))
    # Each client saw its own observations in the order in which it sent them.
    assert all(part == sorted(part) for part in seqs)


def test_a_full_queue_refuses_with_a_time_to_come_back(opened: Opener) -> None:
    desk = opened(waiting=10, patience=0.5)
    desk.client.put("/series/load", json={"model": {"lags": 2}})
    desk.session.gate.clear()
    desk.worker.submit("load", (Observation(0.0),))
    wait_until(lambda: desk.worker.length == 0)
    for _ in range(10):
        desk.worker.submit("load", (Observation(0.0),))
    answer = desk.client.post("/series/load/observations", json={"value": 1.0})
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "1"
    assert "10 observations wait already" in answer.json()["error"]
    desk.session.gate.set()
    wait_until(lambda: len(desk.session.kept["load"]) == 11)


def test_who_gave_up_waiting_is_not_taken_later(opened: Opener) -> None:
    desk = opened(patience=0.2)
    desk.client.put("/series/load", json={"model": {"lags": 2}})
    desk.session.gate.clear()
    desk.worker.submit("load", (Observation(0.0),))
    wait_until(lambda: desk.worker.length == 0)
    answer = desk.client.post("/series/load/observations", json={"value": 1.0, "seq": 2})
    assert answer.status_code == 503
    assert "send it again" in answer.json()["error"]
    desk.session.gate.set()
    wait_until(lambda: desk.worker.length == 0 and len(desk.session.kept["load"]) == 1)
    again = desk.client.post("/series/load/observations", json={"value": 1.0, "seq": 2})
    assert again.status_code == 200
    assert "again" not in again.json()


def test_a_database_that_is_away_is_tried_again_and_nothing_is_lost_or_doubled(opened: Opener) -> None:
    desk = opened(patience=0.3)
    desk.client.put("/series/load", json={"model": {"lags": 2}})
    desk.session.trouble = StoreError("the disk is full", temporary=True)
    refused = desk.client.post("/series/load/observations", json={"value": 1.0, "seq": 1})
    assert refused.status_code == 503
    health = desk.client.get("/health")
    assert (health.status_code, health.json()["status"]) == (503, "degraded")
    # Not told to who has no token, and told to who may read.
    assert "disk" not in health.text
    assert desk.client.get("/series").json()["trouble"] == "the disk is full"
    assert b"ngrc_degraded 1.0" in desk.client.get("/metrics").content
    desk.session.trouble = None
    wait_until(lambda: desk.client.get("/health").status_code == 200)
    again = desk.client.post("/series/load/observations", json={"value": 1.0, "seq": 1})
    assert again.json()["again"] is True
    assert [one.value for one in desk.session.kept["load"]] == [1.0]
    assert desk.tally.errors["store"] >= 1


def test_stopping_finishes_what_waits_and_takes_nothing_new(desk: Desk) -> None:
    promises = [desk.worker.submit("load", (Observation(float(n)),)) for n in range(200)]
    desk.worker.stop()
    assert [promise.result(0).replies[0].seq for promise in promises] == list(range(1, 201))
    with pytest.raises(BusyError, match="stopping"):
        desk.worker.submit("load", (Observation(0.0),))
    assert len(desk.session.kept["load"]) == 200


def test_a_damaged_database_ends_the_service(opened: Opener, caplog: pytest.LogCaptureFixture) -> None:
    desk = opened()
    ended: list[bool] = []
    desk.worker.failed = lambda: ended.append(True)
    desk.client.put("/series/load", json={"model": {"lags": 2}})
    desk.session.trouble = StoreError("row 7 was altered", temporary=False)
    answer = desk.client.post("/series/load/observations", json={"value": 1.0})
    assert answer.status_code == 503
    wait_until(lambda: ended == [True])
    assert desk.worker.broken
    assert desk.client.get("/health").json()["status"] == "failed"


AWAY = StoreError("the connection was lost", temporary=True)
SETTINGS = {"model": {"lags": 2}, "horizon": 2}


def test_a_series_whose_first_answer_was_lost_is_there_when_it_is_made_again(opened: Opener) -> None:
    desk = opened()
    desk.session.unanswered = AWAY
    assert desk.client.put("/series/load", json=SETTINGS).status_code == 503
    desk.session.unanswered = None
    again = desk.client.put("/series/load", json=SETTINGS)
    assert (again.status_code, again.json()["created"]) == (200, False)
    assert desk.send("load", 1.0)[0]["seq"] == 1
    assert desk.client.get("/series/load").json()["seq"] == 1


def test_a_series_that_another_process_made_is_served_once_it_is_asked_for(opened: Opener) -> None:
    desk = opened()
    desk.session.series["load"] = []
    desk.session.take("load", Observation(2.5))
    assert desk.client.get("/series/load").status_code == 404
    assert desk.client.put("/series/load", json=SETTINGS).status_code == 200
    assert desk.client.get("/series/load").json()["value"] == 2.5


def test_a_history_that_cannot_be_read_back_now_ends_nothing(
    opened: Opener, caplog: pytest.LogCaptureFixture
) -> None:
    desk = opened()
    desk.session.unread = AWAY
    made = desk.client.put("/series/load", json=SETTINGS | {"history": [1.0, 2.0, 3.0]})
    assert made.status_code == 201
    assert desk.client.get("/series/load").json()["seq"] == 3
    assert "earlier observations are shown after the next start" in caplog.text
    assert desk.send("load", 4.0)[0]["seq"] == 4
    assert not desk.worker.broken


def test_remarks_of_the_session_are_logged_once(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    desk.session.remarks = ("no snapshot was written",)
    desk.send("load", 1.0)
    desk.send("load", 2.0)
    assert caplog.text.count("no snapshot was written") == 1


def test_a_history_weighs_as_many_as_it_has() -> None:
    assert Job("load", creation("load", SETTINGS | {"history": [1.0] * 50})).weight == 50
    assert Job("load", creation("load", SETTINGS | {"gather": 50})).weight == 1


@pytest.mark.parametrize(
    ("origin", "time", "late"),
    [
        (7, 7, False),
        (7, 5, True),
        ("2026-03-30T00:00:00", "2026-03-30T00:00:00+02:00", False),
        ("2026-03-30T00:00:00", "2026-03-28T00:00:00+01:00", True),
        ("2026-03-30T00:00:00+00:00", "2026-03-30T02:00:00+02:00", False),
        ("2026-03-30T00:00:00Z", "2026-03-30T01:00:00+02:00", True),
    ],
)
def test_late_is_what_lies_before_the_origin(origin: Any, time: Any, late: bool) -> None:
    assert is_late(Reply(9, time, 1.0, coming=Issued(origin, (), (), {}, {}))) is late


def test_what_writes_nothing_counts_as_no_transaction(desk: Desk) -> None:
    desk.send("load", 1.0)
    before = sum(desk.tally.commits.counts)
    desk.client.post("/series/load/observations", json={"value": 1.0, "seq": 1})
    desk.client.put("/series/load", json=SETTINGS)
    assert sum(desk.tally.commits.counts) == before == 1


def test_a_series_that_another_process_took_over_is_refused_and_the_others_go_on(desk: Desk) -> None:
    desk.client.put("/series/wind", json=SETTINGS)
    desk.session.taken_over = {"load": "another process writes load"}
    assert desk.client.post("/series/load/observations", json={"value": 1.0}).status_code == 503
    desk.session.taken_over = {}
    assert desk.send("wind", 1.0)[0]["seq"] == 1
    assert desk.client.get("/series/load").json() == {"name": "load", "state": "gathering"}
    assert not desk.worker.broken


def test_a_fit_holds_up_its_own_series_and_no_other(desk: Desk) -> None:
    desk.send("load", 1.0)
    desk.client.put("/series/wind", json=SETTINGS)
    fit = desk.session.fitting["load"] = Event()
    first = [desk.worker.submit("load", (Observation(float(n)),)) for n in range(2, 5)]
    for seq in range(1, 30):
        assert desk.send("wind", 1.0)[0]["seq"] == seq
    assert not any(promise.done() for promise in first)
    # Those that wait for it count in the queue, and what it takes is shown after its commit.
    assert desk.worker.length == 2
    assert desk.client.get("/series/load").json()["seq"] == 1
    fit.set()
    assert [promise.result(10.0).replies[0].seq for promise in first] == [2, 3, 4]
    assert [one.seq for one in desk.session.kept["load"]] == [1, 2, 3, 4]
    assert desk.worker.length == 0


def test_what_was_taken_before_a_fit_is_committed_first(desk: Desk) -> None:
    desk.session.gate.clear()
    wait = desk.worker.submit("load", (Observation(0.0),))
    wait_until(lambda: desk.worker.length == 0)
    # All of these come into one batch, and the last one needs a fit.
    asked: list[tuple[int, int]] = []

    def slow(name: str, observations: Any, before: int = 0) -> bool:
        asked.append((before, len(desk.session.kept["load"])))
        return before == 3

    desk.session.slow = slow  # type: ignore[method-assign]
    promises = [desk.worker.submit("load", (Observation(float(n)),)) for n in range(4)]
    desk.session.gate.set()
    assert [promise.result(10.0).replies[0].seq for promise in (wait, *promises)] == [1, 2, 3, 4, 5]
    # Asked again once the three before it were committed.
    assert asked == [(0, 1), (1, 1), (2, 1), (3, 1), (0, 4)]


def test_stopping_waits_for_a_fit_and_for_what_waits_for_it(desk: Desk) -> None:
    fit = desk.session.fitting["load"] = Event()
    promises = [desk.worker.submit("load", (Observation(float(n)),)) for n in range(3)]
    stopping = Thread(target=desk.worker.stop)
    stopping.start()
    sleep(0.05)
    assert not promises[0].done()
    fit.set()
    stopping.join(10.0)
    assert [promise.result(0).replies[0].seq for promise in promises] == [1, 2, 3]
    assert len(desk.session.kept["load"]) == 3


def test_a_series_that_fails_in_a_fit_is_lost_and_the_others_go_on(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    desk.client.put("/series/wind", json=SETTINGS)
    fit = desk.session.fitting["load"] = Event()
    promises = [desk.worker.submit("load", (Observation(float(n)),)) for n in range(2)]
    desk.session.broken = ArithmeticError("a forecast is not a number")
    fit.set()
    answers = [promise.result(10.0) for promise in promises]
    desk.session.broken = None
    assert isinstance(answers[0].error, ArithmeticError)
    assert isinstance(answers[1].error, StoreError)
    assert "series load is not served any more" in caplog.text
    assert desk.send("wind", 1.0)[0]["seq"] == 1


def test_a_database_that_fails_for_good_answers_those_in_a_fit_too(desk: Desk) -> None:
    desk.client.put("/series/wind", json=SETTINGS)
    fit = desk.session.fitting["load"] = Event()
    promises = [desk.worker.submit("load", (Observation(float(n)),)) for n in range(2)]
    desk.session.trouble = StoreError("row 7 was altered", temporary=False)
    assert desk.client.post("/series/wind/observations", json={"value": 1.0}).status_code == 503
    for promise in promises:
        with pytest.raises(StoreError, match="row 7 was altered"):
            promise.result(10.0)
    fit.set()
