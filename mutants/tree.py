"""One worker's copy of the repository: an error is planted, children run in it, the text is put back.

A planted kernel is compiled in the copy, and so is the text that is put back.
"""

import compileall
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from py_compile import PycInvalidationMode
from uuid import uuid4

from mutants.child import WRONG_SOURCE
from mutants.errors import SetupError
from mutants.planted import SOURCES, Planted

CHILD = Path(__file__).with_name("child.py")
# This folder and its tests stay behind too: they read the source, and would notice every planted error by its text.
LEFT_BEHIND = shutil.ignore_patterns(
    ".git",
    ".venv",
    ".*-venv",
    "build",
    "dist",
    "demo",
    "results",
    "*.pyc",
    ".*_cache",
    ".hypothesis",
    "mutants",
    "test_mutants.py",
)
ALONE = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")
"""One thread per child: the workers share the processors already."""
WITNESS = "ngrc/__init__.py"
"""The file a child looks at where nothing is planted."""
EXTENSION = Path("ngrc") / "_kernels" / f"_extension{sysconfig.get_config_var('EXT_SUFFIX')}"
"""The compiled kernels, below `SOURCES`."""
BUILD = ("setup.py", "--quiet", "build_ext", "--inplace")
BUILD_SECONDS = 600.0
"""All kernels on a busy machine; after a change in one header it takes seconds."""
# Leaders of the sessions of children that run now, in whatever thread.
_running: set[int] = set()


@dataclass(frozen=True, slots=True)
class Ending:
    """How a child ended.

    Parameters
    ----------
    code
        Exit code; None where it was stopped because it took too long.
    output
        Both streams.
    report
        The file that it was to write.
    """

    code: int | None
    output: str
    report: Path


@dataclass(slots=True)
class Tree:
    """A copy of the repository in a folder of its own, and the file that shows the error planted now.

    That is the planted file, or the extension where a kernel is planted.
    """

    root: Path
    file: str = field(default=WITNESS, init=False)

    @classmethod
    def copied(cls, repository: Path, root: Path) -> "Tree":
        """Copy the repository; objects of the kernels come along with their times, so that few are compiled again."""
        shutil.copytree(repository, root, ignore=LEFT_BEHIND)
        for objects in repository.glob("build/kernels-*"):
            shutil.copytree(objects, root / objects.relative_to(repository))
        # By the hash of the text: by its size and second, an error planted just after another one could pass for it.
        compileall.compile_dir(root / "src", quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
        return cls(root)

    @contextmanager
    def planted(self, error: Planted) -> Iterator[None]:
        """The error stands in the copy inside the block."""
        path = self.root / SOURCES / error.file
        original = path.read_text(encoding="utf-8")
        changed = error.applied(original)
        before = self._built(error) if error.in_kernels else ""
        try:
            path.write_text(changed, encoding="utf-8")
            if error.in_kernels and self._built(error) == before:
                raise SetupError(f"{error.name}: the patch changes nothing in {EXTENSION.name}; mend it")
            self.file = EXTENSION.as_posix() if error.in_kernels else error.file
            yield
        finally:
            path.write_text(original, encoding="utf-8")
            self.file = WITNESS
        # Where the block failed the run is void, and nobody waits for a build.
        if error.in_kernels and self._built(error) != before:
            raise SetupError(f"{error.name}: {EXTENSION.name} is another one after the text was put back")

    def _built(self, error: Planted) -> str:
        """Build the extension in the copy; its digest."""
        code, output = _waited((sys.executable, *BUILD), self.root, self.environment, BUILD_SECONDS)
        if code != 0:
            last = (output.strip().splitlines() or ["nothing was printed"])[-1]
            raise SetupError(f"{error.name}: {error.file} does not compile: {last}; mend the patch")
        return self._digest(EXTENSION)

    def _digest(self, file: str | Path) -> str:
        return sha256((self.root / SOURCES / file).read_bytes()).hexdigest()

    def run(self, tool: str, *arguments: str, seconds: float) -> Ending:
        """Run pytest or `ngrc reproduce` in the copy; a child that ran other source stops everything."""
        report = self.root.parent / f"{uuid4().hex}.json"
        proof = (str(self.root), self.file, self._digest(self.file), str(report))
        command = (sys.executable, "-P", str(CHILD), *proof, tool, *arguments)
        code, output = _waited(command, self.root, self.environment, seconds)
        if code == WRONG_SOURCE:
            raise SetupError(f"a child did not run the copied source: {output.strip().splitlines()[-1]}")
        return Ending(code, output, report)

    @property
    def environment(self) -> dict[str, str]:
        """The copy first on the path, before an editable install; no bytecode written."""
        paths = os.pathsep.join((str(self.root / "src"), str(self.root)))
        return {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"} | dict.fromkeys(ALONE, "1")


def _waited(
    command: tuple[str, ...], folder: Path, environment: dict[str, str], seconds: float
) -> tuple[int | None, str]:
    """Exit code and output; after `seconds` the child and its own children are stopped, and the code is None."""
    child = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    _running.add(child.pid)
    try:
        output, _ = child.communicate(timeout=seconds)
        return child.returncode, output
    except subprocess.TimeoutExpired:
        _stop(child.pid)
        output, _ = child.communicate()
        return None, output
    finally:
        _running.discard(child.pid)


def stop_children() -> None:
    """Stop every child that runs now: in sessions of their own, they would outlive an interrupted run."""
    for leader in tuple(_running):
        _stop(leader)


def _stop(leader: int) -> None:
    # It may have ended by itself just now.
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
