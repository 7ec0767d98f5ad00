"""Size of `pip install .` without extras, in an environment of its own that is thrown away."""

import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from benchmarks.children import run
from benchmarks.harness import ITSELF, Measurement
from benchmarks.scene import Scene

REPOSITORY = Path(__file__).parents[1]
GOAL = 350.0
"""Megabytes of ngrc and of all that it needs."""
MEGABYTE = 1e6
TOOLS = {"pip", "setuptools"}
"""What an environment has before anything is installed."""


def measurements(scene: Scene) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The row; a quick run leaves it out, as it downloads and compiles."""
    if not scene.quick:
        yield "installed size", installed


def installed() -> Measurement:
    """Megabytes of site-packages after the installation, by package."""
    with tempfile.TemporaryDirectory(prefix="ngrc-installed-") as name:
        python = str(Path(name) / "bin" / "python")
        run(sys.executable, "-m", "venv", name)
        # Isolated: what PYTHONPATH names counts as installed already.
        run(python, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(REPOSITORY))
        folder = run(python, "-I", "-c", "import sysconfig; print(sysconfig.get_path('platlib'))").strip()
        found = sizes(Path(folder))
    total = sum(found.values())
    parts = sorted(found.items(), key=lambda part: -part[1])
    words = ", ".join(f"{package} {size:.1f}" for package, size in parts)
    return Measurement(
        "installed size of ngrc without extras", ITSELF, total, GOAL, GOAL / total, 1.0, f"MB: {words}", "MB"
    )


def sizes(folder: Path) -> dict[str, float]:
    """Megabytes of each package's files below a site-packages folder, as its record lists them."""
    found: dict[str, float] = {}
    for distribution in distributions(path=[str(folder)]):
        name = distribution.metadata["Name"]
        paths = [Path(str(file.locate())).resolve() for file in distribution.files or ()]
        inside = [path for path in paths if path.is_relative_to(folder.resolve()) and path.is_file()]
        if name not in TOOLS:
            found[name] = sum(path.stat().st_size for path in inside) / MEGABYTE
    return found
