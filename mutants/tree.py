"""One worker's copy of the repository: an error is planted, children run in it, the text is put back."""

import compileall
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from py_compile import PycInvalidationMode
from uuid import uuid4

from mutants.child import WRONG_SOURCE
from mutants.errors import SetupError
from mutants.planted import PACKAGE, Planted

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
    # Kernels that another process is writing: they may be gone before they are copied.
    "*.part.*",
    ".*_cache",
    ".hypothesis",
    "mutants",
    "test_mutants.py",
)
ALONE = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")
"""One thread per child: the workers share the processors already."""
WITNESS = "__init__.py"
"""The file a child looks at where nothing is planted."""
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
    """A copy of the repository in a folder of its own, and the file in which an error is planted now."""

    root: Path
    file: str = field(default=WITNESS, init=False)

    @classmethod
    def copied(cls, repository: Path, root: Path) -> "Tree":
        """Copy the repository; compiled kernels come along, as each is kept with a stamp of its own code."""
        shutil.copytree(repository, root, ignore=LEFT_BEHIND)
        # By the hash of the text: by its size and second, an error planted just after another one could pass for it.
        compileall.compile_dir(root / "src", quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
        return cls(root)

    @contextmanager
    def planted(self, error: Planted) -> Iterator[None]:
        """The error stands in the copy inside the block."""
        path = self.root / PACKAGE / error.file
        original = path.read_text(encoding="utf-8")
        try:
            path.write_text(error.applied(original), encoding="utf-8")
            self.file = error.file
            yield
        finally:
            path.write_text(original, encoding="utf-8")
            self.file = WITNESS

    def run(self, tool: str, *arguments: str, seconds: float) -> Ending:
        """Run pytest or `ngrc reproduce` in the copy; a child that ran other source stops everything."""
        digest = sha256((self.root / PACKAGE / self.file).read_bytes()).hexdigest()
        report = self.root.parent / f"{uuid4().hex}.json"
        proof = (str(self.root), self.file, digest, str(report))
        command = (sys.executable, "-P", str(CHILD), *proof, tool, *arguments)
        code, output = _waited(command, self.root, self.environment, seconds)
        if code == WRONG_SOURCE:
            raise SetupError(f"a child did not run the copied source: {output.strip().splitlines()[-1]}")
        return Ending(code, output, report)

    @property
    def environment(self) -> dict[str, str]:
        """The copy first on the path, before an editable install; no bytecode written, kernels kept in the copy."""
        paths = os.pathsep.join((str(self.root / "src"), str(self.root)))
        inherited = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
        return inherited | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"} | dict.fromkeys(ALONE, "1")


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
