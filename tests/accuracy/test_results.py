"""What is kept and written: rows come back as they went in, and files hold every case."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from accuracy.checks import Check
from accuracy.interval_cases import INTERVALS, OURS_BANDED
from accuracy.methods import LONG, OURS
from accuracy.methods.base import Known
from accuracy.methods.lagged import ridge
from accuracy.methods.short import SHORT, regression_path, seasonal_path
from accuracy.page import page, table_of_cases
from accuracy.scores import COLUMNS, Row
from accuracy.tables import Words, relative
from accuracy.work import Task, results, tasks

from accuracy import cache


def row(method: str = "ridge", **changes: object) -> Row:
    base = Row("long", "rates", "rates/0", 1, "all", method, 10, 1.25, 1.0, 0.5, 0.9, 3.0, 0.1)
    return replace(base, **changes)  # type: ignore[arg-type]


def test_kept_rows_come_back_and_those_of_another_protocol_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [row(), row(horizon=7, winkler=float("nan"))]
    cache.keep(tmp_path, "long", "rates/0", "seasonal naive", rows)
    assert repr(cache.kept(tmp_path, "long", "rates/0", "seasonal naive")) == repr(rows)
    assert cache.kept(tmp_path, "long", "rates/1", "seasonal naive") is None
    monkeypatch.setattr(cache, "SPREAD", 301)
    assert cache.kept(tmp_path, "long", "rates/0", "seasonal naive") is None


def test_no_two_tasks_share_a_file(tmp_path: Path) -> None:
    listed = tasks(("a/b", "a"), ("a/b", "a"), [*LONG, *INTERVALS, *SHORT])
    assert len({cache.place(tmp_path, task.kind, task.series, task.method) for task in listed}) == len(listed)


def test_a_cached_run_takes_peers_from_the_disk_and_never_ours(tmp_path: Path) -> None:
    cache.keep(tmp_path, "long", "rates/0", "ridge", [row()])
    cache.keep(tmp_path, "long", "rates/0", OURS, [row(OURS)])
    first = next(results([Task("long", "rates/0", "ridge")], tmp_path, cached=True, jobs=1))
    assert first == (Task("long", "rates/0", "ridge"), [row()])
    # A name that no file has: were ours taken from the disk, nothing would fail.
    for kind, own in (("long", OURS), ("interval", OURS_BANDED)):
        cache.keep(tmp_path, kind, "nowhere", own, [row(own)])
    wanted = [Task("long", "nowhere", OURS), Task("interval", "nowhere", OURS_BANDED)]
    for _, found in results(wanted, tmp_path, cached=True, jobs=1):
        assert isinstance(found, ValueError)
        assert "no long series 'nowhere'" in str(found)


def test_another_share_of_fitted_rows_ends_the_life_of_intervals_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("long", "interval"):
        cache.keep(tmp_path, kind, "rates/0", "ridge", [row(kind=kind)])
        assert cache.kept(tmp_path, kind, "rates/0", "ridge") == [row(kind=kind)]
    monkeypatch.setattr(cache, "FIT", 0.5)
    assert cache.kept(tmp_path, "interval", "rates/0", "ridge") is None
    assert cache.kept(tmp_path, "long", "rates/0", "ridge") == [row()]


def test_the_csv_holds_every_case_with_nothing_where_a_score_is_missing() -> None:
    rows = [row("b"), row("a", winkler=float("nan"))]
    lines = list(csv.reader(table_of_cases(rows).splitlines()))
    assert tuple(lines[0]) == COLUMNS
    assert [line[COLUMNS.index("method")] for line in lines[1:]] == ["a", "b"]
    assert [line[COLUMNS.index("winkler")] for line in lines[1:]] == ["", "3.0"]


def test_the_page_shows_words_as_words() -> None:
    text = page(["a < b"], [Check("x & y", "1", False)], "<svg></svg>", [Words("t", ("h",), (("<c>",),))])
    assert "a &lt; b" in text
    assert "x &amp; y" in text
    assert "<td>&lt;c&gt;</td>" in text
    assert "class=MISS" in text
    assert "http" not in text


def test_relative_errors_are_over_the_same_cases() -> None:
    rows = [row("seasonal naive", rmse=2.0), row("seasonal naive", rmse=9.0, series="b"), row("x", rmse=1.0)]
    assert relative(rows, "rmse", "x") == pytest.approx(0.5)
    assert np.isnan(relative(rows, "rmse", "sits out"))


def test_the_last_season_is_repeated_along_the_path() -> None:
    known = Known(np.arange(10.0), None, 4)
    assert seasonal_path(known, 6).point.tolist() == [6, 7, 8, 9, 6, 7]


def test_a_regression_sits_out_where_rows_are_few_and_else_follows_a_line() -> None:
    line = np.arange(60.0)
    assert regression_path(ridge, Known(line[:13], None, 1), 6) is None
    ahead = regression_path(ridge, Known(line, None, 1), 6)
    assert ahead is not None
    assert ahead.point == pytest.approx(np.arange(60.0, 66.0), abs=0.2)
