"""The gate's driver: a part that fails is reported and the others run; tests are counted in the last line."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
MAKEFILE = """
good:
	@echo "3 passed, 1 skipped in 0.51s"
worse:
	@echo "== 1 failed, 2 passed, 1 error in 1.20s (0:00:01) =="; exit 3
slow:
	@sleep 60
quiet:
	@cat; echo done
"""


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The driver in a folder with a Makefile of the test."""
    found = importlib.util.spec_from_file_location("parts", ROOT / ".ci" / "parts.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    # Where dataclasses look up the module of their class.
    monkeypatch.setitem(sys.modules, "parts", module)
    found.loader.exec_module(module)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Makefile").write_text(MAKEFILE)
    monkeypatch.setattr(module, "FIRST", module.Part("set-up", "quiet"))
    monkeypatch.setattr(module, "LAST", module.Part("test", "good"))
    return module


def results(printed: str) -> dict[str, str]:
    """The closing table, by part."""
    lines = printed[printed.rindex("minutes in all") :].splitlines()[1:-2]
    return {line[: line.index("  ")]: line.split(" s  ", 1)[1] for line in lines}


def test_a_failing_part_is_reported_and_the_others_run(
    parts: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    part = parts.Part
    wanted = (
        part("worse", "worse"),
        part("absent", "good", missing=lambda: "there is no server"),
        part("slow", "slow", minutes=0.005),
        part("quiet", "quiet"),
    )
    monkeypatch.setattr(parts, "PARTS", wanted)
    assert parts.main([]) == 1
    printed = capsys.readouterr().out
    assert results(printed) == {
        "set-up": "passed",
        "worse": "FAILED: exit code 2",
        "absent": "skipped: there is no server",
        "slow": "FAILED: not finished after 0.005 minutes",
        "quiet": "passed",
        "test": "passed",
    }
    assert printed.splitlines()[-2:] == ["failed parts: worse, slow", "5 passed, 2 failed"]


def test_all_parts_pass(
    parts: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(parts, "PARTS", (parts.Part("good", "good"), parts.Part("other", "quiet")))
    assert parts.main([]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "6 passed, 0 failed"
    assert parts.main(["good"]) == 0
    assert list(results(capsys.readouterr().out)) == ["set-up", "good"]


def test_an_unknown_part_is_refused(parts: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert parts.main(["lints"]) == 2
    assert "got ['lints']" in capsys.readouterr().err


def test_every_target_of_the_makefile_is_run_in_some_form(parts: ModuleType) -> None:
    lines = (ROOT / "Makefile").read_text("utf-8").splitlines()
    (phony,) = (line for line in lines if line.startswith(".PHONY:"))
    targets = set(phony.split()[1:])
    run = {word for part in parts.PARTS for word in part.make.split()}
    # The others change files for people, take hours, or need what the gate does not have.
    by_hand = {"format", "clean", "results-page", "check", "test-elsewhere"}
    short = {
        "bench": "bench-quick",
        "accuracy": "accuracy-quick",
        "mutants": "mutants-quick",
        "audit": "bandit",
    }
    missing = {target for target in targets - by_hand if short.get(target, target) not in run}
    assert not missing - {"browser", "database", "test"}
