"""Kernels on disk: announced when cold, silent when warm, mended when damaged, done without where none can be kept."""

import errno
import importlib
import os
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, cast

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import ngrc
from ngrc._jit import COMPILING, Direct, jit
from ngrc._jit.cache import HomeLocator
from ngrc._jit.code import PLAIN, code_digest, named_globals
from ngrc._jit.sealed import read_sealed, write_sealed
from tests.copying import writable_copy

LISTEN = "import logging; logging.basicConfig(level=logging.INFO, format='%(message)s')"
CALL = (
    "from ngrc.order.quantiles import conformal_rank, signed_ranks; "
    "print(conformal_rank(9, 0.8), *signed_ranks(9, 0.8))"
)
ANSWER = "8 1 9"
NOWHERE = {"NUMBA_CACHE_DIR": "/dev/null/kernels", "HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache"}
FULL = """
import builtins, errno, os
def full(path, mode="r", *rest, inner=builtins.open, **options):
    if "nbc" in str(path) and set(mode) & set("wxa"):
        inner(path, mode, *rest, **options).close()
        raise OSError(errno.{code}, os.strerror(errno.{code}), str(path))
    return inner(path, mode, *rest, **options)
builtins.open = full
"""


def run(program: str, environment: Mapping[str, str | None], cwd: Path | None = None) -> list[str]:
    """Lines that a child printed, the answer first; its exit code must be 0."""
    merged = {**os.environ, **environment}
    child = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={name: value for name, value in merged.items() if value is not None},
        cwd=cwd,
    )
    assert child.returncode == 0, child.stderr
    return (child.stdout + child.stderr).splitlines()


def said(program: str, cache: Path) -> list[str]:
    return run(program, {"NUMBA_CACHE_DIR": str(cache)})


def cached(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".nbi", ".nbc"))


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("warm")
    assert said(f"{LISTEN}; {CALL}", folder) == [ANSWER, COMPILING]
    return folder


@pytest.fixture
def cache(warm: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(warm, tmp_path / "cache"))


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    """A copy of the package beside which nothing can be written, not even by root."""
    copy = writable_copy(Path(ngrc.__file__).parent, tmp_path / "package" / "ngrc")
    for folder in (copy, *(path for path in copy.rglob("*") if path.is_dir())):
        (folder / "__pycache__").touch()
    return copy.parent


def test_the_first_compilation_is_announced_once(warm: Path) -> None:
    assert cached(warm)
    assert said(f"{LISTEN}; {CALL}", warm) == [ANSWER]


def test_without_a_listener_nothing_is_said(tmp_path: Path) -> None:
    assert said(CALL, tmp_path) == [ANSWER]


def test_kernels_of_others_are_not_our_business(tmp_path: Path) -> None:
    foreign = "import numba, ngrc._jit; numba.njit(lambda x: x + 1)(1)"
    assert said(f"{LISTEN}; {foreign}", tmp_path) == []


def flip(path: Path, where: float) -> None:
    content = bytearray(path.read_bytes())
    content[int(where * (len(content) - 1))] ^= 0xFF
    path.write_bytes(content)


def folder_instead(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGE: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "one byte": lambda path: path.write_bytes(path.read_bytes()[:1]),
    "half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "all but one byte": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "one byte more": lambda path: path.write_bytes(path.read_bytes() + b"."),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "other bytes": lambda path: path.write_bytes(os.urandom(4096)),
    "text": lambda path: path.write_text("version 1\n"),
    "first byte flipped": lambda path: flip(path, 0.0),
    "middle byte flipped": lambda path: flip(path, 0.5),
    "last byte flipped": lambda path: flip(path, 1.0),
    "a folder": folder_instead,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_never_passes_for_content(damage: str, tmp_path: Path) -> None:
    path, stamp = tmp_path / "kernel.nbc", bytes(32)
    assert read_sealed(path, stamp) is None
    write_sealed(path, stamp, b"code" * 50)
    assert read_sealed(path, stamp) == b"code" * 50
    assert read_sealed(path, bytes(31) + b"1") is None
    DAMAGE[damage](path)
    with pytest.raises((ValueError, OSError)):
        read_sealed(path, stamp)
    write_sealed(path, stamp, b"mended")
    assert read_sealed(path, stamp) == b"mended"
    assert list(tmp_path.iterdir()) == [path]


# What every damage leads to in one process is above; here what comes of the two ways in which it shows.
@pytest.mark.parametrize("damage", ["half", "a folder"])
def test_a_damaged_cache_is_mended_and_spoken_of_once(damage: str, cache: Path) -> None:
    for path in cached(cache):
        DAMAGE[damage](path)
    answer, *lines = said(f"{LISTEN}; {CALL}", cache)
    assert answer == ANSWER
    assert len(lines) == 1, lines
    assert "damaged" in lines[0]
    assert said(f"{LISTEN}; {CALL}", cache) == [ANSWER]


def test_a_folder_with_content_is_left_alone(cache: Path) -> None:
    for path in cached(cache):
        folder_instead(path)
        (path / "mine").touch()
    answer, *lines = said(f"{LISTEN}; {CALL}", cache)
    assert answer == ANSWER
    assert ["damaged" in lines[0], "could not be kept" in lines[1], len(lines)] == [True, True, 2]
    assert all((path / "mine").exists() for path in cached(cache))


@pytest.mark.parametrize("home", ["/dev/null", None, "", "somewhere"])
def test_where_nothing_can_be_kept_kernels_are_compiled_in_memory(home: str | None, sealed: Path) -> None:
    """An unset HOME of a user that the system does not know would make numba write to "./~"."""
    environment = {**NOWHERE, "HOME": home, "PYTHONPATH": str(sealed)}
    unknown = ""
    if home != "/dev/null":
        unknown = "import os, pwd, sys; pwd.getpwuid = lambda number: {}[number]; "
        environment["XDG_CACHE_HOME"] = "" if home == "" else None
    here = sealed / "here"
    here.mkdir()
    answer, *lines = run(f"{unknown}{LISTEN}; {CALL}", environment, here)
    assert answer == ANSWER
    assert len(lines) == 1, lines
    assert "NUMBA_CACHE_DIR" in lines[0]
    assert list(here.iterdir()) == []


def test_an_empty_home_is_no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root could write to "/.cache", the folder that an empty HOME leads to."""
    function: Any = run
    monkeypatch.setattr(HomeLocator, "ensure_cache_path", lambda locator: None)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "")
    assert HomeLocator.from_function(function, __file__) is None
    monkeypatch.setenv("HOME", str(tmp_path))
    assert HomeLocator.from_function(function, __file__).get_cache_path().startswith(str(tmp_path))
    if sys.platform == "linux":
        monkeypatch.setenv("HOME", "")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        assert HomeLocator.from_function(function, __file__).get_cache_path().startswith(str(tmp_path))


def test_a_full_disk_is_spoken_of_once_and_leaves_nothing(tmp_path: Path) -> None:
    code = "ENOSPC"
    answer, *lines = said(f"{FULL.format(code=code)}\n{LISTEN}; {CALL}", tmp_path)
    assert answer == ANSWER
    assert lines[0] == COMPILING
    assert len(lines) == 2, lines
    assert os.strerror(getattr(errno, code)) in lines[1]
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_processes_that_start_together_share_a_damaged_cache(cache: Path) -> None:
    for path in cached(cache):
        DAMAGE["half"](path)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    children = [
        subprocess.Popen([sys.executable, "-c", CALL], stdout=subprocess.PIPE, env=environment)
        for _ in range(4)
    ]
    assert [child.communicate()[0].decode().strip() for child in children] == [ANSWER] * 4
    assert said(f"{LISTEN}; {CALL}", cache) == [ANSWER]


def test_the_command_line_takes_no_damage_for_an_interruption(cache: Path, tmp_path: Path) -> None:
    series = tmp_path / "series.csv"
    series.write_text("y,forecast\n" + "\n".join(f"{(7 * step) % 11},5" for step in range(200)))
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    # Forecasts that are there already and this method need one kernel; others take a minute.
    words = ["intervals", str(series), "--method", "split", "--quiet"]
    forecast = [sys.executable, "-c", f"from ngrc.cli import main; main({words!r})"]
    clean = subprocess.run(forecast, capture_output=True, text=True, env=environment, check=True)
    for path in cached(cache):
        path.write_bytes(path.read_bytes()[:100])
    mended = subprocess.run(forecast, capture_output=True, text=True, env=environment)
    assert (mended.returncode, mended.stdout) == (0, clean.stdout)
    (line,) = mended.stderr.splitlines()
    assert "damaged" in line
    again = subprocess.run(forecast, capture_output=True, text=True, env=environment)
    assert (again.returncode, again.stdout, again.stderr) == (0, clean.stdout, "")


CALLER = """
from ngrc._jit import jit
import callee
from callee import FACTOR

@jit
def outer(x):
    return middle(x)

@jit
def middle(x):
    return FACTOR * callee.inner(x) + callee.SHIFT

print(outer(2.0))
"""
CALLEE = "from ngrc._jit import jit\nFACTOR = {factor}\nSHIFT = {shift}\n@jit\ndef inner(x):\n    return x + {term}\n"


def test_a_kernel_is_recompiled_when_one_that_it_calls_changes(tmp_path: Path) -> None:
    """Numba's own cache looks at the kernel's file alone, and would go on with the old callee."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "caller.py").write_text(CALLER)
    environment = {
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": f"{source}{os.pathsep}{Path(ngrc.__file__).parent.parent}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    answers = []
    for factor, term, shift in ((1.0, 1.0, 0.0), (1.0, 5.0, 0.0), (3.0, 5.0, 0.0), (3.0, 5.0, 2.0)):
        (source / "callee.py").write_text(CALLEE.format(factor=factor, term=term, shift=shift))
        answers += run("import caller", environment)
    assert answers == ["3.0", "7.0", "21.0", "23.0"]
    # Three kernels, each kept once: an edited one replaces its predecessor.
    assert len(cached(tmp_path / "cache")) == 3


def kernels() -> Iterator[Dispatcher]:
    for module in pkgutil.walk_packages(ngrc.__path__, "ngrc."):
        source = Path(getattr(module.module_finder, "path", "")) / f"{module.name.rpartition('.')[2]}.py"
        if source.exists() and "from ngrc._jit import" in source.read_text():
            values = vars(importlib.import_module(module.name)).values()
            kernels = (value.kernel if isinstance(value, Direct) else value for value in values)
            yield from (kernel for kernel in kernels if isinstance(kernel, Dispatcher))


def test_every_kernel_reads_only_what_the_stamp_covers() -> None:
    """Kernels, numbers and NumPy, by name or as `module.name`: an object could change unseen."""
    seen = 0
    for kernel in kernels():
        seen += 1
        for name, value in named_globals(cast(FunctionType, kernel.py_func)):
            covered = isinstance(value, (Dispatcher, ModuleType, *PLAIN))
            assert covered, (kernel, name, value)
    assert seen > 40


def test_digests_differ_by_code_constant_and_default() -> None:
    scope: dict[str, Any] = {}
    bodies = ("x + 1", "x + 2", "x - 1", "x + TERM", "abs(x)")
    for position, body in enumerate(bodies):
        exec(f"def f{position}(x): return {body}", scope)
    digests = set()
    for position in range(len(bodies)):
        scope[f"f{position}"].__qualname__ = "f"
        digests.add(code_digest(scope[f"f{position}"]))
        assert code_digest(scope[f"f{position}"]) in digests
    for term in (1, 1.0, np.arange(3), np.arange(4)):
        scope["TERM"] = term
        digests.add(code_digest(scope["f3"]))
    scope["f0"].__defaults__ = (7,)
    digests.add(code_digest(scope["f0"]))
    assert len(digests) == len(bodies) + 4 + 1


def test_a_kernel_with_a_closure_is_refused() -> None:
    outside = 3
    with pytest.raises(TypeError, match="enclosing function"):
        jit(lambda x: x + outside)
