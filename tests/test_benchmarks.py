"""`make bench`: a row that fails is reported, the others are measured and written."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from benchmarks import children, command, show
from benchmarks.growth import Growth
from benchmarks.harness import Measurement


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
    monkeypatch.setattr(children, "measurements", lambda scene: iter(()))
    scene: Any = None
    rows, failures = command.measure(SimpleNamespace(update=str), command.comparisons(scene), "")
    assert [row.name for row in rows] == ["c"]
    assert failures == ["one: RuntimeError: out of memory"]


def test_all_steps_at_once_agree_with_single_fits() -> None:
    row = children.single_fits(1500)
    assert "equal" in row.agrees
