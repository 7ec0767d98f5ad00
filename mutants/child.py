"""What a child process runs: proof that it has the right source, then pytest or `ngrc reproduce`.

    python -P child.py ROOT FILE DIGEST REPORT pytest ARGUMENTS...
    python -P child.py ROOT FILE DIGEST REPORT reproduce ARGUMENTS...

FILE is below src: a module, or the extension where a kernel is planted. An editable install points at another tree,
kept bytecode at an older text, and an extension may be built from an older one. Each would let every planted error pass
unseen, so that the child looks for itself and leaves with `WRONG_SOURCE`. It imports nothing of this folder.
"""

import json
import sys
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

WRONG_SOURCE = 97


def wrong_source(root: Path, file: str, digest: str) -> str:
    """Why the package that Python finds is not the planted one; empty where it is."""
    import ngrc

    package = Path(str(ngrc.__file__)).parent.resolve()
    if package != (root / "src" / "ngrc").resolve():
        return f"ngrc is imported from {package}, not from {root}"
    path = root / "src" / file
    if path.suffix != ".py":
        return wrong_extension(path, digest)
    content = path.read_bytes()
    if sha256(content).hexdigest() != digest:
        return f"{path} does not hold the planted text"
    # The loader takes kept bytecode where it believes in it; that must be what the text compiles to.
    loaded = SourceFileLoader("planted", str(path)).get_code("planted")
    if loaded != compile(content, str(path), "exec", dont_inherit=True):
        return f"the bytecode kept for {path} is that of another text"
    return ""


def wrong_extension(path: Path, digest: str) -> str:
    """Why the extension that Python loads is not the planted one at `path`; empty where it is."""
    from ngrc._kernels import _extension

    loaded = Path(str(_extension.__file__)).resolve()
    if loaded != path.resolve():
        return f"ngrc._kernels._extension is loaded from {loaded}, not from {path}"
    if sha256(loaded.read_bytes()).hexdigest() != digest:
        return f"{loaded} is not the extension that was built with the planted text"
    return ""


class Failures:
    """Node names of tests that failed and of files that could not be collected, in order."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Setup, call and teardown alike."""
        if report.failed and report.nodeid not in self.names:
            self.names.append(report.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be imported."""
        if report.failed:
            self.names.append(report.nodeid)


def main() -> int:
    """Check the source, then run."""
    root, file, digest, report, tool, *arguments = sys.argv[1:]
    complaint = wrong_source(Path(root), file, digest)
    if complaint:
        print(complaint, file=sys.stderr)
        return WRONG_SOURCE
    if tool == "pytest":
        import pytest

        failures = Failures()
        code = int(pytest.main(arguments, plugins=[failures]))
        Path(report).write_text(json.dumps(failures.names), encoding="utf-8")
        return code
    from ngrc.cli import run

    code = run(["reproduce", *arguments])
    # 1 says that rows are different, which the runner reads from checks.json; a crash raises.
    return 0 if code == 1 else code


if __name__ == "__main__":
    sys.exit(main())
