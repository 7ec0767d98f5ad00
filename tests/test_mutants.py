"""The planted errors fit the source, and the runner tells caught from missed on a toy."""

import compileall
import json
import os
import shlex
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from signal import SIGKILL
from threading import Thread

import pytest
from mutants import child, suite, tree
from mutants.command import QUICK, main
from mutants.errors import SetupError
from mutants.planted import AREAS, SOURCES, Planted, chosen, load
from mutants.reproduction import Baseline, Notice, _notice
from mutants.show import Result, console, goals, table
from mutants.tree import Ending, Tree

from ngrc.study.registry import MODULES
from tests.waiting import wait_until

ROOT = Path(__file__).parents[1]
ERRORS = load()
UNCACHED = set(MODULES) - {"real-models"}
"""The forecasts of `real-models` come from files kept on disk, which know nothing of a planted error."""


def test_there_are_enough_in_every_area() -> None:
    counts = Counter(error.area for error in ERRORS)
    assert len(ERRORS) >= 40
    assert all(counts[area] >= 5 for area in AREAS)
    assert sum(error.judged for error in ERRORS) >= 20


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.name)
def test_a_planted_error_fits_its_file(error: Planted) -> None:
    """`applied` counts the old text, parses the new one and demands another program."""
    error.applied((ROOT / SOURCES / error.file).read_text(encoding="utf-8"))
    assert error.reason
    assert "\n" not in error.reason
    assert error.tests
    for path in error.tests:
        assert (ROOT / path.partition("::")[0]).is_file(), path
    for target in error.targets:
        assert shlex.split(target)[0] in UNCACHED, target
    assert error.targets or not error.judged, "a number that reproduce shows needs a target that could notice"


def toy(**changes: object) -> Planted:
    values = {
        "area": "theory", "name": "toy", "file": "ngrc/sums.py", "old": "a + b", "new": "a - b", "reason": "a slip",
        "tests": ("tests/test_sums.py",), "targets": (), "judged": False,
    }  # fmt: skip
    return Planted(**(values | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"old": "a * b"}, "occurs 0 times"),
        ({"old": "a"}, "occurs 3 times"),
        ({"new": "a -"}, "no Python any more"),
        ({"new": "a  +  b"}, "changes nothing"),
    ],
)
def test_a_patch_that_does_not_fit_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(SetupError, match=message):
        toy(**changes).applied("def total(a, b):\n    return a + b\n")


def test_only_what_was_asked_for_is_tried() -> None:
    errors = (toy(), toy(name="other"), toy(name="third", area="study"))
    assert [error.name for error in chosen(errors, [])] == ["toy", "other", "third"]
    assert [error.name for error in chosen(errors, ["other", "study"])] == ["other", "third"]
    with pytest.raises(SetupError, match="no planted error is called 'others'"):
        chosen(errors, ["others"])


SOURCE = "def total(a, b):\n    return a + b\n\n\ndef unseen(a, b):\n    return a * b\n\n\ndef loop(n):\n    return n\n"
TESTS = (
    "import ngrc.sums\n\n\ndef test_total():\n    assert ngrc.sums.total(2, 1) == 3\n\n\n"
    "def test_loop():\n    assert ngrc.sums.loop(1) == 1\n"
)
ENTRY = (
    "[[planted]]\nname = {name!r}\nfile = 'ngrc/sums.py'\nold = {old!r}\nnew = {new!r}\nreason = 'a slip'\n"
    "tests = ['tests/test_sums.py']\ntargets = []\njudged = false\n"
)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one module and its tests, named like ours."""
    # The toy needs none of the plugins, and loading them takes most of a child's time.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    folder = tmp_path / "toy"
    for name, text in (
        ("src/ngrc/__init__.py", ""), ("src/ngrc/sums.py", SOURCE), ("tests/test_sums.py", TESTS),
        ("pyproject.toml", "[tool.pytest.ini_options]\nmarkers = ['speed: timings']\n"),
    ):  # fmt: skip
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def planted_folder(folder: Path, *entries: tuple[str, str, str]) -> Path:
    folder.mkdir()
    text = "\n".join(ENTRY.format(name=name, old=old, new=new) for name, old, new in entries)
    (folder / "theory.toml").write_text(text)
    return folder


def test_the_runner_tells_caught_from_missed(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = planted_folder(tmp_path / "planted", ("seen", "a + b", "a - b"), ("unseen", "a * b", "a / b"))
    before = {path: path.read_bytes() for path in repository.rglob("*") if path.is_file()}
    assert main(["--skip-reproduce", "--only", "seen"], repository=repository, folder=folder) == 0
    said = capsys.readouterr().out
    assert "tests/test_sums.py::test_total" in said
    assert "1 of 1 caught" in said
    assert main(["--skip-reproduce"], repository=repository, folder=folder) == 1
    said = capsys.readouterr().out
    assert "missed" in said
    assert "1 of 2 caught" in said
    # Nothing is written into the repository, no bytecode either.
    assert {path: path.read_bytes() for path in repository.rglob("*") if path.is_file()} == before


def test_objects_of_kernels_are_copied_with_their_times(repository: Path, tmp_path: Path) -> None:
    """An object newer than its sources is not compiled again."""
    for name in (".peers-venv/a", "build/lib/a", "build/kernels-3.11/sums.o"):
        (repository / name).parent.mkdir(parents=True)
        (repository / name).touch()
    made = repository / "build/kernels-3.11/sums.o"
    os.utime(made, (1e9, 1e9))
    copy = Tree.copied(repository, tmp_path / "copy" / "repository")
    assert (copy.root / made.relative_to(repository)).stat().st_mtime == 1e9
    assert not (copy.root / "build/lib").exists()
    assert not (copy.root / ".peers-venv").exists()


KERNEL = "total = a + b\n"
SETUP = """
import sys, sysconfig
from pathlib import Path

text = Path("src/kernels/sums.hpp").read_text()
if "?" in text:
    sys.exit("making sums.o\\nerror: expected ';'")
# The compiler leaves comments out.
code = "def total(a, b):\\n    " + text.partition("//")[0].strip() + "\\n    return total\\n"
folder = Path("src/ngrc/_kernels")
folder.mkdir(exist_ok=True)
(folder / ("_extension" + sysconfig.get_config_var("EXT_SUFFIX"))).write_text(code)
"""
LOADED = """
import sys, sysconfig
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

path = Path(__file__).parent / "_kernels" / ("_extension" + sysconfig.get_config_var("EXT_SUFFIX"))
name = "ngrc._kernels._extension"
spec = spec_from_file_location(name, path, loader=SourceFileLoader(name, str(path)))
kernels = sys.modules[name] = module_from_spec(spec)
spec.loader.exec_module(kernels)
package = sys.modules["ngrc._kernels"] = ModuleType("ngrc._kernels")
package._extension = kernels
"""


@pytest.fixture
def compiled(repository: Path) -> Path:
    """The repository with a kernel; its compiler writes Python, which stands where the extension would."""
    for name, text in (
        ("setup.py", SETUP), ("src/kernels/sums.hpp", KERNEL), ("src/ngrc/__init__.py", LOADED),
        ("tests/test_sums.py", "import ngrc\n\n\ndef test_total():\n    assert ngrc.kernels.total(2, 1) == 3\n"),
    ):  # fmt: skip
        (repository / name).parent.mkdir(exist_ok=True)
        (repository / name).write_text(text)
    return repository


def test_a_planted_kernel_is_compiled_and_put_back(compiled: Path, tmp_path: Path) -> None:
    copy = Tree.copied(compiled, tmp_path / "copy" / "repository")
    error = toy(file="kernels/sums.hpp")
    with copy.planted(error):
        assert copy.file == tree.EXTENSION.as_posix()
        assert suite.caught_by_tests(copy, error) == "tests/test_sums.py::test_total"
    assert (copy.root / SOURCES / error.file).read_text() == KERNEL
    suite.check_control(copy, error.tests)
    assert not (compiled / SOURCES / tree.EXTENSION).exists()


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ("a ? b", "kernels/sums.hpp does not compile: error: expected ';'"),
        ("a + b // c", "the patch changes nothing in _extension"),
    ],
)
def test_a_kernel_patch_that_does_not_fit_is_refused(
    compiled: Path, tmp_path: Path, new: str, message: str
) -> None:
    copy = Tree.copied(compiled, tmp_path / "copy" / "repository")
    with pytest.raises(SetupError, match=message), copy.planted(toy(file="kernels/sums.hpp", new=new)):
        pass
    assert (copy.root / SOURCES / "kernels/sums.hpp").read_text() == KERNEL


def test_an_extension_of_another_text_is_refused(compiled: Path, tmp_path: Path) -> None:
    copy = Tree.copied(compiled, tmp_path / "copy" / "repository")
    error = toy(file="kernels/sums.hpp")
    with copy.planted(error):
        extension = copy.root / SOURCES / tree.EXTENSION
        digest = sha256(extension.read_bytes()).hexdigest()
        extension.write_text("def total(a, b):\n    return a + b\n")
        proof = (str(copy.root), copy.file, digest, str(tmp_path / "report.json"))
        command = (sys.executable, "-P", str(tree.CHILD), *proof, "pytest", "tests")
        code, output = tree._waited(command, copy.root, copy.environment, 60.0)
    assert code == child.WRONG_SOURCE
    assert "is not the extension that was built with the planted text" in output


def test_the_quick_run_has_two_errors_of_every_area() -> None:
    quick = chosen(ERRORS, QUICK)
    assert Counter(error.area for error in quick) == dict.fromkeys(AREAS, 2)
    assert not any("real-" in target for error in quick for target in error.targets)


def test_a_hung_error_counts_as_caught(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Several times what the toy's tests take; the loop never ends.
    monkeypatch.setattr(suite, "NAMED_SECONDS", 4.0)
    error = toy(old="return n\n", new="while n:\n        pass\n    return n\n")
    copy = Tree.copied(repository, tmp_path / "copy" / "repository")
    with copy.planted(error):
        assert suite.caught_by_tests(copy, error) == suite.TIMEOUT


def test_a_run_that_ends_early_stops_its_children(repository: Path, tmp_path: Path) -> None:
    copy = Tree.copied(repository, tmp_path / "copy" / "repository")
    (copy.root / "tests/test_sums.py").write_text("import time\n\n\ndef test_long():\n    time.sleep(60)\n")
    endings: list[Ending] = []
    thread = Thread(target=lambda: endings.append(copy.run("pytest", "-q", "tests", seconds=60.0)))
    thread.start()
    wait_until(lambda: tree._running)
    tree.stop_children()
    thread.join(60)
    assert endings[0].code == -SIGKILL
    assert not tree._running


def test_a_test_that_fails_anyway_catches_nothing(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "tests/test_sums.py").write_text("def test_broken():\n    assert False\n")
    folder = planted_folder(tmp_path / "planted", ("seen", "a + b", "a - b"))
    assert main(["--skip-reproduce"], repository=repository, folder=folder) == 2
    assert "test_broken fails without a planted error" in capsys.readouterr().err


def test_a_bad_patch_ends_the_run(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = planted_folder(tmp_path / "planted", ("moved", "a ** b", "a - b"))
    assert main(["--skip-reproduce"], repository=repository, folder=folder) == 2
    assert "occurs 0 times" in capsys.readouterr().err


def test_the_copy_leaves_out_what_would_notice_any_text(repository: Path, tmp_path: Path) -> None:
    for name in (
        "mutants/planted.py",
        "tests/test_mutants.py",
        ".git/config",
        "src/ngrc/__pycache__/sums.pyc",
    ):
        (repository / name).parent.mkdir(exist_ok=True)
        (repository / name).write_text("")
    copy = Tree.copied(repository, tmp_path / "copy" / "repository")
    files = {str(path.relative_to(copy.root)) for path in copy.root.rglob("*") if path.suffix != ".pyc"}
    assert files >= {"tests/test_sums.py", "src/ngrc/sums.py", "pyproject.toml"}
    assert not files & {"mutants", "tests/test_mutants.py", ".git"}


def test_the_text_is_put_back(repository: Path, tmp_path: Path) -> None:
    copy = Tree.copied(repository, tmp_path / "copy" / "repository")
    path = copy.root / SOURCES / "ngrc/sums.py"
    with copy.planted(toy()):
        assert path.read_text() == SOURCE.replace("a + b", "a - b")
    assert path.read_text() == SOURCE
    with pytest.raises(SetupError, match="occurs 0 times"), copy.planted(toy(old="a ** b")):
        pass
    assert (path.read_text(), copy.file) == (SOURCE, tree.WITNESS)


def test_another_tree_on_the_path_is_refused(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an editable install would be found where the copy is not first on the path."""
    copy = Tree.copied(repository, tmp_path / "copy" / "repository")
    wrong = {**os.environ, "PYTHONPATH": str(repository / "src")}
    monkeypatch.setattr(Tree, "environment", property(lambda self: wrong))
    with copy.planted(toy()), pytest.raises(SetupError, match="not from"):
        suite.caught_by_tests(copy, toy())


def test_kept_bytecode_of_another_text_is_refused(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Same size, same second: by these alone Python takes bytecode of the text before for that of the planted one."""
    copy = Tree.copied(repository, tmp_path / "copy" / "repository")
    path = copy.root / SOURCES / "ngrc/sums.py"
    with copy.planted(toy()):
        assert suite.caught_by_tests(copy, toy()) == "tests/test_sums.py::test_total"
    stamp = path.stat()
    compileall.compile_dir(copy.root / "src", quiet=2, force=True)
    path.write_text(SOURCE.replace("a + b", "a - b"))
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    copy.file = "ngrc/sums.py"
    with pytest.raises(SetupError, match="bytecode"):
        copy.run("pytest", "-q", "tests", seconds=60.0)


def test_the_child_takes_no_other_code() -> None:
    digest = sha256((ROOT / SOURCES / "ngrc/metrics.py").read_bytes()).hexdigest()
    assert child.wrong_source(ROOT, "ngrc/metrics.py", digest) == ""
    assert "does not hold the planted text" in child.wrong_source(ROOT, "ngrc/metrics.py", "0")
    assert "not from" in child.wrong_source(ROOT / "docs", "ngrc/metrics.py", digest)


def ending(folder: Path, *verdicts: str, code: int | None = 0) -> Ending:
    rows = [
        {"target": "phase", "table": "t", "cell": str(place), "verdict": verdict}
        for place, verdict in enumerate(verdicts)
    ]
    report = folder / "checks.json"
    report.write_text(json.dumps(rows))
    return Ending(code, "Traceback\nValueError: no", report)


def test_rows_that_became_different_are_a_notice(tmp_path: Path) -> None:
    before = Baseline(frozenset({("phase", "t", "0")}), 1.0, True)
    same = _notice("phase", ending(tmp_path, "different", "match", "within"), before)
    assert same == Notice("phase", 0)
    assert not same.caught
    worse = _notice("phase", ending(tmp_path, "different", "different", "different"), before)
    assert worse == Notice("phase", 2)
    assert worse.caught
    assert _notice("phase", ending(tmp_path, code=1), before) == Notice("phase", 0, "ValueError: no")
    assert _notice("phase", ending(tmp_path, code=None), before).caught


def test_the_goals_are_counted_from_results() -> None:
    judged = toy(judged=True, targets=("phase",))
    caught = Result(judged, "tests/a.py::b", (Notice("phase", 3),), 1.0)
    missed = Result(judged, "tests/a.py::b", (Notice("phase", 0),), 1.0)
    lines, met = goals([caught] * 9 + [missed], reproduce=True)
    assert met
    assert "9 of 10 behind printed numbers caught, 90%" in lines[1]
    assert not goals([caught] * 8 + [missed] * 2, reproduce=True)[1]
    assert not goals([caught, Result(judged, "", (Notice("phase", 3),), 1.0)], reproduce=True)[1]
    assert goals([missed], reproduce=False)[1]
    assert table([caught, missed], reproduce=True).row_count == 2


def test_parameters_of_a_test_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    caught = Result(toy(), "tests/a.py::b[laplace-0.8]", (Notice("phase", 0, "no [key]"),), 1.0)
    console().print(table([caught], reproduce=False))
    assert "b[laplace-0.8]" in capsys.readouterr().out


def test_the_list_needs_no_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(ERRORS)
    assert main(["--only", "nothing-of-the-kind"]) == 2
