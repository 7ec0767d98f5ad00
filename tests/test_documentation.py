"""The documentation keeps in step with the library: examples run, options and names are listed."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ngrc
from ngrc.cli import COMMANDS, cli
from ngrc.intervals import METHODS
from ngrc.intervals.defaults import COMPARED
from tests.copying import writable_copy

ROOT = Path(__file__).parents[1]


def blocks(path: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", path.read_text(), flags=re.DOTALL)


def test_the_quick_start_runs_from_top_to_bottom() -> None:
    rng = np.random.default_rng(0)
    outcomes = rng.normal(size=500)
    names: dict[str, Any] = {
        "outcomes": outcomes,
        "forecasts": np.zeros(500),
        "residuals": outcomes,
        "forecast": 0.0,
        "outcome": 0.1,
        "print": lambda *values: None,
    }
    for block in blocks(ROOT / "docs" / "quickstart.md"):
        exec(block, names)
    assert names["upper"].shape == (200,)


def test_the_page_of_the_map_runs_from_top_to_bottom() -> None:
    names: dict[str, Any] = {}
    for block in blocks(ROOT / "docs" / "map.md"):
        exec(block, names)
    path, load = names["path"], names["load"]
    assert path.forecast(load).shape == (48,)
    assert path.predict_path(load).shape == (load.size, 48)


def test_the_page_of_the_automatic_model_runs_from_top_to_bottom() -> None:
    said: list[str] = []
    names: dict[str, Any] = {"print": said.append}
    for block in blocks(ROOT / "docs" / "auto.md"):
        exec(block, names)
    assert names["model"].forecast(names["y"]).shape == (24,)
    assert said[0].startswith("horizon 24: ")
    assert "periods proposed" in said[0]


def test_the_page_of_paths_runs_from_top_to_bottom() -> None:
    names: dict[str, Any] = {"print": lambda *values: None}
    for block in blocks(ROOT / "docs" / "paths.md"):
        exec(block, names)
    assert names["paths"].shape == (1000, 24)
    assert names["whole"].factors[0.9] > 1.0
    assert names["law"].columns == ["q10", "q50", "q90"]


def test_the_page_of_levels_runs_from_top_to_bottom() -> None:
    said: list[tuple[Any, ...]] = []
    names: dict[str, Any] = {"print": lambda *values: said.append(values)}
    for block in blocks(ROOT / "docs" / "levels.md"):
        exec(block, names)
    assert [values[0] for values in said] == [0.5, 0.8, 0.9, 0.95]
    assert names["result"].crps().height == 3
    assert names["bands"].band(0.95).lower.min() == 0.0


# These need names that the page does not define, or their numbers are looked at: a test each, above; the packages of
# adapters.md may be missing, which tests/adapters/test_page.py sees to; panel.md and scale.md are in
# tests/panel/test_pages.py, and serve.md, which needs a service that runs, is in tests/serve/test_page.py.
BY_ITSELF = {"quickstart", "map", "auto", "paths", "levels", "adapters", "panel", "scale", "serve"}
PAGES = [page for page in sorted((ROOT / "docs").glob("*.md")) if page.stem not in BY_ITSELF and blocks(page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.stem))
def test_a_page_runs_from_top_to_bottom(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Files that an example writes belong to no one.
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, block in enumerate(blocks(page), start=1):
        exec(compile(block, f"{page.name}, block {number}", "exec"), names)
    capsys.readouterr()


def test_the_readme_example_runs() -> None:
    names: dict[str, Any] = {}
    # One after the other, as a reader would type them.
    for example in blocks(ROOT / "README.md"):
        exec(example, names)
    assert names["result"].table.height == len(COMPARED)
    assert names["live"].count == 901


def follow_the_worked_example(copy: Path) -> None:
    """Do to a copy of the repository exactly what CONTRIBUTING says."""
    module, lines = blocks(ROOT / "CONTRIBUTING.md")
    importing, entry = lines.splitlines()
    package = copy / "src" / "ngrc" / "intervals"
    (package / "maximum.py").write_text(module)
    text = (package / "registry.py").read_text()
    first_import = text.index("from ngrc.intervals.")
    end_of_methods = text.index("    )\n}", text.index("METHODS: "))
    parts = [text[:first_import], importing + "\n", text[first_import:end_of_methods], entry + "\n"]
    (package / "registry.py").write_text("".join(parts) + text[end_of_methods:])


def test_the_worked_example_of_a_new_method_keeps_the_contract(tmp_path: Path) -> None:
    """The real contract and registry tests, in a process of their own, over a copy that holds the example."""
    for name in ("src", "tests/contract", "pyproject.toml", "tests/__init__.py", "tests/twins.py"):
        writable_copy(ROOT / name, tmp_path / name)
    writable_copy(ROOT / "tests" / "intervals" / "test_registry.py", tmp_path / "tests" / "test_registry.py")
    follow_the_worked_example(tmp_path)
    paths = f"{tmp_path / 'src'}{os.pathsep}{tmp_path}"
    options = ["-p", "no:cacheprovider", "-rA", "-k", "maximum or registry"]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "tests", "src/ngrc/intervals/maximum.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-4000:]
    contract = (ROOT / "tests" / "contract" / "test_methods.py").read_text()
    for test in re.findall(r"^def (test_\w+)\(", contract, flags=re.MULTILINE):
        assert re.search(rf"PASSED .*{test}\[.*maximum.*\]", result.stdout), f"{test} did not run"
    assert "maximum.Maximum" in result.stdout


@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_described(name: str) -> None:
    assert f"`{name}`" in (ROOT / "docs" / "methods.md").read_text()
    assert f"`{name}`" in (ROOT / "README.md").read_text()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_described_and_has_help(name: str) -> None:
    import click

    assert f"ngrc {name}" in (ROOT / "docs" / "cli.md").read_text()
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.help


def test_every_public_name_is_in_the_api_page() -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    for name in ngrc.__all__:
        assert name.startswith("__") or f"ngrc.{name}" in page


def shape_page() -> tuple[str, str]:
    """The tree and the walk of the page on the library's shape."""
    page = (ROOT / "docs" / "decisions" / "0001-shape.md").read_text()
    tree, rest = page.split("## The tree")[1].split("A name with an underscore")
    return tree, rest.split("## The walk of")[1].split("## Time and rows")[0]


def test_every_room_has_its_line_in_the_tree() -> None:
    tree, _ = shape_page()
    source = ROOT / "src" / "ngrc"
    rooms = [path.parent for path in source.rglob("__init__.py") if path.parent != source]
    loose = [path for path in source.glob("*.py") if path.name != "__init__.py"]
    missing = [room.name for room in rooms if f" {room.name}/" not in tree]
    missing += [path.name for path in loose if f" {path.name}" not in tree]
    # `main/` is one of the targets in `real/targets/`, which has its line.
    assert [name for name in missing if name != "main"] == []


def test_every_name_in_the_tree_and_the_walk_exists() -> None:
    tree, walk = shape_page()
    source = ROOT / "src" / "ngrc"
    names = {path.name for path in source.rglob("*.py")}
    for name in re.findall(r"[\w]+\.py", tree + walk):
        assert name in names, f"{name} of 0001-shape.md is no file of the library"
    for path in re.findall(r"`([a-z_]+/[\w/]+\.py)`", walk):
        assert (source / path).is_file(), path
    for name in re.findall(r"(\w+)/(?= )", tree):
        assert any(path.is_dir() and path.name == name for path in source.rglob(name)), f"no room {name}/"
