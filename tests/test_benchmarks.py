"""`make bench`: a row that fails is reported, the others are measured and written."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from benchmarks import children, command, commands, installed, panels, show
from benchmarks.growth import Growth
from benchmarks.harness import ITSELF, Measurement
from benchmarks.series import half_hours, months, write_csv

from ngrc.series import read_series


def measured(name: str) -> Callable[[], Measurement]:
    return lambda: Measurement(name, "a reference", 1.0, 2.0, 2.0, 1.0, "equal")


def grown() -> Growth:
    return Growth("a growth", (1, 2, 4), (1.0, 2.0, 4.0), 1.0, None)


def failing(error: Exception) -> Callable[[], Any]:
    def work() -> Any:
        raise error

    return work


def dying() -> str:
    return children.run(sys.executable, "-c", "raise OSError('the disk is full')")


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, Callable[[], Any]]]:
    """Rows that `main` measures in place of its own; files go to a folder of the test."""
    rows: list[tuple[str, Callable[[], Any]]] = [("first", measured("first"))]
    monkeypatch.setattr(command, "make_scene", lambda quick: SimpleNamespace(words="a small scene"))
    monkeypatch.setattr(command, "comparisons", lambda scene: iter(rows))
    monkeypatch.setattr(command, "growths", lambda quick: iter([("growth", grown)]))
    monkeypatch.setattr(show, "FOLDER", tmp_path)
    return rows


def written(folder: Path) -> list[str]:
    rows = [*json.loads((folder / "quick-bench.json").read_text("utf-8"))]
    return [row["name"] for row in rows + json.loads((folder / "quick-growth.json").read_text("utf-8"))]


@pytest.mark.parametrize(
    ("work", "reason"),
    [
        (failing(AssertionError("0.3\nis far")), "outputs disagree: 0.3 is far"),
        (failing(ImportError("No module named 'mapie'")), "ImportError: No module named 'mapie'"),
        (failing(ValueError("[40] rows")), "ValueError: [40] rows"),
        (dying, "exit code 1: OSError: the disk is full"),
    ],
)
def test_a_failing_row_is_reported_and_the_others_are_written(
    jobs: list[tuple[str, Callable[[], Any]]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    work: Callable[[], Any],
    reason: str,
) -> None:
    jobs += [("second", work), ("third", measured("third"))]
    with pytest.raises(SystemExit) as ending:
        command.main(["--quick"])
    assert ending.value.code == 1
    assert f"failed: second: {reason}\n" in capsys.readouterr().out
    assert written(tmp_path) == ["first", "third", "a growth"]


def test_nothing_failed(jobs: list[tuple[str, Callable[[], Any]]], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ending:
        command.main(["--quick"])
    assert ending.value.code == 0
    assert written(tmp_path) == ["first", "a growth"]


def test_no_row_of_that_name(jobs: object, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        command.main(["--quick", "--only", "no such row"])
    assert ending.value.code == 2
    assert "got 'no such row'" in capsys.readouterr().err


def test_a_module_that_cannot_list_its_rows_is_one_failed_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(scene: object) -> Iterator[Any]:
        yield SimpleNamespace(name="a", against="b", measure=measured("a"))
        raise RuntimeError("out of memory")

    def whole(scene: object) -> Iterator[Any]:
        yield SimpleNamespace(name="c", against="d", measure=measured("c"))

    modules = [
        SimpleNamespace(__name__=name, comparisons=rows) for name, rows in (("one", broken), ("two", whole))
    ]
    monkeypatch.setattr(command, "MODULES", modules)
    monkeypatch.setattr(command, "OTHERS", ())
    scene: Any = None
    rows, failures = command.measure(SimpleNamespace(update=str), command.comparisons(scene), "")
    assert [row.name for row in rows] == ["c"]
    assert failures == ["one: RuntimeError: out of memory"]


def test_all_steps_at_once_agree_with_single_fits() -> None:
    row = children.single_fits(1500)
    assert "equal" in row.agrees


@pytest.mark.parametrize("quick", [False, True])
def test_every_row_of_fresh_processes_can_be_asked_for_alone(quick: bool) -> None:
    scene: Any = SimpleNamespace(quick=quick)
    names = [name.lower() for module in command.OTHERS for name, _ in module.measurements(scene)]
    assert len(names) >= 12
    for name in names:
        assert [other for other in names if name in other] == [name]
    assert ("installed size" in names) is not quick


def test_made_up_series_have_times(tmp_path: Path) -> None:
    load = read_series(write_csv(tmp_path / "load.csv", half_hours(400)))
    year = read_series(write_csv(tmp_path / "months.csv", months(24), monthly=True))
    assert load.times is not None
    assert year.times is not None
    assert load.times[-1] - load.times[-2] == np.timedelta64(30, "m")
    assert [str(time)[:10] for time in year.times[[1, 12]]] == ["2020-02-01", "2021-01-01"]
    assert (load.values.size, year.values.size) == (400, 24)


def fake_runs(monkeypatch: pytest.MonkeyPatch, *seconds: float) -> list[str | None]:
    """Children that take so many seconds one after the other; the cache folder that each was given."""
    spent, folders = iter(seconds), []
    clock = [0.0]

    def run(*arguments: str, threads: bool = False, cache: str | None = None) -> str:
        folders.append(cache)
        clock[0] += next(spent)
        return "one\ntwo\n"

    monkeypatch.setattr(commands, "run", run)
    monkeypatch.setattr(commands, "processor_seconds", lambda: clock[0])
    return folders


def test_a_command_is_timed_cold_and_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    # One of the two first runs may be slow for other reasons.
    folders = fake_runs(monkeypatch, 9.0, 7.0, 2.25, 2.5, 2.0, 3.0)
    row = commands.Command("forecast", True, 144, 144, 4.0).measure(144)
    assert (row.ours_s, row.ratio, row.reference) == (2.0, 2.0, ITSELF)
    assert "first run in an empty cache folder 2.25 s, later ones 2 s" in row.agrees
    # The run before sees to bytecode alone; each first run has a folder of its own, later ones that of the second.
    assert folders[0] is None
    assert folders[1] != folders[2]
    assert len(set(folders[2:])) == 1


def test_a_first_run_that_compiles_something_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_runs(monkeypatch, 5.0, 5.0, 2.0, 2.0, 2.0)
    with pytest.raises(RuntimeError, match="compiled or cached"):
        commands.timed("ngrc")


def test_a_whole_command_runs_and_keeps_bytecode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    words = "import os; print(os.environ.get('PYTHONDONTWRITEBYTECODE'), os.environ['XDG_CACHE_HOME'])"
    assert children.run(sys.executable, "-c", words, cache="here") == "None here\n"
    assert "Usage: ngrc" in children.run(*commands.NGRC, "--help")


def test_two_workers_beside_their_goal_and_beside_one(monkeypatch: pytest.MonkeyPatch) -> None:
    timings = panels.Timing(34.0, 33.0), panels.Timing(20.0, 36.0)
    monkeypatch.setattr(panels, "short_panel", lambda count, size: timings)
    goal = panels.two_workers("short", ITSELF, 10_000, 500)
    ratio = panels.two_workers("short", "one worker", 10_000, 500)
    assert (goal.ratio, goal.goal, ratio.ratio, ratio.goal) == (1.5, 1.0, 1.7, 1.7)


def test_sizes_of_packages_are_those_of_their_records(tmp_path: Path) -> None:
    for name in ("ngrc", "pip"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_bytes(b"#" * 2_000_000)
        (tmp_path / f"{name}-1.dist-info").mkdir()
        (tmp_path / f"{name}-1.dist-info" / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n"
        )
        (tmp_path / f"{name}-1.dist-info" / "RECORD").write_text(f"{name}/__init__.py,,\n../bin/{name},,\n")
    assert installed.sizes(tmp_path) == {"ngrc": 2.0}


def test_amounts_are_shown_in_their_unit() -> None:
    assert [show.amount(*pair) for pair in ((0.0123, "s"), (26_304.4, "/s"), (1.234, "GB"))] == [
        "12.3 ms",
        "26,304 /s",
        "1.23 GB",
    ]
