"""What people see: the summary, and rows that answer the questions of the documentation."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ngrc.durable import Observation, Store
from tests.durable.kit import START, session, told, wave
from tests.durable.postgresql import Server

PAGE = Path(__file__).parents[2] / "docs" / "durable.md"
QUERIES = re.findall(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_summary_counts_what_was_said(address: str) -> None:
    values: list[float | None] = [*wave(110)]
    values[70] = None
    replies = told(address, values, horizon=2)
    with Store.open(address, write=False) as store:
        whole, some = store.summary("x"), store.summary("x", trailing=20, recent=3)
    assert whole.counts == {"history": START, "observed": 49, "missing": 1, "late": 0}
    assert (whole.count, whole.first, whole.last, whole.started) == (110, 0, 109, True)
    assert whole.settings["history"] == START
    assert "horizon 2" in whole.settings["forecaster"]
    assert [reply.seq for reply in some.recent] == [108, 109, 110]
    assert whole.size > 10_000
    assert [one.seq for one in whole.snapshots] == [63]
    for summary, first in ((whole, START), (some, 90)):
        held = [one for reply in replies[first:] for one in reply.matured]
        for one in summary.coverage:
            covered = [each.covered[one.level] for each in held if each.step == one.step]
            told_of = [each for each in covered if each is not None]
            assert (one.outcomes, one.covered) == (len(told_of), sum(told_of))
            assert one.share == sum(told_of) / len(told_of)
        assert [(one.step, one.level) for one in summary.coverage] == [(1, 0.8), (1, 0.9), (2, 0.8), (2, 0.9)]


def test_the_summary_of_a_series_that_has_not_begun(address: str) -> None:
    with session(address) as one:
        summary = one.store.summary("x")
        assert (summary.count, summary.first, summary.last, summary.started) == (0, None, None, False)
        assert (summary.coverage, summary.snapshots, summary.recent) == ((), (), ())
        with pytest.raises(ValueError, match="there is no series 'y'"):
            one.store.summary("y")
        with pytest.raises(ValueError, match="the series 'x' has no observation 3"):
            one.store.reply("x", 3)


def _demand(address: str) -> list[Any]:
    moments = [f"2026-01-{1 + hour // 24:02d}T{hour % 24:02d}:00:00" for hour in range(110)]
    with session(address, name="demand") as one:
        pairs = zip(wave(110), moments, strict=True)
        replies = [one.take("demand", Observation(*pair)) for pair in pairs]
        one.commit()
    return replies


def _check_answers(answers: list[str], replies: list[Any]) -> None:
    newest, coverage, missed = (answer.splitlines() for answer in answers)
    said = replies[-1].coming
    assert len(newest) == 2
    assert newest[0].split("|")[:2] == [said.targets[0], "0.8"]
    assert float(newest[1].split("|")[2]) == pytest.approx(said.mean[0])
    matured = [one for reply in replies for one in reply.matured]
    share = sum(bool(one.covered[0.9]) for one in matured) / len(matured)
    assert [line.split("|")[:2] for line in coverage] == [["1", "0.8"], ["1", "0.9"]]
    assert float(coverage[1].split("|")[2]) == pytest.approx(share)
    outside = [one.target for one in matured if not one.covered[0.9]]
    assert [line.split("|")[0] for line in missed] == outside[::-1][:10]


def test_the_questions_of_the_page_in_sqlite(tmp_path: Path) -> None:
    program = shutil.which("sqlite3")
    if program is None:
        pytest.skip("the program sqlite3 is not installed")
    replies = _demand(str(tmp_path / "s.db"))
    answers = [
        subprocess.run([program, tmp_path / "s.db", query], capture_output=True, text=True, check=True).stdout
        for query in QUERIES
    ]
    _check_answers(answers, replies)


def test_the_questions_of_the_page_in_postgresql(postgresql: Server, database: str) -> None:
    replies = _demand(database)
    _check_answers([postgresql.sql(database, query) for query in QUERIES], replies)


def test_readers_never_block_the_writer(tmp_path: Path) -> None:
    address = str(tmp_path / "s.db")
    with session(address) as one, Store.open(address, write=False) as reader, reader.reading() as connection:
        assert reader.row(connection, "x").name == "x"
        for value in wave(80):
            one.take("x", Observation(value))
            one.commit()
        # The transaction of the reader still sees its own moment.
        from ngrc.durable.reading import read_last

        assert read_last(connection, 1)[0] == 0
        assert reader.summary("x").count == 80
