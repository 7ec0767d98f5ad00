"""The command: targets, files, repeatability and one-line errors."""

import json
from pathlib import Path

import pytest

from ngrc.cli import run
from ngrc.study.registry import MODULES


def test_list_names_every_target(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reproduce", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(MODULES)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reproduce", "temporl"], "unknown target 'temporl'; did you mean temporal?"),
        (["reproduce"], "name at least one target"),
        (["reproduce", "temporal", "--reps", "1"], "reps"),
        (["reproduce", "temporal", "--jobs", "0"], "jobs"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*arguments, "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err.strip()
    assert message in error
    assert error.startswith("ngrc: error: ")
    assert "\n" not in error
    assert not (tmp_path / "out").exists()


def test_a_wrong_name_among_right_ones_stops_before_any_work(tmp_path: Path) -> None:
    assert run(["reproduce", "temporal", "nonsense", "--reps", "2", "--out", str(tmp_path / "out")]) == 2
    assert not (tmp_path / "out").exists()


@pytest.fixture
def _no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw, but do not encode: pictures are tested elsewhere and take most of the time."""
    monkeypatch.setattr("ngrc.study.harness.output.encode", lambda figure, kind: kind.encode())


@pytest.mark.usefixtures("_no_pictures")
def test_files_are_the_same_for_any_number_of_jobs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("joblib")
    for jobs in ("1", "2"):
        folder = str(tmp_path / jobs)
        assert (
            run(["reproduce", "temporal", "--reps", "3", "--seed", "9", "--jobs", jobs, "--out", folder]) == 0
        )
    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / jobs / "temporal").iterdir()} for jobs in "12"
    )
    assert first == second
    shown = capsys.readouterr().out
    assert "temporal: 32 numbers compared: " in shown
    assert (tmp_path / "1" / "index.html").is_file()
    checks = json.loads(first["checks.json"])
    assert len(checks) == 32
    assert {row["target"] for row in checks} == {"temporal"}


@pytest.mark.usefixtures("_no_pictures")
def test_seed_and_quick_reach_the_target(tmp_path: Path) -> None:
    for name, more in (("a", ["--quick"]), ("b", ["--reps", "8"]), ("c", ["--quick", "--seed", "1"])):
        assert run(["reproduce", "temporal", "--jobs", "1", "--out", str(tmp_path / name), *more]) == 0
    tables = [(tmp_path / name / "temporal" / "transfer.csv").read_text() for name in "abc"]
    assert tables[0] == tables[1] != tables[2]
