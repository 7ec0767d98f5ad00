"""The direction of imports, read from the source: no room looks up, and no module is reached in a circle.

A new room gets one word in `LEVELS`, on the lowest line that is above everything it imports.
"""

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import ngrc

LEVELS = """
_types _threads
_kernels _blocks _memo _minimum _params _atomic _frames _optional _progress _shares _targets _text _ties
archive
validation web
_normal
order features metrics
readout intervals series
theory datasets splits online observed ends
fitted forecasters plot
plan running noise auto
refitting origins
model automatic
presets
ahead backtesting external
adapters diagnosis panel live testing
durable
stream
serve
report
study
ngrc
cli
__main__
"""
"""Rooms from the lowest level up; a room imports from lower levels alone, never from a neighbour."""

ONLY = {
    "intervals": {"archive", "validation", "order", "metrics"},
    "readout": {"validation", "features"},
    "theory": {"validation", "readout"},
}
"""Rooms that see less than their level allows, private helpers aside: an interval method knows residuals,
forecasts and a clock, and no model."""

DOORS = {("theory", "readout"): {"ngrc.readout.spectrum"}}
"""Where a room takes one file of another and nothing else of it."""

SHARED_STUDY = {"harness", "simulated", "registry", "index"}
# It sets a method's rows in two experiments side by side, and so reads from them; none reads from it.
COMPARING = {"rescp"}

BY_NAME = {
    "ngrc",
    "ngrc._kernels",
    "ngrc.intervals",
    "ngrc.series",
    "ngrc.cli",
    "ngrc.archive.kinds",
    "ngrc.forecasters",
    "ngrc.forecasters.fingerprint",
    "ngrc._optional",
    "ngrc.study.registry",
}
"""Modules that import others by a name in a string, where this test cannot see which."""

Sources = dict[str, str]
Rule = Callable[[Sources], list[str]]


class Import(NamedTuple):
    """`name` taken from `target` by `module`; the name is empty where the whole module is taken."""

    module: str
    target: str
    name: str


def read_sources() -> Sources:
    folder = Path(ngrc.__file__).parent
    sources = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        sources[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path.read_text(encoding="utf-8")
    return sources


@cache
def statements(text: str) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Imports of one file; kept, as every rule reads every file, and one file differs from test to test."""
    return tuple(node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom))


def imports(sources: Sources) -> Iterator[Import]:
    """Every import of our own, also those inside functions and under TYPE_CHECKING."""
    for module, text in sources.items():
        for node in statements(text):
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{module}: imports are written in full"
                source = node.module or ""
                for alias in node.names:
                    whole = f"{source}.{alias.name}" in sources
                    name = "" if whole else alias.name
                    yield Import(module, f"{source}.{alias.name}" if whole else source, name)
            else:
                yield from (Import(module, alias.name, "") for alias in node.names)


def own_imports(sources: Sources) -> Iterator[Import]:
    return (line for line in imports(sources) if line.target.split(".")[0] == "ngrc")


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else module


def upward(sources: Sources) -> list[str]:
    level = {name: height for height, line in enumerate(LEVELS.split("\n")) for name in line.split()}
    missing = {room(module) for module in sources} - level.keys()
    faults = [f"{name} has no line in LEVELS" for name in sorted(missing)]
    for module, target, _ in own_imports(sources):
        here, there = room(module), room(target)
        if here == there or here in missing or there in missing:
            continue
        hidden = here in ONLY and there not in ONLY[here] and not there.startswith("_")
        if level[there] >= level[here] or hidden:
            faults.append(f"{module} may not import {there} ({target})")
        if target not in DOORS.get((here, there), {target}):
            faults.append(f"{module} may take {DOORS[here, there]} of {there}, not {target}")
    return faults


def private(sources: Sources) -> list[str]:
    faults = []
    for module, target, name in own_imports(sources):
        if name.startswith("_") and not name.startswith("__"):
            faults.append(f"{module} imports the private {name} of {target}")
        inner = any(part.startswith("_") for part in target.split(".")[2:])
        if inner and room(module) != room(target):
            faults.append(f"{module} imports the private module {target}")
    return faults


def circles(sources: Sources) -> list[str]:
    """Each module from which a chain of imports comes back to it."""
    graph: dict[str, set[str]] = {module: set() for module in sources}
    for module, target, _ in own_imports(sources):
        graph[module].add(target)
    faults = []
    for start in graph:
        reached, edge = set[str](), graph[start]
        while edge:
            reached |= edge
            edge = {after for module in edge for after in graph.get(module, ())} - reached
        if start in reached:
            faults.append(f"{start} is imported by what it imports")
    return faults


def experiment(module: str) -> str | None:
    """The experiment that a module of the study belongs to; None for what experiments share."""
    parts = module.split(".")[2:]
    if not parts or parts[0] in SHARED_STUDY:
        return None
    if parts[0] == "real":
        return ".".join(parts[:3]) if parts[1:2] == ["targets"] and len(parts) > 2 else None
    return parts[0]


def crossed_experiments(sources: Sources) -> list[str]:
    """Imports of an experiment by another, or by what experiments share; of the study by its harness."""
    faults = []
    for module, target, _ in own_imports(sources):
        if room(module) != "study" or room(target) != "study":
            continue
        if experiment(target) not in (None, experiment(module)) and experiment(module) not in COMPARING:
            faults.append(f"{module} imports the experiment {target}")
        harness = "ngrc.study.harness"
        if module.startswith(harness) and not target.startswith(harness):
            faults.append(f"{module} of the harness imports {target}")
        if module == "ngrc.study.registry" and not target.startswith(harness):
            faults.append(f"the registry imports {target} before it is asked")
    return faults


def by_name(sources: Sources) -> list[str]:
    return [
        f"{module} imports by name" for module, text in sources.items()
        if module not in BY_NAME and ("import_module" in text or "__import__" in text)
    ]  # fmt: skip


RULES: tuple[Rule, ...] = (upward, private, circles, crossed_experiments, by_name)


@pytest.fixture(scope="module")
def sources() -> Sources:
    return read_sources()


@pytest.mark.parametrize("rule", RULES)
def test_the_library_keeps_the_rule(rule: Rule, sources: Sources) -> None:
    assert rule(sources) == []


WRONG: list[tuple[Rule, str, str]] = [
    (upward, "ngrc.intervals.split", "from ngrc.model import NGRC"),
    (upward, "ngrc.intervals.rescp.states", "from ngrc.features import FeatureMap"),
    (upward, "ngrc.intervals.base", "def late() -> None:\n    from ngrc.series import Series"),
    (upward, "ngrc.readout.spectrum", "from ngrc.theory import phase"),
    (upward, "ngrc.theory.traces", "from ngrc.readout.gram import Gram"),
    (upward, "ngrc.readout.gram", "from ngrc.series import Series"),
    (upward, "ngrc.metrics", "import ngrc.backtesting.entry"),
    (upward, "ngrc.online", "from ngrc import model"),
    (upward, "ngrc.annex.shed", "from ngrc.model import NGRC"),
    (private, "ngrc.study.phase.cells", "from ngrc.theory.mixing import _slope"),
    (private, "ngrc.study.phase.cells", "from ngrc.theory._check import check_matrix"),
    (circles, "ngrc.readout.spectrum", "def late() -> None:\n    from ngrc.readout.orthogonal import design_spectrum"),
    (circles, "ngrc._types", "from ngrc.validation import check_count"),
    (crossed_experiments, "ngrc.study.harness.figure", "from ngrc.study.phase.target import TARGET"),
    (crossed_experiments, "ngrc.study.harness.text", "from ngrc.study import registry"),
    (crossed_experiments, "ngrc.study.temporal.figure", "from ngrc.study.quadratic.cells import DESIGNS"),
    (crossed_experiments, "ngrc.study.simulated.trial", "from ngrc.study.phase.cells import RIDGES"),
    (crossed_experiments, "ngrc.study.real.compare", "from ngrc.study.real.targets.seeds import NAME"),
    (crossed_experiments, "ngrc.study.real.targets.levels", "from ngrc.study.real.targets.main import tables"),
    (crossed_experiments, "ngrc.study.registry", "from ngrc.study.budget.target import TARGET"),
    (by_name, "ngrc.order.ranks", "from importlib import import_module"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "module", "line"), WRONG)
def test_a_wrong_import_is_found(rule: Rule, module: str, line: str, sources: Sources) -> None:
    spoilt = sources | {module: f"{sources.get(module, '')}\n{line}\n"}
    assert rule(spoilt) != []
