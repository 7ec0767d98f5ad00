"""Real processes: killed, stopped, left by their readers; what they said against a run in memory."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from soak.scenes import Scene

from ngrc import NGRC
from ngrc.live import OnlineForecaster
from ngrc.stream.lines import Lines
from ngrc.stream.volatile import Volatile
from tests.stream.fakes import smallest

WORDS = ["--lags", "3", "--degree", "1", "--method", "adaptive", "--gather", "40", "--level", "90"]


class Process:
    """`ngrc stream` with pipes at both ends."""

    def __init__(self, *words: str) -> None:
        self.child = subprocess.Popen(
            [sys.executable, "-c", "from ngrc.cli import main; main()", "stream", *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def send(self, text: str) -> None:
        assert self.child.stdin is not None
        self.child.stdin.write(text)
        self.child.stdin.flush()

    def answers(self, count: int) -> list[dict[str, Any]]:
        assert self.child.stdout is not None
        return [json.loads(line) for line in islice(self.child.stdout, count)]

    def end(self) -> tuple[int, list[dict[str, Any]], str]:
        """Exit code, the answers that are left, and what was said on standard error."""
        assert self.child.stdin is not None
        assert self.child.stdout is not None
        assert self.child.stderr is not None
        # Killed with lines in its pipe it cannot take the rest of what was buffered.
        with suppress(BrokenPipeError):
            self.child.stdin.close()
        out, err = self.child.stdout.read(), self.child.stderr.read()
        code = self.child.wait(60)
        return code, [json.loads(line) for line in out.splitlines() if line.endswith("}")], err


@pytest.fixture
def started() -> Iterator[Any]:
    children = []

    def start(*words: str) -> Process:
        children.append(Process(*words))
        return children[-1]

    yield start
    for process in children:
        process.child.kill()
        process.child.wait()
        for pipe in (process.child.stdin, process.child.stdout, process.child.stderr):
            if pipe is not None:
                pipe.close()


def lines(count: int) -> list[str]:
    return list(islice(Scene("test", (), missing=0.05).lines(3), count))


def in_memory(sent: list[str]) -> list[dict[str, Any]]:
    served = Volatile(OnlineForecaster(NGRC(lags=3, degree=1), "adaptive", 0.9), 40)
    reader, said = Lines(), []
    for line in sent:
        observation = reader.read(line.strip().encode())
        assert observation is not None
        said.append(json.loads(served.take(observation).text))
    return said


def plain(answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in one.items() if key != "again"} for one in answers]


def test_killed_and_started_again_nothing_is_lost_or_doubled(started: Any, tmp_path: Path) -> None:
    sent, state = lines(400), ["--state", str(tmp_path / "state.db")]
    expected, acknowledged = in_memory(sent), list[dict[str, Any]]()
    for lead in (55, 170):
        first = max(0, len(acknowledged) - 5)
        process = started(*state, *WORDS)
        process.send("".join(sent[first : first + lead + 60]))
        got = process.answers(lead)
        process.child.send_signal(signal.SIGKILL)
        _, more, _ = process.end()
        acknowledged = acknowledged[:first] + got + more
    first = len(acknowledged) - 5
    process = started(*state)
    process.send("".join(sent[first:]))
    code, got, _ = process.end()
    assert code == 0
    assert all(one.get("again") for one in got[:5])
    assert plain(acknowledged[:first] + got) == expected


def test_a_wish_to_stop_is_granted_and_the_state_goes_on(started: Any, tmp_path: Path) -> None:
    sent, state = lines(90), ["--state", str(tmp_path / "state.db")]
    process = started(*state, *WORDS)
    process.send("".join(sent[:60]))
    before = process.answers(60)
    process.child.send_signal(signal.SIGTERM)
    code, rest, err = process.end()
    assert (code, rest, err) == (0, [], "")
    second = started(*state)
    second.send("".join(sent[60:]))
    after = second.answers(30)
    second.child.send_signal(signal.SIGINT)
    code, rest, err = second.end()
    assert (code, rest) == (130, [])
    assert err.strip() == "ngrc: interrupted; nothing half-written was left"
    assert plain(before + after) == in_memory(sent)


def test_a_second_writer_is_refused_and_the_first_goes_on(started: Any, tmp_path: Path) -> None:
    state = ["--state", str(tmp_path / "state.db")]
    first = started(*state, *WORDS)
    first.send("1\n")
    assert first.answers(1)[0]["seq"] == 1
    code, answers, err = started(*state).end()
    assert (code, answers) == (2, [])
    assert err.startswith("ngrc: error: another process")
    first.send("2\n")
    assert first.answers(1)[0]["seq"] == 2


def test_a_reader_that_leaves_is_not_spoken_of(started: Any, tmp_path: Path) -> None:
    state = ["--state", str(tmp_path / "state.db")]
    process = started(*state, *WORDS)
    process.send("1\n")
    assert len(process.answers(1)) == 1
    process.child.stdout.close()
    process.child.stdout = None
    process.send("2\n")
    code, err = process.child.wait(60), process.child.stderr.read()
    assert (code, err) == (1, "")
    # Committed before it could not be said.
    again = started(*state)
    again.send('{"seq": 2, "value": 2}\n')
    assert again.end()[1][0]["again"] is True


def resident(process: Process) -> int:
    """Bytes of memory that a process has."""
    pages = Path(f"/proc/{process.child.pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(sys.platform != "linux", reason="pipe sizes and memory as Linux has them")
def test_a_reader_that_does_not_read_costs_no_memory(started: Any) -> None:
    process, supply, taken = started(*WORDS), 40_000_000, 0
    smallest(process.child.stdin.fileno(), process.child.stdout.fileno())
    process.send("1\n" * 60)
    process.answers(60)
    before = resident(process)
    os.set_blocking(process.child.stdin.fileno(), False)
    line, stuck = b"2" + b" " * 98 + b"\n", monotonic()
    # Until it has taken nothing for a second; a machine that is slower than that makes `taken` smaller.
    while taken < supply and monotonic() - stuck < 1.0:
        try:
            taken += os.write(process.child.stdin.fileno(), line * 40)
            stuck = monotonic()
        except BlockingIOError:
            sleep(0.01)
    # Two pipes of a page, some pieces of 64 KiB that are read ahead, and the answers that wait to be written.
    assert taken < supply / 8
    assert resident(process) - before < supply / 2


def test_a_file_is_followed_through_rotation_and_restart(started: Any, tmp_path: Path) -> None:
    sent, file = lines(100), tmp_path / "values.csv"
    words = ["--follow", str(file), "--state", str(tmp_path / "state.db")]
    file.write_text("time,value\n" + "".join(sent[:50]))
    process = started(*words, *WORDS)
    before = process.answers(50)
    with file.open("a") as writer:
        writer.write(sent[50][:9])
        writer.flush()
        sleep(0.3)
        writer.write(sent[50][9:])
    before += process.answers(1)
    file.rename(tmp_path / "values.csv.1")
    file.write_text("time,value\n" + "".join(sent[51:70]))
    before += process.answers(19)
    process.child.send_signal(signal.SIGTERM)
    code, rest, err = process.end()
    assert (code, rest) == (0, [])
    assert "was replaced; going on with the new file" in err
    # Started again the file is read from its beginning: what is known is not said twice.
    with file.open("a") as writer:
        writer.write("".join(sent[70:]))
    process = started(*words)
    after = process.answers(30)
    process.child.send_signal(signal.SIGTERM)
    assert process.end()[:2] == (0, [])
    assert before + after == in_memory(sent)
