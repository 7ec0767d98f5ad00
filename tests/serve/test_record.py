"""The ring of newest outcomes against a plain list of all of them."""

from threading import Thread

import numpy as np
import pytest

from ngrc._types import AnyArray, FloatArray
from ngrc.durable import Issued, Observation, Reply
from ngrc.serve import alarms
from ngrc.serve.alarms import WINDOW, count_laws, judge
from ngrc.serve.board import Board
from ngrc.serve.record import LEAST, MOST, Record
from tests.serve.fakes import LEVELS, FakeSession


def filled(count: int, horizon: int = 2) -> tuple[FakeSession, Record]:
    session, record, rng = FakeSession(horizon), Record(), np.random.default_rng(0)
    session.series["load"] = []
    for _ in range(count):
        value = None if rng.random() < 0.05 else float(rng.normal())
        record.add(session.take("load", Observation(value)))
    return session, record


@pytest.mark.parametrize("count", [1, 3, 700, MOST, 2 * MOST + 1, 3 * MOST + 17])
@pytest.mark.parametrize(("step", "level"), [(1, 0.8), (2, 0.95)])
def test_rows_are_the_newest_with_their_forecasts_and_trailing_coverage(
    count: int, step: int, level: float
) -> None:
    session, record = filled(count)
    rows = record.rows(step=step, level=level, count=MOST)
    replies = session.series["load"][-MOST:]
    assert [(row["seq"], row["value"]) for row in rows] == [(one.seq, one.value) for one in replies]
    flags: list[bool] = []
    for row, reply in zip(rows, replies, strict=True):
        matured = next((one for one in reply.matured if one.step == step), None)
        if matured is not None:
            assert row["lower"] == matured.lower[level]
            assert row["covered"] is matured.covered[level]
            flags.append(bool(matured.covered[level]))
        else:
            assert "covered" not in row
        judged = judge(flags, level, step=step)
        assert row.get("coverage") == (None if judged is None else judged.coverage)
        if judged is not None:
            assert (row["low"], row["high"], row["outcomes"]) == (judged.low, judged.high, judged.outcomes)
    record.judge()
    now = {(at, share): judged for at, share, judged in record.judged}
    assert now.get((step, level)) == judge(flags, level, step=step)


def test_many_steps_keep_fewer_rows_and_still_a_whole_window() -> None:
    record, steps = Record(), 500
    same = {0.95: (0.0,) * steps, 0.8: (0.0,) * steps}
    coming = Issued(0, tuple(range(steps)), (0.0,) * steps, same, same)
    for seq in range(1, LEAST + 51):
        record.add(Reply(seq, seq, 0.0, coming=coming))
    assert len(record.rows(step=steps, level=0.95)) == LEAST


def test_a_reply_that_was_given_before_is_not_counted_twice() -> None:
    session, record = filled(20)
    record.add(session.series["load"][4])
    assert len(record.rows(step=1, level=0.8)) == 20


def test_what_is_read_while_observations_come_is_of_one_moment() -> None:
    session, board = FakeSession(1), Board()
    session.series["load"] = []
    replies = [session.take("load", Observation(float(n))) for n in range(4000)]
    board.add("load", replies[:1])

    def write() -> None:
        for reply in replies:
            board.add("load", [reply])

    writer = Thread(target=write)
    writer.start()
    while writer.is_alive():
        seen = board.recent("load", count=5, after=0, step=1, level=0.8)
        assert seen["seq"] == seen["rows"][-1]["seq"] == seen["origin"] + 1
    writer.join()


def test_the_board_tells_alarms_of_every_step_and_level() -> None:
    session, board = FakeSession(3), Board()
    session.series["load"] = []
    for n in range(300):
        session.take("load", Observation(100.0 * (n % 2)))
    board.add("load", session.series["load"])
    alarms = board.summary("load")["alarms"]
    # Two steps ahead the value is the same again, inside of every interval: too wide at 80 %, and at 95 %.
    assert {(one["step"], one["level"]): one["state"] for one in alarms} == {
        (1, 0.8): "low", (1, 0.95): "low", (2, 0.8): "high", (2, 0.95): "high", (3, 0.8): "low", (3, 0.95): "low",
    } or {one["state"] for one in alarms if one["step"] != 2} == {"low"}  # fmt: skip
    assert {level for _, _, level, _ in board.judgements()} == set(LEVELS)


def test_what_is_costly_is_worked_out_once_at_a_long_horizon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Laws of counts take milliseconds: of a step and level once while its window fills, and never for a row."""
    laws: list[int] = []

    def counted(levels: AnyArray, outcomes: AnyArray, steps: AnyArray) -> FloatArray:
        laws.append(len(outcomes))
        return count_laws(levels, outcomes, steps)

    monkeypatch.setattr(alarms, "count_laws", counted)
    alarms.ladder.cache_clear()
    session, board, horizon = FakeSession(168), Board(), 168
    session.series["load"] = []
    replies = [session.take("load", Observation(float(n % 7))) for n in range(450)]
    board.add("load", replies[:300])
    # All at once: one law per step and level.
    assert sum(laws) == horizon * len(LEVELS)
    laws.clear()
    for _ in range(2):
        assert len(board.recent("load", count=300, after=0, step=horizon, level=0.95)["rows"]) == 300
    # The first reading of a step and level needs a law for each size of its window, the second none.
    assert sum(laws) == WINDOW
    for reply in replies[300:]:
        board.add("load", [reply])
    # Every window is full long before the end.
    laws.clear()
    board.add("load", [session.take("load", Observation(1.0))])
    assert laws == []
