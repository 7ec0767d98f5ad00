"""`ngrc stream` from its options to its last line, in this process."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ngrc import NGRC
from ngrc.cli import run
from ngrc.durable import Store
from ngrc.live import OnlineForecaster

SMALL = ["--lags", "3", "--degree", "1", "--method", "split", "--gather", "40"]


class Talk:
    """What one run of the command said."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.err, self.out = code, err, out

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def stream(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def talk(content: bytes | str, *words: str) -> Talk:
        given = content.encode() if isinstance(content, str) else content
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        code = run(["stream", *words])
        return Talk(code, *capsys.readouterr())

    return talk


def wave(count: int) -> list[float]:
    rng = np.random.default_rng(5)
    return [
        float(value) for value in np.round(5 * np.sin(np.arange(count) / 4) + rng.normal(0, 0.5, count), 5)
    ]


def lines(values: list[float]) -> str:
    return "".join(f"{value!r}\n" for value in values)


def timed(values: list[float], first: int = 0) -> str:
    hours = np.datetime64("2026-01-01T00:00:00") + np.arange(first, first + len(values)) * np.timedelta64(
        1, "h"
    )
    return "".join(f"{hour},{value!r}\n" for hour, value in zip(hours, values, strict=True))


def test_forecasts_are_those_of_the_forecaster_to_the_bit(stream: Any) -> None:
    values = wave(60)
    words = ["--lags", "3", "--degree", "1", "--method", "adaptive", "--gather", "40", "--horizon", "2"]
    talk = stream(lines(values), *words, "--level", "80,95")
    assert talk.code == 0
    assert [one["seq"] for one in talk.answers] == list(range(1, 61))
    assert [one["history"] for one in talk.answers[:39]] == list(range(1, 40))
    live = OnlineForecaster(NGRC(lags=3, degree=1), "adaptive", (0.8, 0.95), horizon=2).start(values[:40])
    for value, said in zip([None, *values[40:]], talk.answers[39:], strict=True):
        if value is not None:
            live.observe(value)
        coming = live.next()
        assert [one["mean"] for one in said["forecasts"]] == coming.mean.tolist()
        for level in (0.8, 0.95):
            ends = [one["intervals"][str(level)] for one in said["forecasts"]]
            assert ends == [list(pair) for pair in zip(coming.lower[level], coming.upper[level], strict=True)]


def test_a_stream_needs_no_shape(stream: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # The automatic model's own fit takes long where kernels are cold; what is asked here is what it is started from.
    monkeypatch.setattr("ngrc.cli.plans.build_model", lambda *words, **shape: NGRC(lags=3, degree=1))
    talk = stream(lines(wave(203)), "--method", "split")
    assert talk.code == 0
    assert [one.get("history") for one in talk.answers[198:]] == [199, None, None, None, None]


def test_a_run_that_was_cut_in_two_says_the_same(stream: Any, tmp_path: Path) -> None:
    values, state = wave(70), ["--state", str(tmp_path / "state.db")]
    whole = stream(timed(values), *SMALL).answers
    first = stream(timed(values[:25]), *state, *SMALL)
    # No option need be given again, and the header may come now.
    second = stream("time,value\n" + timed(values[25:55], 25), *state)
    third = stream(timed(values[55:], 55), *state, *SMALL)
    assert [first.code, second.code, third.code] == [0, 0, 0]
    assert [*first.answers, *second.answers, *third.answers] == whole


def test_what_is_sent_again_is_answered_again(stream: Any, tmp_path: Path) -> None:
    values, state = wave(50), ["--state", str(tmp_path / "state.db")]
    first = stream(timed(values), *state, *SMALL).answers
    again = stream(timed(values), *state)
    assert again.code == 0
    assert again.answers == [{**one, "again": True} for one in first]
    other = stream("2026-01-01T03:00:00,99\n", *state)
    assert other.code == 2
    assert "is known with the value" in other.err


def test_without_a_state_nothing_is_known_again(stream: Any) -> None:
    values = wave(45)
    talk = stream(timed(values) + timed(values[:1]), *SMALL)
    assert talk.code == 2
    assert len(talk.answers) == 45
    assert talk.err.startswith("ngrc: error: line 46: ")


def test_counts_are_checked_without_a_state(stream: Any) -> None:
    talk = stream('{"seq": 1, "value": 1}\n{"seq": 3, "value": 1}\n', *SMALL)
    assert talk.code == 2
    assert "seq 3 is not the next, 2" in talk.err


def test_a_history_is_started_from_at_once(stream: Any, tmp_path: Path) -> None:
    values = wave(50)
    old = tmp_path / "old.csv"
    old.write_text("time,value\n" + timed(values[:45]))
    state = ["--state", str(tmp_path / "state.db"), "--history", str(old), *SMALL[:-2]]
    plain = stream(timed(values[45:], 45), "--history", str(old), *SMALL[:-2])
    first = stream(timed(values[45:], 45), *state)
    assert plain.code == first.code == 0
    assert [one["seq"] for one in first.answers] == [46, 47, 48, 49, 50]
    assert first.answers == plain.answers
    # The same command once more, as a service manager would give it.
    again = stream(timed([1.5], 50), *state)
    assert again.code == 0
    assert "--history was read when it began" in again.err
    assert again.answers[0]["seq"] == 51


CONTRADICTIONS = [
    (["--horizon", "2"], "--horizon (it is 1)"),
    (["--level", "80"], "--level (it is 0.95)"),
    (["--method", "rolling"], "--method (it is split)"),
    (["--late", "accept"], "--late (it is refuse)"),
    (["--lags", "4"], "--lags (it is 3)"),
    (["--degree", "2"], "--degree (it is 1)"),
    (["--period", "24"], "--period (it is none)"),
    (["--gather", "50"], "--gather (it is 40)"),
    (["--refit-every", "5"], "--refit-every (it is none)"),
    (["--seed", "3"], "--seed (it is 0)"),
]


def test_options_that_contradict_a_state_are_refused_by_name(stream: Any, tmp_path: Path) -> None:
    state = ["--state", str(tmp_path / "state.db")]
    assert stream(lines(wave(45)), *state, *SMALL).code == 0
    for words, named in CONTRADICTIONS:
        talk = stream("1\n", *state, *words)
        assert talk.code == 2
        assert talk.answers == []
        assert named in talk.err
    both = stream("1\n", *state, "--horizon", "2", "--lags", "5")
    assert "--horizon (it is 1), --lags (it is 3); leave them out" in both.err
    assert stream("", *state, *SMALL).code == 0
    with Store.open(tmp_path / "state.db", write=False) as store:
        assert store.recent("series", 1)[0].seq == 45


def test_late_and_missing_outcomes(stream: Any) -> None:
    content = timed(wave(45)) + "2026-01-02T21:00:00,NA\n2026-01-02T23:00:00,1\n2026-01-02T22:00:00,2\n"
    refused = stream(content, *SMALL)
    assert refused.code == 2
    assert len(refused.answers) == 47
    taken = stream(content, *SMALL, "--late", "accept")
    assert taken.code == 0
    assert [one["value"] for one in taken.answers[45:]] == [None, 1.0, 2.0]
    assert [len(one["matured"]) for one in taken.answers[45:]] == [0, 1, 1]


def test_bad_lines_can_be_answered_and_the_stream_goes_on(stream: Any) -> None:
    talk = stream("1\nabc\n2\n", *SMALL, "--on-error", "skip")
    assert talk.code == 0
    assert [one.get("line") for one in talk.answers] == [None, 2, None]
    stopped = stream("1\nabc\n2\n", *SMALL)
    assert stopped.code == 2
    assert len(stopped.answers) == 1
    assert stopped.err.startswith("ngrc: error: line 2: a value is a number")


def test_several_series_in_one_state(stream: Any, tmp_path: Path) -> None:
    state = ["--state", str(tmp_path / "state.db")]
    for name in ("north", "south"):
        assert stream(lines(wave(42)), *state, "--series", name, *SMALL).code == 0
    talk = stream("1\n", *state)
    assert talk.code == 2
    assert "holds several series, north, south; choose one with --series" in talk.err
    assert stream("1\n", *state, "--series", "north").answers[0]["seq"] == 43
    seen = stream("", *state, "--series", "north", "--inspect")
    assert seen.code == 0
    assert "1 more series in this state" in seen.out


def test_a_state_for_people_and_for_programs(stream: Any, tmp_path: Path) -> None:
    state = ["--state", str(tmp_path / "state.db")]
    content = timed(wave(80)) + "2026-01-04T08:00:00,NA\n"
    assert stream(content, *state, *SMALL, "--level", "80,95").code == 0
    shown = stream("", *state, "--inspect")
    assert shown.code == 0
    for words in ("series in", "split at 80 %, 95 %", "81, 1 missing, 0 late", "2026-01-01T00:00:00 to 2026-01-04T08",
                  "nobody writes it now", "Newest forecast", "2026-01-04T09:00:00", "Trailing coverage"):  # fmt: skip
        assert words in shown.out
    told = json.loads(stream("", *state, "--inspect", "--json").out)
    assert told["kinds"] == {"history": 40, "observed": 40, "missing": 1, "late": 0}
    assert told["settings"]["levels"] == [0.8, 0.95]
    assert [(one["step"], one["level"], one["outcomes"]) for one in told["coverage"]] == [
        (1, 0.8, 40),
        (1, 0.95, 40),
    ]
    assert told["newest"]["seq"] == told["observations"] == 81
    assert told["writer"] is False
    with Store.open(tmp_path / "state.db"):
        assert "a process writes it now" in stream("", *state, "--inspect").out


def test_coverage_is_counted_from_the_rows(stream: Any, tmp_path: Path) -> None:
    state = ["--state", str(tmp_path / "state.db")]
    answers = stream(lines(wave(120)), *state, *SMALL, "--level", "50").answers
    held = [one["covered"]["0.5"] for said in answers for one in said.get("matured", [])]
    (found,) = json.loads(stream("", *state, "--inspect", "--json").out)["coverage"]
    assert (found["covered"], found["outcomes"]) == (sum(held), len(held))
    assert 0 < sum(held) < len(held)


def test_a_series_that_is_still_gathered(stream: Any, tmp_path: Path) -> None:
    state = ["--state", str(tmp_path / "state.db")]
    assert stream("", *state, *SMALL).code == 0
    assert "empty; 40 observations are gathered first" in stream("", *state, "--inspect").out
    assert stream("1\n2\n", *state).code == 0
    assert "2 of 40 observations gathered" in stream("", *state, "--inspect").out


def test_a_second_writer_is_refused(stream: Any, tmp_path: Path) -> None:
    with Store.open(tmp_path / "state.db"):
        talk = stream("1\n", "--state", str(tmp_path / "state.db"))
    assert talk.code == 2
    assert talk.err.startswith("ngrc: error: another process")


REFUSED = [
    (["--inspect"], "name it with --state"),
    (["--series", "north"], "give --state, or leave --series out"),
    (["--json"], "--json is for --inspect"),
    (["--history", "a.csv", "--gather", "3"], "give one of them"),
    (["--window", "10"], "window is for refits"),
    (["--state", "mysql://localhost/x"], "a state is a file (SQLite)"),
    (["--state", "nowhere/state.db"], "there is no folder nowhere"),
    (["--state", "absent.db", "--inspect"], "there is no state absent.db"),
    (["--follow", "."], "is a folder"),
    (["--preset", "paper", "--lags", "3"], "--preset paper fixes lags"),
    (["--format", "xml"], "unknown format 'xml'"),
    (["--gather", "0"], "--gather"),
    (["--patience", "-1"], "--patience"),
]


@pytest.mark.parametrize(("words", "reason"), REFUSED)
def test_options_that_make_no_sense(
    words: list[str], reason: str, stream: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    talk = stream("1\n", *words)
    assert talk.code == 2
    assert talk.out == ""
    assert talk.err.startswith("ngrc: error: ")
    assert reason in talk.err
    assert list(tmp_path.iterdir()) == []


def test_a_history_that_cannot_be_fitted_is_one_line(stream: Any) -> None:
    talk = stream("1\n2\n3\n", "--lags", "3", "--gather", "3")
    assert talk.code == 2
    assert len(talk.answers) == 2
    assert "line 3: the series is too short" in talk.err
