import json
import os
from threading import Thread
from time import sleep

import pytest

from ngrc.durable.errors import StoreError
from ngrc.stream import run
from ngrc.stream.run import MOST
from tests.stream.fakes import Counter, Pipes, smallest, talk
from tests.waiting import wait_until


def test_every_line_is_answered_in_order() -> None:
    pipes = talk(b"".join(b"%d.5\n" % number for number in range(5)))
    found = [json.loads(line) for line in pipes.said_back]  # type: ignore[attr-defined]
    assert [line["seq"] for line in found] == [1, 2, 3, 4, 5]
    assert [line["value"] for line in found] == [0.5, 1.5, 2.5, 3.5, 4.5]
    assert pipes.error is None


def test_an_input_that_is_closed_at_once_is_fine() -> None:
    pipes = talk(b"")
    assert pipes.error is None
    assert pipes.served.committed == []


def test_an_idle_input_is_answered_at_once() -> None:
    pipes = Pipes(Counter()).start()
    pipes.send(b"1\n")
    answers = pipes.answers()
    assert json.loads(next(answers))["seq"] == 1
    pipes.send(b"2\n")
    assert json.loads(next(answers))["seq"] == 2
    pipes.end()
    assert list(answers) == []
    assert pipes.served.committed == [1, 2]


def test_nothing_is_said_before_it_is_committed() -> None:
    """At the moment of every commit the pipe out holds no answer to what the commit is of."""
    served = Counter()
    pipes = Pipes(served)
    answered, seen = list[int](), list[tuple[int, int]]()
    served.on_commit = lambda: seen.append((len(answered), len(served.taken)))
    pipes.start()
    answers = pipes.answers()
    for number in range(1, 20):
        pipes.send(b"%d\n" % number if number != 13 else b"0\n")
        answered.append(json.loads(next(answers))["seq"])
    pipes.end()
    assert list(answers) == []
    assert seen == [(count, count + 1) for count in range(19)]


def test_a_busy_input_shares_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    # A clock that stands still: on a slow machine a batch would end by its span.
    monkeypatch.setattr(run, "monotonic", lambda: 0.0)
    served = Counter()
    pipes = Pipes(served)
    # A pipe takes and gives whole pages: some pieces at most.

    def send() -> None:
        pipes.send(b"1\n" * (2 * MOST))
        pipes.end()

    sender = Thread(target=send)
    sender.start()
    pipes.start()
    assert len(list(pipes.answers())) == 2 * MOST
    sender.join()
    assert len(served.committed) <= 8
    assert max(b - a for a, b in zip([0, *served.committed], served.committed, strict=False)) <= MOST + 64


def test_a_bad_line_ends_the_stream_after_all_before_it_were_answered() -> None:
    pipes = talk(b"1\n2\nabc\n4\n")
    assert len(pipes.said_back) == 2  # type: ignore[attr-defined]
    assert pipes.served.committed == [2]
    assert isinstance(pipes.error, ValueError)
    assert str(pipes.error).startswith("line 3: a value is a number")


def test_bad_lines_can_be_answered_instead() -> None:
    pipes = talk(b"1\nabc\n13\n4\n", on_error="skip")
    found = [json.loads(line) for line in pipes.said_back]  # type: ignore[attr-defined]
    assert [line.get("line") for line in found] == [None, 2, 3, None]
    assert found[2]["error"] == "thirteen is refused"
    assert pipes.error is None
    assert len(pipes.served.taken) == 2


def test_what_is_known_is_answered_again_or_passed_over() -> None:
    content = b"time,value\n1,5\n1,5\n2,6\n"
    assert len(talk(content).said_back) == 3  # type: ignore[attr-defined]
    assert len(talk(content, silent=True).said_back) == 2  # type: ignore[attr-defined]


def test_a_failing_commit_is_repeated_and_nothing_is_lost() -> None:
    pipes = talk(b"1\n2\n", Counter(failures=3))
    assert len(pipes.said_back) == 2  # type: ignore[attr-defined]
    assert pipes.said == ["waiting: the disk is full", "waiting is over; going on"]
    assert pipes.error is None


def test_patience_ends() -> None:
    pipes = talk(b"1\n", Counter(failures=10**9), patience=0.2)
    assert isinstance(pipes.error, StoreError)
    assert pipes.said_back == []  # type: ignore[attr-defined]
    assert pipes.said == ["waiting: the disk is full"]


def test_a_failure_that_cannot_pass_is_not_waited_for() -> None:
    pipes = talk(b"1\n", Counter(failures=1, temporary=False))
    assert isinstance(pipes.error, StoreError)
    assert pipes.said == []


def test_a_wish_to_stop_is_granted_after_the_batch_at_hand() -> None:
    pipes = Pipes(Counter()).start()
    answers = pipes.answers()
    pipes.send(b"1\n")
    assert json.loads(next(answers))["seq"] == 1
    pipes.stopping._hear(15, None)
    assert list(answers) == []
    assert pipes.error is None
    assert pipes.served.committed == [1]


def test_a_reader_that_never_reads_does_not_keep_us_for_ever() -> None:
    served = Counter()
    pipes = Pipes(served).start()
    sent = b"1\n" * 4000
    pipes.send(sent)
    wait_until(lambda: served.committed)
    pipes.stopping._hear(15, None)
    pipes._thread.join(60)
    assert not pipes._thread.is_alive()
    assert pipes.error is None


def test_a_reader_that_left_is_an_error_of_the_pipe_after_the_commit() -> None:
    served = Counter()
    pipes = Pipes(served).start()
    os.close(pipes._out)
    pipes.send(b"1\n")
    pipes._thread.join(60)
    assert isinstance(pipes.error, BrokenPipeError)
    assert served.committed == [1]


def test_a_slow_reader_holds_up_the_input() -> None:
    """Back-pressure: with nobody reading, no more than the buffers hold is taken in."""
    served = Counter()
    pipes = Pipes(served)
    smallest(pipes._in, pipes._out)
    pipes.start()

    def send() -> None:
        for _ in range(30):
            pipes.send(b"1.00000000000000000\n" * 2_000)
        pipes.end()

    sender = Thread(target=send, daemon=True)
    sender.start()
    taken = -1
    # Until nothing has moved for a while, however slow the machine is.
    while taken != len(served.taken) or not taken:
        taken = len(served.taken)
        sleep(0.5)
    assert taken < 60_000
    assert sum(1 for _ in pipes.answers()) == 60_000
